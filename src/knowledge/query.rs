//! Tools that act on all there is, unless their argument says on which of it: the `queries` rows of `knowledge/`.

use std::sync::OnceLock;

use crate::knowledge::effect::EffectKind;
use crate::knowledge::wildcard::Wildcards;

/// What some tools do to all there is.
#[derive(Debug)]
pub struct Query {
    /// Their names; `*` stands for anything.
    pub tools: &'static [&'static str],
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
    pub hit: &'static str,
    /// One that does not.
    pub miss: &'static str,
    /// Where this is known from.
    pub source: &'static str,
}

/// All rows.
pub static QUERIES: &[Query] = include!(concat!(env!("OUT_DIR"), "/queries.rs"));

/// What the tool of that name does to all there is, if it is known.
pub fn query(tool: &str) -> Option<&'static Query> {
    static SEARCHED: OnceLock<Wildcards> = OnceLock::new();
    let names = || QUERIES.iter().enumerate().flat_map(|(at, query)| query.tools.iter().map(move |tool| (at, *tool)));
    SEARCHED.get_or_init(|| Wildcards::of(names())).last_fit(tool).and_then(|at| QUERIES.get(at))
}
