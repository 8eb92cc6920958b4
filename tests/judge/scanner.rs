//! What judges texts in tests: everything that is built in, and one model.

#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use callgate::format::Language;
use callgate::model::registry::{Builder, ModelSettings};
use callgate::scan::Scanner;

/// A scanner of one model that takes every text for JavaScript.
pub fn scanner(model: &str, settings: &ModelSettings) -> Scanner {
    let model = Builder::new(settings).build(model).expect("the settings make the model");
    let built_in = Scanner::built_in(vec![model]).expect("the built-in patterns make a library");
    Scanner { language: Some(Language::JavaScript), ..built_in }
}
