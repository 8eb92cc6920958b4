//! Methods of constants.

use crate::format::script::js::constant::Constant;
use crate::format::script::js::{array, bytes, number, text};

/// The methods that are known.
const METHODS: &[&str] = &[
    "at",
    "charAt",
    "charCodeAt",
    "codePointAt",
    "concat",
    "endsWith",
    "flat",
    "includes",
    "indexOf",
    "join",
    "lastIndexOf",
    "normalize",
    "padEnd",
    "padStart",
    "pop",
    "repeat",
    "replace",
    "replaceAll",
    "reverse",
    "shift",
    "slice",
    "split",
    "startsWith",
    "substr",
    "substring",
    "toFixed",
    "toLowerCase",
    "toReversed",
    "toString",
    "toUpperCase",
    "trim",
    "trimEnd",
    "trimLeft",
    "trimRight",
    "trimStart",
    "valueOf",
];

/// Returns true if and only if calls of the method can be computed.
pub fn is_method(name: &str) -> bool {
    METHODS.contains(&name)
}

/// The value of a call of a method; nothing where it is not known, or throws.
pub fn method(object: &Constant, name: &str, arguments: &[Constant]) -> Option<Constant> {
    match object {
        Constant::String(text) => text::method(text, name, arguments),
        Constant::Array(elements) => array::method(elements, name, arguments),
        Constant::Bytes(bytes) if name == "toString" => bytes::to_text(bytes, arguments.first()).map(Constant::String),
        Constant::Number(number) => number_method(*number, name, arguments),
        Constant::BigInt(_) | Constant::Boolean(_) if name == "valueOf" => Some(object.clone()),
        Constant::BigInt(number) if name == "toString" => {
            let radix = arguments.first().map_or(10.0, Constant::to_number).trunc();
            let digits = (2.0..=36.0).contains(&radix).then(|| number::in_radix(number.unsigned_abs(), radix as u32))?;
            Some(Constant::String(if *number < 0 { format!("-{digits}") } else { digits }))
        }
        Constant::Boolean(_) if name == "toString" => Some(Constant::String(object.to_text())),
        Constant::BigInt(_) | Constant::Boolean(_) | Constant::Null | Constant::Undefined | Constant::Bytes(_) => None,
    }
}

fn number_method(value: f64, name: &str, arguments: &[Constant]) -> Option<Constant> {
    let first = arguments.first().filter(|argument| !matches!(argument, Constant::Undefined));
    match name {
        "valueOf" => Some(Constant::Number(value)),
        "toString" => number::to_radix(value, first.map_or(10.0, Constant::to_number).trunc()).map(Constant::String),
        "toFixed" => number::to_fixed(value, first.map_or(0.0, Constant::to_number)).map(Constant::String),
        _ => None,
    }
}
