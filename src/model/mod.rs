//! Scoring models: each turns the same evidence into its opinion of it.

pub mod build;
pub mod categorical;
pub mod classifier;
pub mod composite;
pub mod custom;
pub mod disabled;
pub mod embedding;
mod enclave;
pub mod external_api;
pub mod five_factor;
pub mod fixed;
pub mod hybrid;
pub mod max;
pub mod numeric;
pub mod parts;
pub mod progressive;
pub mod registry;
pub mod rule_based;
pub mod similarity;
pub mod tiered;
pub mod weighted_category;

use std::borrow::Cow;

use crate::analyzer::answer::Answer;
use crate::meaning::Features;
use crate::rule::Match;
use crate::subject::{Kind, Subject};
use crate::value::score::Score;
use crate::value::severity::Severity;
use crate::value::span::Span;
use crate::value::verdict::Action;

/// All that a model sees.
#[derive(Clone, Copy)]
pub struct Evidence<'e> {
    /// The subject.
    pub subject: &'e Subject,
    /// What was counted from it.
    pub features: &'e Features,
    /// What was found in it, in order of place.
    pub matches: &'e [Match],
    /// What the user's own programs said of it.
    pub answers: &'e [Answer],
    /// The text of its source; the subject's spans are places in it.
    pub text: &'e str,
}

/// A model's opinion of a subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The name of the model, or of the analyzer, whose opinion it is.
    pub model: Cow<'static, str>,
    /// How risky the subject is.
    pub score: Score,
    /// The model's own word for the score, where it has one.
    pub level: Option<Cow<'static, str>>,
    /// What the model would have a person do before the subject may run, where it says so.
    pub challenge: Option<&'static str>,
    /// How bad the worst of it is, for models that tell.
    pub severity: Option<Severity>,
    /// What the model asks for; models without actions leave that to the thresholds.
    pub action: Option<Action>,
    /// The score alone made the action stricter than the matches ask for.
    pub escalated: bool,
    /// What the score is made of.
    pub signals: Vec<Signal>,
    /// The opinions that this one is made of, where models are made of models.
    pub parts: Vec<Self>,
    /// Why the opinion is not whole: what it is made of failed in part. What was found stands, and the subject is undetermined.
    pub undetermined: Option<String>,
}

impl Evaluation {
    /// A score without anything else to say.
    pub fn new(model: impl Into<Cow<'static, str>>, score: Score) -> Self {
        Self {
            model: model.into(),
            score,
            level: None,
            challenge: None,
            severity: None,
            action: None,
            escalated: false,
            signals: Vec::new(),
            parts: Vec::new(),
            undetermined: None,
        }
    }

    /// The signals that stand for something found: its own, or those of its parts where it is made of parts.
    pub fn found_signals(&self) -> Vec<&Signal> {
        if self.parts.is_empty() {
            return self.signals.iter().collect();
        }
        self.parts.iter().flat_map(Self::found_signals).collect()
    }
}

/// One part of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// What it is, e.g. a rule's id.
    pub id: String,
    /// How many points it adds.
    pub score: f64,
    /// How bad it is.
    pub level: Cow<'static, str>,
    /// What was found.
    pub description: String,
    /// Where, if it is one place.
    pub span: Option<Span>,
}

impl Signal {
    /// The part that a match adds.
    pub fn of_match(found: &Match, score: f64) -> Self {
        Self {
            id: found.rule.id.to_string(),
            score,
            level: found.severity.name().into(),
            description: found.message.clone().unwrap_or_else(|| found.rule.why.to_string()),
            span: Some(found.span),
        }
    }
}

/// How a model came to an evaluation, for people.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// How it makes a score, and what it asks for, in a sentence.
    pub rule: String,
    /// What each signal's points are made of, in the order of the signals; empty where there is nothing to add.
    pub reckoning: Vec<String>,
    /// Why the model asks for the action of the evaluation, in a few words; empty where it asks for none, or the severity does.
    pub asks: String,
    /// The score above which the model asks to block by itself, behind the name of the setting that says it.
    pub override_above: Option<(&'static str, f64)>,
}

/// A model failed to judge; the subject is undetermined.
#[derive(Debug, thiserror::Error)]
#[error("the model {model} failed: {message}")]
pub struct ModelError {
    /// The model's name.
    pub model: Cow<'static, str>,
    /// What went wrong.
    pub message: String,
}

/// What so many matches of one severity alone score.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreRow {
    /// How bad the matches are.
    pub severity: Severity,
    /// The scores (0–100) of one match, of two, and so on.
    pub scores: Vec<f64>,
    /// What no number of matches passes.
    pub limit: f64,
}

/// A scoring model: a pure function of the evidence, with its settings.
pub trait Model: Send + Sync {
    /// Returns true if and only if the model has an opinion of such subjects.
    fn judges(&self, kind: Kind) -> bool {
        let _ = kind;
        true
    }

    /// The model's opinions of a subject; most models have one.
    ///
    /// # Errors
    ///
    /// When the model cannot judge.
    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError>;

    /// How the model came to an evaluation of its own.
    fn method(&self, evaluation: &Evaluation) -> Method;

    /// The model's opinions if nothing were there of the rules that are `gone`, whose matches are no part of the evidence
    /// any more. A model that looks at more than matches leaves out its own signals by the same names.
    ///
    /// # Errors
    ///
    /// When the model cannot judge.
    fn evaluate_without(&self, evidence: &Evidence<'_>, gone: &dyn Fn(&str) -> bool) -> Result<Vec<Evaluation>, ModelError> {
        let _ = gone;
        self.evaluate(evidence)
    }

    /// What so many matches of one severity alone would score, for models that add them up.
    fn table(&self) -> Vec<ScoreRow> {
        Vec::new()
    }

    /// The model of that name that this one is made of, where models are made of models.
    fn part(&self, name: &str) -> Option<&dyn Model> {
        let _ = name;
        None
    }

    /// Returns true if and only if the model looks at how often a call was made before (`Call::earlier`).
    fn needs_session(&self) -> bool {
        false
    }
}
