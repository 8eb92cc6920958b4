//! The examples of the rows of `knowledge/commands/`, and whether they hold.

use crate::knowledge::House;
use crate::knowledge::command::{COMMANDS, CommandRow, Files, Reader, Starts, Wrapper};
use crate::meaning::command::row::fitting;
use crate::meaning::command::secret;
use crate::meaning::command::unwrap::commands;

/// An example that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenExample {
    /// The row.
    pub row: String,
    /// The example as written.
    pub example: &'static str,
    /// It should have been found.
    pub is_hit: bool,
}

/// How many examples the rows have.
pub fn count() -> usize {
    let rows = COMMANDS.rows.iter().map(|row| row.hit.len() + row.miss.len());
    let wrappers = COMMANDS.wrappers.iter().map(|row| row.hit.len() + row.miss.len());
    let readers = COMMANDS.readers.iter().map(|row| row.hit.len() + row.miss.len());
    rows.chain(wrappers).chain(readers).sum()
}

/// All examples of the rows that are built in that do not hold.
pub fn broken() -> Vec<BrokenExample> {
    let mut found = Vec::new();
    let mut look = |row: &str, hit: &[&'static str], miss: &[&'static str], holds: &dyn Fn(&str) -> bool| {
        let wrong = hit.iter().map(|example| (example, true)).chain(miss.iter().map(|example| (example, false)));
        let wrong = wrong.filter(|(example, is_hit)| holds(example) != *is_hit);
        found.extend(wrong.map(|(example, is_hit)| BrokenExample { row: row.to_owned(), example, is_hit }));
    };
    for row in COMMANDS.rows {
        look(row.name, row.hit, row.miss, &|line| fits(row, line));
    }
    for row in COMMANDS.wrappers {
        look(&wrapper_name(row), row.hit, row.miss, &|line| starts(row, line));
    }
    for row in COMMANDS.readers {
        look(&reader_name(row), row.hit, row.miss, &|line| reads(row, line));
    }
    found
}

/// What a wrapper is called.
pub fn wrapper_name(row: &Wrapper) -> String {
    format!("wrapper {} ({:?})", row.programs.join(","), row.starts)
}

/// What a reader is called.
pub fn reader_name(row: &Reader) -> String {
    format!("reader {} ({:?})", row.programs.join(","), row.files)
}

/// Returns true if and only if a line runs a command that a row fits and that does something to speak of by it.
pub fn fits(row: &CommandRow, line: &str) -> bool {
    fitting_rows(line).iter().any(|found| std::ptr::eq(*found, row))
}

/// The rows that the commands of a line fit; a row of the user's own also where its effect is nothing to speak of.
pub fn fitting_rows(line: &str) -> Vec<&'static CommandRow> {
    let found = commands(line);
    let all = found.iter().flat_map(|own| fitting(own, &House::default()));
    all.filter(|(row, effect)| effect.is_some() || is_own(row)).map(|(row, _)| row).collect()
}

fn is_own(row: &CommandRow) -> bool {
    !COMMANDS.rows.iter().any(|known| std::ptr::eq(known, row))
}

/// Returns true if and only if a wrapper starts the command `started` of an example.
pub fn starts(row: &Wrapper, line: &str) -> bool {
    let found = commands(line);
    let is_there = found.iter().any(|own| row.programs.contains(&own.key().as_str()));
    is_there && found.iter().any(|own| own.program == "started" && (row.starts != Starts::Input || own.fed.is_empty()))
}

/// Returns true if and only if a program hands on a secret in an example.
pub fn reads(row: &Reader, line: &str) -> bool {
    let is_there = commands(line).iter().any(|own| row.programs.contains(&own.key().as_str()));
    is_there && (row.files != Files::Marked || line.contains(['@', '<', ':'])) && !secret::effects(line).is_empty()
}
