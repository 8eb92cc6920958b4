//! A row of `queries:`.

use serde::Deserialize;

use crate::knowledge::row::term::EffectKind;

/// What tools do to all there is, unless their argument says to which of it.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct QueryRow {
    /// Their names; `*` stands for anything, `{a,b}` for either.
    pub tools: Vec<String>,
    /// What they do.
    pub does: EffectKind,
    /// What they do it to, as the table of effects calls it.
    pub to: String,
    /// Keys that say to which; without any of them it is all there is.
    #[serde(default)]
    pub narrowed: Vec<String>,
    /// Keys that do so only if `value` beside them is more than nothing: `gt(least,value)`.
    #[serde(default)]
    pub least: Vec<String>,
    /// Switches by which it is all there is; where there are any, it is so by them alone.
    #[serde(default)]
    pub whole: Vec<String>,
    /// A script that does it to all there is.
    pub hit: String,
    /// One that does not.
    pub miss: String,
    /// The documentation that says so.
    pub source: String,
}
