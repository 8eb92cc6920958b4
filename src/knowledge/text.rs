//! Texts of the tables by their numbers: thousands of rows name the same few, and most examples are never shown.

use std::sync::OnceLock;

/// The names of all rows, one behind the other.
struct NameTable {
    blob: &'static str,
    starts: &'static [u32],
    lists: &'static [&'static [&'static str]],
}

static NAMES: &NameTable = &include!(concat!(env!("OUT_DIR"), "/names_table.rs"));

/// A part of a path, a tool or a key, which is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name(pub u16);

impl Name {
    /// The text.
    pub fn get(self) -> &'static str {
        let at = usize::from(self.0);
        let start = NAMES.starts.get(at).map(|start| *start as usize);
        let end = NAMES.starts.get(at + 1).map(|end| *end as usize);
        start.zip(end).and_then(|(start, end)| NAMES.blob.get(start..end)).unwrap_or_default()
    }
}

/// A list of names that many rows share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List(pub u16);

impl List {
    /// The names.
    pub fn get(self) -> &'static [&'static str] {
        NAMES.lists.get(usize::from(self.0)).copied().unwrap_or_default()
    }
}

/// A text that only people read: an example, or where a fact is from. All of them are packed, and unpacked when the first is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text(pub u16);

impl Text {
    /// The text.
    pub fn get(self) -> &'static str {
        static UNPACKED: OnceLock<String> = OnceLock::new();
        static TEXTS: OnceLock<Vec<&'static str>> = OnceLock::new();
        let texts = TEXTS.get_or_init(|| UNPACKED.get_or_init(unpacked).split('\0').collect());
        texts.get(usize::from(self.0)).copied().unwrap_or_default()
    }
}

fn unpacked() -> String {
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/texts.bin"));
    // The build wrote it; a test holds that it can be read.
    miniz_oxide::inflate::decompress_to_vec(packed).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_names_are_found_by_their_numbers() {
        let last = NAMES.starts.len() - 2;
        assert!(!Name(u16::try_from(last).expect("few names")).get().is_empty());
        assert_eq!(Name(u16::MAX).get(), "");
        assert!(!Text(0).get().is_empty());
        assert_eq!(Text(u16::MAX).get(), "");
        assert!(!NAMES.lists.is_empty());
    }
}
