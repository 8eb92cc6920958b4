//! JavaScript's constants: what its operators, functions and methods make of values that are known.
//!
//! Both readers of scripts, the folder of constants and the interpreter, compute here, so that they cannot differ. Answers are those
//! of ECMA-262, or none: what throws, what this does not know, and texts that hold half of a surrogate pair, which no `String` can.

pub mod array;
pub mod bytes;
pub mod constant;
pub mod function;
pub mod method;
pub mod number;
pub mod operator;
pub mod pattern;
mod percent;
pub mod position;
pub mod property;
pub mod regex;
mod replace;
pub mod text;

/// The longest text that is computed, in bytes.
pub const MAX_TEXT: usize = 256 * 1024;
