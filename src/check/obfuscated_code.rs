//! Code whose texts are written so that nobody can read them.

use crate::check::{Check, Context, threats};
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "obfuscated-code",
    category: "obfuscation",
    severity: Severity::High,
    action: Action::Confirm,
    why: "Whoever hides what a program says has a reason that readers are not to know.",
    help: "Write texts as they are; what has to be small is left to a minifier.",
    hit: "this['A' + ('q', 'r', 'c') + ('k', 'l', 't') + ('z', 'y', 'i') + ('w', 'u', 'v')]();",
    miss: "pick('q', 'r', 'c'); pick('k', 'l', 't'); pick('z', 'y', 'i'); pick('w', 'u', 'v');",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    threats(context)
}
