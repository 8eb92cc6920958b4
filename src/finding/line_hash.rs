//! The line hash by which GitHub's code scanning recognises an alert.

use std::collections::HashMap;

/// The hashes of all lines of a source.
pub struct LineHashes {
    hashes: HashMap<u32, String>,
}

impl LineHashes {
    /// Hashes the lines of a source.
    pub fn new(_source: &str, _has_bom: bool) -> Self {
        Self { hashes: HashMap::new() }
    }

    /// The hash of a line, from 1.
    pub fn of_line(&self, line: u32) -> Option<String> {
        self.hashes.get(&line).cloned()
    }
}
