//! Judges a text as a scan does.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must be there by expecting it")]

use callgate::finding::place::Wanted;
use callgate::finding::{Entry, Finding};
use callgate::format::{Language, ReadOptions};
use callgate::model::registry::{Builder, ModelSettings};
use callgate::pattern::library::Library;
use callgate::policy::Policy;
use callgate::scan::{Scanner, Session};
use callgate::value::source::{Source, SourceName};

/// What a model says of a JavaScript text.
pub fn judge(model: &str, settings: &ModelSettings, text: &str) -> Finding {
    let scanner = Scanner {
        read: ReadOptions { literal_view: true, ..ReadOptions::default() },
        language: Some(Language::JavaScript),
        library: Library::new(Vec::new()).expect("the built-in patterns make a library"),
        models: vec![Builder::new(settings).build(model).expect("the settings make the model")],
        house: callgate::catalogue::House::default(),
        policy: Policy::default(),
        wanted: Wanted::default(),
        analyzers: callgate::analyzer::Analyzers::default(),
        session: Session::default(),
        jobs: Some(1),
    };
    let source = Source { name: SourceName::explicit("test.js"), text: text.to_owned(), has_bom: false };
    let mut entries = scanner.scan_source(&source).expect("a worker can be started");
    match entries.remove(0) {
        Entry::Finding(finding) => *finding,
        entry @ (Entry::Problem(_) | Entry::PassedOver(_)) => panic!("{entry:?}"),
    }
}
