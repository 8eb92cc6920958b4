//! A row of `apis:`.

use serde::Deserialize;

use crate::knowledge::row::term::{OriginTerm, SinkKind};

/// What a platform or a package offers to scripts.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ApiRow {
    /// What is read or called, by path: `acme-sdk.Client().push`; `()` stands for the result of a call, `{a,b}` for either.
    pub paths: Vec<String>,
    /// It is read as a property.
    #[serde(default)]
    pub property: bool,
    /// What is assigned to it is passed to it, as argument 0.
    #[serde(default)]
    pub assigned: bool,
    /// It counts only where its first argument may be a text.
    #[serde(default)]
    pub text_only: bool,
    /// What its result is read from.
    pub origin: Option<OriginTerm>,
    /// Which argument says what is read.
    pub reads: Option<String>,
    /// What is done with what is passed to it.
    pub sink: Option<SinkKind>,
    /// Which arguments say where it goes.
    #[serde(default)]
    pub target: Vec<String>,
    /// Which arguments carry what is sent, run or written; all of them, if none is named.
    #[serde(default)]
    pub data: Vec<String>,
    /// Which arguments are sent whole, whatever their keys are called.
    #[serde(default)]
    pub body: Vec<String>,
    /// A script that uses it.
    pub example: Option<String>,
    /// Where this is known from.
    pub source: Option<String>,
}

impl ApiRow {
    /// Why the row says nothing, if it does not.
    pub fn fault(&self) -> Option<String> {
        let Self { paths, origin, sink, .. } = self;
        let is_empty = paths.is_empty() || paths.iter().any(|path| path.trim().is_empty());
        if is_empty {
            return Some("a row of `apis` needs `paths`".to_owned());
        }
        let first = paths.first().map_or("", String::as_str);
        (origin.is_none() && sink.is_none()).then(|| format!("`{first}` neither reads nor does anything; say `origin` or `sink`"))
    }
}
