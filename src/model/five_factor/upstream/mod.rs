//! The upstream edition: what the released software says of one call, to the last bit.
//!
//! Source: Attesta at 4b6a8de1. `scorer` weighs the five factors, `domain` adds what an industry knows,
//! `gate` the environment, choices and trust, `combined` several scorers.

pub mod combined;
pub mod domain;
pub mod gate;
pub mod scorer;
pub mod trust;
pub mod words;

/// One part of a risk.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// Upstream's name for it.
    pub name: String,
    /// What it adds to the risk, 0–1 or below 0 where it takes away.
    pub contribution: f64,
    /// What it rests on, in upstream's words. It can quote the call: do not print it unescaped.
    pub evidence: String,
}

impl Factor {
    fn new(name: &str, contribution: f64, evidence: String) -> Self {
        Self { name: name.to_owned(), contribution, evidence }
    }
}

/// What Python's `max(0.0, min(1.0, value))` gives: what is not a number becomes 1.
pub fn clamped(value: f64) -> f64 {
    let capped = if value < 1.0 { value } else { 1.0 };
    if 0.0 < capped { capped } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::clamped;

    #[test]
    fn shares_lie_between_0_and_1() {
        for (value, expected) in [(0.5, 0.5), (-0.0, 0.0), (-1.0, 0.0), (2.0, 1.0), (f64::NAN, 1.0), (f64::NEG_INFINITY, 0.0)] {
            assert_eq!(clamped(value).to_bits(), f64::to_bits(expected), "{value}");
        }
    }
}
