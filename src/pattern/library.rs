//! All patterns of a run, behind one automaton of their keywords.

use std::collections::HashMap;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, MatchKind};

use crate::pattern::written::BUILT_IN;
use crate::pattern::{Pattern, file};

/// All patterns of a run.
#[derive(Debug)]
pub struct Library {
    patterns: Vec<Pattern>,
    keywords: AhoCorasick,
    /// For each keyword of the automaton, the patterns that wait for it.
    waiting: Vec<Vec<u32>>,
}

/// Why patterns do not make a library.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum LibraryError {
    /// Two patterns have the same id.
    #[error("two patterns have the id `{0}`")]
    DuplicateId(String),
    /// The keywords do not fit one automaton.
    #[error("the keywords are too many for one automaton")]
    Keywords,
}

impl Library {
    /// The built-in patterns, and those of the user.
    ///
    /// # Errors
    ///
    /// When two patterns have the same id, or all keywords together are too many.
    pub fn new(user: Vec<Pattern>) -> Result<Self, LibraryError> {
        let mut patterns: Vec<Pattern> = BUILT_IN.iter().map(file::built_in).collect();
        patterns.extend(user);
        Self::of(patterns)
    }

    /// A library of exactly these patterns.
    ///
    /// # Errors
    ///
    /// As `new`.
    pub fn of(patterns: Vec<Pattern>) -> Result<Self, LibraryError> {
        let mut ids = HashMap::new();
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut words: Vec<&str> = Vec::new();
        let mut waiting: Vec<Vec<u32>> = Vec::new();
        for (index, pattern) in patterns.iter().enumerate() {
            if ids.insert(pattern.rule.id.as_ref(), index).is_some() {
                return Err(LibraryError::DuplicateId(pattern.rule.id.to_string()));
            }
            for keyword in &pattern.keywords {
                let number = *numbers.entry(keyword).or_insert_with(|| {
                    words.push(keyword);
                    waiting.push(Vec::new());
                    words.len() - 1
                });
                if let (Some(waiting), Ok(index)) = (waiting.get_mut(number), u32::try_from(index)) {
                    waiting.push(index);
                }
            }
        }
        let keywords = AhoCorasickBuilder::new()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(&words)
            .map_err(|_| LibraryError::Keywords)?;
        Ok(Self { patterns, keywords, waiting })
    }

    /// All patterns, the built-in ones first.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// Calls `seen` with each pattern whose keyword ends in the text, and the keyword's first byte.
    pub fn keywords_in(&self, text: &str, mut seen: impl FnMut(u32, usize)) {
        for found in self.keywords.find_overlapping_iter(text) {
            for &pattern in self.waiting.get(found.pattern().as_usize()).into_iter().flatten() {
                seen(pattern, found.start());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::examples::broken;

    #[test]
    fn every_built_in_pattern_holds_its_examples() {
        let library = Library::new(Vec::new()).expect("the built-in patterns make a library");
        let broken: Vec<_> = library.patterns().iter().flat_map(broken).collect();
        assert!(broken.is_empty(), "{broken:#?}");
        for pattern in library.patterns() {
            assert!(pattern.regex().is_some(), "{} does not compile", pattern.rule.id);
            assert!(!pattern.examples.hit.is_empty() && 2 <= pattern.examples.miss.len(), "{} needs examples", pattern.rule.id);
        }
    }

    #[test]
    fn ids_are_unique() {
        let twice = BUILT_IN.iter().chain(BUILT_IN.first()).map(file::built_in).collect();
        assert!(matches!(Library::of(twice), Err(LibraryError::DuplicateId(_))));
    }
}
