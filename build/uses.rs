//! What texts are used for: the sections `handlings` and `uses` of `knowledge/`.

use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use crate::knowledge::row::term::{Handling, SeverityOrNone, Use};
use crate::variant::{fault, some, variants};

/// What functions do with a text that they are given.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handled {
    does: Handling,
    #[serde(default)]
    calls: Vec<String>,
    #[serde(default)]
    methods: Vec<String>,
    #[serde(default)]
    first_words: Vec<String>,
    #[serde(default)]
    from: Vec<String>,
    #[serde(default)]
    hands_on: bool,
    #[serde(default)]
    of_any: bool,
    hit: String,
    miss: String,
    source: String,
}

/// How bad a hit is in a text that is used so.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Used {
    used: Vec<Use>,
    of: Vec<String>,
    severity: SeverityOrNone,
}

/// The rows of all files.
#[derive(Default)]
pub struct Rows {
    pub handlings: Vec<Handled>,
    pub uses: Vec<Used>,
}

impl Rows {
    /// Adds what a file holds.
    pub fn extend(&mut self, rows: Self) {
        self.handlings.extend(rows.handlings);
        self.uses.extend(rows.uses);
    }

    /// Writes the tables.
    pub fn write(&self, out: &Path) -> io::Result<()> {
        let handlings: Vec<String> = self.handlings.iter().map(handling).collect::<io::Result<_>>()?;
        let uses: Vec<String> = self.uses.iter().map(usage).collect();
        fs::write(out.join("handlings.rs"), format!("&[\n    {}]\n", handlings.join(",\n    ")))?;
        fs::write(out.join("uses.rs"), format!("&[\n    {}]\n", uses.join(",\n    ")))
    }
}

fn handling(row: &Handled) -> io::Result<String> {
    let Handled { does, calls, methods, first_words, from, hands_on, of_any, hit, miss, source } = row;
    if source.is_empty() || [calls, methods, first_words, from].iter().all(|names| names.is_empty()) {
        return Err(fault(format!("what {does:?} needs names and a source")));
    }
    Ok(format!(
        "HandlingRow {{ does: Handling::{does:?}, calls: &{calls:?}, methods: &{methods:?}, first_words: &{first_words:?}, from: &{from:?}, hands_on: {hands_on}, of_any: {of_any}, hit: {hit:?}, miss: {miss:?} }}"
    ))
}

fn usage(row: &Used) -> String {
    let Used { used, of, severity } = row;
    let severity = some("Severity", Some(severity).filter(|severity| **severity != SeverityOrNone::None));
    format!("UseRow {{ used: {}, categories: &{of:?}, severity: {severity} }}", variants("Use", used))
}
