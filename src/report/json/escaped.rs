//! Writes JSON of which no character can change how a terminal or an editor shows what is around it.

use std::io::{self, Write};
use std::str::from_utf8;

use serde::Serialize;

use crate::value::source::is_unshowable;

/// Writes a value as one line.
///
/// # Errors
///
/// When the writer fails.
pub fn write_line(value: &impl Serialize, writer: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(Escaped(&mut *writer), value)?;
    writeln!(writer)
}

/// Writes a value as a document for people too, with a line a field.
///
/// # Errors
///
/// When the writer fails.
pub fn write_pretty(value: &impl Serialize, writer: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(Escaped(&mut *writer), value)?;
    writeln!(writer)
}

/// Takes JSON over, with escapes for what cannot be shown: beyond ASCII nothing of JSON stands outside of its strings, and what
/// is written in between is made of whole characters.
struct Escaped<W>(W);

impl<W: Write> Write for Escaped<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let text = from_utf8(bytes).map_err(io::Error::other)?;
        // The writer of JSON escapes the controls of ASCII itself, but for DELETE, and breaks the lines.
        let is_raw = |character: char| character == '\u{7f}' || !character.is_ascii() && is_unshowable(character);
        let mut done = 0;
        for (at, character) in text.char_indices().filter(|(_, character)| is_raw(*character)) {
            self.0.write_all(bytes.get(done..at).unwrap_or(&[]))?;
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(self.0, "\\u{unit:04x}")?;
            }
            done = at + character.len_utf8();
        }
        self.0.write_all(bytes.get(done..).unwrap_or(&[]))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_shown_is_escaped_and_reads_the_same() {
        for (text, expected) in [
            ("plain, ä, 日本, 🦀", "\"plain, ä, 日本, 🦀\"\n"),
            ("\u{0}\u{1b}[2J\n", "\"\\u0000\\u001b[2J\\n\"\n"),
            ("\u{7f}\u{80}\u{9b}31m", "\"\\u007f\\u0080\\u009b31m\"\n"),
            ("a\u{202e}b\u{2066}c\u{200b}\u{feff}\u{2028}", "\"a\\u202eb\\u2066c\\u200b\\ufeff\\u2028\"\n"),
            ("\u{e0041}\u{e01ef}", "\"\\udb40\\udc41\\udb40\\uddef\"\n"),
        ] {
            for write in [write_line, write_pretty] {
                let mut written = Vec::new();
                write(&text, &mut written).expect("a vector takes everything");
                assert_eq!(from_utf8(&written), Ok(expected));
                assert_eq!(serde_json::from_slice::<String>(&written).expect("it is JSON"), text);
            }
        }
    }
}
