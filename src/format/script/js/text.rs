//! Texts, counted in UTF-16 units as JavaScript counts them.

use oxc_ecmascript::{StringCharAt as _, StringCharAtResult};
use unicode_normalization::UnicodeNormalization as _;

use crate::format::script::js::MAX_TEXT;
use crate::format::script::js::constant::Constant;
use crate::format::script::js::number::{is_space, to_int32};
use crate::format::script::js::position::{clamped, element, integer_of, relative};
use crate::format::script::js::replace::replace;

/// How many units a text has.
pub fn length(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.encode_utf16().count() }
}

/// The character at a position; nothing where half of one stands there.
pub fn character(text: &str, at: usize) -> Option<Constant> {
    match text.char_at(Some(at as f64)) {
        StringCharAtResult::Value(character) => Some(Constant::String(character.to_string())),
        StringCharAtResult::InvalidChar(_) => None,
        StringCharAtResult::OutOfRange => Some(Constant::Undefined),
    }
}

/// Each character of a text, as a spread of it yields them.
pub fn characters(text: &str) -> Vec<Constant> {
    text.chars().map(|character| Constant::String(character.to_string())).collect()
}

/// A method of a text; nothing where it is not known, or throws.
pub fn method(text: &str, name: &str, arguments: &[Constant]) -> Option<Constant> {
    changed(text, name, arguments)
        .map(Constant::String)
        .or_else(|| part(text, name, arguments).map(Constant::String))
        .or_else(|| unit(text, name, arguments))
        .or_else(|| found(text, name, arguments))
}

/// An argument as text.
fn argument(arguments: &[Constant], at: usize) -> String {
    arguments.get(at).unwrap_or(&Constant::Undefined).to_text()
}

fn changed(text: &str, name: &str, arguments: &[Constant]) -> Option<String> {
    match name {
        "toString" | "valueOf" => Some(text.to_owned()),
        "toLowerCase" => Some(text.to_lowercase()),
        "toUpperCase" => Some(text.to_uppercase()),
        "trim" => Some(text.trim_matches(is_space).to_owned()),
        "trimStart" | "trimLeft" => Some(text.trim_start_matches(is_space).to_owned()),
        "trimEnd" | "trimRight" => Some(text.trim_end_matches(is_space).to_owned()),
        "normalize" => normalized(text, arguments.first()),
        "concat" => Some(arguments.iter().fold(text.to_owned(), |joined, argument| joined + &argument.to_text())),
        "replace" | "replaceAll" => replace(text, &argument(arguments, 0), &argument(arguments, 1), name == "replaceAll"),
        "repeat" => {
            let count = integer_of(arguments.first(), 0.0);
            (0.0 <= count && count * text.len() as f64 <= MAX_TEXT as f64).then(|| text.repeat(count as usize))
        }
        "padStart" | "padEnd" => padded(text, name == "padStart", arguments),
        _ => None,
    }
}

fn normalized(text: &str, form: Option<&Constant>) -> Option<String> {
    match form {
        None | Some(Constant::Undefined) => Some(text.nfc().collect()),
        Some(form) => match form.to_text().as_str() {
            "NFC" => Some(text.nfc().collect()),
            "NFD" => Some(text.nfd().collect()),
            "NFKC" => Some(text.nfkc().collect()),
            "NFKD" => Some(text.nfkd().collect()),
            _ => None,
        },
    }
}

fn padded(text: &str, is_before: bool, arguments: &[Constant]) -> Option<String> {
    let missing = (integer_of(arguments.first(), 0.0) - length(text) as f64).max(0.0);
    let filler = match arguments.get(1) {
        None | Some(Constant::Undefined) => " ".to_owned(),
        Some(filler) => filler.to_text(),
    };
    if missing == 0.0 || filler.is_empty() {
        return Some(text.to_owned());
    }
    if MAX_TEXT as f64 <= missing {
        return None;
    }
    let units: Vec<u16> = filler.encode_utf16().cycle().take(missing as usize).collect();
    let padding = String::from_utf16(&units).ok()?;
    Some(if is_before { padding + text } else { text.to_owned() + &padding })
}

