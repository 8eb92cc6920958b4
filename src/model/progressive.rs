//! The progressive model: a fast model first, and a detailed one where the fast one finds enough.
//!
//! Source of the threshold and the three ways to combine: the published description of the Enclave scoring gate.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::build::{BuildError, Builder, Settings};
use crate::model::parts::{Heard, Parts, Question, share};
use crate::model::{Evaluation, Evidence, Method, Model, ModelError, Signal, hybrid, rule_based};
use crate::subject::Kind;

/// The model's name.
pub const NAME: &str = "progressive";

/// The fast model, unless another is chosen.
const FAST_MODEL: &str = hybrid::NAME;
/// The detailed model, unless another is chosen.
const DETAILED_MODEL: &str = rule_based::NAME;
/// The score of the fast model from which the detailed one is asked.
const ESCALATION_THRESHOLD: f64 = 30.0;

/// The number of the fast model among the parts.
const FAST: usize = 0;
/// The number of the detailed model among the parts.
const DETAILED: usize = 1;

/// Settings of the progressive model.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct ProgressiveSettings {
    /// The model that is always asked; `hybrid` if left out.
    pub fast: String,
    /// The model that is asked where the fast one finds enough; `rule-based` if left out.
    pub detailed: String,
    /// The score of the fast model (0–100) from which the detailed one is asked; 30 if left out.
    #[schemars(range(min = 0, max = 100))]
    pub escalation_threshold: f64,
    /// What becomes of two scores; `max` if left out.
    pub combine: Combine,
}

impl Default for ProgressiveSettings {
    fn default() -> Self {
        Self {
            fast: FAST_MODEL.to_owned(),
            detailed: DETAILED_MODEL.to_owned(),
            escalation_threshold: ESCALATION_THRESHOLD,
            combine: Combine::default(),
        }
    }
}

impl Settings for ProgressiveSettings {
    fn parts(&self) -> Vec<&str> {
        vec![&self.fast, &self.detailed]
    }

    fn loosened(&self) -> Vec<String> {
        let usual = Self::default();
        let above = usual.escalation_threshold < self.escalation_threshold;
        let words = [
            (above, format!("escalation_threshold: {}", self.escalation_threshold)),
            (self.combine != usual.combine, format!("combine: {}", self.combine.name())),
            (self.fast != usual.fast, format!("fast: {}", self.fast)),
            (self.detailed != usual.detailed, format!("detailed: {}", self.detailed)),
        ];
        words.into_iter().filter(|(is_milder, _)| *is_milder).map(|(_, word)| word).collect()
    }
}

/// What becomes of the scores of the fast and the detailed model.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Combine {
    /// The higher one counts.
    #[default]
    Max,
    /// The mean of both counts.
    Avg,
    /// The detailed one counts.
    Replace,
}

impl Combine {
    /// The name used in settings and every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Avg => "avg",
            Self::Replace => "replace",
        }
    }

    /// The shares of the fast and the detailed score in the score of the whole.
    fn shares(self, fast: f64, detailed: f64) -> [f64; 2] {
        match self {
            Self::Max if detailed <= fast => [1.0, 0.0],
            Self::Max | Self::Replace => [0.0, 1.0],
            Self::Avg => [0.5, 0.5],
        }
    }
}

/// The progressive model.
pub struct Progressive {
    parts: Parts,
    escalation_threshold: f64,
    combine: Combine,
}

impl Progressive {
    /// Builds the model with its parts.
    ///
    /// # Errors
    ///
    /// When a part cannot be built, or both are the same.
    pub fn build(settings: &ProgressiveSettings, builder: &mut Builder<'_>) -> Result<Self, BuildError> {
        let ProgressiveSettings { escalation_threshold, combine, .. } = *settings;
        Ok(Self { parts: Parts::build(NAME, &settings.parts(), builder)?, escalation_threshold, combine })
    }

    fn judge(&self, question: &Question<'_>) -> Result<Vec<Evaluation>, ModelError> {
        let mut heard = Heard::default();
        self.parts.ask_one(FAST, question, &mut heard);
        // Where the fast model has no opinion, or no whole one, nobody knows that it would not have found enough.
        let is_enough = |fast: &Evaluation| self.escalation_threshold <= fast.score.value() || fast.undetermined.is_some();
        if heard.of(FAST).is_none_or(is_enough) {
            self.parts.ask_one(DETAILED, question, &mut heard);
        }
        let (score, signals) = match (heard.of(FAST), heard.of(DETAILED)) {
            (Some(fast), Some(detailed)) => self.combined(fast, detailed),
            (Some(only), None) | (None, Some(only)) => (only.score.value(), vec![share(only, 1.0)]),
            (None, None) => (0.0, Vec::new()),
        };
        heard.whole(NAME, score, signals)
    }

    fn combined(&self, fast: &Evaluation, detailed: &Evaluation) -> (f64, Vec<Signal>) {
        let shares = self.combine.shares(fast.score.value(), detailed.score.value());
        let counting = [fast, detailed].into_iter().zip(shares).filter(|(_, share)| 0.0 < *share);
        let signals: Vec<Signal> = counting.map(|(opinion, part)| share(opinion, part)).collect();
        (signals.iter().map(|signal| signal.score).sum(), signals)
    }
}

impl Model for Progressive {
    fn judges(&self, kind: Kind) -> bool {
        self.parts.judge(kind)
    }

    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        self.judge(&Question { evidence, gone: None })
    }

    fn method(&self, evaluation: &Evaluation) -> Method {
        let threshold = self.escalation_threshold;
        let how = match self.combine {
            Combine::Max => "the higher score of both counts",
            Combine::Avg => "the mean of both scores counts",
            Combine::Replace => "its score counts instead",
        };
        let asked = match *self.parts.missing_in(evaluation) {
            [] => format!("; here both were, and {how}"),
            [missing] => format!("; here {missing} was not, has no opinion of such subjects, or failed"),
            _ => String::new(),
        };
        let rule = format!(
            "the fast model is asked first, and from a score of {threshold} on the detailed one too{asked}; what either asks for \
             stands, and the thresholds can only make it stricter"
        );
        let is_mean = 1 < evaluation.signals.len();
        let reckoning = evaluation.signals.iter().map(|_| if is_mean { "counts half".to_owned() } else { String::new() });
        Method { rule, reckoning: reckoning.collect(), asks: String::new(), override_above: None }
    }

    fn evaluate_without(&self, evidence: &Evidence<'_>, gone: &dyn Fn(&str) -> bool) -> Result<Vec<Evaluation>, ModelError> {
        self.judge(&Question { evidence, gone: Some(gone) })
    }

    fn part(&self, name: &str) -> Option<&dyn Model> {
        self.parts.by_name(name)
    }

    fn needs_session(&self) -> bool {
        self.parts.need_session()
    }
}
