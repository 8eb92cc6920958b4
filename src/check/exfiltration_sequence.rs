//! A call that reads, and a later one that sends.

use std::collections::HashMap;

use crate::check::{Check, Context};
use crate::feature::between_tools;
use crate::feature::sensitive::Sensitivity;
use crate::rule::Match;
use crate::subject::flow::{Flow, Step};
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "exfiltration-sequence",
    category: "exfiltration",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "A script that reads records and then sends something may carry the records out.",
    help: "Send only what the receiver needs, name the receiver, or return the records instead of sending them.",
    hit: "const users = await callTool('users:list', {});\nawait callTool('webhook:send', { body: users });\n",
    miss: "const users = await callTool('users:list', {});\nreturn users.length;\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let mut flows: HashMap<usize, Vec<&Flow>> = HashMap::new();
    for flow in &context.subject.flows {
        if let Some((_, sink)) = between_tools(context.subject, flow) {
            flows.entry(sink).or_default().push(flow);
        }
    }
    let judge = |&(read, send): &(usize, usize)| judge(context, read, send, flows.get(&send).map_or(&[], Vec::as_slice));
    context.features.sequences.iter().filter_map(judge).collect()
}

fn judge(context: &Context<'_>, nearest_read: usize, send: usize, flows: &[&Flow]) -> Option<Match> {
    let sink = context.subject.calls.get(send)?;
    let reads = |call: usize| context.features.calls.get(call).is_some_and(|call| call.words.reads);
    let many = |call: usize| context.features.calls.get(call).is_some_and(|call| call.words.reads_many);
    let fed = flows.iter().filter(|flow| reads(flow.origin)).min_by_key(|flow| (!many(flow.origin), flow.origin));
    if let Some(flow) = fed {
        let origin = context.subject.calls.get(flow.origin)?;
        let (severity, action) =
            if many(flow.origin) || is_secret(context) { (Severity::Critical, Action::Block) } else { (Severity::High, Action::Confirm) };
        let message = format!("what `{}` returns is passed to `{}`", origin.tool.shown(), sink.tool.shown());
        return Some(
            Match::new(context.rule, sink.span).with_severity(severity, action).with_message(message).with_steps(flow.steps.clone()),
        );
    }
    let origin = context.subject.calls.get(nearest_read)?;
    if nearest_read == send {
        let message = format!("`{}` reads and sends in one call", sink.tool.shown());
        return Some(Match::new(context.rule, sink.span).with_message(message));
    }
    let message =
        format!("`{}` sends after `{}` has read, though no data was seen to flow between them", sink.tool.shown(), origin.tool.shown());
    let steps = vec![Step { span: origin.span, note: format!("`{}` reads here", origin.tool.shown()) }];
    Some(Match::new(context.rule, sink.span).with_severity(Severity::Low, Action::Log).with_message(message).with_steps(steps))
}

/// Returns true if and only if the script names how to get in somewhere.
fn is_secret(context: &Context<'_>) -> bool {
    context.features.sensitive_fields.iter().any(|field| Sensitivity::Financial <= field.category)
}
