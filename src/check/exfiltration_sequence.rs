//! A call that reads, and a later one that sends, though no data was seen to flow between them.

use std::collections::HashSet;

use crate::check::{Check, Context};
use crate::feature::between_tools;
use crate::rule::Match;
use crate::subject::flow::Step;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "exfiltration-sequence",
    category: "exfiltration",
    severity: Severity::Low,
    action: Action::Log,
    why: "A script that reads records and then sends something may carry the records out in a way that was not seen.",
    help: "Send before reading, or leave one of the two to another script.",
    hit: "const users = await callTool('users:list', {});\nawait callTool('mail:send', { text: 'done' });\nreturn users;\n",
    miss: "const users = await callTool('users:list', {});\nreturn users.length;\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    // What flows is judged by where it flows.
    let fed: HashSet<usize> =
        context.subject.flows.iter().filter_map(|flow| between_tools(context.subject, flow)).map(|(_, sink)| sink).collect();
    let unfed = context.features.sequences.iter().filter(|(_, send)| !fed.contains(send));
    unfed.filter_map(|(read, send)| judge(context, *read, *send)).collect()
}

fn judge(context: &Context<'_>, read: usize, send: usize) -> Option<Match> {
    let (origin, sink) = (context.subject.calls.get(read)?, context.subject.calls.get(send)?);
    if read == send {
        let message = format!("`{}` reads and sends in one call", sink.tool.shown());
        return Some(Match::new(context.rule, sink.span).with_severity(Severity::Medium, Action::Warn).with_message(message));
    }
    let message =
        format!("`{}` sends after `{}` has read, though no data was seen to flow between them", sink.tool.shown(), origin.tool.shown());
    let steps = vec![Step { span: origin.span, note: format!("`{}` reads here", origin.tool.shown()) }];
    Some(Match::new(context.rule, sink.span).with_message(message).with_steps(steps))
}
