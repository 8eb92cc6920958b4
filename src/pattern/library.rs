//! All patterns of a run, behind one automaton of their keywords.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, MatchKind};

use crate::pattern::written::BUILT_IN;
use crate::pattern::{Pattern, file};
use crate::subject::segment::Role;

/// The automata only know the first bytes of each keyword, which makes them quick to build; the rest of a
/// keyword is compared where its start was seen.
const PREFIX: usize = 4;
/// After so many bytes a run is a long one, and an automaton that is slower to build and faster to run pays.
const LONG_RUN: usize = 1024 * 1024;

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
    quick: Automaton,
    thorough: OnceLock<Option<Automaton>>,
    searched: AtomicUsize,
}

/// An automaton of keywords.
#[derive(Debug)]
struct Automaton {
    starts: AhoCorasick,
    /// For each start that the automaton knows, the keywords that begin with it.
    keywords: Vec<Vec<Keyword>>,
}

#[derive(Debug)]
struct Keyword {
    text: Box<str>,
    /// The patterns that wait for it.
    patterns: Vec<u32>,
}

impl Automaton {
    /// An automaton of the keywords of all patterns.
    fn build(patterns: &[Pattern], kind: AhoCorasickKind) -> Option<Self> {
        let mut numbers: HashMap<&[u8], usize> = HashMap::new();
        let mut keywords: Vec<Vec<Keyword>> = Vec::new();
        let mut starts: Vec<&[u8]> = Vec::new();
        for (index, pattern) in (0_u32..).zip(patterns) {
            for keyword in pattern.keywords.iter() {
                let start = keyword.as_bytes().get(..PREFIX).unwrap_or(keyword.as_bytes());
                let number = *numbers.entry(start).or_insert_with(|| {
                    starts.push(start);
                    keywords.push(Vec::new());
                    starts.len() - 1
                });
                let known = keywords.get_mut(number)?;
                match known.iter_mut().find(|known| known.text.as_ref() == keyword) {
                    Some(known) => known.patterns.push(index),
                    None => known.push(Keyword { text: keyword.into(), patterns: vec![index] }),
                }
            }
        }
        let mut builder = AhoCorasickBuilder::new();
        builder.ascii_case_insensitive(true).match_kind(MatchKind::Standard).kind(Some(kind));
        Some(Self { starts: builder.build(&starts).ok()?, keywords })
    }

    fn search(&self, bytes: &[u8], seen: &mut impl FnMut(u32, usize)) {
        for found in self.starts.find_overlapping_iter(bytes) {
            for keyword in self.keywords.get(found.pattern().as_usize()).into_iter().flatten() {
                let stands = bytes.get(found.start()..found.start() + keyword.text.len());
                if stands.is_some_and(|stands| stands.eq_ignore_ascii_case(keyword.text.as_bytes())) {
                    keyword.patterns.iter().for_each(|pattern| seen(*pattern, found.start()));
                }
            }
        }
    }
}

/// Why patterns do not make a library.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum LibraryError {
    /// Two rules have the same id.
    #[error("two rules have the id `{0}`")]
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
        if let Some(twice) = patterns.iter().find(|pattern| !ids.insert(pattern.rule.id.as_ref())) {
            return Err(LibraryError::DuplicateId(twice.rule.id.to_string()));
        }
        let searches = patterns.iter().map(|pattern| SEARCHED.map(|role| pattern.searches(role))).collect();
        let unkeyed = (0_u32..).zip(&patterns).filter(|(_, pattern)| pattern.keywords.is_empty()).map(|(index, _)| index).collect();
        let quick = Automaton::build(&patterns, AhoCorasickKind::ContiguousNFA).ok_or(LibraryError::Keywords)?;
        Ok(Self { patterns, searches, unkeyed, quick, thorough: OnceLock::new(), searched: AtomicUsize::new(0) })
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
            let grades = pattern
                .by_kind
                .iter()
                .flat_map(|grade| grade.kinds.iter().map(|kind| kind.name()).chain([grade.severity.name(), grade.action.name()]));
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
        let searched = self.searched.fetch_add(text.len(), Ordering::Relaxed);
        let thorough = (LONG_RUN < searched)
            .then(|| self.thorough.get_or_init(|| Automaton::build(&self.patterns, AhoCorasickKind::DFA)).as_ref())
            .flatten();
        thorough.unwrap_or(&self.quick).search(text.as_bytes(), &mut seen);
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
    fn both_automata_see_the_same_keywords() {
        let library = Library::new(Vec::new()).expect("the built-in patterns make a library");
        let thorough = Automaton::build(library.patterns(), AhoCorasickKind::DFA).expect("it can be built");
        let text = "CURL https://x | sh; process.env.PASSWORD; rm -rf ~; drop table x; webhook.site \u{202e}";
        let keywords = |automaton: &Automaton| {
            let mut seen = Vec::new();
            automaton.search(text.as_bytes(), &mut |pattern, at| seen.push((pattern, at)));
            seen.sort_unstable();
            seen
        };
        assert_eq!(keywords(&library.quick), keywords(&thorough));
        assert!(10 < keywords(&thorough).len());
    }

    #[test]
    fn ids_are_unique() {
        let twice = BUILT_IN.iter().chain(BUILT_IN.first()).map(file::built_in).collect();
        assert!(matches!(Library::of(twice), Err(LibraryError::DuplicateId(_))));
    }
}
