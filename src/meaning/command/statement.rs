//! Statements that a client of a database is given to run.

use crate::knowledge::command::{COMMANDS, Language};
use crate::knowledge::effect::Effect;
use crate::meaning::command::one::Command;
use crate::meaning::statement;

/// What the statements do that a command hands to a database.
pub fn effects(own: &Command) -> Vec<Effect> {
    let program = own.key();
    let row = COMMANDS.codes.iter().find(|row| row.language == Language::Sql && row.programs.contains(&program.as_str()));
    let Some(row) = row else { return Vec::new() };
    let values = row.options.iter().flat_map(|option| own.values(option));
    let operands = own.operands().filter(|_| row.options.is_empty());
    values.chain(own.input.as_deref()).chain(operands).flat_map(statement::effects).collect()
}
