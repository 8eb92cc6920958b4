//! What judges texts in tests: everything that is built in, and one model.

#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use callgate::finding::place::Wanted;
use callgate::format::{Language, ReadOptions};
use callgate::model::registry::{Builder, ModelSettings};
use callgate::pattern::library::Library;
use callgate::policy::Policy;
use callgate::scan::{Scanner, Session};

/// A scanner of one model that takes every text for JavaScript.
pub fn scanner(model: &str, settings: &ModelSettings) -> Scanner {
    Scanner {
        read: ReadOptions { literal_view: true, ..ReadOptions::default() },
        language: Some(Language::JavaScript),
        library: Library::new(Vec::new()).expect("the built-in patterns make a library"),
        models: vec![Builder::new(settings).build(model).expect("the settings make the model")],
        house: callgate::knowledge::House::default(),
        policy: Policy::default(),
        wanted: Wanted::default(),
        analyzers: callgate::analyzer::Analyzers::default(),
        session: Session::default(),
        jobs: Some(1),
    }
}