/// The methods that cut a part out.
fn part(text: &str, name: &str, arguments: &[Constant]) -> Option<String> {
    let length = length(text);
    let (first, second) = (arguments.first(), arguments.get(1));
    let (start, end) = match name {
        "slice" => (relative(first, 0, length), relative(second, length, length)),
        "substring" => {
            let (one, other) = (clamped(first, 0, length), clamped(second, length, length));
            (one.min(other), one.max(other))
        }
        "substr" => {
            let start = relative(first, 0, length);
            (start, start + clamped(second, length, length - start))
        }
        "charAt" => match integer_of(first, 0.0) {
            at if 0.0 <= at && at < length as f64 => (at as usize, at as usize + 1),
            _ => return Some(String::new()),
        },
        _ => return None,
    };
    between(text, start, end.max(start))
}

/// The text between two positions; nothing where one of them cuts a character in half.
fn between(text: &str, start: usize, end: usize) -> Option<String> {
    if text.is_ascii() {
        return text.get(start..end).map(str::to_owned);
    }
    let units: Vec<u16> = text.encode_utf16().skip(start).take(end - start).collect();
    String::from_utf16(&units).ok()
}

/// The methods that look at single characters.
fn unit(text: &str, name: &str, arguments: &[Constant]) -> Option<Constant> {
    match name {
        "at" => element(arguments.first(), length(text)).map_or(Some(Constant::Undefined), |at| character(text, at)),
        "charCodeAt" | "codePointAt" => {
            let at = integer_of(arguments.first(), 0.0);
            let mut units = text.encode_utf16().skip(if at < 0.0 { usize::MAX } else { at as usize });
            let Some(unit) = units.next() else {
                return Some(if name == "charCodeAt" { Constant::Number(f64::NAN) } else { Constant::Undefined });
            };
            let pair = [unit, units.next().unwrap_or_default()];
            let whole = char::decode_utf16(pair).next().and_then(Result::ok).map_or(u32::from(unit), u32::from);
            Some(Constant::Number(f64::from(if name == "charCodeAt" { u32::from(unit) } else { whole })))
        }
        "split" => split(text, arguments),
        _ => None,
    }
}

fn split(text: &str, arguments: &[Constant]) -> Option<Constant> {
    let limit = match arguments.get(1) {
        None | Some(Constant::Undefined) => u32::MAX,
        Some(limit) => to_int32(limit.to_number()).cast_unsigned(),
    };
    let parts: Vec<Constant> = match arguments.first() {
        None | Some(Constant::Undefined) => vec![Constant::String(text.to_owned())],
        Some(separator) => match separator.to_text().as_str() {
            // Characters of two units would come out in halves.
            "" if text.chars().any(|character| 1 < character.len_utf16()) => return None,
            "" => characters(text),
            separator => text.split(separator).map(|part| Constant::String(part.to_owned())).collect(),
        },
    };
    Some(Constant::Array(parts.into_iter().take(limit as usize).collect()))
}

/// The methods that look for a text.
fn found(text: &str, name: &str, arguments: &[Constant]) -> Option<Constant> {
    let (sought, from) = (argument(arguments, 0), arguments.get(1));
    let length = length(text);
    let after = || text.get(byte_of(text, clamped(from, 0, length))?..);
    let position =
        |at: Option<usize>| Constant::Number(at.and_then(|at| text.get(..at)).map_or(-1.0, |before| self::length(before) as f64));
    match name {
        "includes" => Some(Constant::Boolean(after()?.contains(&sought))),
        "startsWith" => Some(Constant::Boolean(after()?.starts_with(&sought))),
        "endsWith" => {
            let before = text.get(..byte_of(text, clamped(from, length, length))?)?;
            Some(Constant::Boolean(before.ends_with(&sought)))
        }
        "indexOf" => {
            let after = after()?;
            Some(position(after.find(&sought).map(|at| text.len() - after.len() + at)))
        }
        "lastIndexOf" => {
            let last = from.map(Constant::to_number).filter(|from| !from.is_nan());
            let last = byte_of(text, last.map_or(length, |from| from.clamp(0.0, length as f64) as usize))?;
            let end = last.saturating_add(sought.len()).min(text.len());
            let end = (0..=end).rev().find(|end| text.is_char_boundary(*end))?;
            Some(position(text.get(..end)?.rfind(&sought)))
        }
        _ => None,
    }
}

/// The offset in bytes of a position; nothing within a character.
fn byte_of(text: &str, position: usize) -> Option<usize> {
    if text.is_ascii() {
        return Some(position);
    }
    let mut units = 0;
    for (at, character) in text.char_indices() {
        if position <= units {
            return (units == position).then_some(at);
        }
        units += character.len_utf16();
    }
    (units == position).then_some(text.len())
}
