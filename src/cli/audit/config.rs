//! `audit` in callgate.yaml as it is written.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::value::time;

/// Where evaluations are stored, and for how long. Only taken from a file that is named with --config, or from your own settings.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AuditConfig {
    /// `false`: nothing is stored, though a file is named. `true`: it is, also if none is.
    pub enabled: Option<bool>,
    /// The file, relative to this one, or the address of a server (`postgres://user@host/database`); if left out, the one in your folder of state.
    pub path: Option<PathBuf>,
    /// `true`: a run fails if it cannot store its evaluations.
    pub required: bool,
    /// For how long evaluations are kept; older ones are taken out once a day. For ever, if left out.
    pub retention: RetentionConfig,
}

/// For how long evaluations are kept: a number with s, m, h, d, w or y, such as `90d`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RetentionConfig {
    /// Those in which something was found.
    pub findings: Option<String>,
    /// Clean passes.
    pub clean: Option<String>,
}

impl AuditConfig {
    /// What should be spans of time and is none.
    pub fn wrong_spans(&self) -> impl Iterator<Item = &String> {
        let spans = [&self.retention.findings, &self.retention.clean].into_iter().flatten();
        spans.filter(|span| time::span(span).is_none())
    }

    /// Whether it asks for a store.
    pub fn is_on(&self) -> bool {
        self.enabled.unwrap_or(self.path.is_some())
    }
}
