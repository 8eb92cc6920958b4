//! A call in a loop that nothing bounds.

use crate::check::destructive_over_result::descends;
use crate::check::paged_mass_read::page_key_of_read;
use crate::check::{Check, Context};
use crate::knowledge::act::known_tool;
use crate::knowledge::command::list;
use crate::knowledge::definition::Definition;
use crate::knowledge::effect::{Effect, EffectKind};
use crate::knowledge::tool::believed;
use crate::knowledge::words::Tag;
use crate::knowledge::{Side, SinkKind};
use crate::meaning::CallFeatures;
use crate::meaning::feedback::feedback;
use crate::meaning::listing::{asks_for_passing, batch_of_all};
use crate::meaning::reach::{Place, Reach};
use crate::meaning::sensitive::is_sensitive_tool;
use crate::meaning::tool::meaning;
use crate::meaning::tool_kind::ToolName;
use crate::rule::Match;
use crate::subject::call::{Call, Repeat};
use crate::subject::flow::{CallRef, Flow, OriginKind, Strength};
use crate::value::severity::Severity;
use crate::value::span::Span;
use crate::value::verdict::Action;
use crate::value::words::{split_owner, words};

/// The check.
pub const CHECK: Check = Check {
    id: "unbounded-loop-call",
    category: "fan-out",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "A loop without a bound calls the tool until somebody stops it.",
    help: "Count the turns and stop after a fixed number.",
    hit: "while (true) {\n  await callTool('tickets:update', { id: 7 });\n}\n",
    miss: "for (let turn = 0; turn < 3; turn += 1) {\n  await callTool('tickets:update', { id: 7 });\n}\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let mut found = tool_calls(context);
    found.extend(floods(context));
    found.extend(spending(context));
    found.extend(posting(context));
    found.extend(multiplying(context));
    found.extend(raised(context));
    found.extend(context.subject.bounds.reacting.iter().map(|place| {
        let message = "a handler does here, several times, what sets it off: each of its runs makes further ones";
        context.harm(*place, Severity::Critical).with_message(message.to_owned())
    }));
    found.extend(feedback(context.subject).into_iter().map(|back| {
        let severity = if back.is_growing { Severity::Critical } else { Severity::Medium };
        context.harm(back.span, severity).with_message(back.what)
    }));
    found
}

/// Returns true if and only if a program does its duty: it acts now and then, or on what it waits for. Money is none.
fn is_duty(context: &Context<'_>, index: usize, call: &Call) -> bool {
    let pays = context.features.actions.get(index).is_some_and(|action| action.does(EffectKind::Pay));
    let holds = |outer: &Span, inner: Span| outer.start <= inner.start && inner.end <= outer.end;
    let bounds = &context.subject.bounds;
    let waits = || {
        let waits = |other: &&Call| ToolName::of(other.tool.name().unwrap_or_default()).has(Tag::Waiting);
        let mut around = bounds.endless.iter().filter(|span| holds(span, call.span)).peekable();
        let taken: Vec<Span> = context.subject.calls.iter().filter(waits).map(|other| other.span).collect();
        around.peek().is_some() && around.all(|span| taken.iter().any(|taken| holds(span, *taken)))
    };
    context.subject.is_of_program(call) && !pays && !pesters(context, index, call) && (bounds.is_resting(call.span) || waits())
}

/// Returns true if and only if a call writes to all of several people again and again, whatever pause is made, and nothing is read in
/// between that would say to whom or why.
fn pesters(context: &Context<'_>, index: usize, call: &Call) -> bool {
    let holds = |outer: &Span, inner: Span| outer.start <= inner.start && inner.end <= outer.end;
    let around: Vec<&Span> = context.subject.bounds.endless.iter().filter(|span| holds(span, call.span)).collect();
    let is_read = context.subject.origins.iter().any(|origin| {
        let of_call = origin.call.and_then(CallRef::tool).and_then(|call| context.features.calls.get(call));
        let tells = origin.kind != OriginKind::Environment && of_call.is_none_or(|features| features.words.reads);
        tells && around.iter().any(|span| holds(span, origin.span))
    });
    let writes = context.features.ends.reaches.get(index).is_some_and(|reach| reach.does(SinkKind::Chat) || reach.does(SinkKind::Mail));
    let is_to_many = 1 < call.loop_depth || call.repeated && 0 < call.loop_depth;
    !is_read && (rings(call) || writes && is_to_many)
}

