//! Counters of evaluations, as a monitoring system takes them: of one run, or of all that a store was ever told.

use std::collections::BTreeMap;

use crate::value::verdict::Verdict;

/// Upper bounds of the steps of scores.
pub const SCORES: [u32; 10] = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
/// Upper bounds of the steps of durations, in microseconds.
pub const DURATIONS: [u32; 12] = [500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 5_000_000];

/// One evaluation, as far as it is counted.
#[derive(Clone, Debug)]
pub struct Sample<'s> {
    /// Its verdict.
    pub verdict: Verdict,
    /// It could not be judged, or not wholly.
    pub is_undetermined: bool,
    /// How many matches, and gaps in what could be judged, somebody accepted.
    pub accepted: u32,
    /// How often each rule hit.
    pub rules: Vec<(&'s str, u32)>,
    /// Its highest score.
    pub score: Option<f64>,
    /// How long it took, in microseconds.
    pub micros: Option<u32>,
}

/// Counters by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metrics {
    counts: BTreeMap<String, f64>,
}

/// A histogram.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// How many lie at or below each bound.
    pub steps: Vec<(u32, f64)>,
    /// How many there are.
    pub count: f64,
    /// Their sum.
    pub sum: f64,
}

impl Metrics {
    /// Counts an evaluation.
    pub fn add(&mut self, sample: &Sample<'_>) {
        self.count(format!("verdict {}", sample.verdict), 1.0);
        if sample.is_undetermined {
            self.count("undetermined".to_owned(), 1.0);
        }
        if 0 < sample.accepted {
            self.count("accepted".to_owned(), f64::from(sample.accepted));
        }
        sample.rules.iter().for_each(|(rule, hits)| self.count(format!("rule {rule}"), f64::from(*hits)));
        sample.score.into_iter().for_each(|score| self.step("score", &SCORES, score));
        sample.micros.into_iter().for_each(|micros| self.step("duration", &DURATIONS, f64::from(micros)));
    }

    /// Adds to a counter.
    pub fn count(&mut self, name: String, more: f64) {
        *self.counts.entry(name).or_default() += more;
    }

    /// All counters, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.counts.iter().map(|(name, count)| (name.as_str(), *count))
    }

    /// How many evaluations had this verdict.
    pub fn verdict(&self, verdict: Verdict) -> f64 {
        self.get(&format!("verdict {verdict}"))
    }

    /// How many could not be judged, or not wholly.
    pub fn undetermined(&self) -> f64 {
        self.get("undetermined")
    }

    /// How many matches, and gaps in what could be judged, somebody accepted.
    pub fn accepted(&self) -> f64 {
        self.get("accepted")
    }

    /// How often each rule hit.
    pub fn rules(&self) -> impl Iterator<Item = (&str, f64)> {
        self.iter().filter_map(|(name, count)| Some((name.strip_prefix("rule ")?, count)))
    }

    /// The scores.
    pub fn scores(&self) -> Histogram {
        self.histogram("score", &SCORES)
    }

    /// The durations, in microseconds.
    pub fn durations(&self) -> Histogram {
        self.histogram("duration", &DURATIONS)
    }

    fn get(&self, name: &str) -> f64 {
        self.counts.get(name).copied().unwrap_or_default()
    }

    fn step(&mut self, name: &str, bounds: &[u32], value: f64) {
        let bound = bounds.iter().find(|bound| value <= f64::from(**bound)).map_or_else(|| "more".to_owned(), u32::to_string);
        self.count(format!("{name} {bound}"), 1.0);
        self.count(format!("{name} sum"), value);
    }

    fn histogram(&self, name: &str, bounds: &[u32]) -> Histogram {
        let mut count = 0.0;
        let mut steps = Vec::with_capacity(bounds.len());
        for bound in bounds {
            count += self.get(&format!("{name} {bound}"));
            steps.push((*bound, count));
        }
        Histogram { steps, count: count + self.get(&format!("{name} more")), sum: self.get(&format!("{name} sum")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_counted_in_steps() {
        let mut metrics = Metrics::default();
        for (score, micros) in [(0.0, 400), (10.0, 500), (10.5, 9_000_000), (100.0, 501)] {
            let sample = Sample {
                verdict: Verdict::Warn,
                is_undetermined: score == 0.0,
                accepted: 3,
                rules: vec![("a", 2)],
                score: Some(score),
                micros: Some(micros),
            };
            metrics.add(&sample);
        }
        let scores = metrics.scores();
        assert_eq!(
            (scores.steps[0], scores.steps[1], scores.steps[9], scores.count, scores.sum),
            ((10, 2.0), (20, 3.0), (100, 4.0), 4.0, 120.5)
        );
        let durations = metrics.durations();
        assert_eq!((durations.steps[0], durations.steps[11].1, durations.count), ((500, 2.0), 3.0, 4.0));
        assert_eq!(
            (metrics.verdict(Verdict::Warn), metrics.undetermined(), metrics.accepted(), metrics.rules().next()),
            (4.0, 1.0, 12.0, Some(("a", 8.0)))
        );
    }
}
