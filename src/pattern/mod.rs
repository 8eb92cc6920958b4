//! Patterns: rules that are data. A pattern finds a regular expression in the texts of a subject.

pub mod examples;
pub mod file;
pub mod library;
pub mod search;
pub mod validator;
pub mod views;
pub mod written;

use std::sync::{Arc, OnceLock};

use regex::{Regex, RegexBuilder};

use crate::pattern::validator::Validator;
use crate::rule::Rule;
use crate::subject::segment::Role;
use crate::subject::{Kind, Lifecycle};

/// Largest program that one pattern's regex may compile to, in bytes.
const REGEX_SIZE: usize = 4 * 1024 * 1024;

/// A pattern, ready to search. Its regex is only built when one of its keywords was seen.
#[derive(Debug)]
pub struct Pattern {
    /// Id, severity, action, why and help.
    pub rule: Arc<Rule>,
    /// When in an agent's life it applies; always, if empty.
    pub applies_to: Vec<Lifecycle>,
    /// Which subjects it applies to; all, if empty.
    pub kinds: Vec<Kind>,
    /// Which texts it searches.
    pub roles: Vec<Role>,
    /// One of these must stand in a text before the regex is tried; lower case.
    pub keywords: Vec<String>,
    /// The regex as written.
    pub find: String,
    /// What else must hold of what the regex finds.
    pub validator: Option<Validator>,
    /// Texts that it must and must not find.
    pub examples: Examples,
    regex: OnceLock<Option<Regex>>,
}

/// Texts that prove a pattern; `{{class:n}}` in them stands for n characters (see `examples`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples {
    /// It must find something in each of these.
    pub hit: Vec<String>,
    /// It must find nothing in any of these.
    pub miss: Vec<String>,
}

impl Pattern {
    /// The regex; none if it does not compile, which loading a library rules out.
    pub fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| compile(&self.find).ok()).as_ref()
    }

    /// Returns true if and only if the pattern applies to such subjects.
    pub fn applies(&self, kind: Kind, lifecycle: Lifecycle) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&kind)) && (self.applies_to.is_empty() || self.applies_to.contains(&lifecycle))
    }

    /// Returns the stretches of a text that the pattern finds, at most `limit`.
    pub fn find_in(&self, text: &str, limit: usize) -> Vec<(usize, usize)> {
        let Some(regex) = self.regex() else { return Vec::new() };
        let Some(validator) = self.validator else {
            return regex.find_iter(text).map(|found| (found.start(), found.end())).take(limit).collect();
        };
        let holds = |captures: &regex::Captures<'_>| {
            let judged = captures.get(1).or_else(|| captures.get(0)).map_or("", |found| found.as_str());
            validator.holds(judged)
        };
        regex
            .captures_iter(text)
            .filter(holds)
            .filter_map(|captures| captures.get(1).or_else(|| captures.get(0)).map(|found| (found.start(), found.end())))
            .take(limit)
            .collect()
    }
}

/// Compiles a regex with bounds on its size.
///
/// # Errors
///
/// When it is not a regex, or compiles to too large a program.
pub fn compile(find: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(find).size_limit(REGEX_SIZE).dfa_size_limit(REGEX_SIZE).build()
}
