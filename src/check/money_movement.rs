//! A call that moves money, or changes where money goes.

use crate::check::{Check, Context};
use crate::knowledge::effect::EffectKind;
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

/// The effects that it speaks of.
const KINDS: &[EffectKind] = &[EffectKind::Pay, EffectKind::Spend];

fn run(context: &Context<'_>) -> Vec<Match> {
    context.worst_effects(KINDS)
}
