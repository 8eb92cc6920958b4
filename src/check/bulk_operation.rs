//! A tool that acts on many things in one call.

use crate::check::{Check, Context};
use crate::knowledge::command::list;
use crate::knowledge::effect::EffectKind;
use crate::knowledge::phrase::rehearses;
use crate::knowledge::words::Tag;
use crate::meaning::argument::is_dry_run;
use crate::meaning::deletion::says_delete;
use crate::meaning::tool_kind::ToolName;
use crate::rule::Match;
use crate::subject::call::Call;
use crate::value::severity::Severity;
use crate::value::verdict::Action;
use crate::value::words::{split_owner, words};

/// The check.
pub const CHECK: Check = Check {
    id: "bulk-operation",
    category: "fan-out",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "A bulk operation does to many what should be confirmed for each.",
    help: "Act on the few that are meant, or have the list confirmed.",
    hit: "await callTool('users:bulkUpdate', { ids });\n",
    miss: "await callTool('users:update', { id });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().zip(&context.features.calls).zip(&context.features.actions);
    calls
        .filter(|((_, features), _)| features.words.is_bulk)
        .map(|((call, features), action)| {
            // `money-movement` tells how bad it is to pay many.
            let (severity, action) = if is_harmless(call) || action.does(EffectKind::Pay) {
                (Severity::Low, Action::Log)
            } else if features.words.destroys {
                (Severity::High, Action::Confirm)
            } else if (features.words.sends || features.words.changes) && !context.subject.is_of_program(call) {
                (Severity::Medium, Action::Warn)
            } else {
                (Severity::Low, Action::Log)
            };
            let message = format!("`{}` acts on many at once", call.tool.shown());
            Match::new(context.rule, call.tool_span).with_severity(severity, action).with_message(message)
        })
        .collect()
}

/// Returns true if and only if what is acted on is made anew when it is needed, or nothing is but told what would be.
fn is_harmless(call: &Call) -> bool {
    let is_small = |name: &str| ToolName::of(name).has(Tag::Harmless) || ToolName::of(name).has(Tag::Gauge);
    // Cells of a sheet are written many at a time.
    let is_sheet = |name: &str| words(split_owner(name).0).iter().any(|word| list("sheets-of-cells").contains(&word.as_str()));
    let writes_cells = || call.tool.name().is_some_and(|name| is_sheet(name) && !says_delete(name));
    writes_cells()
        || is_dry_run(&call.argument)
        || call.tool.name().is_some_and(|name| is_small(name) || rehearses(&ToolName::of(name).verb))
}
