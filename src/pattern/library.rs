//! All patterns of a run, behind one automaton of their keywords.

use std::collections::{HashMap, HashSet};

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, MatchKind};

use crate::pattern::written::BUILT_IN;
use crate::pattern::{Pattern, file};

/// The automaton only knows the first bytes of each keyword, which makes it small and quick to build;
/// the rest of a keyword is compared where its start was seen.
const PREFIX: usize = 4;

/// All patterns of a run.
#[derive(Debug)]
pub struct Library {
    patterns: Vec<Pattern>,
    prefixes: AhoCorasick,
    /// For each prefix of the automaton, the keywords that start with it.
    keywords: Vec<Vec<Keyword>>,
}

#[derive(Debug)]
struct Keyword {
    text: Box<str>,
    /// The patterns that wait for it.
    patterns: Vec<u32>,
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
        let mut ids = HashSet::new();
        let mut numbers: HashMap<&[u8], usize> = HashMap::new();
        let mut keywords: Vec<Vec<Keyword>> = Vec::new();
        let mut prefixes: Vec<&[u8]> = Vec::new();
        for (index, pattern) in (0_u32..).zip(&patterns) {
            if !ids.insert(pattern.rule.id.as_ref()) {
                return Err(LibraryError::DuplicateId(pattern.rule.id.to_string()));
            }
            for keyword in pattern.keywords.iter() {
                let prefix = keyword.as_bytes().get(..PREFIX).unwrap_or(keyword.as_bytes());
                let number = *numbers.entry(prefix).or_insert_with(|| {
                    prefixes.push(prefix);
                    keywords.push(Vec::new());
                    prefixes.len() - 1
                });
                let Some(known) = keywords.get_mut(number) else { continue };
                match known.iter_mut().find(|known| known.text.as_ref() == keyword) {
                    Some(known) => known.patterns.push(index),
                    None => known.push(Keyword { text: keyword.into(), patterns: vec![index] }),
                }
            }
        }
        let prefixes = AhoCorasickBuilder::new()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(&prefixes)
            .map_err(|_| LibraryError::Keywords)?;
        Ok(Self { patterns, prefixes, keywords })
    }

    /// All patterns, the built-in ones first.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// Version of the library: changes whenever the id, severity, action or regex of a pattern does.
    pub fn version(&self) -> String {
        // FNV-1a with 64 bits: the version tells libraries apart, it does not guard them.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for pattern in &self.patterns {
            for part in [pattern.rule.id.as_ref(), pattern.rule.severity.name(), pattern.rule.action.name(), &pattern.find, "\0"] {
                hash = part.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            }
        }
        format!("{hash:016x}")
    }

    /// Calls `seen` with each pattern whose keyword stands in the text, and the keyword's first byte.
    pub fn keywords_in(&self, text: &str, mut seen: impl FnMut(u32, usize)) {
        let bytes = text.as_bytes();
        for found in self.prefixes.find_overlapping_iter(bytes) {
            for keyword in self.keywords.get(found.pattern().as_usize()).into_iter().flatten() {
                let stands = bytes.get(found.start()..found.start() + keyword.text.len());
                if stands.is_some_and(|stands| stands.eq_ignore_ascii_case(keyword.text.as_bytes())) {
                    keyword.patterns.iter().for_each(|pattern| seen(*pattern, found.start()));
                }
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
