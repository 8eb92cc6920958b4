//! A tool whose name is not known before the script runs, or is put together from parts.

use crate::check::{Check, Context};
use crate::rule::Match;
use crate::subject::call::{Disguise, Tool};
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "dynamic-tool",
    category: "disguise",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "A tool whose name is computed cannot be reviewed: it can be any tool.",
    help: "Write the tool's name as a literal, or choose between literal names.",
    hit: "await callTool(input.tool, {});\n",
    miss: "await callTool('users:get', { id: input.id });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = || context.subject.calls.iter();
    calls()
        .filter_map(|call| match &call.tool {
            Tool::Named(_) => None,
            // `hidden-tool-name` tells it.
            Tool::Folded(_) if call.disguise != Disguise::None => None,
            // A function that is given the name: its callers write it out.
            Tool::Dynamic if calls().any(|other| other.tool_span == call.tool_span && other.tool != Tool::Dynamic) => Some(
                Match::new(context.rule, call.tool_span)
                    .with_severity(Severity::Low, Action::Log)
                    .with_message("the tool's name is a parameter; the names that are seen to be passed are judged"),
            ),
            // A client of servers hands on what its own callers or its model choose.
            Tool::Dynamic if context.subject.is_of_program(call) || context.subject.is_of_module() => Some(
                Match::new(context.rule, call.tool_span)
                    .with_severity(Severity::Low, Action::Log)
                    .with_message("the program hands on which tool is called"),
            ),
            Tool::Dynamic => Some(Match::new(context.rule, call.tool_span).with_message("the tool's name is not known before it runs")),
            Tool::Folded(name) => Some(
                Match::new(context.rule, call.tool_span)
                    .with_severity(Severity::Low, Action::Log)
                    .with_message(format!("the tool's name is put together from parts; it is `{name}`")),
            ),
        })
        .collect()
}
