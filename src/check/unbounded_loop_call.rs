//! A call in a loop that nothing bounds.

use crate::check::paged_mass_read::page_key_of_read;
use crate::check::{Check, Context};
use crate::feature::sensitive::is_sensitive_source;
use crate::feature::tool_kind::ToolName;
use crate::feature::vocabulary::Words;
use crate::rule::Match;
use crate::subject::call::Repeat;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// Words of tools that are asked again and again until something is done.
const POLLS: Words = Words("status state progress poll health ping job jobs build run runs wait task operation");

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

/// Words of tools that answer less than there is, so that they are asked again until all is known.
const SEARCHES: Words = Words("search lookup autocomplete suggest");

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.calls);
    calls
        .filter(|(call, _)| call.repeat == Repeat::Open || context.subject.bounds.is_endless(call.span))
        // `paged-mass-read` tells it.
        .filter(|(call, features)| page_key_of_read(call, features).is_none())
        .map(|(call, features)| {
            let bounds = &context.subject.bounds;
            let is_endless = bounds.is_endless(call.span);
            let is_counted = !is_endless && bounds.is_counted(call.span);
            let name = call.tool.name().unwrap_or_default();
            let is_poll = features.words.reads && call.tool.name().is_some_and(|name| ToolName::of(name).has(POLLS));
            let severity = match () {
                () if is_counted => Severity::Low,
                () if features.words.destroys => Severity::High,
                () if is_endless => Severity::Medium,
                // A search that is widened until all was found.
                () if !is_poll && features.words.reads_many && (is_sensitive_source(name) || ToolName::of(name).has(SEARCHES)) => {
                    Severity::Medium
                }
                () => Severity::Low,
            };
            let how = if is_endless { "that nothing ends" } else { "of which nobody knows how often it runs" };
            context.harm(call.span, severity).with_message(format!("`{}` runs in a loop {how}", call.tool.shown()))
        })
        .collect()
}
