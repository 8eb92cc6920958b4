//! A call in a loop that nothing bounds.

use crate::check::paged_mass_read::page_key_of_read;
use crate::check::{Check, Context};
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

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.calls);
    calls
        .filter(|(call, _)| call.repeat == Repeat::Open)
        // `paged-mass-read` tells it.
        .filter(|(call, features)| page_key_of_read(call, features).is_none())
        .map(|(call, features)| {
            let is_poll = features.words.reads && call.tool.name().is_some_and(|name| ToolName::of(name).has(POLLS));
            let severity = match () {
                () if features.words.destroys => Severity::High,
                () if is_poll => Severity::Low,
                () => Severity::Medium,
            };
            context.harm(call.span, severity).with_message(format!("`{}` runs in a loop that nothing bounds", call.tool.shown()))
        })
        .collect()
}
