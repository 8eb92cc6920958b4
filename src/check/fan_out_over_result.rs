//! A call for each element of a result whose size nobody knows.

use crate::check::lure::{lures, tells_people};
use crate::check::{Check, Context};
use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::knowledge::{Side, SinkKind};
use crate::meaning::argument::texts;
use crate::meaning::tool_kind::ToolName;
use crate::rule::Match;
use crate::subject::call::{Call, Repeat};
use crate::subject::flow::{OriginKind, Step, Strength};
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{joined, split_owner, words};

/// The check.
pub const CHECK: Check = Check {
    id: "fan-out-over-result",
    category: "fan-out",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "A call for each element of an unbounded result runs as often as somebody else decides.",
    help: "Bound the result (`limit`), or cut it (`slice`) before acting on its elements.",
    hit: "const users = await callTool('users:list', {});\nfor (const user of users) {\n  await callTool('mail:send', { to: user.email, text: 'hello' });\n}\n",
    miss: "const users = await callTool('users:list', { limit: 10 });\nfor (const user of users) {\n  await callTool('mail:send', { to: user.email, text: 'hello' });\n}\n",
    run,
};

/// A loop with more turns is no page any more.
const MANY: u32 = 100;
/// Returns true if and only if an origin is a listing from which nothing chooses, and no part of another listing.
fn is_whole_listing(context: &Context<'_>, origin: usize) -> bool {
    let call = context.subject.origins.get(origin).and_then(|origin| origin.call?.tool());
    let is_part = || call.is_some_and(|call| context.flows_into(call).any(|flow| Strength::Bit < flow.strength));
    context.features.ends.reads.get(origin).is_some_and(|read| read.kind == OriginKind::Tool && read.is_unfiltered) && !is_part()
}

/// Returns true if and only if a call says that what it shares is for nobody from now on: `share_file({ access: 'PRIVATE' })`.
fn closes(call: &Call) -> bool {
    let shares = call.tool.name().is_some_and(|name| words(name).iter().any(|word| list("sharing-words").contains(&word.as_str())));
    shares && texts(&call.argument).iter().any(|text| list("closing-values").contains(&joined(text.text).as_str()))
}

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate().zip(&context.features.calls);
    calls
        .filter(|(_, features)| features.is_repeated)
        .filter_map(|((index, call), features)| {
            let listing = context.listing_over(index)?;
            let destroys = context.features.ends.reaches.get(index).is_some_and(|reach| reach.does(SinkKind::Delete));
            let is_lure = (features.words.sends || tells_people(call)) && lures(call, context);
            if destroys || !listing.read.is_unfiltered && !is_lure {
                return None;
            }
            // What is changed can be changed back; what is sent or paid is gone.
            let name = call.tool.name().unwrap_or_default();
            let is_final = Tag::Final.has_any(words(name));
            let is_counted = matches!(call.repeat, Repeat::Counted(turns) if turns <= MANY);
            let is_bounded = listing.is_chosen || is_counted;
            let listings = call.over.iter().filter(|origin| is_whole_listing(context, **origin)).count();
            // A queue that settings name is the house's own: whoever works it off decides what becomes of it.
            let is_handed_on = context.features.ends.reaches.get(index).is_some_and(|reach| {
                Tag::Broker.has_any(words(split_owner(&reach.name).0)) && reach.side != Side::Outside && !reach.is_constant
            });
            // `set_number_webhook` says where something is sent, and sends nothing.
            let tool = ToolName::of(name);
            let sets = tool.has(Tag::Hook) && tool.verb.first().is_some_and(|first| matches!(first.as_str(), "set" | "update"));
            let acts = !is_handed_on && (features.words.sends && !sets && !closes(call) || is_final || is_lure);
            let (severity, action) = if acts && !is_bounded && (1 < listings || is_lure) {
                (Severity::Critical, Action::Block)
            } else if acts && is_lure && !is_counted {
                // Somebody is left out, which makes it no lure less.
                (Severity::High, Action::Confirm)
            } else if acts && !is_bounded {
                (Severity::Medium, Action::Warn)
            } else {
                (Severity::Low, Action::Log)
            };
            let message =
                format!("`{}` runs for each element of what `{}` returns, however many they are", call.tool.shown(), listing.origin.name);
            let steps = vec![Step { span: listing.origin.span, note: format!("listed by `{}`", listing.origin.name) }];
            Some(Match::new(context.rule, call.span).with_severity(severity, action).with_message(message).with_steps(steps))
        })
        .collect()
}
