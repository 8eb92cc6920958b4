//! The words and patterns that the released scorer looks for.
//!
//! Source: Attesta, `core/risk.py`, at 4b6a8de1.

use std::sync::OnceLock;

use crate::upstream::python::pattern::Pattern;

/// Words of a name that destroy.
pub const DESTRUCTIVE: &[&str] = &["delete", "remove", "drop", "destroy", "purge", "truncate", "kill"];
/// Words of a name that change something.
pub const MUTATING: &[&str] = &["write", "update", "modify", "set", "create", "send", "deploy", "push", "execute", "run"];
/// Words of a name that only read.
pub const READING: &[&str] = &["read", "get", "list", "fetch", "search", "find", "check"];

/// A list of patterns that raise the same share.
pub struct WordList {
    /// How Attesta names a hit.
    pub label: &'static str,
    /// The share that a hit raises its factor to, 0–1.
    pub share: f64,
    /// Patterns, and whether case counts for nothing.
    sources: &'static [(&'static str, bool)],
    compiled: OnceLock<Vec<Pattern>>,
}

impl WordList {
    const fn new(label: &'static str, share: f64, sources: &'static [(&'static str, bool)]) -> Self {
        Self { label, share, sources, compiled: OnceLock::new() }
    }

    /// The patterns, in Attesta's order. They are built when they are first needed; the tests build them all.
    pub fn patterns(&self) -> &[Pattern] {
        let built = || self.sources.iter().filter_map(|(source, ignore_case)| Pattern::new(source, *ignore_case).ok()).collect();
        self.compiled.get_or_init(built)
    }
}

/// What is looked for in arguments.
pub static ARGUMENTS: [WordList; 4] = [
    WordList::new(
        "sensitive pattern",
        0.9,
        &[
            ("prod(uction)?", true),
            (r"\.env\b", true),
            ("secret", true),
            ("password", true),
            ("token", true),
            (r"\bkey\b", true),
            ("credential", true),
        ],
    ),
    WordList::new("SQL keyword", 0.9, &[(r"\bDROP\b", true), (r"\bDELETE\b", true), (r"\bTRUNCATE\b", true), (r"\bALTER\b", true)]),
    WordList::new("shell command", 0.9, &[(r"rm\s+-rf\b", false), (r"\bsudo\b", false), (r"chmod\s+777\b", false)]),
    WordList::new(
        "network pattern",
        0.5,
        &[
            ("https?://", true),
            (r"[a-zA-Z0-9_.+-]+@[a-zA-Z0-9-]+\.[a-zA-Z0-9-.]+", false),
            (r"\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b", false),
        ],
    ),
];

/// What is looked for in descriptions.
pub static DESCRIPTION: [WordList; 2] = [
    WordList::new(
        "high-risk keyword",
        0.85,
        &[
            ("irreversible", true),
            ("permanent", true),
            ("destructive", true),
            ("dangerous", true),
            ("production", true),
            ("critical", true),
        ],
    ),
    WordList::new("caution keyword", 0.5, &[("careful", true), ("warning", true), ("caution", true)]),
];

#[cfg(test)]
mod tests {
    use super::{ARGUMENTS, DESCRIPTION};

    #[test]
    fn every_pattern_can_be_searched() {
        for list in ARGUMENTS.iter().chain(&DESCRIPTION) {
            assert_eq!(list.patterns().len(), list.sources.len(), "{}", list.label);
        }
    }
}
