//! Sessions: for people, as one document, or as CSV.

use std::io;

use serde_json::{Value, json};

use crate::finding::hide::Hidden;
use crate::history::{Session, Sessions};
use crate::meaning::sheet::number;
use crate::report::Style;
use crate::report::history::columns::{self, Side};
use crate::report::history::{SCHEMA_VERSION, grouped, moment, score};
use crate::report::json::escaped::write_pretty;
use crate::value::csv::cell;
use crate::value::source::shown;
use crate::value::time::rfc3339;

/// The schema of what `write_json` writes.
pub const SCHEMA: &str = include_str!("schema/sessions.json");

/// The columns for people.
const HEADS: &[(&str, Side)] = &[
    ("session", Side::Left),
    ("agent", Side::Left),
    ("calls", Side::Right),
    ("warn", Side::Right),
    ("block", Side::Right),
    ("highest", Side::Right),
    ("first (UTC)", Side::Left),
    ("last (UTC)", Side::Left),
];

/// Writes sessions for people.
///
/// # Errors
///
/// When the writer fails.
pub fn write_table(sessions: Hidden<'_, Sessions>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    if sessions.rows.is_empty() {
        return writeln!(writer, "no session is stored that fits: evaluations have one by --session, or where the input names it");
    }
    let rows: Vec<Vec<String>> = sessions.rows.iter().map(row).collect();
    columns::write(HEADS, &rows, writer)?;
    let more = if sessions.has_more { "; there are more: --limit" } else { "" };
    let count = rows.len();
    writeln!(writer, "\n{count} session{}{more}", if count == 1 { "" } else { "s" })
}

fn row(session: &Session) -> Vec<String> {
    let [_, warned, blocked] = session.verdicts;
    let whose = session.tenant.as_ref().map_or_else(String::new, |tenant| format!(" of {}", shown(tenant)));
    vec![
        format!("{}{whose}", shown(&session.id)),
        session.agent.as_deref().map_or_else(|| "–".to_owned(), shown),
        grouped(session.evaluations()),
        grouped(warned),
        grouped(blocked),
        score(session.highest_score),
        moment(session.first),
        moment(session.last),
    ]
}

/// Writes sessions as one document.
///
/// # Errors
///
/// When the writer fails.
pub fn write_json(sessions: Hidden<'_, Sessions>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let document = json!({
        "schema_version": SCHEMA_VERSION,
        "tool": { "name": "callgate", "version": env!("CARGO_PKG_VERSION") },
        "has_more": sessions.has_more,
        "sessions": sessions.rows.iter().map(value).collect::<Vec<_>>(),
    });
    write_pretty(&document, writer)
}

/// A session as an object.
pub fn value(session: &Session) -> Value {
    let [allowed, warned, blocked] = session.verdicts;
    json!({
        "session_id": session.id,
        "tenant_id": session.tenant,
        "agent": session.agent,
        "evaluations": session.evaluations(),
        "allow": allowed,
        "warn": warned,
        "block": blocked,
        "highest_score": session.highest_score.map(number),
        "first": rfc3339(session.first),
        "last": rfc3339(session.last),
    })
}

/// Writes sessions as CSV, the names of the columns first.
///
/// # Errors
///
/// When the writer fails.
pub fn write_csv(sessions: Hidden<'_, Sessions>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    for (nth, session) in sessions.rows.iter().enumerate() {
        let Value::Object(fields) = value(session) else { continue };
        if nth == 0 {
            writeln!(writer, "{}", fields.keys().map(String::as_str).collect::<Vec<_>>().join(","))?;
        }
        writeln!(writer, "{}", fields.values().map(cell).collect::<Vec<_>>().join(","))?;
    }
    Ok(())
}
