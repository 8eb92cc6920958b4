//! A call for each element of a result whose size nobody knows.

use crate::catalogue::SinkKind;
use crate::check::{Check, Context, listing_over};
use crate::rule::Match;
use crate::subject::flow::Step;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "fan-out-over-result",
    category: "fan-out",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "A call for each element of an unbounded result runs as often as somebody else decides.",
    help: "Bound the result (`limit`), or cut it (`slice`) before acting on its elements.",
    hit: "const users = await callTool('users:list', {});\nfor (const user of users) {\n  await callTool('users:update', { id: user.id, plan: 'free' });\n}\n",
    miss: "const users = await callTool('users:list', { limit: 10 });\nfor (const user of users) {\n  await callTool('users:update', { id: user.id, plan: 'free' });\n}\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate().zip(&context.features.calls);
    calls
        .filter(|(_, features)| features.is_repeated)
        .filter_map(|((index, call), features)| {
            let listing = listing_over(context, index)?;
            let destroys = context.features.ends.reaches.get(index).is_some_and(|reach| reach.does(SinkKind::Delete));
            if destroys || !listing.read.is_unfiltered {
                return None;
            }
            let acts = features.words.sends || features.words.changes || features.is_dynamic;
            let (severity, action) = if acts { (Severity::Medium, Action::Warn) } else { (Severity::Low, Action::Log) };
            let message =
                format!("`{}` runs for each element of what `{}` returns, however many they are", call.tool.shown(), listing.origin.name);
            let steps = vec![Step { span: listing.origin.span, note: format!("listed by `{}`", listing.origin.name) }];
            Some(Match::new(context.rule, call.span).with_severity(severity, action).with_message(message).with_steps(steps))
        })
        .collect()
}
