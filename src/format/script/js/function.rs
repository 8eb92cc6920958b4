//! Functions of JavaScript itself: global ones, and those of its global objects.

use crate::format::script::js::constant::Constant;
use crate::format::script::js::operator::power;
use crate::format::script::js::{bytes, number, percent, position, text};

/// The global functions that are known.
const FUNCTIONS: &[&str] = &[
    "atob",
    "BigInt",
    "Boolean",
    "btoa",
    "decodeURI",
    "decodeURIComponent",
    "encodeURI",
    "encodeURIComponent",
    "escape",
    "isFinite",
    "isNaN",
    "Number",
    "parseFloat",
    "parseInt",
    "String",
    "unescape",
];

/// The functions of global objects that are known.
const STATIC_METHODS: &[(&str, &[&str])] = &[
    ("Array", &["from", "of"]),
    ("Buffer", &["from"]),
    ("JSON", &["parse"]),
    ("Math", &["abs", "ceil", "floor", "max", "min", "pow", "round", "sign", "sqrt", "trunc"]),
    ("Number", &["isFinite", "isInteger", "isNaN", "isSafeInteger", "parseFloat", "parseInt"]),
    ("String", &["fromCharCode", "fromCodePoint"]),
];

/// Returns true if and only if calls of the global function can be computed.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.contains(&name)
}

/// Returns true if and only if calls of the function of a global object can be computed.
pub fn is_static(object: &str, name: &str) -> bool {
    STATIC_METHODS.iter().any(|(known, names)| *known == object && names.contains(&name))
}

/// The value of a call of a global function; nothing where it is not known, or throws.
pub fn function(name: &str, arguments: &[Constant]) -> Option<Constant> {
    let first = arguments.first().unwrap_or(&Constant::Undefined);
    let text = || first.to_text();
    match name {
        "Number" => Some(Constant::Number(arguments.first().map_or(0.0, Constant::to_number))),
        "BigInt" => big(first),
        "String" => Some(Constant::String(arguments.first().map(Constant::to_text).unwrap_or_default())),
        "Boolean" => Some(Constant::Boolean(first.is_truthy())),
        "isNaN" => Some(Constant::Boolean(first.to_number().is_nan())),
        "isFinite" => Some(Constant::Boolean(first.to_number().is_finite())),
        "parseInt" => number::parse_int(&text(), arguments.get(1).map_or(0.0, Constant::to_number)).map(Constant::Number),
        "parseFloat" => Some(Constant::Number(number::parse_float(&text()))),
        "atob" => bytes::atob(&text()).map(Constant::String),
        "btoa" => bytes::btoa(&text()).map(Constant::String),
        "encodeURIComponent" | "encodeURI" => Some(Constant::String(percent::encode(&text(), name == "encodeURI"))),
        "decodeURIComponent" | "decodeURI" => percent::decode(&text(), name == "decodeURI").map(Constant::String),
        "escape" => Some(Constant::String(percent::escape(&text()))),
        "unescape" => percent::unescape(&text()).map(Constant::String),
        _ => None,
    }
}

/// The value of a call of a function of a global object; nothing where it is not known, or throws.
pub fn static_method(object: &str, name: &str, arguments: &[Constant]) -> Option<Constant> {
    match (object, name) {
        ("String", "fromCharCode") => {
            let units: Vec<u16> = arguments.iter().map(|argument| number::to_int32(argument.to_number()) as u16).collect();
            String::from_utf16(&units).ok().map(Constant::String)
        }
        ("String", "fromCodePoint") => arguments.iter().map(code_point).collect::<Option<String>>().map(Constant::String),
        ("Buffer", "from") => bytes::buffer(arguments.first()?, arguments.get(1)).map(Constant::Bytes),
        ("Number", _) => number_method(name, arguments),
        ("Math", _) => math(name, arguments).map(Constant::Number),
        ("JSON", "parse") => json(&serde_json::from_str(&arguments.first()?.to_text()).ok()?),
        ("Array", "of") => Some(Constant::Array(arguments.to_vec())),
        ("Array", "from") => match arguments {
            [Constant::String(text)] => Some(Constant::Array(text::characters(text))),
            [Constant::Array(elements)] => Some(Constant::Array(elements.clone())),
            _ => None,
        },
        _ => None,
    }
}

fn code_point(argument: &Constant) -> Option<char> {
    let number = argument.to_number();
    let is_code = number.fract() == 0.0 && (0.0..=f64::from(u32::from(char::MAX))).contains(&number);
    if is_code { char::from_u32(number as u32) } else { None }
}

/// `BigInt(value)`; nothing where it throws, or 128 bits do not hold it.
fn big(value: &Constant) -> Option<Constant> {
    let number = match value {
        Constant::BigInt(number) => *number,
        Constant::Boolean(value) => i128::from(*value),
        Constant::Number(number) if number.fract() == 0.0 && number.abs() < 2.0_f64.powi(127) => *number as i128,
        Constant::String(text) => number::big_from_text(text)?,
        Constant::Number(_) | Constant::Null | Constant::Undefined | Constant::Array(_) | Constant::Bytes(_) => return None,
    };
    Some(Constant::BigInt(number))
}

fn number_method(name: &str, arguments: &[Constant]) -> Option<Constant> {
    let is =
        |holds: fn(f64) -> bool| Some(Constant::Boolean(matches!(arguments.first(), Some(Constant::Number(number)) if holds(*number))));
    match name {
        "parseInt" | "parseFloat" => function(name, arguments),
        "isNaN" => is(f64::is_nan),
        "isFinite" => is(f64::is_finite),
        "isInteger" => is(|number| number.fract() == 0.0),
        "isSafeInteger" => is(|number| number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0),
        _ => None,
    }
}

fn math(name: &str, arguments: &[Constant]) -> Option<f64> {
    let number = |at: usize| arguments.get(at).map_or(f64::NAN, Constant::to_number);
    let largest = |sign: f64| {
        arguments
            .iter()
            .map(|argument| sign * argument.to_number())
            .fold(f64::NEG_INFINITY, |one, other| if one.is_nan() || other.is_nan() { f64::NAN } else { one.max(other) })
            * sign
    };
    Some(match name {
        "abs" => number(0).abs(),
        "ceil" => number(0).ceil(),
        "floor" => number(0).floor(),
        "trunc" => number(0).trunc(),
        "sqrt" => number(0).sqrt(),
        "sign" => {
            if number(0) == 0.0 || number(0).is_nan() {
                number(0)
            } else {
                number(0).signum()
            }
        }
        "round" => round(number(0)),
        "pow" => power(number(0), number(1)),
        "max" => largest(1.0),
        "min" => largest(-1.0),
        _ => return None,
    })
}

/// Halves go up, also where they are negative.
fn round(number: f64) -> f64 {
    let below = number.floor();
    let rounded = if number - below < 0.5 { below } else { number.ceil() };
    if position::integer(rounded) == 0.0 { rounded.copysign(number) } else { rounded }
}

/// What JSON text stands for, as far as no objects are in it.
fn json(value: &serde_json::Value) -> Option<Constant> {
    Some(match value {
        serde_json::Value::Null => Constant::Null,
        serde_json::Value::Bool(value) => Constant::Boolean(*value),
        serde_json::Value::Number(number) => Constant::Number(number.as_f64()?),
        serde_json::Value::String(text) => Constant::String(text.clone()),
        serde_json::Value::Array(elements) => Constant::Array(elements.iter().map(json).collect::<Option<_>>()?),
        serde_json::Value::Object(_) => return None,
    })
}
