//! Properties of constants.

use crate::format::script::js::constant::Constant;
use crate::format::script::js::{position, text};

/// What a property holds; nothing where it is not known.
pub fn property(value: &Constant, key: &str) -> Option<Constant> {
    let at = position::of_key(key);
    match value {
        Constant::Array(elements) if key == "length" => Some(Constant::Number(elements.len() as f64)),
        Constant::Bytes(bytes) if key == "length" => Some(Constant::Number(bytes.len() as f64)),
        Constant::String(text) => text_property(text, key),
        Constant::Array(elements) => Some(elements.get(at?).cloned().unwrap_or(Constant::Undefined)),
        Constant::Bytes(bytes) => Some(bytes.get(at?).map_or(Constant::Undefined, |byte| Constant::Number(f64::from(*byte)))),
        Constant::Number(_) | Constant::BigInt(_) | Constant::Boolean(_) | Constant::Null | Constant::Undefined => None,
    }
}

/// What a property of a text holds; nothing where it is not known.
pub fn text_property(text: &str, key: &str) -> Option<Constant> {
    match key {
        "length" => Some(Constant::Number(text::length(text) as f64)),
        key => text::character(text, position::of_key(key)?),
    }
}
