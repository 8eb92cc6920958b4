//! A call that asks for all there is without a wildcard: by a switch, an endless limit, a date long ago, a SELECT.

use crate::check::{Check, Context};
use crate::knowledge::command::list;
use crate::meaning::mass::Sign;
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::split_owner;

/// The check.
pub const CHECK: Check = Check {
    id: "mass-access",
    category: "mass-access",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "A call that asks for all there is reads far more than a task needs, and all of it can leak.",
    help: "Ask for the records and fields that the task needs, with a limit.",
    hit: "await callTool('customers:list', { includeDeleted: true, all: true });\n",
    miss: "await callTool('customers:list', { city: 'Oslo', limit: 20 });\n",
    run,
};

/// Returns true if and only if a sign is a statement, which says itself what it chooses.
fn is_statement(sign: &Sign) -> bool {
    sign.what.starts_with("for every row")
}

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.calls);
    calls
        // `destructive-call` tells those that destroy.
        .filter(|(_, features)| !features.words.destroys)
        .filter_map(|(call, features)| {
            let signs = &features.signs;
            let first = signs.iter().find(|sign| sign.is_plain).or_else(|| signs.first())?;
            // `docker ps --all` shows what is stopped as well.
            let owner = call.tool.name().map(|name| split_owner(name).0.to_lowercase()).unwrap_or_default();
            let lists_containers = list("owners-of-containers").contains(&owner.as_str());
            let is_mild = lists_containers || signs.iter().all(|sign| sign.is_hidden) || signs.len() == 1 && features.is_narrowed;
            let severity = match (first.is_plain, first.is_sensitive, features.words.reads) {
                _ if is_mild && !is_statement(first) => Severity::Low,
                (true, true, true) => Severity::High,
                (true, _, true) | (false, true, true) => Severity::Medium,
                (_, _, false) | (false, false, true) => Severity::Low,
            };
            let asked: Vec<&str> = signs.iter().map(|sign| sign.what.as_str()).collect();
            let message = format!("`{}` asks {}", call.tool.shown(), asked.join("; "));
            Some(context.harm(first.span, severity).with_message(message))
        })
        .collect()
}
