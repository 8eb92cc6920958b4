//! A tool call that runs once per element of something.

use crate::check::paged_mass_read::page_key_of_read;
use crate::check::{Check, Context};
use crate::knowledge::effect::EffectKind;
use crate::knowledge::host::is_this_machine;
use crate::knowledge::target::is_target;
use crate::knowledge::words::Tag;
use crate::knowledge::{Sensitivity, SinkKind};
use crate::meaning::CallFeatures;
use crate::meaning::listing::is_picked;
use crate::meaning::tool_kind::ToolName;
use crate::rule::Match;
use crate::subject::call::{Call, HostCall, Repeat, Value};
use crate::subject::flow::CallRef;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::words;

/// A loop with so many turns could be written out.
const FEW: u32 = 5;
/// A loop with more turns does more than anybody looks at.
const MANY: u32 = 100;

/// The check.
pub const CHECK: Check = Check {
    id: "loop-fan-out",
    category: "fan-out",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "A call in a loop takes its action as often as the loop runs, which nobody confirmed.",
    help: "Bound the loop, or use one call that takes a list and can be confirmed as a whole.",
    hit: "for (const user of users) {\n  await callTool('accounts:remove', { id: user.id });\n}\n",
    miss: "await callTool('accounts:remove', { id: user.id });\n",
    run,
};

/// A loop with more turns tries out what nobody named.
const GUESSES: u32 = 1_000;
/// A loop with more turns is nothing that anybody meant.
const FAR_TOO_MANY: u32 = 10_000;
/// Returns true if and only if a counted loop asks for one thing after the other, by numbers that it makes up.
fn guesses(context: &Context<'_>, index: usize, call: &Call, features: &CallFeatures) -> bool {
    let Repeat::Counted(turns) = call.repeat else { return false };
    let own = context.subject.origins.iter().position(|origin| origin.call == Some(CallRef::Tool(index)));
    let read = own.and_then(|own| context.features.ends.reads.get(own));
    let is_sensitive = read.is_some_and(|read| Some(Sensitivity::Internal) < read.sensitivity);
    let is_public = read.is_none_or(|read| read.is_public || read.is_harmless);
    let is_poll = call.tool.name().is_some_and(|name| ToolName::of(name).has(Tag::Polled));
    let is_paged = page_key_of_read(call, features).is_some();
    let is_much = FAR_TOO_MANY <= turns || GUESSES <= turns && is_sensitive;
    !features.words.sends
        && !features.words.changes
        && is_much
        && !is_public
        && !is_poll
        && !is_paged
        && (counts(&call.argument) || !is_written_out(&call.argument))
}

/// A store that is filled for measuring holds no more.
const FILLED: u32 = 100_000;

/// Returns true if and only if a program puts so many things into a store of its own as a loop counts, and nobody is sent any.
fn is_filling(context: &Context<'_>, call: &Call, features: &CallFeatures) -> bool {
    let is_counted = matches!(call.repeat, Repeat::Counted(turns) if turns <= FILLED);
    let words = &features.words;
    is_counted && context.subject.is_of_program(call) && words.changes && !words.sends && !words.destroys
}

/// Connections of nested loops to one host and port after the other.
fn sweeps(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.host_calls.iter().filter(|call| {
        let connects = Tag::ConnectingFunction.has(&call.api);
        let is_open = |value: &Value| matches!(value, Value::Dynamic(_) | Value::Partial(..) | Value::OneOf(..));
        let (mut open, mut is_own) = (0, false);
        // What is called once it is connected stands behind the options, and is no place.
        let places = if matches!(call.arguments.first(), Some(Value::Object(..))) { 1 } else { 2 };
        let mut look = |_: &str, value: &Value| {
            open += usize::from(is_open(value));
            is_own |= matches!(value, Value::String(text, _) if is_this_machine(text));
        };
        call.arguments.iter().take(places).for_each(|argument| argument.visit("", &mut look));
        connects && 1 < call.loop_depth && places <= open && !is_own
    });
    let told = |call: &HostCall| {
        let message = format!("`{}` tries one host and port after the other", call.api);
        Match::new(context.rule, call.span).with_severity(Severity::Critical, Action::Block).with_message(message)
    };
    calls.map(told).collect()
}

