//! Text from a tool or the network that becomes part of a command.

use crate::catalogue::SinkKind;
use crate::check::{Check, Context, arrivals};
use crate::rule::Match;
use crate::subject::flow::OriginKind;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "tool-result-to-command",
    category: "remote-code",
    severity: Severity::High,
    action: Action::Confirm,
    why: "A command that holds text from elsewhere runs whatever that text says behind a semicolon.",
    help: "Choose commands by literal names, pass data as arguments of a program without a shell, and check it first.",
    hit: "const ticket = await callTool('tickets:get', { id: 7 });\nawait callTool('shell:exec', { command: ticket.text });\n",
    miss: "const ticket = await callTool('tickets:get', { id: 7 });\nawait callTool('shell:exec', { command: 'df -h' });\nreturn ticket;\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    arrivals(context, SinkKind::Command, "becomes part of a command", |passage, _| {
        let read = &passage.read;
        match read.kind {
            OriginKind::Network => Some((Severity::Critical, Action::Block)),
            OriginKind::Tool if read.is_harmless => Some((Severity::Low, Action::Log)),
            OriginKind::Tool if read.is_untrusted => Some((Severity::Critical, Action::Block)),
            OriginKind::Tool => Some((Severity::High, Action::Confirm)),
            OriginKind::Clipboard | OriginKind::Storage => Some((Severity::Medium, Action::Warn)),
            OriginKind::File | OriginKind::Process | OriginKind::UserInput | OriginKind::Environment | OriginKind::System => None,
        }
    })
}
