//! How often each rule hit, in a table.

use std::io;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use crate::finding::statistics::Statistics;
use crate::report::Style;
use crate::value::severity::Severity;
use crate::value::source::shown;

/// Writes a row a rule.
///
/// # Errors
///
/// When the writer fails.
pub fn write(statistics: &Statistics, style: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let rows = statistics.rows();
    if rows.is_empty() {
        return Ok(());
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic).force_no_tty();
    table.set_width(u16::try_from(style.width).unwrap_or(u16::MAX));
    table.set_header(["rule", "total", "critical", "high", "medium", "low", "in what is allowed", "also", "accepted"]);
    for (rule, tally) in rows {
        let severities = Severity::ALL.into_iter().rev().map(|severity| tally.of(severity));
        let counts = std::iter::once(tally.total()).chain(severities).chain([tally.allowed, tally.also, tally.accepted]);
        let words = counts.map(|count| if count == 0 { "·".to_owned() } else { count.to_string() });
        table.add_row(std::iter::once(shown(rule)).chain(words));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for line in table.to_string().lines() {
        writeln!(writer, "{}", line.trim_end())?;
    }
    writeln!(writer)
}
