//! Thresholds: the score from which to flag so that no more than a wanted share of the good files is flagged.

use crate::tune::roc::Point;

/// Digits after the point that a threshold has at most.
const DIGITS: i32 = 6;
/// The highest score.
const TOP: f64 = 100.0;

/// A threshold that reaches a wanted false-positive rate, with what it flags.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// The wanted rate, from 0 to less than 1.
    pub rate: f64,
    /// The threshold, more than 0 and at most 100; none if there is none that reaches the rate.
    pub threshold: Option<f64>,
    /// How many good files it flags. Without a threshold, those that are flagged whatever the threshold.
    pub good: usize,
    /// How many bad files it flags. Without a threshold, those that are flagged whatever the threshold.
    pub bad: usize,
}

impl Cut {
    /// The lowest threshold on a curve at which no more than this share of the good files is flagged. None for an empty curve.
    ///
    /// All thresholds between two scores that were seen flag the same files; the one about halfway is taken, with as few digits
    /// as tell them apart.
    pub fn at(rate: f64, points: &[Point]) -> Option<Self> {
        let (first, last) = points.first().zip(points.last())?;
        // The small number forgives what a product such as 0.07 × 100 is less than 7.
        let allowed = rate * last.good as f64 + 1e-9;
        let within = points.iter().take_while(|point| point.good as f64 <= allowed).count();
        let unreachable = Self { rate, threshold: None, good: first.good, bad: first.bad };
        let Some(point) = within.checked_sub(1).and_then(|at| points.get(at)) else { return Some(unreachable) };
        let below = points.get(within).and_then(|next| next.threshold).unwrap_or(0.0);
        let above = point.threshold.unwrap_or(TOP);
        if above <= below {
            return Some(unreachable);
        }
        Some(Self { rate, threshold: Some(between(below, above)), good: point.good, bad: point.bad })
    }
}

/// A number above the first and not above the second, about halfway, with few digits.
fn between(below: f64, above: f64) -> f64 {
    let middle = f64::midpoint(below, above);
    let rounded = (0..=DIGITS).map(|digits| (middle * 10f64.powi(digits)).round() / 10f64.powi(digits));
    rounded.into_iter().find(|number| below < *number && *number <= above).unwrap_or(above)
}
