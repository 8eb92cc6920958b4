//! Positions in texts and lists, as methods take them.

use crate::format::script::js::constant::Constant;

/// A whole number, or an infinity: NaN is 0.
pub fn integer(number: f64) -> f64 {
    if number.is_nan() { 0.0 } else { number.trunc() }
}

/// An argument as a whole number, `missing` where there is none.
pub fn integer_of(argument: Option<&Constant>, missing: f64) -> f64 {
    match argument {
        None | Some(Constant::Undefined) => missing,
        Some(argument) => integer(argument.to_number()),
    }
}

/// A position as `slice` takes it: from the end where it is negative, within the length.
pub fn relative(argument: Option<&Constant>, missing: usize, length: usize) -> usize {
    let number = integer_of(argument, missing as f64);
    let from_start = if number < 0.0 { number + length as f64 } else { number };
    from_start.clamp(0.0, length as f64) as usize
}

/// A position as `substring` takes it: within the length.
pub fn clamped(argument: Option<&Constant>, missing: usize, length: usize) -> usize {
    integer_of(argument, missing as f64).clamp(0.0, length as f64) as usize
}

/// A position as `at` takes it: from the end where it is negative; nothing outside the length.
pub fn element(argument: Option<&Constant>, length: usize) -> Option<usize> {
    let number = integer_of(argument, 0.0);
    let from_start = if number < 0.0 { number + length as f64 } else { number };
    (0.0 <= from_start && from_start < length as f64).then_some(from_start as usize)
}

/// The position that the key of a property is: `"1"`, not `"01"`.
pub fn of_key(key: &str) -> Option<usize> {
    let position = key.parse::<u32>().ok()?;
    (position.to_string() == key).then_some(position as usize)
}
