//! Sources as JSON Lines: a line carries a text with its name, for programs that hand over files without writing them.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde::Deserialize;

use crate::input::decode::{Decoded, decode};
use crate::input::read::{Content, garbled};
use crate::value::encoding::decode_base64;

/// What stands in every line that carries a source.
static MARK: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"path\""));

/// `{"path": "a.js", "text": "…"}`; what is said besides makes it something else.
#[derive(Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
struct Written {
    path: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    base64: Option<String>,
    #[serde(default)]
    language: Option<String>,
}

/// A source that a line carries.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceRecord {
    /// Its name.
    pub path: String,
    /// What stands in it, as if it had been read from a file.
    pub content: Content,
    /// How large it is, in bytes.
    pub size: u64,
    /// The language that it is said to be in.
    pub language: Option<String>,
}

/// Reads a line that carries a source; nothing, if it is anything else.
pub fn read(line: &str) -> Option<SourceRecord> {
    // Most lines are tool calls, which need not be looked at twice.
    MARK.find(line.as_bytes())?;
    let Written { path, text, base64, language } = serde_json::from_str(line).ok()?;
    let bytes = match (text, base64) {
        (Some(text), None) => text.into_bytes(),
        (None, Some(base64)) => decode_base64(&base64)?,
        (Some(_), Some(_)) | (None, None) => return None,
    };
    let size = bytes.len() as u64;
    let content = match decode(bytes) {
        Decoded::Text(text, has_bom) => Content::Text(text, has_bom),
        Decoded::Binary => Content::Binary,
        Decoded::Invalid(text, at) => garbled(text, at),
    };
    Some(SourceRecord { path, content, size, language })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_carries_a_source_only_in_its_own_shape() {
        for (line, expected) in [
            (r#"{"path": "a.js", "text": "x()"}"#, Some(Content::Text("x()".to_owned(), false))),
            (r#"{"text": "\ufeffx", "path": "a.js", "language": "typescript"}"#, Some(Content::Text("x".to_owned(), true))),
            (r#"{"path": "a.js", "base64": "eCgp"}"#, Some(Content::Text("x()".to_owned(), false))),
            (r#"{"path": "a.js", "base64": "//4="}"#, Some(Content::Text(String::new(), true))),
            (r#"{"path": "a.js", "base64": "eCgp", "text": "y"}"#, None),
            (r#"{"path": "a.js", "base64": "!"}"#, None),
            (r#"{"path": "a.js"}"#, None),
            (r#"{"path": "a.js", "path": "b.js", "text": ""}"#, None),
            (r#"{"path": "a.js", "text": "", "mode": 3}"#, None),
            (r#"{"function_name": "write", "kwargs": {"path": "a.js"}}"#, None),
            ("{", None),
        ] {
            assert_eq!(read(line).map(|record| record.content), expected, "{line}");
        }
    }
}
