//! A call that gives rights, makes keys, opens something to others or switches a guard off.

use crate::check::{Check, Context};
use crate::knowledge::effect::EffectKind;
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "privilege-grant",
    category: "privilege",
    severity: Severity::Medium,
    action: Action::Warn,
    why: "Rights, keys and shares outlive the script, and whoever holds them needs no script any more.",
    help: "Give the least right to a named person for a limited time, and let a person give more.",
    hit: "await callTool('iam:assignRole', { user: 'u7', role: 'admin' });\n",
    miss: "await callTool('iam:revokeRole', { user: 'u7', role: 'admin' });\n",
    run,
};

/// The effects that it speaks of.
const KINDS: &[EffectKind] = &[EffectKind::Grant, EffectKind::GuardOff];

fn run(context: &Context<'_>) -> Vec<Match> {
    context.worst_effects(KINDS)
}
