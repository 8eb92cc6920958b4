//! `tenants` in callgate.yaml as it is written.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

/// Where the settings of tenants are, and what they may say. Only taken from a file that is named with --config, or from your own settings.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TenantsConfig {
    /// The folder with a folder for each tenant, relative to this file; `config/tenants` if left out.
    pub folder: Option<PathBuf>,
    /// `true`: a tenant's settings may let a critical match pass that the common settings would warn of or block.
    pub may_accept_critical: bool,
}
