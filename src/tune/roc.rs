//! ROC curves: how many bad and how many good files are flagged from each score on.

/// What a threshold flags.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The threshold, 0–100: files with this score or more are flagged. None flags only what could not be judged.
    pub threshold: Option<f64>,
    /// How many good files are flagged: false positives.
    pub good: usize,
    /// How many bad files are flagged: true positives.
    pub bad: usize,
}

/// The curve of files with these ranks: a point for each distinct score, the highest first, after one without a threshold.
/// Counts never fall from point to point, and the last flags all. Empty without a file of either label.
pub fn points(good: &[f64], bad: &[f64]) -> Vec<Point> {
    if good.is_empty() || bad.is_empty() {
        return Vec::new();
    }
    let anyway = |ranks: &[f64]| ranks.iter().filter(|rank| **rank == f64::INFINITY).count();
    let mut points = vec![Point { threshold: None, good: anyway(good), bad: anyway(bad) }];
    let good = good.iter().map(|rank| (*rank, true));
    let mut ranks: Vec<(f64, bool)> = bad.iter().map(|rank| (*rank, false)).chain(good).filter(|(rank, _)| rank.is_finite()).collect();
    ranks.sort_by(|left, right| right.0.total_cmp(&left.0));
    for tied in ranks.chunk_by(|left, right| left.0 == right.0) {
        let Some(((rank, _), last)) = tied.first().zip(points.last().copied()) else { continue };
        let good = tied.iter().filter(|(_, is_good)| *is_good).count();
        points.push(Point { threshold: Some(*rank), good: last.good + good, bad: last.bad + tied.len() - good });
    }
    points
}

/// At most so many points of a curve, both ends among them, at about the same distance along it.
pub fn thinned(points: &[Point], most: usize) -> Vec<Point> {
    let Some(last) = points.last().filter(|_| 2 <= most && most < points.len()) else { return points.to_vec() };
    let along = |point: &Point| point.good as f64 / last.good.max(1) as f64 + point.bad as f64 / last.bad.max(1) as f64;
    let start = points.first().map_or(0.0, along);
    let whole = along(last) - start;
    let mut kept: Vec<Point> = Vec::with_capacity(most);
    for nth in 0..most {
        let wanted = start + whole * nth as f64 / (most - 1) as f64;
        let distance = |point: &&Point| (along(point) - wanted).abs();
        let nearest = points.iter().min_by(|left, right| distance(left).total_cmp(&distance(right)));
        kept.extend(nearest.filter(|nearest| kept.last() != Some(*nearest)));
    }
    if kept.last() != Some(last) {
        kept.push(*last);
    }
    kept
}
