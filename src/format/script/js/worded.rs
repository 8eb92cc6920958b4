//! Patterns that find words: what packers put a script together with, `\b3\b` and `\w+`.

use std::ops::Range;

/// What a pattern finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worded {
    found: Found,
    /// It begins, and ends, where a word does.
    is_bound: (bool, bool),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Found {
    /// Where a text begins.
    Start,
    /// This word.
    Word(String),
    /// Characters of words, as many as there are; `true`, if only one.
    Any(bool),
    /// Digits, in the same way.
    Digits(bool),
}

impl Worded {
    /// Reads a pattern; nothing, where it finds something else.
    pub fn read(pattern: &str) -> Option<Self> {
        let (inner, starts) = pattern.strip_prefix("\\b").map_or((pattern, false), |inner| (inner, true));
        let (inner, ends) = inner.strip_suffix("\\b").map_or((inner, false), |inner| (inner, true));
        let found = match inner {
            "^" if !starts && !ends => Found::Start,
            "\\w+" => Found::Any(false),
            "\\w" => Found::Any(true),
            "\\d+" => Found::Digits(false),
            "\\d" => Found::Digits(true),
            word if !word.is_empty() && word.chars().all(is_word) => Found::Word(word.to_owned()),
            _ => return None,
        };
        Some(Self { found, is_bound: (starts, ends) })
    }

    /// The places of a text that it finds, from the first on; only the first, unless all are asked for.
    pub fn places(&self, text: &str, all: bool) -> Vec<Range<usize>> {
        if self.found == Found::Start {
            return std::iter::once(0..0).collect();
        }
        let mut places = Vec::new();
        let mut at = 0;
        while let Some(found) = self.next(text, at) {
            at = found.end;
            places.push(found);
            if !all {
                break;
            }
        }
        places
    }

    fn next(&self, text: &str, from: usize) -> Option<Range<usize>> {
        let rest = text.get(from..)?;
        rest.char_indices().find_map(|(at, _)| {
            let start = from + at;
            let length = self.length(text.get(start..)?)?;
            let range = start..start + length;
            let fits = (!self.is_bound.0 || is_edge(text, range.start)) && (!self.is_bound.1 || is_edge(text, range.end));
            fits.then_some(range)
        })
    }

    /// How long what is found at the beginning of a text is.
    fn length(&self, text: &str) -> Option<usize> {
        let run = |is_it: fn(char) -> bool, is_one: bool| {
            let length = text.find(|character| !is_it(character)).unwrap_or(text.len());
            (0 < length).then_some(if is_one { 1 } else { length })
        };
        match &self.found {
            Found::Start => None,
            Found::Word(word) => text.starts_with(word.as_str()).then_some(word.len()),
            Found::Any(is_one) => run(is_word, *is_one),
            Found::Digits(is_one) => run(|character| character.is_ascii_digit(), *is_one),
        }
    }
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

fn is_edge(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back()).is_some_and(is_word);
    let after = text.get(at..).and_then(|after| after.chars().next()).is_some_and(is_word);
    before != after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_where_the_runtime_finds_them() {
        for (pattern, text, expected) in [
            ("\\b1\\b", "1(11, a1, 1)", vec![0..1, 10..11]),
            ("\\b\\w+\\b", "0('1')", vec![0..1, 3..4]),
            ("\\d", "a12", vec![1..2, 2..3]),
            ("\\b\\d\\b", "a1 2 3", vec![3..4, 5..6]),
            ("ab", "cabab", vec![1..3, 3..5]),
        ] {
            assert_eq!(Worded::read(pattern).map(|worded| worded.places(text, true)), Some(expected), "{pattern}");
        }
        assert_eq!(Worded::read("a|b"), None);
        assert_eq!(Worded::read("\\b\\b"), None);
        assert_eq!(Worded::read("^").map(|worded| worded.places("ab", true).len()), Some(1));
        let first = Worded::read("\\d").map(|worded| worded.places("a12", false));
        assert_eq!(first.map(|places| (places.len(), places.first().cloned())), Some((1, Some(1..2))));
    }
}
