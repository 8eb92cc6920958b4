//! Values that are known before a script runs, with JavaScript's conversions.

use crate::format::script::js::number;
use crate::value::js_number;

/// A value that is known before the script runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// A string.
    String(String),
    /// A number.
    Number(f64),
    /// A whole number of any size, as far as 128 bits hold it.
    BigInt(i128),
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
            Self::BigInt(number) => number.to_string(),
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
            Self::String(_) | Self::Number(_) | Self::BigInt(_) | Self::Boolean(_) | Self::Array(_) | Self::Bytes(_) => self.to_text(),
        }
    }

    /// The value as JavaScript's `Number(value)` reads it; NaN where it is none.
    pub fn to_number(&self) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::BigInt(number) => *number as f64,
            Self::Boolean(value) => f64::from(u8::from(*value)),
            Self::Null => 0.0,
            Self::String(text) => number::from_text(text),
            Self::Undefined => f64::NAN,
            Self::Array(_) | Self::Bytes(_) => number::from_text(&self.to_text()),
        }
    }

    /// Whether JavaScript takes the value for true.
    pub fn is_truthy(&self) -> bool {
        match self {
            Self::String(text) => !text.is_empty(),
            Self::Number(number) => *number != 0.0 && !number.is_nan(),
            Self::BigInt(number) => *number != 0,
            Self::Boolean(value) => *value,
            Self::Null | Self::Undefined => false,
            Self::Array(_) | Self::Bytes(_) => true,
        }
    }

    /// The text, of a string alone.
    pub fn into_string(self) -> Option<String> {
        match self {
            Self::String(text) => Some(text),
            Self::Number(_) | Self::BigInt(_) | Self::Boolean(_) | Self::Null | Self::Undefined | Self::Array(_) | Self::Bytes(_) => None,
        }
    }
}
