//! The settings file of one tenant as it is written.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::cli::audit::limit::LimitConfig;
use crate::cli::config::{RuleConfig, VerdictName, Verdicts};
use crate::model::registry::ModelSettings;

/// The settings of one tenant, over the common ones: what is left out stays as it is there.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(title = "security.yaml of a tenant")]
pub struct TenantConfig {
    /// The models that judge; of several the strictest opinion stands.
    pub models: Option<Vec<String>>,
    /// Warn from this score on (0–100).
    #[schemars(range(min = 0, max = 100))]
    pub warn_threshold: Option<f64>,
    /// Block from this score on (0–100).
    #[schemars(range(min = 0, max = 100))]
    pub block_threshold: Option<f64>,
    /// What to answer on what could not be judged.
    pub on_undetermined: Option<VerdictName>,
    /// The verdict that stands for each action.
    pub verdicts: Verdicts,
    /// What is chosen for single rules, by id.
    pub rules: BTreeMap<String, RuleConfig>,
    /// Folders with files of patterns beside the common ones, relative to this file.
    pub patterns: Vec<PathBuf>,
    /// Settings of the models: weights, thresholds and points, the score override and the decay; not of those that name files or servers.
    pub model_settings: ModelSettings,
    /// Limits on what adds up, beside the common ones.
    pub cumulative: Vec<LimitConfig>,
}
