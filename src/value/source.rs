//! A text with a name: what a scan reads, before anything is known about it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A text with a name.
#[derive(Debug)]
pub struct Source {
    /// Where the text came from.
    pub name: SourceName,
    /// The decoded text, without a byte order mark.
    pub text: String,
    /// A byte order mark was taken off.
    pub has_bom: bool,
}

/// The name of a source: a path, or the name given to standard input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceName {
    path: PathBuf,
    /// The user named it; it was not found by a walk.
    pub explicit: bool,
    /// It is handed over while callgate runs, and no file; what stands in it cannot accept itself.
    pub is_stream: bool,
}

impl SourceName {
    /// A source that the user named.
    pub fn explicit(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), explicit: true, is_stream: false }
    }

    /// A source that a walk found.
    pub fn walked(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), explicit: false, is_stream: false }
    }

    /// Standard input, under the name that the user gives it.
    pub fn stream(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), explicit: true, is_stream: true }
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the source another name.
    pub fn rename(&mut self, name: impl Into<PathBuf>) {
        self.path = name.into();
    }

    /// The name as data for machine formats: forward slashes, no leading `./`, and bytes that are
    /// not UTF-8 written as `\xNN`.
    pub fn as_text(&self) -> String {
        let text = text_of(&self.path);
        let text = if cfg!(windows) { text.replace('\\', "/") } else { text };
        text.strip_prefix("./").map_or(text.clone(), str::to_owned)
    }

    /// The name for a terminal: nothing in it can move the cursor, change colours or break a line.
    pub fn as_shown(&self) -> String {
        shown(&self.as_text())
    }
}

#[cfg(unix)]
fn text_of(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    lossless(path.as_os_str().as_bytes())
}

#[cfg(not(unix))]
fn text_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Bytes as text; what is not UTF-8 is written as `\xNN` so that two names never look the same.
fn lossless(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// Text made safe for a terminal: control and invisible format characters are written as escapes.
pub fn shown(text: &str) -> String {
    if !text.chars().any(is_unshowable) {
        return text.to_owned();
    }
    text.chars().fold(String::with_capacity(text.len() + 8), |mut safe, character| {
        match character {
            '\n' => safe.push_str("\\n"),
            '\r' => safe.push_str("\\r"),
            '\t' => safe.push_str("\\t"),
            character if is_unshowable(character) => {
                let _ = write!(safe, "\\u{{{:x}}}", u32::from(character));
            }
            character => safe.push(character),
        }
        safe
    })
}

/// Returns true if and only if the character could change how a terminal shows what is around it:
/// C0 and C1 controls, bidirectional controls, zero-width and tag characters, line separators.
pub fn is_unshowable(character: char) -> bool {
    matches!(character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_are_shown_escaped() {
        for (name, expected) in [
            ("plain.js", "plain.js"),
            ("./here.js", "here.js"),
            ("new\nline.js", "new\\nline.js"),
            ("\u{1b}[2Jclear.js", "\\u{1b}[2Jclear.js"),
            ("right\u{202e}sj.js", "right\\u{202e}sj.js"),
        ] {
            assert_eq!(SourceName::explicit(name).as_shown(), expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_not_utf8_keeps_its_bytes_visible() {
        use std::os::unix::ffi::OsStrExt as _;
        let name = std::ffi::OsStr::from_bytes(b"a\xffb.js");
        assert_eq!(SourceName::walked(name).as_text(), "a\\xffb.js");
    }
}
