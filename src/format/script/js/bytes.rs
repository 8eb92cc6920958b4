//! Bytes of buffers, and texts that stand for bytes.

use crate::format::script::js::constant::Constant;
use crate::format::script::js::number::to_int32;
use crate::value::encoding::{decode_base64, encode_base64};

/// `atob(text)`; nothing where it throws.
pub fn atob(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(|character| !character.is_ascii_whitespace()).collect();
    let padding = if digits.len().is_multiple_of(4) { digits.bytes().rev().take(2).take_while(|byte| *byte == b'=').count() } else { 0 };
    let digits = digits.get(..digits.len() - padding)?;
    if digits.len() % 4 == 1 || digits.contains(['=', '-', '_']) {
        return None;
    }
    Some(latin1(&decode_base64(digits)?))
}

/// `btoa(text)`; nothing where it throws, as a character is no byte.
pub fn btoa(text: &str) -> Option<String> {
    let bytes: Vec<u8> = text.chars().map(|character| u8::try_from(u32::from(character)).ok()).collect::<Option<_>>()?;
    Some(encode_base64(&bytes))
}

/// `Buffer.from(content, encoding)`.
pub fn buffer(content: &Constant, encoding: Option<&Constant>) -> Option<Vec<u8>> {
    match content {
        Constant::String(text) => match encoding_name(encoding).as_str() {
            "base64" | "base64url" => decode_base64(text),
            "hex" => Some(decode_hex(text)),
            "utf8" | "utf-8" => Some(text.clone().into_bytes()),
            "latin1" | "binary" | "ascii" => Some(text.encode_utf16().map(|unit| unit as u8).collect()),
            _ => None,
        },
        Constant::Array(elements) => Some(elements.iter().map(|element| to_int32(element.to_number()) as u8).collect()),
        Constant::Bytes(bytes) => Some(bytes.clone()),
        Constant::Number(_) | Constant::BigInt(_) | Constant::Boolean(_) | Constant::Null | Constant::Undefined => None,
    }
}

/// `buffer.toString(encoding)`; nothing where it throws.
pub fn to_text(bytes: &[u8], encoding: Option<&Constant>) -> Option<String> {
    match encoding_name(encoding).as_str() {
        "utf8" | "utf-8" => Some(String::from_utf8_lossy(bytes).into_owned()),
        "latin1" | "binary" => Some(latin1(bytes)),
        "ascii" => Some(bytes.iter().map(|byte| char::from(byte & 0x7f)).collect()),
        "base64" => Some(encode_base64(bytes)),
        "base64url" => Some(encode_base64(bytes).trim_end_matches('=').replace('+', "-").replace('/', "_")),
        "hex" => Some(encode_hex(bytes)),
        _ => None,
    }
}

fn encoding_name(encoding: Option<&Constant>) -> String {
    match encoding {
        None | Some(Constant::Undefined) => "utf8".to_owned(),
        Some(encoding) => encoding.to_text().to_ascii_lowercase(),
    }
}

/// One character a byte.
fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

fn encode_hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Pairs of digits, up to the first that is none.
fn decode_hex(text: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    text.as_bytes().as_chunks().0.iter().map_while(|[high, low]| Some((digit(*high)? * 16 + digit(*low)?) as u8)).collect()
}
