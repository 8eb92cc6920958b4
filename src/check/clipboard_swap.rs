//! A program that changes what was copied.

use crate::check::{Check, Context, threats};
use crate::knowledge::command::list;
use crate::meaning::argument::texts;
use crate::rule::Match;
use crate::subject::flow::OriginKind;
use crate::value::account::{is_bank_account, is_crypto_address};
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
    let mut found = threats(context);
    let reads = context.subject.origins.iter().any(|origin| origin.kind == OriginKind::Clipboard);
    let swaps = context.subject.calls.iter().filter(|_| reads).filter_map(|call| {
        call.tool.name().filter(|name| list("writing-clipboard").contains(name))?;
        let account = texts(&call.argument).into_iter().find(|text| text.is_known && is_account(text.text))?;
        let message = format!("the program puts `{}`, which is written out, where something was copied", account.text);
        Some(context.harm(call.span, Severity::Critical).with_message(message))
    });
    found.extend(swaps);
    found
}

/// Returns true if and only if a text is an account to which money can be sent.
fn is_account(text: &str) -> bool {
    is_bank_account(text) || is_crypto_address(text)
}
