//! From bytes to text: UTF-8, UTF-16 and UTF-32.

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
    if let Some((text, has_bom)) = wide(&bytes) {
        return Decoded::Text(text, has_bom);
    }
    if let Some((order, body)) = utf16_mark(&bytes) {
        let units: Vec<u16> = units(order, body).collect();
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

/// The order of the bytes of a unit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Little,
    Big,
}

const ORDERS: [Order; 2] = [Order::Little, Order::Big];

/// UTF-32, and UTF-16 without a mark, where there is no doubt: every unit is a character other than NUL, and half of them are
/// of ASCII, which in UTF-8 would be as many NULs. Returns the text, and whether it began with a byte order mark.
fn wide(bytes: &[u8]) -> Option<(String, bool)> {
    let is_told = memchr::memchr(0, bytes.get(..8).unwrap_or(bytes)).is_some();
    if !is_told {
        return None;
    }
    let text = ORDERS.into_iter().find_map(|order| plausible(utf32(order, bytes)?)).or_else(|| {
        let is_even = bytes.len().is_multiple_of(2) && utf16_mark(bytes).is_none();
        let utf16 = |order| String::from_utf16(&units(order, bytes).collect::<Vec<u16>>()).ok();
        ORDERS.into_iter().filter(|_| is_even).find_map(|order| plausible(utf16(order)?))
    })?;
    Some(match text.strip_prefix('\u{feff}') {
        Some(rest) => (rest.to_owned(), true),
        None => (text, false),
    })
}

/// A text that is likely one: it begins with a mark, or it has no NUL, and half of it is ASCII.
fn plausible(text: String) -> Option<String> {
    if text.starts_with('\u{feff}') {
        return Some(text);
    }
    let ascii = text.bytes().filter(u8::is_ascii).count();
    (!text.is_empty() && !text.contains('\0') && text.len() <= ascii.saturating_mul(2)).then_some(text)
}

/// UTF-32 in one order.
fn utf32(order: Order, bytes: &[u8]) -> Option<String> {
    let (groups, []) = bytes.as_chunks::<4>() else { return None };
    let character = |group: &[u8; 4]| match order {
        Order::Little => char::from_u32(u32::from_le_bytes(*group)),
        Order::Big => char::from_u32(u32::from_be_bytes(*group)),
    };
    groups.iter().map(character).collect()
}

/// The code units of UTF-16; half a unit at the end is a replacement character.
fn units(order: Order, bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.chunks(2).map(move |pair| match (pair, order) {
        ([first, second], Order::Little) => u16::from_le_bytes([*first, *second]),
        ([first, second], Order::Big) => u16::from_be_bytes([*first, *second]),
        _ => 0xfffd,
    })
}

/// The order that a UTF-16 byte order mark tells, and what stands behind it.
fn utf16_mark(bytes: &[u8]) -> Option<(Order, &[u8])> {
    match bytes {
        [0xff, 0xfe, body @ ..] => Some((Order::Little, body)),
        [0xfe, 0xff, body @ ..] => Some((Order::Big, body)),
        _ => None,
    }
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
            (b"\xff\xfe\0\0a\0\0\0b\0\0\0", Decoded::Text("ab".to_owned(), true)),
            (b"\0\0\xfe\xff\0\0\0a\0\0\0b", Decoded::Text("ab".to_owned(), true)),
            (b"a\0\0\0b\0\0\0", Decoded::Text("ab".to_owned(), false)),
            (b"\0\0\0a\0\0\0b", Decoded::Text("ab".to_owned(), false)),
            (b"a\0\0\0\xe9\0\0\0b\0\0\0", Decoded::Text("a\u{e9}b".to_owned(), false)),
            (b"a\0b\0", Decoded::Text("ab".to_owned(), false)),
            (b"\0a\0b", Decoded::Text("ab".to_owned(), false)),
            (b"\xff\xfe\0\0", Decoded::Text(String::new(), true)),
            (b"\0ab", Decoded::Text("\0ab".to_owned(), false)),
            (b"\0\0\0\0", Decoded::Text("\0\0\0\0".to_owned(), false)),
            (b"a\0\0\0b\0\0\x7f", Decoded::Text("a\0\0\0b\0\0\x7f".to_owned(), false)),
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
