//! What stands of tenants in callgate.yaml, and the settings file of one tenant as it is written.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::cli::audit::limit::LimitConfig;
use crate::cli::config::{RuleConfig, VerdictName, Verdicts};
use crate::model::categorical::CategoricalSettings;
use crate::model::five_factor::settings::FiveFactorSettings;
use crate::model::hybrid::HybridSettings;
use crate::model::numeric::NumericSettings;
use crate::model::rule_based::RuleBasedSettings;
use crate::model::weighted_category::WeightedCategorySettings;

/// Where the settings of tenants are, and what they may say. Only taken from a file that is named with --config, or from your own settings.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TenantsConfig {
    /// The folder with a folder for each tenant, relative to this file; `config/tenants` if left out.
    pub folder: Option<PathBuf>,
    /// `true`: a tenant's settings may let a critical match pass that the common settings would warn of or block.
    pub may_accept_critical: bool,
}

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
    /// Settings of the models: weights, thresholds and points, the score override and the decay.
    pub model_settings: TenantModels,
    /// Limits on what adds up, beside the common ones.
    pub cumulative: Vec<LimitConfig>,
}

/// The settings of those models that ask no file, server or program.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct TenantModels {
    /// Settings of the hybrid model.
    pub hybrid: HybridSettings,
    /// Settings of the rule-based model.
    pub rule_based: RuleBasedSettings,
    /// Settings of the five-factor model.
    pub five_factor: FiveFactorSettings,
    /// Settings of the numeric model.
    pub numeric: NumericSettings,
    /// Settings of the categorical model.
    pub categorical: CategoricalSettings,
    /// Settings of the weighted-category model.
    pub weighted_category: WeightedCategorySettings,
}
