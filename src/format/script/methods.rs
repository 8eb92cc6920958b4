//! The functions and methods of JavaScript that constant folding understands.

use crate::format::script::constant::Constant;
use crate::format::script::fold::MAX_TEXT;
use crate::value::encoding::decode_base64;

const FUNCTIONS: &[&str] = &[
    "atob",
    "btoa",
    "Number",
    "String",
    "Boolean",
    "parseInt",
    "parseFloat",
    "decodeURIComponent",
    "decodeURI",
    "unescape",
    "escape",
    "BigInt",
];

const STATIC_METHODS: &[(&str, &str)] = &[
    ("String", "fromCharCode"),
    ("String", "fromCodePoint"),
    ("Buffer", "from"),
    ("Number", "parseInt"),
    ("Number", "parseFloat"),
    ("Math", "floor"),
    ("Math", "ceil"),
    ("Math", "round"),
    ("Math", "abs"),
    ("Math", "pow"),
    ("Math", "max"),
    ("Math", "min"),
    ("Array", "from"),
    ("JSON", "parse"),
    ("Array", "of"),
];

const METHODS: &[&str] = &[
    "join",
    "reverse",
    "toReversed",
    "concat",
    "slice",
    "substring",
    "substr",
    "split",
    "replace",
    "replaceAll",
    "repeat",
    "charAt",
    "at",
    "pop",
    "shift",
    "flat",
    "charCodeAt",
    "codePointAt",
    "toLowerCase",
    "toUpperCase",
    "trim",
    "trimStart",
    "trimEnd",
    "toString",
    "padStart",
    "padEnd",
    "valueOf",
    "normalize",
];

/// Returns true if and only if calls of the global function can be folded.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.contains(&name)
}

/// Returns true if and only if calls of the static method can be folded.
pub fn is_static(object: &str, name: &str) -> bool {
    STATIC_METHODS.contains(&(object, name))
}

/// Returns true if and only if calls of the method can be folded.
pub fn is_method(name: &str) -> bool {
    METHODS.contains(&name)
}

