//! What commands do: lines and programs with arguments, by the rows of `knowledge/commands/`.

pub mod code;
pub mod examples;
pub mod one;
pub mod printed;
pub mod row;
pub mod secret;
pub mod sending;
pub mod statement;
pub mod unwrap;

use crate::knowledge::command::is_known;
use crate::knowledge::effect::{Effect, EffectKind};
use crate::language::shell::is_fork_bomb;
use crate::meaning::command::one::Command;
use crate::meaning::command::unwrap::{command, commands};

/// Returns true if and only if a line runs commands, and rows name the program of each: what they say of it stands.
pub fn are_known(line: &str) -> bool {
    let found = commands(line);
    !found.is_empty() && found.iter().all(|own| is_known(&own.key()))
}

/// Returns true if and only if a line runs one command and nothing else, and rows name its program.
pub fn is_one_known(line: &str) -> bool {
    matches!(commands(line).as_slice(), [own] if is_known(&own.key()))
}

/// What a line does.
pub fn effects(line: &str) -> Vec<Effect> {
    let bomb = is_fork_bomb(line).then(|| Effect::new(EffectKind::Control, "processes", "starts processes without end"));
    bomb.into_iter().chain(commands(line).iter().flat_map(of_command)).collect()
}

/// What a program does with separate arguments.
pub fn effects_of(program: &str, arguments: &[String]) -> Vec<Effect> {
    command(program, arguments).iter().flat_map(of_command).collect()
}

fn of_command(own: &Command) -> Vec<Effect> {
    row::effects(own).into_iter().map(|(_, effect)| effect).chain(statement::effects(own)).collect()
}
