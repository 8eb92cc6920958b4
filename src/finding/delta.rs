//! How what was found differs from what was found in another revision.

use crate::value::severity::Severity;

/// The difference to a revision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// The revision as it was named.
    pub revision: String,
    /// The commit that is compared with.
    pub commit: String,
    /// The files in which anything was found, then or now, in order of their names.
    pub files: Vec<FileDelta>,
}

/// The difference in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileDelta {
    /// Its path, from the top of the repository.
    pub path: String,
    /// How much is found now and was not.
    pub added: usize,
    /// How much is found as it was.
    pub kept: usize,
    /// What was found and is not any more.
    pub gone: Vec<Gone>,
}

/// A finding that is no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// The id of the rule; `undetermined` for what could not be judged.
    pub rule: String,
    /// How bad it was; none for what could not be judged.
    pub severity: Option<Severity>,
    /// The line on which it was.
    pub line: Option<u32>,
}

impl Delta {
    /// How much is new, as it was, and gone.
    pub fn totals(&self) -> (usize, usize, usize) {
        let sum = |count: fn(&FileDelta) -> usize| self.files.iter().map(count).sum();
        (sum(|file| file.added), sum(|file| file.kept), sum(|file| file.gone.len()))
    }
}
