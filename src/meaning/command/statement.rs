//! Statements that a client of a database is given to run.

use crate::knowledge::command::Language;
use crate::knowledge::table::COMMANDS;
use crate::meaning::command::Command;
use crate::meaning::harm::{Harm, worst};
use crate::meaning::statement;

/// The harm of the statements that a command hands to a database.
pub fn harm(own: &Command) -> Option<Harm> {
    let program = own.key();
    let row = COMMANDS.codes.iter().find(|row| row.language == Language::Sql && row.programs.contains(&program.as_str()))?;
    let values = row.options.iter().flat_map(|option| own.values(option));
    let operands = own.operands().filter(|_| row.options.is_empty());
    worst(values.chain(own.input.as_deref()).chain(operands).filter_map(statement::harm))
}
