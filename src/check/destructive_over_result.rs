//! Something is destroyed for each element of a listing.

use crate::check::{Check, Context, listing_over};
use crate::rule::Match;
use crate::subject::call::Repeat;
use crate::subject::flow::{CallRef, Step, Strength};
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::words;

/// The check.
pub const CHECK: Check = Check {
    id: "destructive-over-result",
    category: "destruction",
    severity: Severity::Critical,
    action: Action::Block,
    why: "Who deletes each element of a listing deletes whatever the listing holds at that moment.",
    help: "Choose what is deleted by a filter that stands in the script, bound it, and have the list confirmed.",
    hit: "const users = await callTool('users:list', {});\nfor (const user of users) {\n  await callTool('users:delete', { id: user.id });\n}\n",
    miss: "const users = await callTool('users:list', {});\nfor (const user of users) {\n  await callTool('users:get', { id: user.id });\n}\n",
    run,
};

/// Words that end something without losing it.
const SOFT: &[&str] = &["close", "clear", "reset", "stop", "cancel", "archive", "disable", "suspend", "deactivate", "unpublish"];

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate();
    calls
        .filter_map(|(index, call)| {
            let reach = context.features.ends.reaches.get(index)?;
            if !reach.does(crate::catalogue::SinkKind::Delete) {
                return None;
            }
            let listing = listing_over(context, index)?;
            let is_soft = call.tool.name().is_some_and(|name| words(name).iter().any(|word| SOFT.contains(&word.as_str())));
            // Who descends into whatever each listing holds deletes the whole tree.
            let descends =
                call.repeat == Repeat::Open && listing.origin.call.and_then(|call| call.tool()).is_some_and(|list| descends(context, list));
            let is_all = descends || listing.read.is_unfiltered && !listing.is_chosen;
            let (severity, action) = match (is_all, is_soft) {
                (true, false) => (Severity::Critical, Action::Block),
                (true, true) | (false, false) => (Severity::High, Action::Confirm),
                (false, true) => (Severity::Medium, Action::Warn),
            };
            let all = if is_all { "everything that" } else { "each element of what" };
            let message = format!("`{}` is called for {all} `{}` returns", call.tool.shown(), listing.origin.name);
            let steps = vec![Step { span: listing.origin.span, note: format!("listed by `{}`", listing.origin.name) }];
            Some(Match::new(context.rule, call.span).with_severity(severity, action).with_message(message).with_steps(steps))
        })
        .collect()
}

/// Returns true if and only if a listing is asked again for elements of itself.
fn descends(context: &Context<'_>, list: usize) -> bool {
    context.flows_into(list).any(|flow| {
        let from = context.subject.origins.get(flow.origin).and_then(|origin| origin.call);
        from == Some(CallRef::Tool(list)) && flow.strength == Strength::Whole && flow.field.contains("[]")
    })
}
