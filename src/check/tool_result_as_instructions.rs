//! Text that strangers wrote and that an agent is given as instructions.

use crate::catalogue::{SinkKind, tool};
use crate::check::{Check, Context, arrivals};
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::words;

/// The check.
pub const CHECK: Check = Check {
    id: "tool-result-as-instructions",
    category: "injection",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "An agent that is handed a stranger's text as its task does what the stranger wants.",
    help: "Write the task in the script, and mark what was read as data that holds no instructions.",
    hit: "const page = await callTool('web:fetch', { url: 'https://example.net' });\nawait callTool('agent:run', { task: page.text });\n",
    miss: "const page = await callTool('web:fetch', { url: 'https://example.net' });\nawait callTool('agent:run', { task: 'tidy up' });\nreturn page;\n",
    run,
};

/// Words of tools that act on what they are told, rather than only answer.
const ACTING: &[&str] = &["agent", "agents", "subagent", "delegate", "assistant", "copilot", "bot"];

fn run(context: &Context<'_>) -> Vec<Match> {
    arrivals(context, SinkKind::Prompt, "is handed over as instructions", |passage, reach| {
        let is_agent = reach.api.is_none() && words(&reach.name).iter().any(|word| ACTING.contains(&word.as_str()));
        // A mail or ticket that somebody wrote inside is no stranger's text, and a summary of a page is what models are for.
        match (passage.read.is_untrusted, is_agent) {
            (true, true) if passage.read.is_public => Some((Severity::High, Action::Confirm)),
            (true, true) => Some((Severity::Medium, Action::Warn)),
            (true, false) => Some((Severity::Low, Action::Log)),
            (false, true) if tool(&reach.name).reads => None,
            (false, true) => Some((Severity::Low, Action::Log)),
            (false, false) => None,
        }
    })
}
