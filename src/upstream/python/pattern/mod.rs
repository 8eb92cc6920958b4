//! Patterns of Python's `re`, searched as `re.search` does, in time linear in the text.
//!
//! No foreign regex crate is used here: what counts as a word, a digit, a space or the same letter
//! differs between Python and every one of them, and answers that must match software written in
//! Python hang on it. What needs backtracking (lookaround, back references) is refused.

mod fault;
mod matcher;
mod parser;
mod program;
mod search;

pub use crate::upstream::python::pattern::fault::PatternError;
use crate::upstream::python::pattern::program::Program;

/// A pattern that can be searched.
#[derive(Clone, Debug)]
pub struct Pattern {
    source: String,
    program: Program,
}

impl Pattern {
    /// Reads a pattern; `ignore_case` is `re.IGNORECASE`.
    ///
    /// # Errors
    ///
    /// When it is not a pattern of Python's `re`, needs backtracking, nests too deeply or is too long.
    pub fn new(source: &str, ignore_case: bool) -> Result<Self, PatternError> {
        let node = parser::parse(source, ignore_case)?;
        Ok(Self { source: source.to_owned(), program: Program::of(&node)? })
    }

    /// A pattern that finds a word or phrase as it stands, between ends of words, in any case.
    ///
    /// # Errors
    ///
    /// When it is too long.
    pub fn whole_word(term: &str) -> Result<Self, PatternError> {
        Self::new(&format!("\\b{}\\b", escaped(term)), true)
    }

    /// The pattern as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The first text that it matches: what `re.search(text).group()` gives.
    pub fn find<'t>(&self, text: &'t str) -> Option<&'t str> {
        let (start, end) = search::first(&self.program, text)?;
        text.get(start..end)
    }

    /// Returns true if and only if it matches anywhere in the text.
    pub fn is_match(&self, text: &str) -> bool {
        self.find(text).is_some()
    }
}

/// What `re.escape` gives: a pattern that matches the text itself.
pub fn escaped(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for character in text.chars() {
        if "()[]{}?*+-|^$\\.&~# \t\n\r\u{b}\u{c}".contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::{Pattern, escaped};

    fn found<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
        Pattern::new(pattern, true).unwrap().find(text)
    }

    #[test]
    fn the_first_way_to_match_at_the_first_place_is_found() {
        for (pattern, text, expected) in [
            ("prod(uction)?", "a Production", Some("Production")),
            ("a|ab", "xab", Some("a")),
            ("a*?b", "aaab", Some("aaab")),
            ("(?:ab)+?", "abab", Some("ab")),
            ("x{2,3}", "xxxx", Some("xxx")),
            ("x{2,3}?", "xxxx", Some("xx")),
            ("x{,2}y", "xxxy", Some("xxy")),
            ("x{y", "x{y", Some("x{y")),
            (r"\bkey\b", "api_key api-KEY", Some("KEY")),
            (r"\bkey\b", "key²", None),
            (r"\bkey\b", "key\u{301}", Some("key")),
            ("secret", "\u{17f}ecret", Some("\u{17f}ecret")),
            ("critical", "cr\u{131}tical", Some("cr\u{131}tical")),
            (r"rm\s+-rf\b", "rm\u{1c}-rf", Some("rm\u{1c}-rf")),
            (r"\d+\.\d", "٣.٤", Some("٣.٤")),
            ("[0-9]", "٣", None),
            ("[^a-c]", "aBd", Some("d")),
            ("[]a]+", "b]a", Some("]a")),
            ("[a-zA-Z0-9-.]+", "_a-b.c_", Some("a-b.c")),
            ("a.c", "a\nc a\rc", Some("a\rc")),
            ("^b", "ab", None),
            ("b$", "ab\n", Some("b")),
            (r"b\Z", "ab\n", None),
            (r"\bairflow\b.*\bclear\b", "airflow x clear clear", Some("airflow x clear clear")),
            (r"[\w-]+", "é-²!", Some("é-²")),
            ("(a*)*b", "aab", Some("aab")),
            ("", "a", Some("")),
            ("[k-m]", "\u{212a}", Some("\u{212a}")),
        ] {
            assert_eq!(found(pattern, text), expected, "{pattern} in {text:?}");
        }
    }

    #[test]
    fn what_needs_backtracking_or_is_no_pattern_is_refused() {
        for (pattern, at) in [
            ("(?=a)", 0),
            ("(?<!a)b", 0),
            (r"(a)\1", 3),
            ("a)", 1),
            ("(a", 2),
            ("a**", 2),
            ("*a", 0),
            ("[a", 2),
            ("[b-a]", 1),
            (r"\q", 0),
            ("a++", 2),
            ("(a{1000}){1000}", 0),
            ("(){1001}", 0),
        ] {
            assert_eq!(Pattern::new(pattern, true).unwrap_err().at, at, "{pattern}");
        }
        assert!(Pattern::new(&"(".repeat(10_000), true).is_err());
    }

    #[test]
    fn phrases_match_as_they_stand() {
        assert_eq!(escaped("personal data."), "personal\\ data\\.");
        let pattern = Pattern::whole_word("personal data").unwrap();
        assert!(pattern.is_match("some Personal data") && !pattern.is_match("personal_data"));
    }

    #[test]
    fn hard_patterns_take_linear_time() {
        let pattern = Pattern::new("(a|a)*(a|a)*(a|a)*b", false).unwrap();
        assert!(!pattern.is_match(&"a".repeat(20_000)));
    }
}
