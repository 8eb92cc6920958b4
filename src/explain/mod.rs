//! Explains a decision: what each score is made of, and which change would lower the verdict.

pub mod bill;
mod candidate;
pub mod counterfactual;
pub mod opinion;
pub mod row;
pub mod standing;

use crate::explain::bill::{Bill, Reader};
use crate::explain::counterfactual::Counterfactual;
use crate::judge::{Case, Judged};
use crate::value::span::{Position, Span};

/// Why a subject is judged as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// What each score is made of, one for each opinion.
    pub bills: Vec<Bill>,
    /// What would lower the verdict.
    pub counterfactual: Counterfactual,
}

/// Explains how a subject was judged; `place` tells where a place of it stands in its source.
pub fn explain(case: &Case<'_>, judged: &Judged<'_>, place: &dyn Fn(Span) -> Position) -> Explanation {
    let reader = Reader { policy: case.bench.policy, deciding: judged.deciding.as_ref(), place };
    Explanation { bills: bill::all(judged, &reader), counterfactual: counterfactual::find(case, judged, place) }
}
