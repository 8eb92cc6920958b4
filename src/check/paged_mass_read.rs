//! A loop that reads page after page until there is none left.

use crate::check::{Check, Context};
use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::knowledge::{Side, SinkKind};
use crate::meaning::CallFeatures;
use crate::meaning::argument::{choices, text};
use crate::meaning::paging::page_key;
use crate::meaning::passage::{Ends, Passage};
use crate::meaning::reach::Reach;
use crate::meaning::sensitive::is_sensitive_tool;
use crate::meaning::tool_kind::ToolName;
use crate::meaning::tool_read::lists_names;
use crate::rule::Match;
use crate::subject::call::{Call, Repeat, Value};
use crate::subject::flow::{CallRef, Origin, OriginKind, Strength};
use crate::subject::segment::HOLE;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{joined, split_owner, words};

/// So many pages are a sample.
const SAMPLE: u32 = 20;

/// The check.
pub const CHECK: Check = Check {
    id: "paged-mass-read",
    category: "mass-access",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "A loop over all pages reads a whole collection, however small the limit of one page is.",
    help: "Stop after a fixed number of pages, or ask for what is wanted with a filter.",
    hit: "let cursor;\ndo {\n  const page = await callTool('customers:list', { limit: 100, cursor });\n  cursor = page.next;\n} while (cursor);\n",
    miss: "const page = await callTool('customers:list', { limit: 100, cursor: start });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.calls);
    calls
        .filter_map(|(call, features)| {
            let key = page_key_of_read(call, features)?;
            let bounds = &context.subject.bounds;
            let severity =
                if bounds.is_counted(call.span) && !bounds.is_endless(call.span) { Severity::Low } else { severity(context, call)? };
            let message = format!("`{}` reads page after page by `{key}`", call.tool.shown());
            Some(context.harm(call.span, severity).with_message(message))
        })
        .chain(ranges(context))
        .collect()
}

/// So many numbers that are tried one after the other are no sample.
const TRIED: u32 = 1_000;

/// Calls that read what stands behind one number after the other, and where all of it goes.
fn ranges(context: &Context<'_>) -> Vec<Match> {
    let ends = &context.features.ends;
    let told = |reach: &Reach| {
        let times = match reach.call {
            CallRef::Tool(index) => times(context.subject.calls.get(index)?.repeat),
            CallRef::Host(index) => times(context.subject.host_calls.get(index)?.repeat),
        };
        let is_read = |origin: &Origin| origin.call == Some(reach.call) && matches!(origin.kind, OriginKind::Network | OriginKind::Tool);
        if times < TRIED || !counts_up(context, reach) {
            return None;
        }
        let origin = context.subject.origins.iter().position(is_read)?;
        let leaves = ends.passages.iter().filter(|passage| {
            let flow = context.subject.flows.get(passage.flow);
            flow.is_some_and(|flow| flow.origin == origin && flow.is_followed() && Strength::Redacted < flow.strength)
        });
        let worst = leaves.filter_map(|passage| ends.reach(passage)).filter_map(kept).max()?;
        let message = format!("`{}` tries {times} numbers one by one, and all that answers goes on", reach.name);
        Some(context.harm(reach.span, worst).with_message(message))
    };
    ends.reaches.iter().filter_map(told).collect()
}

fn times(repeat: Repeat) -> u32 {
    match repeat {
        Repeat::Counted(times) => times,
        Repeat::Once | Repeat::Each | Repeat::Open => 0,
    }
}

/// How bad it is that all of a range of numbers goes there.
fn kept(to: &Reach) -> Option<Severity> {
    match to.outgoing() {
        Some(_) if to.side == Side::Outside && to.is_constant => Some(Severity::Critical),
        Some(_) if to.side != Side::Inside => Some(Severity::High),
        _ => to.does(SinkKind::FileWrite).then_some(Severity::Medium),
    }
}

/// Returns true if and only if a call names what it reads by a number that its loop counts up, not by the page on which it stands.
fn counts_up(context: &Context<'_>, reach: &Reach) -> bool {
    let into =
        || context.features.ends.flows_into(context.subject, Ends::index(context.subject, reach.call)).filter(|flow| flow.is_followed());
    let is_open = |argument: &str| !into().any(|flow| flow.argument == argument && Strength::Control < flow.strength);
    match reach.call {
        CallRef::Host(index) => {
            let first = context.subject.host_calls.get(index).and_then(|call| call.arguments.first());
            first.is_some_and(is_counted_up) && is_open("0")
        }
        CallRef::Tool(index) => {
            let mut found = false;
            let Some(call) = context.subject.calls.get(index) else { return false };
            call.argument.visit_properties(&mut |property| {
                let is_number = matches!(property.value, Value::Dynamic(_) | Value::Partial(..));
                let is_thing = words(&property.key).last().is_some_and(|last| Tag::ThingKey.has(last));
                found |= is_number && is_thing && !Tag::PageKey.has(&joined(&property.key)) && is_open(&property.key);
            });
            found
        }
    }
}

/// So many addresses are compared to tell how they differ.
const COMPARED: usize = 4;