/// Returns true if and only if a tool calls somebody by telephone: `telephony:voice_call`.
fn rings(call: &Call) -> bool {
    let (owner, name) = split_owner(call.tool.name().unwrap_or_default());
    let has = |text: &str, any: &str| words(text).iter().any(|word| list(any).contains(&word.as_str()));
    has(name, "ringing") && (has(owner, "telephones") || has(name, "telephones"))
}

/// Returns true if and only if a call writes to the same people until something is as the loop wants it, without a pause and without
/// counting how often: nothing says that it ever will be.
fn urges(context: &Context<'_>, index: usize, call: &Call) -> bool {
    let holds = |outer: &Span, inner: Span| outer.start <= inner.start && inner.end <= outer.end;
    let ends = &context.features.ends;
    let writes = |reach: &&Reach| reach.does(SinkKind::Chat) || reach.does(SinkKind::Mail) || rings(call);
    let Some(reach) = ends.reaches.get(index).filter(writes) else {
        return false;
    };
    let around: Vec<&Span> = context.subject.bounds.hoping.iter().filter(|span| holds(span, call.span)).collect();
    // Whoever is read anew in each turn is somebody else each time.
    let is_read_anew = |flow: &Flow| {
        let origin = context.subject.origins.get(flow.origin);
        let says = Strength::Bit < flow.strength && reach.place(&flow.argument) == Place::Target;
        says && origin.is_some_and(|origin| around.iter().any(|span| holds(span, origin.span)))
    };
    !around.is_empty() && !ends.flows_into(context.subject, index).any(is_read_anew)
}

/// Returns true if and only if a call acts in a loop that nothing ends and in which nothing is read or waited for: it
/// serves nobody who asks.
fn is_blind(context: &Context<'_>, index: usize, call: &Call, features: &CallFeatures) -> bool {
    let acts = rings(call) || features.words.sends || features.words.changes || features.words.destroys || features.is_dynamic;
    let holds = |outer: &Span, inner: Span| outer.start <= inner.start && inner.end <= outer.end;
    let around: Vec<&Span> = context.subject.bounds.endless.iter().filter(|span| holds(span, call.span)).collect();
    let listens = context.subject.calls.iter().zip(&context.features.calls).any(|(other, features)| {
        let waits = || ToolName::of(other.tool.name().unwrap_or_default()).has(Tag::Waiting);
        around.iter().any(|span| holds(span, other.span)) && (features.words.reads || waits())
    });
    // What is asked of a person, a file or a server elsewhere sets the pace.
    let is_fed = || {
        let mut read = context.subject.origins.iter().filter(|origin| !matches!(origin.kind, OriginKind::Tool | OriginKind::Environment));
        read.any(|origin| around.iter().any(|span| holds(span, origin.span)))
    };
    let costs = || call.tool.name().is_some_and(|name| words(name).iter().any(|word| list("billed-by-the-hour").contains(&word.as_str())));
    // Each order is another one to pay for, however long the loop waits between them.
    let orders = || {
        let verb = ToolName::of(call.tool.name().unwrap_or_default()).verb;
        let has = |named: &str| verb.iter().any(|word| list(named).contains(&word.as_str()));
        has("ordering-verbs") && has("orders")
    };
    let pays = || orders() || context.features.actions.get(index).is_some_and(|action| action.does(EffectKind::Pay));
    // Machines that are started one after the other cost money, whatever is looked up in between.
    let waits = |other: &Call| ToolName::of(other.tool.name().unwrap_or_default()).has(Tag::Waiting);
    let is_fed_by_queue = || context.subject.calls.iter().any(|other| around.iter().any(|span| holds(span, other.span)) && waits(other));
    if costs() && !features.words.reads && acts && !is_fed_by_queue() && context.subject.bounds.is_ceaseless(call.span) {
        return true;
    }
    !listens
        && (acts
            || pays()
            || costs() && !features.words.reads
            || context.subject.bounds.is_ceaseless(call.span) && !is_fed() && makes(context, call))
}

