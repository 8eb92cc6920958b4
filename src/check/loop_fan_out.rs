//! A tool call that runs once per element of something.

use crate::check::{Check, Context};
use crate::rule::Match;
use crate::subject::call::{Call, Repeat};
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// A loop with so many turns could be written out.
const FEW: u32 = 5;

/// The check.
pub const CHECK: Check = Check {
    id: "loop-fan-out",
    category: "fan-out",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "A call in a loop takes its action as often as the loop runs, which nobody confirmed.",
    help: "Bound the loop, or use one call that takes a list and can be confirmed as a whole.",
    hit: "for (const user of users) {\n  await callTool('accounts:remove', { id: user.id });\n}\n",
    miss: "await callTool('accounts:remove', { id: user.id });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.calls);
    calls
        // `paged-mass-read` and `unbounded-loop-call` tell open loops.
        .filter(|(call, features)| features.is_repeated && call.repeat != Repeat::Open)
        .map(|(call, features)| {
            let (severity, action) = if features.words.destroys {
                (Severity::High, Action::Confirm)
            } else if is_few(call) {
                (Severity::Low, Action::Log)
            } else if features.words.sends || features.words.changes || features.is_dynamic {
                (Severity::Medium, Action::Warn)
            } else {
                (Severity::Low, Action::Log)
            };
            let message = match call.loop_depth {
                0 => format!("`{}` runs once per element", call.tool.shown()),
                1 => format!("`{}` runs in a loop", call.tool.shown()),
                depth => format!("`{}` runs in {depth} nested loops", call.tool.shown()),
            };
            Match::new(context.rule, call.span).with_severity(severity, action).with_message(message)
        })
        .collect()
}

/// Returns true if and only if the loop runs a few times, as a number in the script says.
fn is_few(call: &Call) -> bool {
    matches!(call.repeat, Repeat::Counted(turns) if turns <= FEW)
}
