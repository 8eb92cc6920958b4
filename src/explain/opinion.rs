//! What one model thinks of a subject by itself, apart from all others.

use std::borrow::Cow;

use crate::explain::bill::Bill;
use crate::model::Evaluation;
use crate::value::severity::Severity;

/// What a model says of a subject.
#[derive(Clone, Debug, PartialEq)]
pub enum Opinion {
    /// It does not judge subjects of this kind.
    NotJudged,
    /// It could not judge; why.
    Failed(String),
    /// Its evaluations; none, if it has nothing to say of the subject.
    Judged(Vec<Judgement>),
}

/// An evaluation with all that explains it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// What the score is made of, and what follows from it alone.
    pub bill: Bill,
    /// The model's own word for the score, where it has one.
    pub level: Option<Cow<'static, str>>,
    /// How bad the worst of it is, for models that tell.
    pub severity: Option<Severity>,
    /// What the model would have a person do before the subject may run, where it says so.
    pub challenge: Option<&'static str>,
    /// Why the opinion is not whole: what it is made of failed in part.
    pub undetermined: Option<String>,
}

impl Judgement {
    /// The judgement of an evaluation.
    pub fn of(evaluation: &Evaluation, bill: Bill) -> Self {
        Self {
            bill,
            level: evaluation.level.clone(),
            severity: evaluation.severity,
            challenge: evaluation.challenge,
            undetermined: evaluation.undetermined.clone(),
        }
    }
}
