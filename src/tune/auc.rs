//! The area under a ROC curve: how often a bad file has a higher score than a good one, and how sure that is.

use crate::tune::roc::Point;

/// The quantile of the normal distribution that leaves 2.5 % on each side.
pub const Z: f64 = 1.959_963_984_540_054;

/// The share of all pairs of a bad and a good file in which the bad one has the higher score; ties count half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Auc {
    /// The share, 0–1; 0.5 is what guessing reaches.
    pub value: f64,
    /// Lower end of the 95 % interval, 0–1.
    pub low: f64,
    /// Upper end of the 95 % interval, 0–1.
    pub high: f64,
}

impl Auc {
    /// The area under a curve: exactly the Mann–Whitney statistic over the number of pairs. None without a file of either
    /// label.
    pub fn of(points: &[Point]) -> Option<Self> {
        let last = points.last().filter(|last| 0 < last.good && 0 < last.bad)?;
        let start = Point { threshold: None, good: 0, bad: 0 };
        let steps = std::iter::once(&start).chain(points).zip(points);
        // Twice the number of pairs, so that halves stay whole numbers.
        let twice: u128 = steps.map(|(from, to)| (to.good - from.good) as u128 * (from.bad + to.bad) as u128).sum();
        let value = twice as f64 / (2.0 * last.good as f64 * last.bad as f64);
        let (low, high) = interval(value, last.good, last.bad);
        Some(Self { value, low, high })
    }
}

/// The 95 % interval: all areas from which the one that was found lies less than 1.96 standard errors away. Other than
/// Hanley and McNeil's own, it does not shrink to a point where all pairs are in order (Newcombe 2006, part 2, method 5).
fn interval(value: f64, good: usize, bad: usize) -> (f64, f64) {
    let reaches = |area: f64| (value - area).abs() <= Z * standard_error(area, good, bad);
    (bound(value, 0.0, reaches), bound(value, 1.0, reaches))
}

/// The standard error of an area, by Hanley and McNeil (1982), with both counts as their mean, as Newcombe has it.
pub fn standard_error(area: f64, good: usize, bad: usize) -> f64 {
    let (good, bad) = (good as f64, bad as f64);
    let others = f64::midpoint(good, bad) - 1.0;
    let spread = 1.0 + others * ((1.0 - area) / (2.0 - area) + area / (1.0 + area));
    (area * (1.0 - area) * spread / (good * bad)).max(0.0).sqrt()
}

/// The place between the value and an end at which the interval ends, by halving.
fn bound(value: f64, end: f64, reaches: impl Fn(f64) -> bool) -> f64 {
    let (mut inside, mut outside) = (value, end);
    for _ in 0..60 {
        let middle = f64::midpoint(inside, outside);
        if reaches(middle) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside.clamp(0.0, 1.0)
}
