//! `callgate rules`: all rules with their severities.

use std::sync::Arc;

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::json;

use crate::cli::args::{Global, ListArgs};
use crate::cli::commands::to_stdout;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::list_format::ListFormat;
use crate::cli::load;
use crate::cli::settings::Rulebook;
use crate::report::json::escaped::write_pretty;
use crate::rule::Rule;

/// Lists all rules.
///
/// # Errors
///
/// When the settings or patterns have faults.
pub fn run(args: &ListArgs, global: &Global) -> Result<Exit, Failure> {
    let all = Rulebook::of(&load::load(global)?, global)?.rules();
    match args.format {
        ListFormat::Table => to_stdout(|out| writeln!(out, "{}\n{} rules; `callgate explain RULE` tells more", table(&all), all.len()))?,
        ListFormat::Json => {
            let rules: Vec<_> = all.iter().map(|rule| row(rule)).collect();
            to_stdout(|out| write_pretty(&rules, out))?;
        }
    }
    Ok(Exit::Allow)
}

fn row(rule: &Rule) -> serde_json::Value {
    json!({
        "id": rule.id,
        "origin": rule.origin.name(),
        "category": rule.category,
        "severity": rule.severity.name(),
        "action": rule.action.name(),
        "why": rule.why,
        "help": rule.help,
    })
}

fn table(rules: &[Arc<Rule>]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["rule", "severity", "action", "category", "origin"]);
    for rule in rules {
        table.add_row([&rule.id, rule.severity.name(), rule.action.name(), &rule.category, rule.origin.name()]);
    }
    table
}
