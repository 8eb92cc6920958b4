//! Shell lines: which commands a shell would run when it is given a line, without a word of what they do.
//!
//! The line is read into a flat list: what stands in pipelines, lists, groups, branches, loops, functions and
//! substitutions is run, sooner or later, so each command of it counts. Each one remembers what feeds it.

pub mod expansion;
pub mod raw;
pub mod splitter;

pub use crate::language::shell::raw::{COMMANDS, Raw, is_assignment};
use crate::language::shell::splitter::Splitter;

/// Longer texts are no command lines, in bytes.
pub const LONGEST: usize = 64 * 1024;
/// How deep commands are looked for in others.
pub const DEPTH: u8 = 6;

/// The commands of a line, those inside others before them.
pub fn parse(line: &str) -> Vec<Raw> {
    if LONGEST < line.len() {
        return Vec::new();
    }
    let mut found = Vec::new();
    Splitter::new(line, DEPTH).read(&mut found);
    found
}

/// Returns true if and only if a line defines a function that runs itself twice: a fork bomb.
pub fn is_fork_bomb(line: &str) -> bool {
    let tight: String = line.chars().filter(|character| !character.is_whitespace()).collect();
    let Some((before, body)) = tight.split_once("(){") else { return false };
    let name = before.rsplit([';', '&', '|']).next().unwrap_or(before);
    !name.is_empty() && body.starts_with(&format!("{name}|{name}&"))
}
