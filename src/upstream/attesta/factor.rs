//! The parts of a risk.

/// One part of a risk.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// Attesta's name for it.
    pub name: String,
    /// What it adds to the risk, 0–1 or below 0 where it takes away.
    pub contribution: f64,
    /// What it rests on, in Attesta's words. It can quote the call: do not print it unescaped.
    pub evidence: String,
}

impl Factor {
    /// One part of a risk.
    pub fn new(name: &str, contribution: f64, evidence: String) -> Self {
        Self { name: name.to_owned(), contribution, evidence }
    }
}

/// What Python's `max(0.0, min(1.0, value))` gives: what is not a number becomes 1.
pub fn clamped(value: f64) -> f64 {
    let capped = if value < 1.0 { value } else { 1.0 };
    if 0.0 < capped { capped } else { 0.0 }
}
