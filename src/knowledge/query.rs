//! Tools that act on all there is, unless their argument says on which of it: the `queries` rows of `knowledge/`.

use crate::knowledge::effect::EffectKind;
use crate::knowledge::text::{List, Name, Text};
use crate::knowledge::wildcard::WildcardTable;

/// What some tools do to all there is.
#[derive(Debug)]
pub struct Query {
    /// Their names; `*` stands for anything.
    pub tools: List,
    /// What they do.
    pub kind: EffectKind,
    /// What they do it to.
    pub to: &'static str,
    /// Keys that say to which.
    pub narrowed: &'static [&'static str],
    /// Keys that do so only if `value` beside them is more than nothing.
    pub least: &'static [&'static str],
    /// Switches by which alone it is all there is; empty where there are none.
    pub whole: &'static [&'static str],
    /// A script that does it to all there is.
    pub hit: Text,
    /// One that does not.
    pub miss: Text,
    /// Where this is known from.
    pub source: Text,
}

/// All rows.
pub struct Queries {
    /// The rows.
    pub rows: &'static [Query],
    /// The names of their tools.
    pub names: WildcardTable,
}

/// What tools do to all there is.
pub static QUERIES: Queries = include!(concat!(env!("OUT_DIR"), "/queries.rs"));

/// What the tool of that name does to all there is, if it is known.
pub fn query(tool: &str) -> Option<&'static Query> {
    QUERIES.names.fitting(tool).max().and_then(|at| QUERIES.rows.get(at))
}
