//! Numbers: how texts are read as numbers, and numbers written as texts.

use oxc_ecmascript::{StringToNumber as _, ToInt32 as _};
use oxc_syntax::identifier::is_white_space;
use oxc_syntax::line_terminator::is_line_terminator;

use crate::value::js_number;

/// From here on not every whole number is a double. Source: ECMA-262, Number.MAX_SAFE_INTEGER.
const UNSAFE: f64 = 9_007_199_254_740_992.0;
/// From here on `toFixed` writes as `String` does. Source: ECMA-262, Number.prototype.toFixed.
const UNFIXED: f64 = 1e21;

/// Returns true if and only if `trim` takes a character off, and `Number` passes over it.
pub fn is_space(character: char) -> bool {
    is_white_space(character) || is_line_terminator(character)
}

/// A string as `Number(text)` reads it.
pub fn from_text(text: &str) -> f64 {
    let text = text.trim_matches(is_space);
    let has_prefix = text.get(..2).is_some_and(|start| matches!(start, "0x" | "0X" | "0o" | "0O" | "0b" | "0B"));
    if has_prefix && !text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return f64::NAN;
    }
    text.string_to_number()
}

/// A text as `BigInt` reads it, and its digits in a script.
pub fn big_from_text(text: &str) -> Option<i128> {
    let text = text.trim_matches(is_space);
    let (radix, digits) = match text.split_at_checked(2) {
        _ if text.is_empty() => return Some(0),
        Some(("0x" | "0X", digits)) => (16, digits),
        Some(("0o" | "0O", digits)) => (8, digits),
        Some(("0b" | "0B", digits)) => (2, digits),
        _ => (10, text),
    };
    i128::from_str_radix(digits, radix).ok().filter(|_| radix == 10 || !digits.starts_with(['-', '+']))
}

/// A number as the bit operators see it.
pub fn to_int32(number: f64) -> i32 {
    number.to_int_32()
}

/// `parseInt(text, radix)`; nothing where more digits stand than are computed.
pub fn parse_int(text: &str, radix: f64) -> Option<f64> {
    let text = text.trim_matches(is_space);
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1.0, digits),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let radix = to_int32(radix);
    let prefixed = if matches!(radix, 0 | 16) { digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) } else { None };
    let (digits, radix) = match (prefixed, radix) {
        (Some(digits), _) => (digits, 16),
        (None, 0) => (digits, 10),
        (None, radix @ 2..=36) => (digits, radix.unsigned_abs()),
        (None, _) => return Some(f64::NAN),
    };
    let end = digits.find(|character: char| !character.is_digit(radix)).unwrap_or(digits.len());
    let digits = digits.get(..end)?;
    if digits.is_empty() {
        return Some(f64::NAN);
    }
    let value = if radix == 10 { digits.parse().ok()? } else { u128::from_str_radix(digits, radix).ok()? as f64 };
    Some(sign * value)
}

/// `parseFloat(text)`.
pub fn parse_float(text: &str) -> f64 {
    let text = text.trim_start_matches(is_space);
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    if unsigned.starts_with("Infinity") {
        return sign * f64::INFINITY;
    }
    let mut end = digits_end(unsigned, 0);
    if unsigned.as_bytes().get(end) == Some(&b'.') {
        end = digits_end(unsigned, end + 1);
    }
    if let Some(b'e' | b'E') = unsigned.as_bytes().get(end) {
        let start = end + 1 + usize::from(matches!(unsigned.as_bytes().get(end + 1), Some(b'-' | b'+')));
        let exponent = digits_end(unsigned, start);
        end = if start < exponent { exponent } else { end };
    }
    unsigned.get(..end).and_then(|number| number.parse::<f64>().ok()).map_or(f64::NAN, |number| sign * number)
}

/// Where the digits end that start at an offset.
fn digits_end(text: &str, start: usize) -> usize {
    let digits = text.bytes().skip(start).take_while(u8::is_ascii_digit).count();
    start + digits
}

/// `number.toString(radix)`; nothing for fractions in other radices than ten.
pub fn to_radix(number: f64, radix: f64) -> Option<String> {
    if radix == 10.0 || !number.is_finite() {
        return (2.0..=36.0).contains(&radix).then(|| js_number::plain(number));
    }
    if !(2.0..=36.0).contains(&radix) || number.fract() != 0.0 || UNSAFE < number.abs() {
        return None;
    }
    let digits = in_radix(number.abs() as u128, radix as u32);
    Some(if number < 0.0 { format!("-{digits}") } else { digits })
}

/// The digits of a whole number.
pub fn in_radix(mut number: u128, radix: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit((number % u128::from(radix)) as u32, radix).unwrap_or('0'));
        number /= u128::from(radix);
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

/// `number.toFixed(digits)`: of two as near the larger, where Rust's own formatting takes the even one.
pub fn to_fixed(number: f64, digits: f64) -> Option<String> {
    let digits = if digits.is_nan() { 0.0 } else { digits.trunc() };
    if !(0.0..=100.0).contains(&digits) {
        return None;
    }
    if number.is_nan() || UNFIXED <= number.abs() {
        return Some(js_number::plain(number));
    }
    let size = number.abs();
    // A double lies between two only if its last bit is half of the last digit: the next double is nearer to the larger.
    let halves = size * 2.0_f64.powi(digits as i32 + 1);
    let is_tie = halves.fract() == 0.0 && halves % 2.0 == 1.0;
    let size = if is_tie { size.next_up() } else { size };
    let text = format!("{size:.0$}", digits as usize);
    Some(if number < 0.0 { format!("-{text}") } else { text })
}
