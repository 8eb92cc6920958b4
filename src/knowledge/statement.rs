//! What statements and requests do: the rows of `knowledge/statements.yaml`.

use std::cell::Cell;

use crate::knowledge::effect::{EffectKind, Extent};
pub use crate::knowledge::row::statement::Language;
use crate::value::severity::Severity;

/// What is known of statements.
pub struct Statements {
    /// What statements do.
    pub rows: &'static [StatementRow],
    /// Whose tools run statements of which language.
    pub speakers: &'static [Speaker],
    /// Words in the names of what is made anew when it is needed.
    pub spare: &'static [&'static str],
}

/// What is known of statements; a row is the same wherever it is asked for.
pub static STATEMENTS: &Statements = &include!(concat!(env!("OUT_DIR"), "/statements.rs"));

/// What a statement does, if it looks like this.
#[derive(Debug)]
pub struct StatementRow {
    /// Language, verb and what it says: by it the row is named.
    pub name: &'static str,
    /// The language of the statement.
    pub language: Language,
    /// It begins with one of these, or its field is named so; none for all.
    pub verb: &'static [&'static str],
    /// It is done to a thing of one of these kinds; none for all.
    pub object: &'static [&'static str],
    /// All of these hold.
    pub when: &'static [Tests],
    /// None of what is asked here holds.
    pub unless: Tests,
    /// What is done.
    pub kind: EffectKind,
    /// What it is done to.
    pub to: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What happens, for people: follows "it"; `{name}`, `{object}` and `{verb}` stand for those of the statement.
    pub says: &'static str,
    /// Statements that do it.
    pub hit: &'static [&'static str],
    /// Statements that look like it and do not do it.
    pub miss: &'static [&'static str],
    /// Where the facts are from.
    pub source: &'static str,
}

/// The closed list of predicates; an empty one is not asked.
#[derive(Debug)]
pub struct Tests {
    /// It has one of these phrases: words that follow one another.
    pub has: &'static [&'static [&'static str]],
    /// It calls one of these functions.
    pub call: &'static [&'static str],
    /// It sets something so: `name=value` fits one of these wildcards.
    pub set: &'static [&'static str],
    /// One of its strings fits one of these wildcards.
    pub text: &'static [&'static str],
    /// The name of what it is done to fits one of these wildcards; of an address, its last parts do, `*` for one part.
    pub name: &'static [&'static str],
    /// The host of a request fits one of these wildcards, or the service whose tool makes it is one of them.
    pub host: &'static [&'static str],
    /// It is done to so much.
    pub extent: &'static [Extent],
    /// It is done to what is made anew when it is needed.
    pub is_spare: bool,
}

impl Tests {
    /// Returns true if and only if nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.has.is_empty()
            && self.call.is_empty()
            && self.set.is_empty()
            && self.text.is_empty()
            && self.name.is_empty()
            && self.host.is_empty()
            && self.extent.is_empty()
            && !self.is_spare
    }
}

thread_local! {
    static OWN: Cell<&'static [StatementRow]> = const { Cell::new(&[]) };
}

/// Lets these rows of the user's own count on this thread, and returns those that did.
pub fn replace_own(own: &'static [StatementRow]) -> &'static [StatementRow] {
    OWN.replace(own)
}

/// The rows of the user's own that count on this thread.
pub fn own_rows() -> &'static [StatementRow] {
    OWN.get()
}

/// All rows that are built in.
pub fn rows() -> &'static [StatementRow] {
    STATEMENTS.rows
}

/// Returns true if and only if rows speak of the requests of a host or service of this name.
pub fn is_host(name: &str) -> bool {
    rows().iter().chain(own_rows()).flat_map(|row| row.when).any(|tests| tests.host.contains(&name))
}

/// Whose tools run statements of a language.
#[derive(Debug)]
pub struct Speaker {
    /// The language.
    pub language: Language,
    /// Words of the names of the tools.
    pub tools: &'static [&'static str],
}

/// The languages whose statements a tool runs that has these words in its name.
pub fn languages_of<'w>(words: impl Iterator<Item = &'w str>) -> Vec<Language> {
    let mut found: Vec<Language> = words
        .flat_map(|word| STATEMENTS.speakers.iter().filter(move |speaker| speaker.tools.contains(&word)))
        .map(|speaker| speaker.language)
        .collect();
    found.dedup();
    found
}

/// Returns true if and only if one of the words tells that a thing is made anew when it is needed.
pub fn is_spare_word(word: &str) -> bool {
    STATEMENTS.spare.contains(&word)
}
