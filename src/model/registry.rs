//! All models.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::disabled::Disabled;
use crate::model::fixed::{Fixed, FixedSettings};
use crate::model::hybrid::{Hybrid, HybridSettings};
use crate::model::rule_based::{RuleBased, RuleBasedSettings};
use crate::model::{Model, disabled, fixed, hybrid, rule_based};

/// The settings of all models.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ModelSettings {
    /// Settings of the hybrid model.
    pub hybrid: HybridSettings,
    /// Settings of the rule-based model.
    pub rule_based: RuleBasedSettings,
    /// Settings of the fixed model.
    pub fixed: FixedSettings,
}

/// A model, as it stands in the registry.
pub struct ModelEntry {
    /// Unique name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// How it decides: by action or by thresholds on the score.
    pub decides_by: &'static str,
    /// Builds it from the settings.
    pub build: fn(&ModelSettings) -> Box<dyn Model>,
}

/// The model that judges unless another is chosen.
pub const DEFAULT: &str = hybrid::NAME;

/// All models.
pub const MODELS: &[ModelEntry] = &[
    ModelEntry {
        name: hybrid::NAME,
        summary: "The worst severity decides the action; a score with diminishing returns can only make it stricter.",
        decides_by: "action",
        build: |settings| Box::new(Hybrid::new(settings.hybrid)),
    },
    ModelEntry {
        name: rule_based::NAME,
        summary: "Eight rules about tool calls with fixed points, summed up to 100.",
        decides_by: "thresholds",
        build: |settings| Box::new(RuleBased::new(settings.rule_based.clone())),
    },
    ModelEntry {
        name: fixed::NAME,
        summary: "One score for everything, to test a set-up or to hold a gate shut.",
        decides_by: "thresholds",
        build: |settings| Box::new(Fixed::new(settings.fixed)),
    },
    ModelEntry {
        name: disabled::NAME,
        summary: "No opinion: everything that can be read scores 0 and is allowed.",
        decides_by: "action",
        build: |_| Box::new(Disabled),
    },
];

/// The model of that name.
pub fn by_name(name: &str) -> Option<&'static ModelEntry> {
    MODELS.iter().find(|model| model.name == name)
}
