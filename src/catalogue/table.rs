//! What `build.rs` made of `patterns/catalogue.yaml`.

use crate::catalogue::api::{Api, SinkKind};
use crate::catalogue::destination::Side;
use crate::catalogue::sensitivity::Sensitivity;
use crate::catalogue::tool::{Noun, ToolClass, Verb};
use crate::subject::flow::OriginKind;

/// The catalogue, each list in order of its first column.
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

/// The catalogue.
pub const TABLE: &Table = &include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));
