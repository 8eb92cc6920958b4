//! A row of `words:` or `places:`.

use serde::Deserialize;

/// Words, hosts or paths that tell the same.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WordRow {
    /// All that they tell, by the names of tags; nothing, if it is empty.
    pub is: Vec<String>,
    /// The words, in lower case.
    pub words: Vec<String>,
}
