//! A limit that is none.

use crate::check::{Check, Context};
use crate::meaning::sensitive::is_sensitive_tool;
use crate::rule::Match;
use crate::value::js_number::grouped;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// A limit above this is excessive (published table of the rule-based model).
pub const EXCESSIVE: f64 = 10_000.0;
/// A limit above this asks for everything there is.
const EVERYTHING: f64 = 1_000_000.0;

/// The check.
pub const CHECK: Check = Check {
    id: "excessive-limit",
    category: "mass-access",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "A limit of tens of thousands of records reads a whole collection in one call.",
    help: "Ask for as many records as the task needs, page by page.",
    hit: "await callTool('users:search', { name: 'a', limit: 50000 });\n",
    miss: "await callTool('users:search', { name: 'a', limit: 100 });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.calls);
    let limits = calls.flat_map(|(call, features)| {
        let is_sensitive = is_sensitive_tool(call.tool.name().unwrap_or_default(), context.house);
        features.limits.iter().map(move |limit| (limit, is_sensitive))
    });
    limits
        .filter(|(limit, _)| EXCESSIVE < limit.number)
        .map(|(limit, is_sensitive)| {
            let found = Match::new(context.rule, limit.span).with_message(format!("`{}` is {}", limit.key, grouped(limit.number)));
            if EVERYTHING <= limit.number || is_sensitive { found.with_severity(Severity::High, Action::Confirm) } else { found }
        })
        .collect()
}
