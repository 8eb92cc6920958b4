//! Stored evaluations: for people, as one document, or as CSV.

use std::io;

use serde_json::{Map, Value, json};

use crate::finding::hide::Hidden;
use crate::history::Evaluations;
use crate::report::Style;
use crate::report::history::columns::{self, Side};
use crate::report::history::{SCHEMA_VERSION, moment, score};
use crate::report::json::escaped::write_pretty;
use crate::value::csv::cell;
use crate::value::source::shown;
use crate::value::time;

/// The schema of what `write_json` writes.
pub const SCHEMA: &str = include_str!("schema/evaluations.json");

/// Longest name of a source that is shown whole, in characters.
const LONGEST: usize = 48;
/// How many rules of an evaluation are named.
const RULES: usize = 3;
/// The columns for people.
const HEADS: &[(&str, Side)] = &[
    ("time (UTC)", Side::Left),
    ("verdict", Side::Left),
    ("score", Side::Right),
    ("severity", Side::Left),
    ("what", Side::Left),
    ("rules", Side::Left),
    ("evaluation_id", Side::Left),
];

/// Writes evaluations for people.
///
/// # Errors
///
/// When the writer fails.
pub fn write_table(evaluations: Hidden<'_, Evaluations>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    if evaluations.rows.is_empty() {
        return writeln!(writer, "no evaluation is stored that fits");
    }
    let rows: Vec<Vec<String>> = evaluations.rows.iter().map(row).collect();
    columns::write(HEADS, &rows, writer)?;
    let more = if evaluations.has_more { "; there are more: --limit" } else { "" };
    let count = rows.len();
    writeln!(writer, "\n{count} evaluation{}{more}", if count == 1 { "" } else { "s" })
}

fn row(fields: &Map<String, Value>) -> Vec<String> {
    let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
    let at = time::point(text("timestamp")).map_or_else(|| text("timestamp").to_owned(), moment);
    let label = fields.get("label").and_then(Value::as_str).map_or_else(String::new, |label| format!(" ({label})"));
    vec![
        at,
        format!("{}{label}", text("verdict")),
        score(fields.get("numeric_score").and_then(Value::as_f64)),
        text("categorical_severity").to_owned(),
        what(fields),
        rules(text("matched_patterns"), text("undetermined")),
        text("evaluation_id").to_owned(),
    ]
}

/// The tool that is called, or the end of the path, and whose session it was.
fn what(fields: &Map<String, Value>) -> String {
    let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
    let path = text("path");
    let skipped = path.chars().count().saturating_sub(LONGEST);
    let path: String = path.chars().skip(skipped).collect();
    let path = format!("{}{path}", if skipped == 0 { "" } else { "…" });
    let record = fields.get("record").and_then(Value::as_u64).map_or_else(String::new, |record| format!("#{record}"));
    let what = if text("tool").is_empty() { format!("{path}{record}") } else { format!("{} ({path}{record})", text("tool")) };
    shown(&what)
}

/// The rules that hit, or why it could not be judged.
fn rules(patterns: &str, undetermined: &str) -> String {
    let named: Vec<&str> = patterns.split(' ').filter(|rule| !rule.is_empty()).collect();
    let more = named.len().saturating_sub(RULES);
    let mut words: Vec<String> = named.iter().take(RULES).map(|rule| shown(rule)).collect();
    words.extend((0 < more).then(|| format!("+{more}")));
    words.extend((!undetermined.is_empty()).then(|| format!("undetermined: {}", shown(undetermined))));
    words.join(" ")
}

/// Writes evaluations as one document.
///
/// # Errors
///
/// When the writer fails.
pub fn write_json(evaluations: Hidden<'_, Evaluations>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let document = json!({
        "schema_version": SCHEMA_VERSION,
        "tool": { "name": "callgate", "version": env!("CARGO_PKG_VERSION") },
        "has_more": evaluations.has_more,
        "evaluations": evaluations.rows,
    });
    write_pretty(&document, writer)
}

/// Writes evaluations as CSV, the names of the columns first.
///
/// # Errors
///
/// When the writer fails.
pub fn write_csv(evaluations: Hidden<'_, Evaluations>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    for (nth, fields) in evaluations.rows.iter().enumerate() {
        if nth == 0 {
            writeln!(writer, "{}", fields.keys().map(String::as_str).collect::<Vec<_>>().join(","))?;
        }
        writeln!(writer, "{}", fields.values().map(cell).collect::<Vec<_>>().join(","))?;
    }
    Ok(())
}
