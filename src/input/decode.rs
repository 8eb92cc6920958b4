//! From bytes to text: UTF-8, and UTF-16 with a byte order mark.

/// Bytes that were decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decoded {
    /// Text, and whether a byte order mark was taken off it.
    Text(String, bool),
    /// Bytes that are no text.
    Binary,
    /// Text with bytes that no encoding explains: what it reads with a replacement character for each, and the offset of
    /// the first.
    Invalid(String, usize),
}

/// How many bytes at the start are looked at for a NUL, as git does.
const BINARY_PROBE: usize = 8_000;

/// Decodes bytes.
pub fn decode(bytes: Vec<u8>) -> Decoded {
    if let Some(units) = utf16(&bytes) {
        return match String::from_utf16(&units) {
            Ok(text) => Decoded::Text(text, true),
            Err(_) => Decoded::Invalid(String::from_utf16_lossy(&units), 0),
        };
    }
    let has_bom = bytes.starts_with(b"\xef\xbb\xbf");
    let is_binary = |bytes: &[u8]| memchr::memchr(0, bytes.get(..BINARY_PROBE).unwrap_or(bytes)).is_some();
    match String::from_utf8(bytes) {
        // Text with a NUL in it is text for a script engine, so it is judged.
        Ok(text) if has_bom => Decoded::Text(text.get(3..).unwrap_or("").to_owned(), true),
        Ok(text) => Decoded::Text(text, false),
        Err(error) if is_binary(error.as_bytes()) => Decoded::Binary,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes());
            Decoded::Invalid(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned(), at)
        }
    }
}

/// The code units behind a UTF-16 byte order mark.
fn utf16(bytes: &[u8]) -> Option<Vec<u16>> {
    let (from_bytes, body): (fn([u8; 2]) -> u16, _) = match bytes {
        [0xff, 0xfe, body @ ..] => (u16::from_le_bytes, body),
        [0xfe, 0xff, body @ ..] => (u16::from_be_bytes, body),
        _ => return None,
    };
    let pairs = body.chunks(2).map(|pair| match pair {
        [first, second] => from_bytes([*first, *second]),
        _ => 0xfffd,
    });
    Some(pairs.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_is_told() {
        for (bytes, expected) in [
            (&b"abc"[..], Decoded::Text("abc".to_owned(), false)),
            (b"\xef\xbb\xbfabc", Decoded::Text("abc".to_owned(), true)),
            (b"\xff\xfea\0b\0", Decoded::Text("ab".to_owned(), true)),
            (b"\xfe\xff\0a\0b", Decoded::Text("ab".to_owned(), true)),
            (b"a\0b", Decoded::Text("a\0b".to_owned(), false)),
            (b"a\0b\xff", Decoded::Binary),
            (b"abc\xff", Decoded::Invalid("abc\u{fffd}".to_owned(), 3)),
            (b"\xff\xfe\x00\xd8", Decoded::Invalid("\u{fffd}".to_owned(), 0)),
            (b"", Decoded::Text(String::new(), false)),
        ] {
            assert_eq!(decode(bytes.to_vec()), expected, "{bytes:?}");
        }
    }
}
