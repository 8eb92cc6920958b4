//! What the evaluations of a span of time have in common.

use crate::value::time::DAY;

/// How long a span is that is looked at by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A day in UTC.
    Day,
    /// An hour.
    Hour,
}

impl Unit {
    /// The name used on the command line and in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Hour => "hour",
        }
    }

    /// Its length in milliseconds.
    pub fn millis(self) -> i64 {
        match self {
            Self::Day => DAY,
            Self::Hour => DAY / 24,
        }
    }

    /// The beginning of the span in which a point in time lies.
    pub fn begin(self, at: i64) -> i64 {
        at - at.rem_euclid(self.millis())
    }
}

/// How many evaluations there were, how they ended and how they scored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many there were of each verdict, the mildest first.
    pub verdicts: [u64; 3],
    /// How many could not be judged, or not wholly.
    pub undetermined: u64,
    /// How many matches, and gaps in what could be judged, somebody accepted.
    pub accepted: u64,
    /// How many have a score.
    pub scored: u64,
    /// The sum of the scores.
    pub score_sum: f64,
    /// The sum of the squares of the scores.
    pub score_squares: f64,
    /// The highest score.
    pub highest_score: Option<f64>,
}

impl Tally {
    /// How many there were.
    pub fn evaluations(&self) -> u64 {
        self.verdicts.iter().sum()
    }

    /// How many were warned of or blocked.
    pub fn flagged(&self) -> u64 {
        self.verdicts[1] + self.verdicts[2]
    }

    /// The mean of the scores, clean passes included.
    pub fn mean_score(&self) -> Option<f64> {
        (0 < self.scored).then(|| self.score_sum / self.scored as f64)
    }

    /// The variance of the scores, as that of a sample.
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean_score().filter(|_| 1 < self.scored)?;
        let count = self.scored as f64;
        Some(((self.score_squares - count * mean * mean) / (count - 1.0)).max(0.0))
    }

    /// Adds what another span holds.
    pub fn add(&mut self, other: &Self) {
        self.verdicts.iter_mut().zip(other.verdicts).for_each(|(own, other)| *own += other);
        self.undetermined += other.undetermined;
        self.accepted += other.accepted;
        self.scored += other.scored;
        self.score_sum += other.score_sum;
        self.score_squares += other.score_squares;
        // A score beats none.
        self.highest_score = match (self.highest_score, other.highest_score) {
            (Some(own), Some(other)) => Some(own.max(other)),
            (own, other) => own.or(other),
        };
    }
}

/// A span of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Period {
    /// Its beginning, in milliseconds since 1970.
    pub start: i64,
    /// What it holds.
    pub tally: Tally,
    /// How many evaluations there were by several models that did not answer alike.
    pub disputed: u64,
}
