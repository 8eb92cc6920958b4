//! The examples of the rows of `knowledge/commands/`, and whether they hold.

use crate::knowledge::command::{Files, Reader, Starts, Wrapper};
use crate::knowledge::table::COMMANDS;
use crate::meaning::command::row::effects;
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

/// All examples that do not hold.
pub fn broken() -> Vec<BrokenExample> {
    let mut found = Vec::new();
    let mut look = |row: &str, hit: &[&'static str], miss: &[&'static str], holds: &dyn Fn(&str) -> bool| {
        let wrong = hit.iter().map(|example| (example, true)).chain(miss.iter().map(|example| (example, false)));
        let wrong = wrong.filter(|(example, is_hit)| holds(example) != *is_hit);
        found.extend(wrong.map(|(example, is_hit)| BrokenExample { row: row.to_owned(), example, is_hit }));
    };
    for row in COMMANDS.rows {
        let fits = |line: &str| commands(line).iter().any(|own| effects(own).iter().any(|(found, _)| std::ptr::eq(*found, row)));
        look(row.name, row.hit, row.miss, &fits);
    }
    for row in COMMANDS.wrappers {
        look(&format!("wrapper {} ({:?})", row.programs.join(","), row.starts), row.hit, row.miss, &|line| starts(row, line));
    }
    for row in COMMANDS.readers {
        look(&format!("reader {} ({:?})", row.programs.join(","), row.files), row.hit, row.miss, &|line| reads(row, line));
    }
    found
}

/// Returns true if and only if a wrapper starts the command `started` of an example.
fn starts(row: &Wrapper, line: &str) -> bool {
    let found = commands(line);
    let is_there = found.iter().any(|own| row.programs.contains(&own.key().as_str()));
    is_there && found.iter().any(|own| own.program == "started" && (row.starts != Starts::Input || own.fed.is_empty()))
}

/// Returns true if and only if a program hands on a secret in an example.
fn reads(row: &Reader, line: &str) -> bool {
    let is_there = commands(line).iter().any(|own| row.programs.contains(&own.key().as_str()));
    is_there && (row.files != Files::Marked || line.contains(['@', '<', ':'])) && !secret::effects(line).is_empty()
}
