//! What `build.rs` made of the files of `knowledge/`.

use crate::knowledge::api::{Api, SinkKind};
use crate::knowledge::destination::Side;
use crate::knowledge::effect::{EffectKind, Extent};
use crate::knowledge::sensitivity::Sensitivity;
use crate::knowledge::statement::{Language, Speaker, StatementRow, Statements, Tests};
use crate::knowledge::tool::{Noun, ToolClass, Verb};
use crate::subject::flow::OriginKind;
use crate::value::severity::Severity;

/// What is known, each list in order of its first column.
pub struct Table {
    /// Host APIs.
    pub apis: &'static [Api],
    /// Verbs of tool names with what they do.
    pub verbs: &'static [(&'static str, &'static [Verb])],
    /// Other words of tool names.
    pub nouns: &'static [Noun],
    /// Wildcards for tools whose words mislead, each with an example.
    pub names: &'static [(&'static str, ToolClass, &'static str)],
}

/// What is known.
pub const TABLE: &Table = &include!(concat!(env!("OUT_DIR"), "/knowledge.rs"));

/// What is known of statements; a row is the same wherever it is asked for.
pub static STATEMENTS: &Statements = &include!(concat!(env!("OUT_DIR"), "/statements.rs"));
