//! A call that destroys many things, all of them, or what others stand on.

use crate::check::{Check, Context, listing_over};
use crate::knowledge::words::Tag;
use crate::meaning::argument::{choices, texts};
use crate::meaning::destruction::{of_call, of_host_call};
use crate::meaning::harm::Harm;
use crate::meaning::path::{Reach, reach};
use crate::meaning::statement::sql::{is_of_own, is_sql};
use crate::meaning::tables::tables_made;
use crate::rule::Match;
use crate::subject::call::{HostCall, Repeat, Value};
use crate::subject::flow::{CallRef, Flow, OriginKind, Strength};
use crate::subject::segment::HOLE;
use crate::value::severity::Severity;
use crate::value::span::Span;
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

/// Returns true if and only if whether a call runs hangs on what the listed elements say.
fn is_picked(context: &Context<'_>, index: usize) -> bool {
    let is_open = context.subject.calls.get(index).is_some_and(|call| call.repeat == Repeat::Open);
    let decides = |flow: &Flow| flow.strength == Strength::Control && flow.argument.is_empty();
    !is_open && listing_over(context, index).is_some_and(|listing| listing.is_chosen) && context.flows_into(index).any(decides)
}

/// The harm of writing over or removing each file of a folder that holds what people made.
fn over_files(context: &Context<'_>, index: usize, call: &HostCall) -> Option<(Harm, Span)> {
    let function = call.api.strip_prefix("fs.")?.trim_start_matches("promises.");
    let flows = || context.subject.flows.iter().filter(|flow| flow.sink == CallRef::Host(index) && flow.strength == Strength::Whole);
    let from = |flow: &Flow| context.subject.origins.get(flow.origin);
    let listing = flows().filter(|flow| flow.argument == "0" && flow.field.contains("[]")).find_map(|flow| {
        let origin = from(flow)?;
        let folder = origin.detail.as_deref()?.to_lowercase();
        let is_listing = Tag::ListingFunction.words().any(|lister| origin.name.rsplit('.').next() == Some(lister));
        let is_shared =
            Tag::SharedFolder.words().any(|start| format!("{folder}/").starts_with(start)) && reach(&folder, None) != Reach::Disposable;
        (is_listing && is_shared).then_some((flow.origin, origin))
    });
    let (listed, origin) = listing?;
    let where_to = format!("of `{}`", origin.detail.as_deref().unwrap_or_default());
    let renames = context.subject.flows.iter().any(|flow| {
        let CallRef::Host(other) = flow.sink else { return false };
        let api = context.subject.host_calls.get(other).map_or("", |call| call.api.as_str());
        flow.origin == listed && flow.argument == "1" && api.contains("rename")
    });
    let keeps = flows().any(|flow| flow.argument == "1" && from(flow).is_some_and(|origin| origin.kind == OriginKind::File));
    let in_place = |value: &Value| match value {
        Value::Partial(path, _) => path.ends_with(HOLE),
        _ => false,
    };
    let is_in_place = choices(call.arguments.first()?).into_iter().any(in_place);
    let harm = match function {
        "writeFile" | "writeFileSync" if is_in_place && (!keeps || renames) => Harm::critical(format!("writes over each file {where_to}")),
        "unlink" | "unlinkSync" | "rm" | "rmSync" if is_in_place => Harm::high(format!("deletes each file {where_to}")),
        _ => return None,
    };
    Some((harm, call.span))
}

/// A call whose path begins in the home folder that the host told, with that written out.
fn at_home(context: &Context<'_>, index: usize, call: &HostCall) -> Option<HostCall> {
    let is_home = context.subject.flows.iter().any(|flow| {
        let is_here = flow.sink == CallRef::Host(index) && flow.argument == "0" && flow.strength == Strength::Whole;
        is_here && context.subject.origins.get(flow.origin).is_some_and(|origin| origin.name == "os.homedir")
    });
    let Some(Value::Partial(path, span)) = call.arguments.first() else { return None };
    let rest = path.strip_prefix(HOLE).filter(|_| is_home)?;
    let mut written = call.clone();
    *written.arguments.first_mut()? = Value::String(format!("~{rest}"), *span);
    Some(written)
}

fn run(context: &Context<'_>) -> Vec<Match> {
    let made = tables_made(context.subject);
    let is_own = |arguments: &[Value]| {
        let all: Vec<_> = arguments.iter().flat_map(texts).collect();
        let mut statements = all.iter().filter(|text| is_sql(text.text)).peekable();
        !made.is_empty() && statements.peek().is_some() && statements.all(|text| is_of_own(text.text, &made))
    };
    let calls = context.subject.calls.iter().enumerate().filter_map(|(index, call)| {
        if is_own(std::slice::from_ref(&call.argument)) {
            return None;
        }
        let (harm, span) = of_call(call, context.is_fed_by_listing(index) && !is_picked(context, index), context.house)?;
        Some((harm, span, call.tool.shown()))
    });
    let host_calls = context.subject.host_calls.iter().enumerate().filter_map(|(index, call)| {
        if is_own(&call.arguments) {
            return None;
        }
        let written = at_home(context, index, call);
        let own = of_host_call(written.as_ref().unwrap_or(call), context.house);
        let (harm, span) = own.or_else(|| over_files(context, index, call))?;
        Some((harm, span, call.api.as_str()))
    });
    calls
        .chain(host_calls)
        .map(|(harm, span, name)| context.harm(span, harm.severity).with_message(format!("`{name}` {}", harm.what)))
        .collect()
}
