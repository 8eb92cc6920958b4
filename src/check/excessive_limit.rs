//! A limit that is none.

use crate::check::extreme_value::is_size;
use crate::check::{Check, Context};
use crate::knowledge::command::list;
use crate::meaning::sensitive::is_sensitive_tool;
use crate::rule::Match;
use crate::value::js_number::grouped;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::words;

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
        let name = call.tool.name().unwrap_or_default();
        let is_sensitive = is_sensitive_tool(name, context.house);
        // Machines cost as long as they run, however many of them are ever used.
        let is_billed = !features.words.reads && words(name).iter().any(|word| list("billed-by-the-hour").contains(&word.as_str()));
        features.limits.iter().map(move |limit| (limit, is_sensitive, is_billed))
    });
    limits
        // How large the parts are in which something is sent, in bytes.
        .filter(|(limit, ..)| EXCESSIVE < limit.number && !(is_size(limit.number) && is_of_part(&limit.key)))
        .map(|(limit, is_sensitive, is_billed)| {
            let found = Match::new(context.rule, limit.span).with_message(format!("`{}` is {}", limit.key, grouped(limit.number)));
            if EVERYTHING <= limit.number && is_billed {
                context.harm(limit.span, Severity::Critical).with_message(format!(
                    "`{}` lets {} machines run, each of which costs",
                    limit.key,
                    grouped(limit.number)
                ))
            } else if EVERYTHING <= limit.number || is_sensitive {
                found.with_severity(Severity::High, Action::Confirm)
            } else {
                found
            }
        })
        .collect()
}

/// Returns true if and only if a key says how large one part is of what is sent: `partSize`.
fn is_of_part(key: &str) -> bool {
    matches!(words(key).as_slice(), [.., part, size] if size == "size" && list("parts-sent").contains(&part.as_str()))
}
