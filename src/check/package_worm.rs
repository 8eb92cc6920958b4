//! A program that spreads by packages or workflows.

use crate::check::{Check, Context, threats};
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "package-worm",
    category: "persistence",
    severity: Severity::High,
    action: Action::Confirm,
    why: "Packages and workflows run on the machines of all who trust the one whose account was used.",
    help: "Publish one named package from a release workflow, and let people review changes of workflows.",
    hit: "const own = require('./package.json');\nown.name = 'a' + Math.random();\nfs.writeFileSync('package.json', JSON.stringify(own));\nexecSync('npm publish --access public');",
    miss: "const own = require('./package.json');\nown.version = next;\nfs.writeFileSync('package.json', JSON.stringify(own));\nexecSync('npm publish --access public');",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    threats(context)
}