/// Returns true if and only if an address is not the same each time, in more than the page that it asks for.
fn is_counted_up(address: &Value) -> bool {
    let all = choices(address);
    let known: Vec<&str> = all.iter().filter_map(|one| text(one)).collect();
    let [first, rest @ ..] = known.as_slice() else { return false };
    let is_first_of = |other: &&str| parted(first, other).is_some_and(is_numbered);
    known.iter().any(|one| numbers(one)) || 1 < rest.len() && rest.iter().take(COMPARED).all(is_first_of)
}

/// What two addresses have in common before they differ, where what differs begins with a digit in both.
fn parted<'t>(one: &'t str, other: &'t str) -> Option<&'t str> {
    let at = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let start = one.get(..at)?.trim_end_matches(|digit: char| digit.is_ascii_digit()).len();
    let is_number = |text: &str| text.get(start..).is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    one.get(..start).filter(|_| is_number(one) && is_number(other))
}

/// Returns true if and only if what follows this start of an address names a thing and no page: it stands in the path, or under such a key.
fn is_numbered(before: &str) -> bool {
    let key = before.rsplit(['?', '&', '/']).next().unwrap_or_default();
    match key.strip_suffix('=') {
        Some(key) => !Tag::PageKey.has(&joined(key)),
        None => key.is_empty() && before.ends_with('/') && !before.ends_with("//"),
    }
}

/// Returns true if and only if a part of the path of an address, or a key in its query that names no page, is not known.
fn numbers(address: &str) -> bool {
    (address.contains("://") || address.starts_with('/'))
        && address.match_indices(HOLE).any(|(at, _)| address.get(..at).is_some_and(is_numbered))
}

/// The key by which a call that only reads asks for the next page.
pub fn page_key_of_read<'c>(call: &'c Call, features: &CallFeatures) -> Option<&'c str> {
    if features.words.reads && !features.words.destroys { page_key(&call.argument) } else { None }
}

/// Returns true if and only if what a call reads goes to calls of the same service and to hosts inside alone, or what goes elsewhere
/// only counts it.
fn stays(context: &Context<'_>, call: &Call) -> bool {
    let owner = |name: &str| split_owner(name).0.to_owned();
    let is_read = |origin: &Origin| {
        origin.call.and_then(CallRef::tool).and_then(|index| context.subject.calls.get(index)).is_some_and(|read| std::ptr::eq(read, call))
    };
    let Some(origin) = context.subject.origins.iter().position(is_read) else { return false };
    let ends = &context.features.ends;
    // What goes nowhere is gathered for whoever runs the script.
    let goes_on = |passage: &Passage| {
        let flow = context.subject.flows.get(passage.flow).filter(|flow| flow.origin == origin);
        flow.is_some_and(|flow| Some(flow.sink) != context.subject.origins.get(origin).and_then(|origin| origin.call))
    };
    if !ends.passages.iter().any(goes_on) {
        return false;
    }
    let mut leaving = ends.passages.iter().filter(|passage| {
        let flow = context.subject.flows.get(passage.flow).filter(|flow| flow.origin == origin && Strength::Redacted < flow.strength);
        flow.is_some_and(|flow| flow.is_followed() || passage.read.sensitivity.is_some()) && !passage.read.is_harmless
    });
    !leaving.any(|passage| {
        let is_same = |reach: &Reach| reach.api.is_none() && call.tool.name().map(owner) == Some(owner(&reach.name));
        ends.reach(passage).is_none_or(|reach| !is_same(reach) && reach.side != Side::Inside)
    })
}

/// Returns true if and only if a call says in which one thing it looks: `{ folderId }`, `{ id, cursor }`.
fn is_within(call: &Call) -> bool {
    let mut found = false;
    call.argument.visit_properties(&mut |property| {
        let key = joined(&property.key);
        // `{ folderId }`, `{ actor }`: what is in one thing, or of one person.
        let is_one = |last: &String| Tag::ThingKey.has(last) || list("one-of-many").contains(&last.as_str());
        let names = words(&property.key).last().is_some_and(is_one);
        found |= names && !Tag::PageKey.has(&key) && !matches!(property.value, Value::Null(_) | Value::Object(..) | Value::Array(..));
    });
    found
}

fn severity(context: &Context<'_>, call: &Call) -> Option<Severity> {
    let is_sensitive = is_sensitive_tool(call.tool.name().unwrap_or_default(), context.house);
    let is_public = call.tool.name().is_some_and(|name| ToolName::of(name).has(Tag::PublicReading));
    let lists_names = call.tool.name().is_some_and(lists_names);
    match call.repeat {
        _ if lists_names || is_public || context.subject.is_of_program(call) || stays(context, call) => Some(Severity::Low),
        // What stands in one thing that is named is no collection of all there is.
        Repeat::Open if !is_sensitive && is_within(call) => Some(Severity::Low),
        Repeat::Open => Some(if is_sensitive { Severity::High } else { Severity::Medium }),
        Repeat::Counted(pages) if pages <= SAMPLE => None,
        Repeat::Counted(_) => Some(if is_sensitive { Severity::Medium } else { Severity::Low }),
        // A loop of which is not known how often it runs.
        Repeat::Once if 0 < call.loop_depth => Some(Severity::Medium),
        Repeat::Once | Repeat::Each => None,
    }
}
