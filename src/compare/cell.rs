//! What one model says of one subject, in a word, a number and a verdict.

use crate::explain::opinion::{Judgement, Opinion};
use crate::finding::Finding;
use crate::subject::Reason;
use crate::value::verdict::Verdict;

/// Where a model stands on a subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Whether the model has judged.
    pub state: State,
    /// What follows if only this model counted; none if it has nothing to say.
    pub verdict: Option<Verdict>,
    /// Its score, 0–100; of several opinions the highest.
    pub score: Option<f64>,
    /// Its own word for the score, or else the severity, where it has one.
    pub level: Option<String>,
}

/// Whether a model has judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It has.
    Judged,
    /// The subject could not be judged, or not wholly, whatever the model.
    Undetermined,
    /// The model failed, or a part of it; why.
    Failed(String),
    /// It says nothing of such a subject.
    Silent,
}

impl State {
    /// The name used in every output.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Judged => "judged",
            Self::Undetermined => "undetermined",
            Self::Failed(_) => "failed",
            Self::Silent => "silent",
        }
    }
}

impl Cell {
    /// What an opinion says of a finding; `on_undetermined` is the verdict on what could not be judged.
    pub fn of(opinion: &Opinion, finding: &Finding, on_undetermined: Verdict) -> Self {
        let on_undetermined = finding.undetermined.as_ref().map_or(on_undetermined, |why| on_undetermined.min(why.reason.most()));
        let is_whole = finding.undetermined.as_ref().is_none_or(|undetermined| undetermined.reason == Reason::Model);
        let judgements = match opinion {
            Opinion::Failed(why) => return Self::unjudged(State::Failed(why.clone()), on_undetermined),
            Opinion::NotJudged => &[][..],
            Opinion::Judged(judgements) => judgements,
        };
        let Some(worst) = strictest(judgements) else {
            let silent = Self { state: State::Silent, verdict: None, score: None, level: None };
            return if is_whole { silent } else { Self::unjudged(State::Undetermined, on_undetermined) };
        };
        let failed = judgements.iter().find_map(|judgement| judgement.undetermined.clone());
        let score = judgements.iter().map(|judgement| judgement.bill.score).fold(0.0, f64::max);
        let level = worst.level.as_ref().map(ToString::to_string).or(worst.severity.map(|severity| severity.name().to_owned()));
        let verdict = worst.bill.decision.verdict;
        let state = match failed {
            _ if !is_whole => State::Undetermined,
            Some(why) => State::Failed(why),
            None => return Self { state: State::Judged, verdict: Some(verdict), score: Some(score), level },
        };
        Self { state, verdict: Some(verdict.max(on_undetermined)), score: Some(score), level }
    }

    /// A cell without a score.
    pub fn unjudged(state: State, verdict: Verdict) -> Self {
        Self { state, verdict: Some(verdict), score: None, level: None }
    }

    /// Returns true if and only if the verdict is one on the subject, so that it can differ from others.
    pub fn is_opinion(&self) -> bool {
        match self.state {
            State::Judged | State::Undetermined => true,
            State::Failed(_) | State::Silent => false,
        }
    }
}

/// The judgement with the strictest verdict, and of several the one with the highest score.
fn strictest(judgements: &[Judgement]) -> Option<&Judgement> {
    let by = |judgement: &Judgement| (judgement.bill.decision.verdict, judgement.bill.score);
    judgements.iter().reduce(|most, next| {
        let ((verdict, score), (next_verdict, next_score)) = (by(most), by(next));
        if verdict < next_verdict || verdict == next_verdict && score < next_score { next } else { most }
    })
}