/// What may be spent, raised in a loop of which nobody knows how often it runs: where it ends, it is raised once more.
fn raised(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.actions);
    let is_open = |call: &Call| call.repeat == Repeat::Open || call.repeat == Repeat::Once && 0 < call.loop_depth;
    let raising = calls.filter(|(call, action)| is_open(call) && action.all().any(|(_, effect)| raises_own(effect)));
    raising
        .map(|(call, _)| {
            let message = format!("`{}` raises what may be spent as often as a loop runs that nothing bounds", call.tool.shown());
            context.harm(call.span, Severity::Critical).with_message(message)
        })
        .collect()
}

/// Returns true if and only if what may be spent is raised: a limit that its own loop raises is none.
fn raises_own(effect: &Effect) -> bool {
    effect.kind == EffectKind::GuardOff && effect.object.as_deref() == Some("spending")
}

/// Returns true if and only if a tool does more than read, by what is known of its name.
fn makes(context: &Context<'_>, call: &Call) -> bool {
    let Some(name) = call.tool.name() else { return false };
    let effects = meaning(&Definition::named(name), context.house).effects;
    !effects.is_empty() && effects.iter().all(|effect| effect.kind != EffectKind::Read)
}

/// Requests to a place elsewhere that many loops at once make without end.
fn floods(context: &Context<'_>) -> Vec<Match> {
    let reaches = context.features.ends.reaches.iter();
    let floods = |reach: &&Reach| {
        let CallRef::Host(index) = reach.call else { return false };
        let is_many = context.subject.host_calls.get(index).is_some_and(|call| call.repeated || 1 < call.loop_depth);
        is_many && reach.does(SinkKind::Network) && reach.side == Side::Outside && context.subject.bounds.is_ceaseless(reach.span)
    };
    let told = |reach: &Reach| {
        let message = format!("`{}` floods {} from many loops that nothing ends", reach.name, reach.shown.as_deref().unwrap_or("a host"));
        context.harm(reach.span, Severity::Critical).with_message(message)
    };
    reaches.filter(floods).map(told).collect()
}

/// Processes that are started, and models that are asked, without end, without a pause, and without anybody who asks for it.
fn spending(context: &Context<'_>) -> Vec<Match> {
    let spends = |reach: &&Reach| {
        let starts = reach.does(SinkKind::Command) && !reach.name.ends_with(WAITING);
        (starts || reach.does(SinkKind::Prompt)) && runs_unfed(context, reach)
    };
    let told = |reach: &Reach| {
        let message = format!("`{}` is called in a loop that nothing ends and in which nothing is waited for", reach.name);
        context.harm(reach.span, Severity::Critical).with_message(message)
    };
    context.features.ends.reaches.iter().filter(spends).map(told).collect()
}

/// Messages that are posted to a hook without end, without a pause, and without anything that is read in between.
fn posting(context: &Context<'_>) -> Vec<Match> {
    let subject = context.subject;
    let is_hook = |text: &str| words(text).iter().any(|word| list("hook-words").contains(&word.as_str()));
    let named = |flow: &Flow, reach: &Reach| {
        let origin = subject.origins.get(flow.origin).filter(|origin| origin.kind == OriginKind::Environment);
        reach.place(&flow.argument) == Place::Target && origin.is_some_and(|origin| is_hook(&origin.name))
    };
    let posts = |(index, reach): &(usize, &Reach)| {
        let mut flows = context.features.ends.flows_into(subject, *index);
        reach.does(SinkKind::Network)
            && (reach.shown.as_deref().is_some_and(is_hook) || flows.any(|flow| named(flow, reach)))
            && runs_unfed(context, reach)
    };
    let told = |(_, reach): (usize, &Reach)| {
        let message = format!("`{}` posts to a hook in a loop that nothing ends", reach.name);
        context.harm(reach.span, Severity::Critical).with_message(message)
    };
    context.features.ends.reaches.iter().enumerate().filter(posts).map(told).collect()
}

