//! A tool whose name is constant, but hidden from who reads the script.

use crate::check::{Check, Context};
use crate::feature::tool_kind::{ToolName, is_shell};
use crate::rule::Match;
use crate::subject::call::Disguise;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "hidden-tool-name",
    category: "disguise",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "A name that never changes and is still decoded or pieced together is hidden from who reviews the script.",
    help: "Write the tool's name out.",
    hit: "await callTool(atob('dXNlcnM6bGlzdA=='), {});\n",
    miss: "const TOOL = 'users:list';\nawait callTool(TOOL, {});\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.calls);
    calls
        .filter_map(|(call, features)| {
            let how = match call.disguise {
                Disguise::None => return None,
                Disguise::Joined => "is pieced together from parts that are no words",
                Disguise::Encoded => "is decoded from a text that nobody can read",
            };
            let name = call.tool.name()?;
            let words = &features.words;
            let is_armed = words.sends || words.destroys || is_shell(&ToolName::of(name));
            let severity = if is_armed { Severity::High } else { Severity::Medium };
            Some(context.harm(call.tool_span, severity).with_message(format!("the name of the tool `{name}` {how}")))
        })
        .collect()
}
