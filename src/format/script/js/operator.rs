//! Operators.

use std::cmp::Ordering;

use oxc_syntax::operator::{BinaryOperator, UnaryOperator};

use crate::format::script::js::constant::Constant;
use crate::format::script::js::number::{big_from_text, to_int32};

/// Beyond this a double does not tell whole numbers apart.
const EXACT: u128 = 1 << 53;

/// What a unary operator makes of a value; nothing for `delete`, and where it throws.
pub fn unary(operator: UnaryOperator, value: &Constant) -> Option<Constant> {
    match (operator, value) {
        (UnaryOperator::UnaryNegation, Constant::BigInt(number)) => number.checked_neg().map(Constant::BigInt),
        (UnaryOperator::BitwiseNot, Constant::BigInt(number)) => Some(Constant::BigInt(!number)),
        (UnaryOperator::UnaryPlus, Constant::BigInt(_)) | (UnaryOperator::Delete, _) => None,
        (UnaryOperator::UnaryNegation, value) => Some(Constant::Number(-value.to_number())),
        (UnaryOperator::UnaryPlus, value) => Some(Constant::Number(value.to_number())),
        (UnaryOperator::BitwiseNot, value) => Some(Constant::Number(f64::from(!to_int32(value.to_number())))),
        (UnaryOperator::LogicalNot, value) => Some(Constant::Boolean(!value.is_truthy())),
        (UnaryOperator::Typeof, value) => Some(Constant::String(type_of(value).to_owned())),
        (UnaryOperator::Void, _) => Some(Constant::Undefined),
    }
}

/// What `typeof` says of a value.
pub fn type_of(value: &Constant) -> &'static str {
    match value {
        Constant::String(_) => "string",
        Constant::Number(_) => "number",
        Constant::BigInt(_) => "bigint",
        Constant::Boolean(_) => "boolean",
        Constant::Undefined => "undefined",
        Constant::Null | Constant::Array(_) | Constant::Bytes(_) => "object",
    }
}

/// What a binary operator makes of two values; nothing where it throws, and where it depends on which object a value is.
pub fn binary(operator: BinaryOperator, left: &Constant, right: &Constant) -> Option<Constant> {
    let answer = |answer: Option<bool>| answer.map(Constant::Boolean);
    match operator {
        BinaryOperator::Addition => add(left, right),
        BinaryOperator::StrictEquality => answer(strictly_equal(left, right)),
        BinaryOperator::StrictInequality => answer(strictly_equal(left, right).map(|is_equal| !is_equal)),
        BinaryOperator::Equality => answer(loosely_equal(left, right)),
        BinaryOperator::Inequality => answer(loosely_equal(left, right).map(|is_equal| !is_equal)),
        BinaryOperator::LessThan => answer(compare(left, right, Ordering::is_lt)),
        BinaryOperator::LessEqualThan => answer(compare(left, right, Ordering::is_le)),
        BinaryOperator::GreaterThan => answer(compare(left, right, Ordering::is_gt)),
        BinaryOperator::GreaterEqualThan => answer(compare(left, right, Ordering::is_ge)),
        BinaryOperator::In | BinaryOperator::Instanceof => None,
        _ => match (left, right) {
            (Constant::BigInt(left), Constant::BigInt(right)) => big(operator, *left, *right).map(Constant::BigInt),
            (Constant::BigInt(_), _) | (_, Constant::BigInt(_)) => None,
            _ => number(operator, left.to_number(), right.to_number()).map(Constant::Number),
        },
    }
}

/// An object as the text that operators take it for.
fn primitive(value: &Constant) -> Constant {
    match value {
        Constant::Array(_) | Constant::Bytes(_) => Constant::String(value.to_text()),
        Constant::String(_) | Constant::Number(_) | Constant::BigInt(_) | Constant::Boolean(_) | Constant::Null | Constant::Undefined => {
            value.clone()
        }
    }
}

fn is_object(value: &Constant) -> bool {
    matches!(value, Constant::Array(_) | Constant::Bytes(_))
}

fn add(left: &Constant, right: &Constant) -> Option<Constant> {
    let is_text = |value: &Constant| matches!(value, Constant::String(_)) || is_object(value);
    match (left, right) {
        _ if is_text(left) || is_text(right) => Some(Constant::String(left.to_text() + &right.to_text())),
        (Constant::BigInt(left), Constant::BigInt(right)) => left.checked_add(*right).map(Constant::BigInt),
        (Constant::BigInt(_), _) | (_, Constant::BigInt(_)) => None,
        _ => Some(Constant::Number(left.to_number() + right.to_number())),
    }
}

