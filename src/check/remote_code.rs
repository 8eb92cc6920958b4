//! Text from the network or a tool that is run as code.

use crate::catalogue::SinkKind;
use crate::check::{Check, Context, arrivals};
use crate::rule::Match;
use crate::subject::flow::OriginKind;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "remote-code",
    category: "remote-code",
    severity: Severity::Critical,
    action: Action::Block,
    why: "Whoever writes a text that is run as code decides what the script does.",
    help: "Read data as data (`JSON.parse`), and run only code that stands in the script.",
    hit: "const page = await callTool('http:get', { url: 'https://example.net/a.py' });\nawait callTool('python:run', { code: page.text });\n",
    miss: "const page = await callTool('http:get', { url: 'https://example.net/a.py' });\nawait callTool('python:run', { code: 'print(1)', input: page.text });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    arrivals(context, SinkKind::Code, "is run as code", |passage, _, _| match passage.read.kind {
        OriginKind::Network | OriginKind::Tool => Some((Severity::Critical, Action::Block)),
        OriginKind::Process | OriginKind::File | OriginKind::Storage | OriginKind::Clipboard => Some((Severity::High, Action::Confirm)),
        OriginKind::UserInput | OriginKind::Environment => Some((Severity::Medium, Action::Warn)),
        OriginKind::System => None,
    })
}
