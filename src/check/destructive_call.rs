//! A call that destroys many things, all of them, or what others stand on.

use crate::check::{Check, Context, listing_over};
use crate::feature::destruction::{of_call, of_host_call};
use crate::rule::Match;
use crate::subject::call::Repeat;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "destructive-call",
    category: "destruction",
    severity: Severity::Critical,
    action: Action::Block,
    why: "The call destroys many things, all of them, or what others stand on, and nothing brings them back.",
    help: "Name the one thing that must go, by its id or with a WHERE clause, and let a person do the rest.",
    hit: "await callTool('users:delete', { filter: {} });\n",
    miss: "await callTool('users:delete', { id: 7 });\n",
    run,
};

/// Returns true if and only if the script chooses among what was listed by what the elements say.
fn is_picked(context: &Context<'_>, index: usize) -> bool {
    let is_open = context.subject.calls.get(index).is_some_and(|call| call.repeat == Repeat::Open);
    !is_open && listing_over(context, index).is_some_and(|listing| listing.is_chosen)
}

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate().filter_map(|(index, call)| {
        let (harm, span) = of_call(call, context.is_fed_by_listing(index) && !is_picked(context, index))?;
        Some((harm, span, call.tool.shown()))
    });
    let host_calls = context.subject.host_calls.iter().filter_map(|call| {
        let (harm, span) = of_host_call(call)?;
        Some((harm, span, call.api.as_str()))
    });
    calls
        .chain(host_calls)
        .map(|(harm, span, name)| context.harm(span, harm.severity).with_message(format!("`{name}` {}", harm.what)))
        .collect()
}
