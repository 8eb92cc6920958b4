//! A way out of the sandbox: constructors, evaluation, host objects, hooks.

use crate::check::{Check, Context};
use crate::rule::Match;
use crate::subject::hazard::Strength;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "sandbox-escape",
    category: "sandbox",
    severity: Severity::High,
    action: Action::Block,
    why: "An agent script runs in a sandbox; what reaches around it can do whatever the host can.",
    help: "Use only the script's own values and tools; do not touch constructors, prototypes, evaluation or host objects.",
    hit: "const user = await callTool('users:get', { id: 7 });\nreturn user['constr' + 'uctor'];\n",
    miss: "const user = await callTool('users:get', { id: 7 });\nreturn user['contr' + 'actor'];\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let hazards = context.subject.hazards.iter().filter(|hazard| !hazard.kind.exhausts());
    hazards
        .map(|hazard| {
            let (severity, action) = match hazard.strength {
                Strength::Clear => (Severity::High, Action::Block),
                Strength::Probing => (Severity::Medium, Action::Warn),
            };
            Match::new(context.rule, hazard.span).with_severity(severity, action).with_message(hazard.note.clone())
        })
        .collect()
}
