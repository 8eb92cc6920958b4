//! A script that takes all time or memory: endless loops and recursion, huge values, runaway patterns.

use crate::check::{Check, Context};
use crate::rule::Match;
use crate::subject::hazard::Strength;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "resource-exhaustion",
    category: "sandbox",
    severity: Severity::High,
    action: Action::Block,
    why: "A script without a bound takes the time and memory of everything that runs beside it.",
    help: "Bound the loop, the recursion, the size or the regular expression.",
    hit: "await callTool('jobs:start', {});\nwhile (true) {\n  tick();\n}\n",
    miss: "await callTool('jobs:start', {});\nwhile (true) {\n  if (tick()) break;\n}\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let hazards = context.subject.hazards.iter().filter(|hazard| hazard.kind.exhausts());
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
