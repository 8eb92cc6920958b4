//! A call that moves money, or changes where money goes.

use crate::check::{Check, Context};
use crate::meaning::money::of_call;
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "money-movement",
    category: "money",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "Money that was sent seldom comes back, so a person should see how much goes where.",
    help: "Prepare the payment and let a person release it.",
    hit: "await callTool('payments:transfer', { to: 'supplier-7', amount: 250 });\n",
    miss: "await callTool('payments:list', { to: 'supplier-7', amount: 250 });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let calls = context.subject.calls.iter().enumerate();
    calls
        .filter_map(|(index, call)| {
            let harm = of_call(call, context.is_fed_by_listing(index), context.house)?;
            Some(context.harm(call.span, harm.severity).with_message(format!("`{}` {}", call.tool.shown(), harm.what)))
        })
        .collect()
}
