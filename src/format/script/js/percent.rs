//! Percent encoding: of addresses, and the older `escape`.

/// What `encodeURIComponent` leaves beside letters and digits. Source: ECMA-262, uriUnescaped.
const MARKS: &str = "-_.!~*'()";
/// What `encodeURI` leaves beside these, and `decodeURI` does not decode. Source: ECMA-262, uriReserved.
const RESERVED: &str = ";/?:@&=+$,#";
/// What `escape` leaves beside letters and digits. Source: ECMA-262, annex B.
const UNESCAPED: &str = "@*_+-./";

/// `encodeURIComponent`, or `encodeURI` where the parts of an address stay as they are.
pub fn encode(text: &str, is_whole: bool) -> String {
    use std::fmt::Write as _;
    let mut encoded = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_alphanumeric() || MARKS.contains(character) || is_whole && RESERVED.contains(character) {
            encoded.push(character);
        } else {
            for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}

/// `decodeURIComponent`, or `decodeURI`; nothing where it throws.
pub fn decode(text: &str, is_whole: bool) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte != b'%' {
            bytes.push(byte);
            rest = after;
            continue;
        }
        let code = u8::try_from(hexadecimal(after.get(..2)?)?).ok()?;
        if is_whole && RESERVED.contains(char::from(code)) {
            bytes.extend(rest.get(..3)?);
        } else {
            bytes.push(code);
        }
        rest = after.get(2..)?;
    }
    String::from_utf8(bytes).ok()
}

/// `escape`.
pub fn escape(text: &str) -> String {
    use std::fmt::Write as _;
    let mut escaped = String::with_capacity(text.len());
    for unit in text.encode_utf16() {
        let character =
            char::from_u32(u32::from(unit)).filter(|character| character.is_ascii_alphanumeric() || UNESCAPED.contains(*character));
        let _ = match (character, unit) {
            (Some(character), _) => write!(escaped, "{character}"),
            (None, ..256) => write!(escaped, "%{unit:02X}"),
            (None, _) => write!(escaped, "%u{unit:04X}"),
        };
    }
    escaped
}

/// `unescape`; nothing where half of a surrogate pair comes out.
pub fn unescape(text: &str) -> Option<String> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut unescaped = Vec::with_capacity(units.len());
    let mut rest = units.as_slice();
    while let Some((&unit, after)) = rest.split_first() {
        let code = if unit == u16::from(b'%') { escape_code(after) } else { None };
        let (unit, length) = code.unwrap_or((unit, 0));
        unescaped.push(unit);
        rest = after.get(length..).unwrap_or_default();
    }
    String::from_utf16(&unescaped).ok()
}

/// What stands for a character behind a percent sign, and how many units that takes.
fn escape_code(after: &[u16]) -> Option<(u16, usize)> {
    let digits = |from: usize, to: usize| {
        let digits: Option<Vec<u8>> = after.get(from..to)?.iter().map(|unit| u8::try_from(*unit).ok()).collect();
        hexadecimal(&digits?)
    };
    match after.first() {
        Some(&unit) if unit == u16::from(b'u') => digits(1, 5).map(|code| (code, 5)),
        _ => digits(0, 2).map(|code| (code, 2)),
    }
}

fn hexadecimal(digits: &[u8]) -> Option<u16> {
    let is_hexadecimal = digits.iter().all(u8::is_ascii_hexdigit);
    std::str::from_utf8(digits).ok().filter(|_| is_hexadecimal).and_then(|digits| u16::from_str_radix(digits, 16).ok())
}
