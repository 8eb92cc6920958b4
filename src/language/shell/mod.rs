//! Shell lines: which commands a shell would run when it is given a line, without a word of what they do.
//!
//! The line is read into a flat list: what stands in pipelines, lists, groups, branches, loops, functions and
//! substitutions is run, sooner or later, so each command of it counts. Each one remembers what feeds it.

pub mod expansion;
pub mod splitter;

use crate::language::shell::splitter::Splitter;

/// One command as a line holds it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Raw {
    /// Its words: the program and what is passed to it.
    pub words: Vec<String>,
    /// Variables that are set for it, or by it where it has no words: `NAME=value`.
    pub assignments: Vec<String>,
    /// Where its output goes: files that are overwritten or added to.
    pub outputs: Vec<String>,
    /// Files that it reads by `<`.
    pub inputs: Vec<String>,
    /// What a here-document or here-string gives it.
    pub input: Option<String>,
    /// The command whose output it reads by a pipe, by its place in the list.
    pub fed_by: Option<usize>,
    /// Commands whose output stands in its words or is read by it as a file, by their places in the list.
    pub holds: Vec<usize>,
    /// The folder in which it runs, where the line tells.
    pub folder: Option<String>,
}

/// Longer texts are no command lines, in bytes.
pub const LONGEST: usize = 64 * 1024;
/// How many commands are read from one line.
pub const COMMANDS: usize = 500;
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

/// Returns true if and only if a word sets a variable: `NAME=value`.
pub fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let name = name.strip_suffix('+').unwrap_or(name);
        name.bytes().next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}