fn number(operator: BinaryOperator, left: f64, right: f64) -> Option<f64> {
    let bits = |apply: fn(i32, i32) -> i32| f64::from(apply(to_int32(left), to_int32(right)));
    // Shifts go by the low five bits of what stands at the right, as Rust's wrapping ones do.
    let by = to_int32(right).cast_unsigned();
    Some(match operator {
        BinaryOperator::Subtraction => left - right,
        BinaryOperator::Multiplication => left * right,
        BinaryOperator::Division => left / right,
        BinaryOperator::Remainder => left % right,
        BinaryOperator::Exponential => power(left, right),
        BinaryOperator::BitwiseAnd => bits(|left, right| left & right),
        BinaryOperator::BitwiseOR => bits(|left, right| left | right),
        BinaryOperator::BitwiseXOR => bits(|left, right| left ^ right),
        BinaryOperator::ShiftLeft => f64::from(to_int32(left).wrapping_shl(by)),
        BinaryOperator::ShiftRight => f64::from(to_int32(left).wrapping_shr(by)),
        BinaryOperator::ShiftRightZeroFill => f64::from(to_int32(left).cast_unsigned().wrapping_shr(by)),
        _ => return None,
    })
}

/// `base ** exponent`, which is NaN where C's `pow` answers 1.
pub fn power(base: f64, exponent: f64) -> f64 {
    if exponent.is_nan() || base.abs() == 1.0 && exponent.is_infinite() { f64::NAN } else { base.powf(exponent) }
}

fn big(operator: BinaryOperator, left: i128, right: i128) -> Option<i128> {
    let by = || u32::try_from(right).ok();
    match operator {
        BinaryOperator::Subtraction => left.checked_sub(right),
        BinaryOperator::Multiplication => left.checked_mul(right),
        BinaryOperator::Division => left.checked_div(right),
        BinaryOperator::Remainder => left.checked_rem(right),
        BinaryOperator::Exponential => left.checked_pow(by()?),
        BinaryOperator::BitwiseAnd => Some(left & right),
        BinaryOperator::BitwiseOR => Some(left | right),
        BinaryOperator::BitwiseXOR => Some(left ^ right),
        BinaryOperator::ShiftLeft => left.checked_mul(2_i128.checked_pow(by()?)?),
        BinaryOperator::ShiftRight => Some(left >> by()?.min(i128::BITS - 1)),
        // `>>>` of these throws.
        _ => None,
    }
}

/// `===`. Whether two objects are one is not known.
pub fn strictly_equal(left: &Constant, right: &Constant) -> Option<bool> {
    match (left, right) {
        _ if is_object(left) && is_object(right) => None,
        _ => Some(left == right),
    }
}

/// The equality of `includes`: NaN is found.
pub fn same_value_zero(left: &Constant, right: &Constant) -> Option<bool> {
    match (left, right) {
        (Constant::Number(left), Constant::Number(right)) => Some(left == right || left.is_nan() && right.is_nan()),
        _ => strictly_equal(left, right),
    }
}

/// `==`.
pub fn loosely_equal(left: &Constant, right: &Constant) -> Option<bool> {
    let is_missing = |value: &Constant| matches!(value, Constant::Null | Constant::Undefined);
    match (left, right) {
        _ if is_object(left) && is_object(right) => None,
        _ if is_missing(left) || is_missing(right) => Some(is_missing(left) && is_missing(right)),
        _ if is_object(left) || is_object(right) => loosely_equal(&primitive(left), &primitive(right)),
        (Constant::String(left), Constant::String(right)) => Some(left == right),
        (Constant::BigInt(left), Constant::BigInt(right)) => Some(left == right),
        (Constant::BigInt(_), _) | (_, Constant::BigInt(_)) => ordering(left, right).map(|ordering| ordering == Some(Ordering::Equal)),
        _ => Some(left.to_number() == right.to_number()),
    }
}

fn compare(left: &Constant, right: &Constant, holds: fn(Ordering) -> bool) -> Option<bool> {
    ordering(&primitive(left), &primitive(right)).map(|ordering| ordering.is_some_and(holds))
}

/// How two values that are no objects are ordered: not at all where one is NaN; nothing where that is not known.
fn ordering(left: &Constant, right: &Constant) -> Option<Option<Ordering>> {
    match (left, right) {
        (Constant::String(left), Constant::String(right)) => Some(Some(left.encode_utf16().cmp(right.encode_utf16()))),
        (Constant::BigInt(left), Constant::BigInt(right)) => Some(Some(left.cmp(right))),
        // A text is read as a whole number there, not as a double.
        (Constant::BigInt(left), Constant::String(right)) => Some(Some(left.cmp(&big_from_text(right)?))),
        (Constant::String(left), Constant::BigInt(right)) => Some(Some(big_from_text(left)?.cmp(right))),
        (Constant::BigInt(number), _) | (_, Constant::BigInt(number)) if EXACT < number.unsigned_abs() => None,
        _ => Some(left.to_number().partial_cmp(&right.to_number())),
    }
}
