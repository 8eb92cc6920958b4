//! How strict each model is, and how often each two agree.

use crate::compare::cell::{Cell, State};
use crate::value::verdict::Verdict;

/// A model with what it answered in all.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// How many subjects it judged wholly with each verdict, the mildest first.
    pub counts: [usize; Verdict::ALL.len()],
    /// How many subjects could not be judged, or not wholly, by any model.
    pub undetermined: usize,
    /// How many subjects it failed on.
    pub failed: usize,
    /// How many subjects it says nothing of.
    pub silent: usize,
    /// The mean score of the subjects that it judged wholly, 0–100.
    pub mean_score: Option<f64>,
}

impl Column {
    pub(super) fn of<'c>(name: &str, summary: &'static str, cells: impl Iterator<Item = &'c Cell>) -> Self {
        let mut column = Self { name: name.to_owned(), summary, counts: [0; 3], undetermined: 0, failed: 0, silent: 0, mean_score: None };
        let mut sum = 0.0;
        for cell in cells {
            match (&cell.state, cell.verdict) {
                (State::Judged, Some(verdict)) => {
                    column.counts[verdict as usize] += 1;
                    sum += cell.score.unwrap_or_default();
                }
                (State::Undetermined, _) => column.undetermined += 1,
                (State::Failed(_), _) => column.failed += 1,
                (State::Silent, _) | (State::Judged, None) => column.silent += 1,
            }
        }
        column.mean_score = (0 < column.judged()).then(|| sum / column.judged() as f64);
        column
    }

    /// How many subjects it judged wholly.
    pub fn judged(&self) -> usize {
        self.counts.iter().sum()
    }

    /// How strict it is: the mean of its verdicts, where allow is 0, warn 1 and block 2. Scores say less, because each
    /// model has a scale of its own.
    pub fn strictness(&self) -> Option<f64> {
        let [_, warn, block] = self.counts;
        (0 < self.judged()).then(|| (warn + 2 * block) as f64 / self.judged() as f64)
    }
}

/// How often two models agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// The columns of the two, the left one first.
    pub models: (usize, usize),
    /// How many subjects both judged wholly.
    pub both: usize,
    /// How many of these have the same verdict by both.
    pub same: usize,
}

impl Agreement {
    /// The share of subjects with the same verdict, in percent, rounded down so that 100 means all.
    pub fn percent(&self) -> Option<usize> {
        (100 * self.same).checked_div(self.both)
    }
}

/// How often each two of so many models agree, by what they say of each subject.
pub(super) fn pairs(models: usize, rows: &[&[Cell]]) -> Vec<Agreement> {
    let pairs = (0..models).flat_map(|right| (0..right).map(move |left| (left, right)));
    pairs.map(|pair| agreement(pair, rows)).collect()
}

fn agreement(models: (usize, usize), rows: &[&[Cell]]) -> Agreement {
    let mut agreement = Agreement { models, both: 0, same: 0 };
    for row in rows {
        let verdict = |at: usize| row.get(at).filter(|cell| cell.state == State::Judged).and_then(|cell| cell.verdict);
        if let (Some(left), Some(right)) = (verdict(models.0), verdict(models.1)) {
            agreement.both += 1;
            agreement.same += usize::from(left == right);
        }
    }
    agreement
}
