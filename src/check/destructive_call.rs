//! A call that destroys many things, all of them, or what others stand on.

use crate::check::{Check, Context};
use crate::knowledge::effect::EffectKind;
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "destructive-call",
    category: "destruction",
    severity: Severity::Critical,
    action: Action::Block,
    why: "The call destroys many things, all of them, or what others stand on, and nothing brings them back.",
    help: "Name the one thing that must go, by its id or with a WHERE clause, and let a person do the rest.",
    hit: "await callTool('users:delete', { filter: {} });\n",
    miss: "await callTool('users:delete', { id: 7 });\n",
    run,
};

/// The effects that it speaks of.
const KINDS: &[EffectKind] = &[EffectKind::Delete, EffectKind::Write, EffectKind::Control, EffectKind::Obtain];

fn run(context: &Context<'_>) -> Vec<Match> {
    context.worst_effects(KINDS)
}
