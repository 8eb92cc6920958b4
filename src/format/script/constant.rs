//! Values that are known before a script runs, with JavaScript's conversions.

use crate::value::js_number;

/// A value that is known before the script runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// A string.
    String(String),
    /// A number.
    Number(f64),
    /// A boolean.
    Boolean(bool),
    /// `null`.
    Null,
    /// `undefined`.
    Undefined,
    /// An array.
    Array(Vec<Self>),
    /// The bytes of a buffer.
    Bytes(Vec<u8>),
}

impl Constant {
    /// The value as JavaScript's `String(value)` writes it.
    pub fn to_text(&self) -> String {
        match self {
            Self::String(text) => text.clone(),
            Self::Number(number) => js_number::plain(*number),
            Self::Boolean(value) => value.to_string(),
            Self::Null => "null".to_owned(),
            Self::Undefined => "undefined".to_owned(),
            Self::Array(elements) => elements.iter().map(Self::to_element_text).collect::<Vec<_>>().join(","),
            Self::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        }
    }

    /// The value as `Array.prototype.join` writes it: nothing for `null` and `undefined`.
    pub fn to_element_text(&self) -> String {
        match self {
            Self::Null | Self::Undefined => String::new(),
            Self::String(_) | Self::Number(_) | Self::Boolean(_) | Self::Array(_) | Self::Bytes(_) => self.to_text(),
        }
    }

    /// The value as JavaScript's `Number(value)` reads it; NaN where it is none.
    pub fn to_number(&self) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Boolean(value) => f64::from(u8::from(*value)),
            Self::Null => 0.0,
            Self::String(text) => text_number(text),
            Self::Undefined => f64::NAN,
            Self::Array(_) | Self::Bytes(_) => text_number(&self.to_text()),
        }
    }

    /// Whether JavaScript takes the value for true.
    pub fn is_truthy(&self) -> bool {
        match self {
            Self::String(text) => !text.is_empty(),
            Self::Number(number) => *number != 0.0 && !number.is_nan(),
            Self::Boolean(value) => *value,
            Self::Null | Self::Undefined => false,
            Self::Array(_) | Self::Bytes(_) => true,
        }
    }
}

/// A string as JavaScript's `Number(text)` reads it.
pub fn text_number(text: &str) -> f64 {
    let text = text.trim();
    let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).map_or(f64::NAN, |number| number as f64);
    match text.split_at_checked(2) {
        _ if text.is_empty() => 0.0,
        Some(("0x" | "0X", digits)) => radix(digits, 16),
        Some(("0o" | "0O", digits)) => radix(digits, 8),
        Some(("0b" | "0B", digits)) => radix(digits, 2),
        _ if matches!(text, "Infinity" | "+Infinity") => f64::INFINITY,
        _ if text == "-Infinity" => f64::NEG_INFINITY,
        _ if text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-')) => {
            text.parse().unwrap_or(f64::NAN)
        }
        _ => f64::NAN,
    }
}