/// Returns true if and only if a call of a host API runs without end and without a pause, and nothing else is read in between.
fn runs_unfed(context: &Context<'_>, reach: &Reach) -> bool {
    let holds = |outer: &Span, inner: Span| outer.start <= inner.start && inner.end <= outer.end;
    let bounds = &context.subject.bounds;
    if !matches!(reach.call, CallRef::Host(_)) || !bounds.is_ceaseless(reach.span) {
        return false;
    }
    let around: Vec<&Span> = bounds.endless.iter().filter(|span| holds(span, reach.span)).collect();
    let mut others =
        context.subject.origins.iter().filter(|origin| {
            origin.call != Some(reach.call) && !matches!(origin.kind, OriginKind::Environment) && origin.span != reach.span
        });
    !others.any(|origin| around.iter().any(|span| holds(span, origin.span)))
}

/// Models that are asked by a function that calls itself for each thing that the model named before: each answer asks for several more.
fn multiplying(context: &Context<'_>) -> Vec<Match> {
    let ends = &context.features.ends;
    let names_more = |(index, reach): &(usize, &Reach)| {
        let is_own = |flow: &Flow| {
            let origin = context.subject.origins.get(flow.origin).and_then(|origin| origin.call);
            origin == Some(reach.call) && Strength::Bit < flow.strength
        };
        reach.does(SinkKind::Prompt)
            && (context.subject.bounds.is_branching(reach.span) || context.subject.bounds.is_spreading(reach.span))
            && ends.flows_into(context.subject, *index).any(is_own)
    };
    let told = |(_, reach): (usize, &Reach)| {
        let message = format!("each answer of `{}` has it asked several times more, without end", reach.name);
        context.harm(reach.span, Severity::Critical).with_message(message)
    };
    ends.reaches.iter().enumerate().filter(names_more).map(told).collect()
}

/// Returns true if and only if a call writes to each of whom a listing names that is asked for again for each of them, as whom a person
/// knows: nothing says that anybody is written to but once, or that this ends.
fn spreads(context: &Context<'_>, index: usize, call: &Call) -> bool {
    let ends = &context.features.ends;
    let writes = |reach: &&Reach| reach.does(SinkKind::Chat) || reach.does(SinkKind::Mail) || rings(call);
    let Some(reach) = ends.reaches.get(index).filter(writes) else { return false };
    let is_asked_again = |flow: &Flow| {
        let asked = context.subject.origins.get(flow.origin).and_then(|origin| origin.call?.tool());
        let name = asked.and_then(|asked| context.subject.calls.get(asked)?.tool.name());
        // What lies under something comes to an end.
        let is_below = |name: &str| words(name).iter().any(|word| list("lying-below").contains(&word.as_str()));
        reach.place(&flow.argument) == Place::Target
            && Strength::Bit < flow.strength
            && name.is_some_and(|name| !is_below(name))
            && asked.is_some_and(|asked| descends(context, asked))
    };
    context.subject.bounds.is_branching(call.span) && ends.flows_into(context.subject, index).any(is_asked_again)
}

/// How the names of what is pressed in a driven page begin.
const PAGE: &str = "web_app:";

/// The tool that stands for sending a form of a driven page.
const SUBMIT: &str = "web_app:submit_form";

/// How the names of functions end that wait for the process that they start.
const WAITING: &str = "Sync";

/// Returns true if and only if a tool starts something that works by itself from then on: `agents:spawn`.
fn starts_agent(name: &str) -> bool {
    let has = |any: &str| words(name).iter().any(|word| list(any).contains(&word.as_str()));
    has("working-by-themselves") && has("starting-them")
}

