//! The callgate binary.
fn main() {}
