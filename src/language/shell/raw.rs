//! Commands as a line holds them.

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

/// How many commands are read from one line.
pub const COMMANDS: usize = 500;

/// Returns true if and only if a word sets a variable: `NAME=value`.
pub fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let name = name.strip_suffix('+').unwrap_or(name);
        name.bytes().next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}
