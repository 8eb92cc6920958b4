//! A tool whose name is constant, but hidden from who reads the script.

use crate::check::{Check, Context};
use crate::meaning::tool_kind::runs_commands;
use crate::rule::Match;
use crate::subject::call::{Disguise, Value};
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// Returns true if and only if every part of an argument is known before it runs.
fn is_written_out(argument: &Value) -> bool {
    let mut is_known = true;
    argument.visit("", &mut |_, value| is_known &= !matches!(value, Value::Partial(..) | Value::Dynamic(_)));
    is_known
}

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
            let is_shell = runs_commands(name, context.house);
            let runs_what_is_known = is_shell && is_written_out(&call.argument);
            // The name is known here, so what it does is judged as if it were written out; what hides a weapon is told besides.
            let severity = match () {
                () if words.destroys => Severity::High,
                () if is_shell && !runs_what_is_known || words.sends && call.disguise == Disguise::Encoded => Severity::Medium,
                () => Severity::Low,
            };
            Some(context.harm(call.tool_span, severity).with_message(format!("the name of the tool `{name}` {how}")))
        })
        .collect()
}
