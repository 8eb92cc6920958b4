//! How evaluations changed over time.

use crate::history::Session;
use crate::history::period::{Period, Tally, Unit};
use crate::history::rising::Rising;

/// How evaluations changed over time.
#[derive(Clone, Debug)]
pub struct Trends {
    /// What is looked at by itself.
    pub by: Unit,
    /// The spans, without a gap, the oldest first; none, if there is no evaluation.
    pub periods: Vec<Period>,
    /// All of them together.
    pub total: Tally,
    /// What each rule hit, the most frequent first.
    pub rules: Vec<RuleTrend>,
    /// Those sessions that were blocked most often, then those with the highest scores.
    pub sessions: Vec<Session>,
    /// What the models answered where several judged, in the order of their names.
    pub models: Vec<ModelTrend>,
    /// How often each two of several models answered alike.
    pub pairs: Vec<Pair>,
    /// What was asked for beside the time: name and value.
    pub filters: Vec<(&'static str, String)>,
    /// What rises.
    pub rising: Rising,
}

impl Trends {
    /// At most so many spans of equal length, each of as many neighbours as it takes; the first may hold fewer.
    pub fn folded(&self, most: usize) -> Vec<Period> {
        let step = self.periods.len().div_ceil(most.max(1)).max(1);
        let (head, tail) = self.periods.split_at(self.periods.len() % step);
        let sum = |periods: &[Period]| {
            let mut periods = periods.iter().copied();
            let first = periods.next()?;
            Some(periods.fold(first, |mut sum, period| {
                sum.tally.add(&period.tally);
                sum.disputed += period.disputed;
                sum
            }))
        };
        sum(head).into_iter().chain(tail.chunks(step).filter_map(sum)).collect()
    }
}

/// How often a rule hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleTrend {
    /// The rule.
    pub rule: String,
    /// In how many evaluations it hit.
    pub evaluations: u64,
    /// How many of these were blocked.
    pub blocked: u64,
    /// In how many it hit in each period.
    pub by_period: Vec<u64>,
}

/// What a model answered where it judged beside others.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelTrend {
    /// Its name.
    pub model: String,
    /// Its verdicts, the mildest first.
    pub verdicts: [u64; 3],
    /// The sum of its scores.
    pub score_sum: f64,
}

impl ModelTrend {
    /// How many evaluations it made.
    pub fn evaluations(&self) -> u64 {
        self.verdicts.iter().sum()
    }

    /// The mean of its scores.
    pub fn mean_score(&self) -> Option<f64> {
        (0 < self.evaluations()).then(|| self.score_sum / self.evaluations() as f64)
    }
}

/// How often two models answered alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Their names.
    pub models: (String, String),
    /// How many evaluations both made.
    pub both: u64,
    /// In how many of these they came to the same verdict.
    pub same: u64,
}

/// Bars for numbers, as high as the highest allows; a point where there is nothing.
pub fn sparkline(numbers: impl IntoIterator<Item = f64>) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let numbers: Vec<f64> = numbers.into_iter().collect();
    let most = numbers.iter().copied().fold(0.0, f64::max);
    let bar = |number: f64| match (number / most * BARS.len() as f64).ceil() as usize {
        _ if number <= 0.0 => '·',
        step => BARS.get(step.saturating_sub(1)).copied().unwrap_or('█'),
    };
    numbers.into_iter().map(bar).collect()
}

/// At most so many numbers, each the sum of as many neighbours as it takes; the last ones are never left out.
pub fn folded(numbers: &[u64], most: usize) -> Vec<u64> {
    let step = numbers.len().div_ceil(most.max(1)).max(1);
    let first = numbers.len() % step;
    let (head, tail) = numbers.split_at(first);
    let sums = std::iter::once(head).filter(|head| !head.is_empty()).chain(tail.chunks(step));
    sums.map(|chunk| chunk.iter().sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_high_as_the_highest_allows() {
        for (numbers, expected) in
            [(vec![], ""), (vec![0.0, 0.0], "··"), (vec![1.0, 0.0, 8.0], "▁·█"), (vec![1.0, 2.0, 4.0], "▂▄█"), (vec![0.001, 100.0], "▁█")]
        {
            assert_eq!(sparkline(numbers.iter().copied()), expected, "{numbers:?}");
        }
    }

    #[test]
    fn neighbours_are_added_up_where_there_is_no_room() {
        assert_eq!(folded(&[1, 2, 3], 3), [1, 2, 3]);
        assert_eq!(folded(&[1, 2, 3, 4, 5], 3), [1, 5, 9]);
        assert_eq!(folded(&[], 3), [0_u64; 0]);
    }
}
