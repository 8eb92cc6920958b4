//! How a subject stands: what changes of it are held against.

use crate::judge::Judged;
use crate::model::Evaluation;
use crate::value::verdict::Verdict;

/// The verdict on a subject and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The verdict.
    pub verdict: Verdict,
    /// The highest score of any model, 0–100.
    pub score: f64,
    /// The points of all signals of all models, which tell scores apart that are capped.
    pub sum: f64,
}

impl Standing {
    /// How a subject stands that was judged so.
    pub fn of(judged: &Judged<'_>) -> Self {
        let score = judged.evaluations().map(|evaluation| evaluation.score.value()).fold(0.0, f64::max);
        let sum = judged.evaluations().flat_map(Evaluation::found_signals).map(|signal| signal.score).sum();
        Self { verdict: judged.decision.verdict, score, sum }
    }
}
