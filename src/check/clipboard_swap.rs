//! A program that changes what was copied.

use crate::check::{Check, Context, threats};
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "clipboard-swap",
    category: "money",
    severity: Severity::High,
    action: Action::Confirm,
    why: "Money goes to the address that stands in the clipboard when it is pasted, not to the one that was copied.",
    help: "Leave the clipboard alone, or change it only when people ask for it.",
    hit: "let text = execSync('powershell Get-Clipboard').toString();\nif (/^(bc1|[13])[a-zA-Z0-9]{25,39}$/.test(text)) execSync('powershell Set-Clipboard ' + mine);",
    miss: "let text = execSync('powershell Get-Clipboard').toString();\nif (/^\\s+/.test(text)) execSync('powershell Set-Clipboard ' + text.trim());",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    threats(context)
}
