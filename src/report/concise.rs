//! One line a finding, as compilers write them, and the numbers of the run last.

use std::io;

use crate::finding::Report;
use crate::finding::hide::Hidden;
use crate::finding::item::{Item, items, summary};
use crate::report::Style;
use crate::value::source::shown;

/// Writes a report, a line a finding.
///
/// # Errors
///
/// When the writer fails.
pub fn write(report: Hidden<'_, Report>, style: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let report = report.get();
    let items = items(report, style.verbose);
    for item in items.iter().filter(|item| item.acceptance.is_none()) {
        writeln!(writer, "{}", line(item))?;
    }
    if !style.quiet {
        writeln!(writer, "{}", summary(report, &items))?;
        for remark in report.remarks() {
            writeln!(writer, "{} acceptance at {}: {}", remark.kind.name(), shown(&remark.place), shown(&remark.detail))?;
        }
        report.run.passed_over.sentences().iter().try_for_each(|sentence| writeln!(writer, "{sentence}"))?;
    }
    report.run.loosened.iter().try_for_each(|loosened| writeln!(writer, "loosened by {}", shown(loosened)))?;
    if style.quiet { Ok(()) } else { writeln!(writer, "verdict: {}", report.verdict()) }
}

fn line(item: &Item<'_>) -> String {
    let name = item.entry.name().as_shown();
    // Continuous integration takes a line that begins with `::` for a command.
    let name = if name.starts_with([':', ' ']) { format!("./{name}") } else { name };
    let Item { start, severity, rule, message, .. } = item;
    format!("{name}:{}:{}: {severity} {rule}: {message}", start.line, start.column)
}
