//! A script of a desktop that makes itself start again.

use crate::check::{Check, Context, threats};
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "script-host-persistence",
    category: "persistence",
    severity: Severity::High,
    action: Action::Confirm,
    why: "What a script of the desktop writes where things start by themselves stays after the script ended.",
    help: "Leave start-up items, schedules and preferences of programs to people.",
    hit: "ObjC.import('Foundation');\nconst place = $.getenv('HOME') + '/Library/LaunchAgents/a.plist';\nplist.writeToFileAtomically(place, true);",
    miss: "ObjC.import('Foundation');\nconst place = $.getenv('HOME') + '/Documents/a.plist';\nplist.writeToFileAtomically(place, true);",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    threats(context)
}
