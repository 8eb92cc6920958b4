//! The rule-based model: eight rules with fixed points, summed and capped.
//!
//! Two editions: `published` follows the published points on facts that callgate resolved itself;
//! `upstream` reproduces the released software to the last digit on its own literal view.

pub mod published;
pub mod upstream;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Evaluation, Evidence, Model, ModelError, Signal};
use crate::subject::Kind;
use crate::value::score::Score;

/// The model's name.
pub const NAME: &str = "rule-based";

/// Which description of a model is followed.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Edition {
    /// The published description, on facts that callgate resolved.
    #[default]
    Published,
    /// The released software, to the last digit.
    Upstream,
}

/// Settings of the rule-based model.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct RuleBasedSettings {
    /// Which description is followed; `published` if left out.
    pub edition: Edition,
    /// Points (0–100) of single rules of the published edition, by id (`EXFIL_PATTERN: 60`).
    pub points: BTreeMap<String, f64>,
}

/// The rule-based model.
pub struct RuleBased {
    settings: RuleBasedSettings,
}

impl RuleBased {
    /// The model with its settings.
    pub fn new(settings: RuleBasedSettings) -> Self {
        Self { settings }
    }
}

impl Model for RuleBased {
    fn judges(&self, kind: Kind) -> bool {
        match kind {
            Kind::Script => true,
        }
    }

    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        let (score, level, signals) = match (self.settings.edition, &evidence.subject.literal_view) {
            (Edition::Published, _) => published::score(evidence, &self.settings.points),
            (Edition::Upstream, Some(view)) => {
                let result = upstream::score(view);
                let signals = result.signals.into_iter().map(|signal| Signal {
                    id: signal.id.to_owned(),
                    score: f64::from(signal.score),
                    level: signal.level.name(),
                    description: signal.description,
                    span: None,
                });
                (f64::from(result.total), result.level.name(), signals.collect())
            }
            (Edition::Upstream, None) => {
                return Err(ModelError { model: NAME, message: "the literal view of the script was not read".to_owned() });
            }
        };
        Ok(vec![Evaluation {
            model: NAME,
            score: Score::clamped(score),
            level: Some(level),
            severity: None,
            action: None,
            escalated: false,
            signals,
        }])
    }

    fn needs_literal_view(&self) -> bool {
        self.settings.edition == Edition::Upstream
    }
}