fn run(context: &Context<'_>) -> Vec<Match> {
    let mut found = tool_calls(context);
    found.extend(sweeps(context));
    found
}

fn tool_calls(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.calls).enumerate();
    calls
        // `paged-mass-read` and `unbounded-loop-call` tell open loops.
        .filter(|(_, (call, features))| features.is_repeated && call.repeat != Repeat::Open)
        .map(|(index, (call, features))| {
            let is_open_list = call.over.is_empty() && !is_few(call) && !is_written_out(&call.argument);
            // The first so many of a listing are no more than all of it.
            let is_alone = call.over.is_empty() || 1 < call.loop_depth;
            let is_much = is_alone && matches!(call.repeat, Repeat::Counted(turns) if MANY < turns);
            let goes_around = is_open_list && call.repeat == Repeat::Each && has_open_target(&call.argument);
            let fills = is_filling(context, call, features);
            let is_wild = matches!(call.repeat, Repeat::Counted(turns) if FAR_TOO_MANY <= turns) && !fills;
            // Whoever asks a model pays for each answer.
            // What a statement does to a database is judged by what it says.
            let is_query = || context.features.ends.reaches.get(index).is_some_and(|reach| reach.does(SinkKind::Query));
            let asks = context.features.actions.get(index).is_some_and(|action| action.does(EffectKind::Run));
            let acts = features.words.sends || features.words.changes || features.words.destroys || features.is_dynamic || asks;
            let (severity, action) = if is_wild && acts || guesses(context, index, call, features) {
                (Severity::Critical, Action::Block)
            } else if features.words.destroys
                && !is_made_anew(call)
                && is_open_list
                && !context.is_spared(index, EffectKind::Delete)
                && !is_picked(context.subject, &context.features.ends, index)
            {
                (Severity::High, Action::Confirm)
            } else if (is_much || goes_around) && features.words.sends
                || is_much && (features.words.changes && !fills && !is_query() || features.is_dynamic)
            {
                (Severity::Medium, Action::Warn)
            } else {
                (Severity::Low, Action::Log)
            };
            let message = match call.loop_depth {
                0 => format!("`{}` runs once per element", call.tool.shown()),
                1 => format!("`{}` runs in a loop", call.tool.shown()),
                depth => format!("`{}` runs in {depth} nested loops", call.tool.shown()),
            };
            Match::new(context.rule, call.span).with_severity(severity, action).with_message(message)
        })
        .collect()
}

/// Returns true if and only if what a tool takes away is made anew when it is needed: `purge_cache`.
fn is_made_anew(call: &Call) -> bool {
    let said = call.tool.name().map(words).unwrap_or_default();
    said.last().is_some_and(|last| Tag::DisposableWord.has(last) && Tag::Harmless.has(last))
}

/// Returns true if and only if each turn may send to somebody else.
fn has_open_target(argument: &Value) -> bool {
    let mut is_open = false;
    argument.visit("", &mut |key, value| is_open |= is_target(key) && matches!(value, Value::Dynamic(_) | Value::Partial(..)));
    is_open
}

/// Returns true if and only if all that may be passed stands in the script.
fn is_written_out(argument: &Value) -> bool {
    let mut is_known = true;
    argument.visit("", &mut |_, value| is_known &= !matches!(value, Value::Dynamic(_) | Value::Partial(..)));
    is_known
}

/// Returns true if and only if something that is passed is one number after the other.
fn counts(argument: &Value) -> bool {
    let mut keys: Vec<&str> = Vec::new();
    argument.visit("", &mut |key, value| {
        if matches!(value, Value::Number(..)) {
            keys.push(key);
        }
    });
    keys.sort_unstable();
    keys.chunk_by(|one, next| one == next).any(|numbers| FEW as usize <= numbers.len())
}

/// Returns true if and only if the loop runs a few times, as a number in the script says.
fn is_few(call: &Call) -> bool {
    matches!(call.repeat, Repeat::Counted(turns) if turns <= FEW)
}
