//! Fields that tell passwords, persons or money.

use crate::check::{Check, Context};
use crate::rule::Match;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The check.
pub const CHECK: Check = Check {
    id: "sensitive-field",
    category: "sensitive-data",
    severity: Severity::Low,
    action: Action::Log,
    why: "Passwords, identity numbers and account data do harm wherever they end up.",
    help: "Ask for the fields that the task needs, and leave these out.",
    hit: "await callTool('users:get', { id: 7, fields: ['password'] });\n",
    miss: "await callTool('users:get', { id: 7, fields: ['author'] });\n",
    run,
};

fn run(context: &Context<'_>) -> Vec<Match> {
    let fields = context.features.sensitive_fields.iter();
    fields
        .map(|field| {
            let message = format!("`{}` tells {} data", field.name, field.category.name());
            Match::new(context.rule, field.span).with_message(message)
        })
        .collect()
}
