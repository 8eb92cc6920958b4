//! A risk score on the one scale that all models share.

use std::fmt;

/// A risk score: finite, from 0.0 (nothing found) to 100.0; never NaN, never -0.0.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Score(f64);

impl Score {
    /// No risk found.
    pub const ZERO: Self = Self(0.0);
    /// The highest risk.
    pub const MAX: Self = Self(100.0);

    /// The nearest score to a number: clamped to 0–100, and the highest for NaN, because what
    /// cannot be computed must not pass as harmless.
    pub fn clamped(number: f64) -> Self {
        if number.is_nan() {
            return Self::MAX;
        }
        // Adding 0.0 turns -0.0 into 0.0.
        Self(number.clamp(0.0, 100.0) + 0.0)
    }

    /// The number, 0.0–100.0.
    pub fn value(self) -> f64 {
        self.0
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.fract() == 0.0 { write!(f, "{:.0}", self.0) } else { write!(f, "{:.1}", self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_finite_and_within_its_scale_whatever_the_number() {
        for (number, expected) in [
            (-1.0, 0.0),
            (-0.0, 0.0),
            (0.5, 0.5),
            (100.0, 100.0),
            (100.1, 100.0),
            (f64::INFINITY, 100.0),
            (f64::NEG_INFINITY, 0.0),
            (f64::NAN, 100.0),
        ] {
            assert_eq!(Score::clamped(number).value().to_bits(), f64::to_bits(expected), "{number}");
        }
    }
}
