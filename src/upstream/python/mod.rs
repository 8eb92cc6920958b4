//! How Python 3.11 writes, classifies and searches texts, for answers that must match software written in it.

pub mod characters;
pub mod literal;
pub mod number;
pub mod pattern;
pub mod tables;
