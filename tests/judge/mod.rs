//! Judges a text as a scan does.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must be there by expecting it")]

pub mod scanner;

use callgate::finding::{Entry, Finding};
use callgate::model::registry::ModelSettings;
use callgate::value::source::{Source, SourceName};

/// What a model says of a JavaScript text.
pub fn judge(model: &str, settings: &ModelSettings, text: &str) -> Finding {
    let scanner = scanner::scanner(model, settings);
    let source = Source { name: SourceName::explicit("test.js"), text: text.to_owned(), has_bom: false };
    let mut entries = scanner.scan_source(&source).expect("a worker can be started");
    match entries.remove(0) {
        Entry::Finding(finding) => *finding,
        entry @ (Entry::Problem(_) | Entry::PassedOver(_)) => panic!("{entry:?}"),
    }
}