/// The value of a call of a global function.
pub fn function(name: &str, arguments: &[Constant]) -> Option<Constant> {
    let first = arguments.first().unwrap_or(&Constant::Undefined);
    match name {
        "atob" => Some(Constant::String(latin1(&decode_base64(&first.to_text())?))),
        "Number" | "BigInt" => Some(Constant::Number(first.to_number())),
        "String" => Some(Constant::String(first.to_text())),
        "Boolean" => Some(Constant::Boolean(first.is_truthy())),
        "escape" => {
            Some(first.to_text()).filter(|text| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')).map(Constant::String)
        }
        "parseInt" => parse_int(&first.to_text(), arguments.get(1)),
        "parseFloat" => Some(Constant::Number(parse_float(&first.to_text()))),
        "decodeURIComponent" | "decodeURI" | "unescape" => Some(Constant::String(decode_percent(&first.to_text())?)),
        _ => None,
    }
}

/// The value of a call of a static method.
pub fn static_method(object: &str, name: &str, arguments: &[Constant]) -> Option<Constant> {
    let number = |at: usize| arguments.get(at).map_or(f64::NAN, Constant::to_number);
    let math = |apply: fn(f64) -> f64| Some(Constant::Number(apply(number(0))));
    match (object, name) {
        ("String", "fromCharCode" | "fromCodePoint") => {
            let units: Vec<u32> = arguments.iter().map(|argument| argument.to_number() as u32).collect();
            let text = units.into_iter().map(|unit| char::from_u32(unit).unwrap_or('\u{fffd}')).collect();
            Some(Constant::String(text))
        }
        ("Buffer", "from") => buffer(arguments.first()?, arguments.get(1)),
        ("Number", _) => function(name, arguments),
        ("Math", "floor") => math(f64::floor),
        ("Math", "ceil") => math(f64::ceil),
        ("Math", "round") => math(|number| (number + 0.5).floor()),
        ("Math", "abs") => math(f64::abs),
        ("Math", "pow") => Some(Constant::Number(number(0).powf(number(1)))),
        ("Math", "max") => arguments.iter().map(Constant::to_number).reduce(f64::max).map(Constant::Number),
        ("Math", "min") => arguments.iter().map(Constant::to_number).reduce(f64::min).map(Constant::Number),
        ("JSON", "parse") => serde_json::from_str(&arguments.first()?.to_text()).ok().map(Constant::String),
        ("Array", "of") => Some(Constant::Array(arguments.to_vec())),
        ("Array", "from") => match arguments {
            [Constant::String(text)] => Some(characters(text)),
            [Constant::Array(elements)] => Some(Constant::Array(elements.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// The value of a call of a method.
pub fn method(object: &Constant, name: &str, arguments: &[Constant]) -> Option<Constant> {
    match object {
        Constant::String(text) => string_method(text, name, arguments).map(Constant::String).or_else(|| match name {
            "split" => split(text, arguments),
            "charCodeAt" | "codePointAt" => {
                let character = text.chars().nth(index(arguments.first(), 0)?)?;
                Some(Constant::Number(f64::from(u32::from(character))))
            }
            _ => None,
        }),
        Constant::Array(elements) => array_method(elements, name, arguments),
        Constant::Bytes(bytes) if name == "toString" => match arguments.first().map(Constant::to_text).as_deref() {
            None | Some("utf8" | "utf-8") => Some(Constant::String(String::from_utf8_lossy(bytes).into_owned())),
            Some("latin1" | "binary" | "ascii") => Some(Constant::String(latin1(bytes))),
            Some(_) => None,
        },
        Constant::Number(number) if name == "toString" => match arguments.first().map(Constant::to_number) {
            None => Some(Constant::String(object.to_text())),
            Some(radix) if (2.0..=36.0).contains(&radix) && number.fract() == 0.0 && (0.0..1e15).contains(number) => {
                Some(Constant::String(in_radix(*number as u64, radix as u64)))
            }
            Some(_) => None,
        },
        Constant::Number(_) | Constant::Boolean(_) if name == "toString" => Some(Constant::String(object.to_text())),
        Constant::Number(_) | Constant::Boolean(_) | Constant::Null | Constant::Undefined | Constant::Bytes(_) => None,
    }
}

fn string_method(text: &str, name: &str, arguments: &[Constant]) -> Option<String> {
    let argument = |at: usize| arguments.get(at).map(Constant::to_text);
    match name {
        "toLowerCase" => Some(text.to_lowercase()),
        "toUpperCase" => Some(text.to_uppercase()),
        "trim" => Some(text.trim().to_owned()),
        "trimStart" => Some(text.trim_start().to_owned()),
        "trimEnd" => Some(text.trim_end().to_owned()),
        "toString" | "valueOf" | "normalize" => Some(text.to_owned()),
        "concat" => Some(arguments.iter().fold(text.to_owned(), |joined, argument| joined + &argument.to_text())),
        "replace" => Some(text.replacen(&argument(0)?, &argument(1)?, 1)),
        "replaceAll" => {
            let (from, to) = (argument(0)?, argument(1)?);
            (text.matches(from.as_str()).count().saturating_mul(to.len()) <= MAX_TEXT).then(|| text.replace(&from, &to))
        }
        "repeat" => {
            let count = index(arguments.first(), 0)?;
            (count.checked_mul(text.len())? <= MAX_TEXT).then(|| text.repeat(count))
        }
        "charAt" => Some(text.chars().nth(index(arguments.first(), 0)?)?.to_string()),
        "at" => Some(text.chars().nth(place(arguments.first(), text.chars().count())?)?.to_string()),
        "slice" | "substring" | "substr" => {
            let length = text.chars().count();
            let start = position(arguments.first(), 0, length);
            let end = match name {
                "substr" => arguments.get(1).map_or(length, |count| start.saturating_add(count.to_number().max(0.0) as usize)),
                _ => position(arguments.get(1), length, length),
            };
            Some(text.chars().skip(start).take(end.saturating_sub(start)).collect())
        }
        "padStart" | "padEnd" => {
            let missing = index(arguments.first(), 0)?.saturating_sub(text.chars().count());
            let fill = argument(1).unwrap_or_else(|| " ".to_owned());
            let padding: String = fill.chars().cycle().take(missing.min(MAX_TEXT)).collect();
            Some(if name == "padStart" { padding + text } else { text.to_owned() + &padding })
        }
        _ => None,
    }
}

fn split(text: &str, arguments: &[Constant]) -> Option<Constant> {
    match arguments.first() {
        Some(Constant::String(separator)) if separator.is_empty() => Some(characters(text)),
        Some(Constant::String(separator)) => {
            Some(Constant::Array(text.split(separator.as_str()).map(|part| Constant::String(part.to_owned())).collect()))
        }
        _ => None,
    }
}

fn array_method(elements: &[Constant], name: &str, arguments: &[Constant]) -> Option<Constant> {
    match name {
        "join" | "toString" => {
            let separator = arguments.first().map_or_else(|| ",".to_owned(), Constant::to_text);
            Some(Constant::String(elements.iter().map(Constant::to_element_text).collect::<Vec<_>>().join(&separator)))
        }
        "reverse" | "toReversed" => Some(Constant::Array(elements.iter().rev().cloned().collect())),
        "at" => elements.get(place(arguments.first(), elements.len())?).cloned(),
        "pop" => Some(elements.last().cloned().unwrap_or(Constant::Undefined)),
        "shift" => Some(elements.first().cloned().unwrap_or(Constant::Undefined)),
        "flat" => flat(elements),
        "slice" => {
            let start = position(arguments.first(), 0, elements.len());
            let end = position(arguments.get(1), elements.len(), elements.len());
            Some(Constant::Array(elements.get(start..end.max(start))?.to_vec()))
        }
        "concat" => {
            let mut joined = elements.to_vec();
            for argument in arguments {
                match argument {
                    Constant::Array(more) => joined.extend(more.iter().cloned()),
                    Constant::String(_)
                    | Constant::Number(_)
                    | Constant::Boolean(_)
                    | Constant::Null
                    | Constant::Undefined
                    | Constant::Bytes(_) => joined.push(argument.clone()),
                }
            }
            Some(Constant::Array(joined))
        }
        _ => None,
    }
}

/// The elements, and those of arrays among them.
fn flat(elements: &[Constant]) -> Option<Constant> {
    let each = elements.iter().flat_map(|element| match element {
        Constant::Array(inner) => inner.clone(),
        element => vec![element.clone()],
    });
    Some(Constant::Array(each.collect()))
}

/// A place as `at` takes it: from the end where it is negative.
fn place(argument: Option<&Constant>, length: usize) -> Option<usize> {
    let number = argument.map_or(0.0, Constant::to_number).trunc();
    let from_start = if number < 0.0 { number + length as f64 } else { number };
    (0.0 <= from_start && from_start < length as f64).then_some(from_start as usize)
}

fn characters(text: &str) -> Constant {
    Constant::Array(text.chars().map(|character| Constant::String(character.to_string())).collect())
}

/// A whole number that is not negative, or `missing` where there is no argument.
fn index(argument: Option<&Constant>, missing: usize) -> Option<usize> {
    let number = argument.map_or(missing as f64, Constant::to_number);
    (0.0 <= number && number <= MAX_TEXT as f64).then_some(number as usize)
}

/// A position as `slice` takes it: from the end where it is negative, within the length.
fn position(argument: Option<&Constant>, missing: usize, length: usize) -> usize {
    match argument {
        None | Some(Constant::Undefined) => missing,
        Some(argument) => {
            let number = argument.to_number();
            let from_start = if number < 0.0 { number + length as f64 } else { number };
            (from_start.max(0.0) as usize).min(length)
        }
    }
}

fn buffer(content: &Constant, encoding: Option<&Constant>) -> Option<Constant> {
    match content {
        Constant::String(text) => match encoding.map(Constant::to_text).as_deref() {
            Some("base64" | "base64url") => decode_base64(text).map(Constant::Bytes),
            Some("hex") => decode_hex(text).map(Constant::Bytes),
            None | Some("utf8" | "utf-8") => Some(Constant::Bytes(text.clone().into_bytes())),
            Some(_) => None,
        },
        Constant::Array(elements) => Some(Constant::Bytes(elements.iter().map(|element| element.to_number() as u8).collect())),
        Constant::Bytes(bytes) => Some(Constant::Bytes(bytes.clone())),
        Constant::Number(_) | Constant::Boolean(_) | Constant::Null | Constant::Undefined => None,
    }
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

fn decode_hex(text: &str) -> Option<Vec<u8>> {
    text.as_bytes().chunks_exact(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

fn decode_percent(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'%' {
            let digits = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = after.get(2..)?;
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn parse_int(text: &str, radix: Option<&Constant>) -> Option<Constant> {
    let text = text.trim();
    let radix = radix.map_or(10.0, Constant::to_number);
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None => (text, if radix == 0.0 { 10 } else { radix as u32 }),
    };
    if !(2..=36).contains(&radix) {
        return None;
    }
    let (sign, digits) = digits.strip_prefix('-').map_or((1.0, digits), |digits| (-1.0, digits));
    let end = digits.find(|character: char| !character.is_digit(radix)).unwrap_or(digits.len());
    let value = u64::from_str_radix(digits.get(..end)?, radix).ok()?;
    Some(Constant::Number(sign * value as f64))
}

fn parse_float(text: &str) -> f64 {
    let text = text.trim();
    let end = text.find(|character: char| !matches!(character, '0'..='9' | '.' | '-' | '+' | 'e' | 'E')).unwrap_or(text.len());
    text.get(..end).and_then(|number| number.parse().ok()).unwrap_or(f64::NAN)
}

fn in_radix(mut number: u64, radix: u64) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit((number % radix) as u32, radix as u32).unwrap_or('0'));
        number /= radix;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}
