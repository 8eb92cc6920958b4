//! Explains a decision: what each score is made of, and which change would lower the verdict.

pub mod bill;
mod candidate;
pub mod counterfactual;
pub mod opinion;
pub mod row;

use crate::analyzer::answer::Answer;
use crate::explain::bill::Bill;
use crate::explain::counterfactual::Counterfactual;
use crate::meaning::Features;
use crate::model::{Evaluation, Evidence, Model};
use crate::policy::Policy;
use crate::rule::Match;
use crate::rule::cause::merged;
use crate::subject::{Completeness, Reason, Subject, Undetermined};
use crate::value::span::{Position, Span};
use crate::value::verdict::Verdict;

/// Why a subject is judged as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// What each score is made of, one for each opinion.
    pub bills: Vec<Bill>,
    /// What would lower the verdict.
    pub counterfactual: Counterfactual,
}

/// A subject with all that its judgement rests on.
#[derive(Clone, Copy)]
pub struct Case<'c> {
    /// The subject.
    pub subject: &'c Subject,
    /// What was counted from it.
    pub features: &'c Features,
    /// All matches that count, the worst first, each by itself.
    pub matches: &'c [Match],
    /// What the user's own programs said of it.
    pub answers: &'c [Answer],
    /// How many matches models are shown at most.
    pub limit: usize,
    /// The models that judge.
    pub models: &'c [Box<dyn Model>],
    /// What follows from their opinions.
    pub policy: &'c Policy,
    /// The text in which its places are.
    pub text: &'c str,
    /// Where a place of it stands in its source.
    pub position: &'c dyn Fn(Span) -> Position,
}

/// Explains the judgement of a subject.
pub fn explain(case: &Case<'_>) -> Explanation {
    Explanation { bills: bill::all(case), counterfactual: counterfactual::find(case) }
}

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

impl Case<'_> {
    /// What the models think of the subject, each opinion with its model; and why not all of it could be judged.
    fn opinions(&self, matches: &[Match], gone: Option<&dyn Fn(&str) -> bool>) -> (Vec<(&dyn Model, Evaluation)>, Option<Undetermined>) {
        let mut matches = merged(matches.to_vec());
        matches.truncate(self.limit);
        let evidence =
            Evidence { subject: self.subject, features: self.features, matches: &matches, answers: self.answers, text: self.text };
        let mut undetermined = match &self.subject.completeness {
            Completeness::Complete => None,
            Completeness::Undetermined(undetermined) => Some(undetermined.clone()),
        };
        let mut opinions = Vec::new();
        for model in self.models.iter().filter(|model| model.judges(self.subject.kind)) {
            let evaluations = match gone {
                Some(gone) => model.evaluate_without(&evidence, gone),
                None => model.evaluate(&evidence),
            };
            match evaluations {
                Ok(evaluations) => {
                    let failed = evaluations.iter().find_map(|evaluation| evaluation.undetermined.as_ref());
                    undetermined = failed.map(|detail| Undetermined::new(Reason::Model, detail)).or(undetermined);
                    opinions.extend(evaluations.into_iter().map(|evaluation| (&**model, evaluation)));
                }
                Err(error) => undetermined = Some(Undetermined::new(Reason::Model, error.to_string())),
            }
        }
        (opinions, undetermined)
    }

    /// How the subject stands with these matches, and with nothing of the rules that are `gone`.
    fn standing(&self, matches: &[Match], gone: Option<&dyn Fn(&str) -> bool>) -> Standing {
        let (opinions, undetermined) = self.opinions(matches, gone);
        let evaluations: Vec<Evaluation> = opinions.into_iter().map(|(_, evaluation)| evaluation).collect();
        let score = evaluations.iter().map(|evaluation| evaluation.score.value()).fold(0.0, f64::max);
        let sum = evaluations.iter().flat_map(Evaluation::found_signals).map(|signal| signal.score).sum();
        Standing { verdict: self.policy.decide(&evaluations, self.policy.deciding(matches), undetermined.as_ref()).verdict, score, sum }
    }

    fn position(&self, span: Span) -> Position {
        (self.position)(span)
    }
}