/// Returns true if and only if a loop destroys page by page what a listing holds, and ends with it; `destructive-over-result`
/// says how bad that is.
fn is_spent(context: &Context<'_>, call: usize) -> bool {
    // What passes by itself may go as often as there is some: `cache:products:*`.
    let is_passing = |flow: &Flow| {
        let asked = context.subject.origins.get(flow.origin).and_then(|origin| origin.call?.tool());
        let asked = asked.and_then(|asked| context.subject.calls.get(asked)).filter(|_| flow.is_followed());
        flow.strength == Strength::Whole && asked.is_some_and(|asked| asks_for_passing(&asked.argument))
    };
    let mut whole = context.flows_into(call).filter(|flow| Strength::Bit < flow.strength).peekable();
    context.is_spared(call, EffectKind::Delete)
        || context.listing_over(call).is_some()
        || batch_of_all(context.subject, &context.features.ends, call).is_some()
        || whole.peek().is_some() && whole.all(is_passing)
}

fn tool_calls(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.calls).enumerate();
    calls
        .filter(|(_, (call, _))| {
            let bounds = &context.subject.bounds;
            call.repeat == Repeat::Open || bounds.is_endless(call.span) || bounds.is_hoping(call.span)
        })
        // `paged-mass-read` tells it.
        .filter(|(_, (call, features))| page_key_of_read(call, features).is_none())
        .map(|(index, (call, features))| {
            let bounds = &context.subject.bounds;
            let is_endless = bounds.is_endless(call.span);
            let is_counted = !is_endless && bounds.is_counted(call.span);
            let name = call.tool.name().unwrap_or_default();
            // A row that names a tool says all that it deletes.
            let destroys = features.words.destroys && believed(name, context.house).may(EffectKind::Delete);
            let is_poll = features.words.reads && call.tool.name().is_some_and(|name| ToolName::of(name).has(Tag::Polled));
            let severity = match () {
                () if bounds.is_exploding(call.span) && !features.words.reads => Severity::Critical,
                // Each of them starts others, for whatever it finds.
                () if bounds.is_branching(call.span) && starts_agent(name) || spreads(context, index, call) => Severity::Critical,
                // Orders and bookings that nobody asked for, as many as the page takes.
                () if name == SUBMIT && is_endless && !bounds.is_resting(call.span) => Severity::Critical,
                () if name == SUBMIT => Severity::Low,
                // What a row says does nothing may be done as often as one likes.
                () if known_tool(name).is_some_and(|row| row.effects.is_empty()) => Severity::Low,
                () if is_counted || is_endless && is_duty(context, index, call) => Severity::Low,
                () if is_endless && is_blind(context, index, call, features) || urges(context, index, call) => Severity::Critical,
                () if destroys && is_spent(context, index) => Severity::Low,
                // Of what a page shows one after the other is taken away, until none is left.
                () if destroys && name.starts_with(PAGE) && call.repeat == Repeat::Open => Severity::Critical,
                () if destroys => Severity::High,
                // What a program reads until all was seen harms nobody by that.
                () if features.words.reads && context.subject.is_of_program(call) => Severity::Low,
                () if is_endless => Severity::Medium,
                // A search that is widened until all was found.
                () if !is_poll
                    && features.words.reads_many
                    && (is_sensitive_tool(name, context.house) || ToolName::of(name).has(Tag::Searching)) =>
                {
                    Severity::Medium
                }
                () => Severity::Low,
            };
            let how = match () {
                () if is_endless => "that nothing ends",
                () if bounds.is_branching(call.span) && severity == Severity::Critical => {
                    "in which each starts others, down to whatever depth there is"
                }
                () if severity == Severity::Critical => "that goes on without a pause until something is as the script wants it",
                () => "of which nobody knows how often it runs",
            };
            context.harm(call.span, severity).with_message(format!("`{}` runs in a loop {how}", call.tool.shown()))
        })
        .collect()
}
