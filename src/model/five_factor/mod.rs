//! The five-factor model: what a call is named, what it is given, what is said of it, and how new it is.

pub mod level;
pub mod upstream;
