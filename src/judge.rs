//! The one judgement of a subject: what its models think of it, what follows, and why not all of it could be judged.
//!
//! Reports, explanations and counterfactuals all ask here, so that none of them tells another verdict than the run gives.

use crate::analyzer::answer::Answer;
use crate::meaning::Features;
use crate::model::{Evaluation, Evidence, Model, ModelError};
use crate::policy::{Decision, DecisionReason, Policy};
use crate::rule::Match;
use crate::rule::cause::merged;
use crate::subject::{Completeness, Kind, Reason, Subject, Undetermined};
use crate::value::severity::Severity;

/// Who judges, and by what.
#[derive(Clone, Copy)]
pub struct Bench<'c> {
    /// The models that judge.
    pub models: &'c [Box<dyn Model>],
    /// What follows from their opinions.
    pub policy: &'c Policy,
    /// How many matches models are shown at most.
    pub limit: usize,
    /// The least that is answered on what is critical.
    pub floor: Option<&'c Floor>,
}

/// Who else judges what is critical: their verdict is the least that is answered, whatever the models of the bench think of it.
pub struct Floor {
    /// The models that judge it.
    pub models: Vec<Box<dyn Model>>,
    /// What follows from their opinions.
    pub policy: Policy,
}

/// A subject with all that its judgement rests on.
#[derive(Clone, Copy)]
pub struct Case<'c> {
    /// Who judges it.
    pub bench: Bench<'c>,
    /// The subject.
    pub subject: &'c Subject,
    /// What was counted from it.
    pub features: &'c Features,
    /// All matches that count, the worst first, each by itself.
    pub matches: &'c [Match],
    /// What the user's own programs said of it.
    pub answers: &'c [Answer],
    /// The text in which its places are.
    pub text: &'c str,
}

/// What one model says of a subject.
pub struct Opinion<'c> {
    /// The model.
    pub model: &'c dyn Model,
    /// Its evaluations; none if it does not judge such subjects.
    pub answer: Option<Result<Vec<Evaluation>, ModelError>>,
}

impl Opinion<'_> {
    /// Why the model's opinion is not whole, if it is not.
    fn failed(&self) -> Option<Undetermined> {
        let failed = match &self.answer {
            None => None,
            Some(Ok(evaluations)) => evaluations.iter().find_map(|evaluation| evaluation.undetermined.clone()),
            Some(Err(error)) => Some(error.to_string()),
        };
        failed.map(|detail| Undetermined::new(Reason::Model, detail))
    }

    /// What it found.
    pub fn evaluations(&self) -> &[Evaluation] {
        match &self.answer {
            Some(Ok(evaluations)) => evaluations,
            Some(Err(_)) | None => &[],
        }
    }
}

/// How a subject is judged.
pub struct Judged<'c> {
    /// The matches that were weighed, each cause once, the worst first.
    pub matches: Vec<Match>,
    /// How many are left out of them, because there are too many.
    pub further_matches: usize,
    /// The match whose block stands whatever the models think of it.
    pub deciding: Option<Match>,
    /// What each model says.
    pub opinions: Vec<Opinion<'c>>,
    /// Why not all of it could be judged.
    pub undetermined: Option<Undetermined>,
    /// What follows.
    pub decision: Decision,
}

impl Judged<'_> {
    /// All evaluations of all models.
    pub fn evaluations(&self) -> impl Iterator<Item = &Evaluation> {
        self.opinions.iter().flat_map(Opinion::evaluations)
    }

    /// The same, where nothing else is needed any more.
    pub fn into_evaluations(self) -> Vec<Evaluation> {
        self.opinions.into_iter().filter_map(|opinion| opinion.answer?.ok()).flatten().collect()
    }
}

impl<'c> Bench<'c> {
    /// Whether any model has an opinion of such subjects; a run without models only looks.
    pub fn judges(&self, kind: Kind) -> bool {
        self.models.is_empty() || self.models.iter().any(|model| model.judges(kind))
    }

    /// What no model looks at is not allowed in silence.
    fn unjudged(&self, kind: Kind) -> Option<Undetermined> {
        let detail = || format!("none of the chosen models judges what is a {}; choose another by --model", kind.name());
        (!self.judges(kind)).then(|| Undetermined::new(Reason::Model, detail()))
    }
}

impl<'c> Case<'c> {
    /// Judges the subject by all that was found in it.
    pub fn judge(&self) -> Judged<'c> {
        self.weigh(self.matches, |model, evidence| model.evaluate(evidence))
    }

    /// Judges it as if only these matches were there, and nothing of the rules that are `gone`.
    pub fn judge_without(&self, matches: &[Match], gone: &dyn Fn(&str) -> bool) -> Judged<'c> {
        self.weigh(matches, |model, evidence| model.evaluate_without(evidence, gone))
    }

    fn weigh(&self, matches: &[Match], evaluate: impl Fn(&dyn Model, &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError>) -> Judged<'c> {
        let Bench { models, policy, limit, floor } = self.bench;
        let mut matches = merged(matches.to_vec());
        let deciding = policy.deciding(&matches).cloned();
        let further_matches = matches.len().saturating_sub(limit);
        matches.truncate(limit);
        let Self { subject, features, answers, text, .. } = *self;
        let evidence = Evidence { subject, features, matches: &matches, answers, text };
        let ask = |model: &'c dyn Model| model.judges(subject.kind).then(|| evaluate(model, &evidence));
        let opinions: Vec<Opinion<'c>> = models.iter().map(|model| Opinion { model: &**model, answer: ask(&**model) }).collect();
        // What is wrong with the subject itself is told first: it holds for every model.
        let own = match &subject.completeness {
            Completeness::Complete => self.bench.unjudged(subject.kind),
            Completeness::Undetermined(undetermined) => Some(undetermined.clone()),
        };
        let undetermined = own.or_else(|| opinions.iter().find_map(Opinion::failed));
        let decision = policy.decide(opinions.iter().flat_map(Opinion::evaluations), deciding.as_ref(), undetermined.as_ref());
        let is_critical = matches.iter().any(|found| found.severity == Severity::Critical);
        let decision = match floor.filter(|_| is_critical) {
            Some(Floor { models, policy }) => {
                let asked = models.iter().filter(|model| model.judges(subject.kind));
                let evaluations: Vec<Evaluation> = asked.filter_map(|model| evaluate(&**model, &evidence).ok()).flatten().collect();
                let deciding = policy.deciding(&matches);
                decision.at_least(policy.decide(&evaluations, deciding, undetermined.as_ref()), DecisionReason::CommonSettings)
            }
            None => decision,
        };
        Judged { matches, further_matches, deciding, opinions, undetermined, decision }
    }
}
