//! A tool call that runs once per element of something.

use crate::catalogue::target::is_target;
use crate::check::{Check, Context};
use crate::rule::Match;
use crate::subject::call::{Call, Repeat, Value};
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// A loop with so many turns could be written out.
const FEW: u32 = 5;
/// A loop with more turns does more than anybody looks at.
const MANY: u32 = 100;

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
            let is_open_list = call.over.is_empty() && !is_few(call) && !is_written_out(&call.argument);
            let is_much = matches!(call.repeat, Repeat::Counted(turns) if MANY < turns);
            let goes_around = is_open_list && call.repeat == Repeat::Each && has_open_target(&call.argument);
            let (severity, action) = if features.words.destroys && is_open_list {
                (Severity::High, Action::Confirm)
            } else if (is_much || goes_around) && features.words.sends || is_much && (features.words.changes || features.is_dynamic) {
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

/// Returns true if and only if each turn may send to somebody else.
fn has_open_target(argument: &Value) -> bool {
    let mut is_open = false;
    argument.visit("", &mut |key, value| is_open |= is_target(key) && matches!(value, Value::Dynamic(_) | Value::Partial(..)));
    is_open
}

/// Returns true if and only if all that may be passed stands in the script.
fn is_written_out(argument: &Value) -> bool {
    let mut is_known = true;
    argument.visit("", &mut |_, value| is_known &= !matches!(value, Value::Dynamic(_) | Value::Partial(..)));
    is_known
}

/// Returns true if and only if the loop runs a few times, as a number in the script says.
fn is_few(call: &Call) -> bool {
    matches!(call.repeat, Repeat::Counted(turns) if turns <= FEW)
}
