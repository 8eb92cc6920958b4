//! A row of `tools:`.

use serde::Deserialize;

use crate::knowledge::row::term::{EffectKind, Extent, SensitivityTerm};

/// What tools do that are known by name.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ToolRow {
    /// Their names; `*` stands for anything, `{a,b}` for either.
    pub names: Vec<String>,
    /// All that they do; nothing that matters, if it is empty.
    pub effects: Vec<EffectKind>,
    /// What they do it to: `file`, `mailbox`, `records`.
    pub object: Option<String>,
    /// To how much.
    pub extent: Option<Extent>,
    /// What kind of data they return.
    pub sensitivity: Option<SensitivityTerm>,
    /// `true` if what they are given stays inside, `false` if it leaves.
    pub inside: Option<bool>,
    /// A name that the row fits.
    pub hit: Option<String>,
    /// A name near to it that it does not fit.
    pub miss: Option<String>,
    /// The documentation that names them.
    pub source: Option<String>,
}
