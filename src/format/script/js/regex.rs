//! Regular expressions of JavaScript, on texts that are known.
//!
//! What the engine here does not have (what is looked for ahead or behind, what matched before) is not evaluated.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use regex::{Captures, Regex, RegexBuilder};

use crate::format::script::js::MAX_TEXT;

/// Longer expressions are not evaluated, in bytes.
const LONGEST: usize = 512;
/// An expression may take so much memory, in bytes.
const SIZE: usize = 256 * 1024;
/// So many are kept.
const KEPT: usize = 256;
/// A text that falls into more pieces is not taken apart.
const PIECES: usize = 4_096;

const SPACE: &str = r"\t\n\x0b\x0c\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}";

/// Expressions by their source and flags; none where one cannot be evaluated. They are shared: what each has learned of texts
/// stays with it.
type Compiled = HashMap<(Box<str>, Box<str>), Option<Rc<Regex>>>;

thread_local! {
    static COMPILED: RefCell<Compiled> = RefCell::default();
}

/// A regular expression that is written out.
pub struct Written<'t> {
    /// What stands between the slashes.
    pub source: &'t str,
    /// Its flags.
    pub flags: &'t str,
}

/// A match in a text.
pub struct Match {
    /// Where it stands.
    pub place: Range<usize>,
    /// What its groups matched; nothing where one took no part.
    pub groups: Vec<Option<String>>,
}

impl Match {
    fn of(found: &Captures<'_>) -> Option<Self> {
        let place = found.get(0)?.range();
        let groups = found.iter().skip(1).map(|group| group.map(|group| group.as_str().to_owned())).collect();
        Some(Self { place, groups })
    }
}

impl Written<'_> {
    fn is_global(&self) -> bool {
        self.flags.contains('g')
    }

    /// How many matches are looked for: one more than are taken, so that it shows when there are too many.
    fn most(&self) -> usize {
        if self.is_global() { PIECES + 1 } else { 1 }
    }

    /// The expression, where what it matches in a text is the same here: letters of two units are two without the flag `u`.
    fn compiled_for(&self, text: &str) -> Option<Rc<Regex>> {
        let is_same = self.flags.contains('u') || text.is_ascii() || text.chars().all(|letter| letter.len_utf16() == 1);
        if text.len() <= MAX_TEXT && is_same { self.compiled() } else { None }
    }

    fn compiled(&self) -> Option<Rc<Regex>> {
        if LONGEST < self.source.len() {
            return None;
        }
        COMPILED.with_borrow_mut(|known| {
            let key = (Box::from(self.source), Box::from(self.flags));
            if let Some(regex) = known.get(&key) {
                return regex.clone();
            }
            if KEPT <= known.len() {
                known.clear();
            }
            let regex = self.read().map(Rc::new);
            known.insert(key, regex.clone());
            regex
        })
    }

    fn read(&self) -> Option<Regex> {
        let translated = translated(self.source, self.flags.contains('s'))?;
        let mut builder = RegexBuilder::new(&translated);
        for flag in self.flags.chars() {
            match flag {
                'g' | 's' | 'u' | 'd' => &mut builder,
                'i' => builder.case_insensitive(true),
                'm' => builder.multi_line(true),
                _ => return None,
            };
        }
        builder.size_limit(SIZE).build().ok()
    }

    /// A text in which what matches is replaced.
    pub fn replaced(&self, text: &str, with: &str) -> Option<String> {
        let regex = self.compiled_for(text)?;
        let mut all = String::new();
        let mut from = 0;
        for (nth, found) in regex.captures_iter(text).take(self.most()).enumerate() {
            if PIECES <= nth {
                return None;
            }
            let whole = found.get(0)?;
            all.push_str(text.get(from..whole.start())?);
            put(&mut all, with, &found)?;
            from = whole.end();
        }
        all.push_str(text.get(from..)?);
        (all.len() <= MAX_TEXT).then_some(all)
    }

    /// What matches in a text, as a function is handed it that says what takes its place; nothing where names stand for groups.
    pub fn matches(&self, text: &str) -> Option<Vec<Match>> {
        let regex = self.compiled_for(text).filter(|regex| regex.capture_names().all(|name| name.is_none()))?;
        let matches: Vec<Match> = regex.captures_iter(text).take(self.most()).filter_map(|found| Match::of(&found)).collect();
        (matches.len() <= PIECES).then_some(matches)
    }

    /// The pieces of a text between what matches.
    pub fn split<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let regex = self.compiled_for(text).filter(|regex| regex.captures_len() == 1)?;
        // What matches nothing parts every letter from the next, by rules of its own.
        let pieces: Vec<&str> = regex.split(text).take(PIECES).collect();
        (!regex.is_match("") && pieces.len() < PIECES).then_some(pieces)
    }

    /// The first match with its groups; nothing where none matches.
    pub fn first(&self, text: &str) -> Option<Option<Vec<Option<String>>>> {
        let regex = self.compiled_for(text)?;
        let groups = |found: Captures<'_>| found.iter().map(|group| group.map(|group| group.as_str().to_owned())).collect();
        Some(regex.captures(text).map(groups))
    }

    /// All that matches, if all of it is looked for; nothing where none does.
    pub fn matched(&self, text: &str) -> Option<Option<Vec<String>>> {
        let regex = self.compiled_for(text).filter(|_| self.is_global())?;
        let all: Vec<String> = regex.find_iter(text).take(self.most()).map(|found| found.as_str().to_owned()).collect();
        (all.len() <= PIECES).then(|| (!all.is_empty()).then_some(all))
    }
}

/// Puts in what takes the place of a match: `$1`, `$&` and `$$` stand for parts of it.
fn put(all: &mut String, with: &str, found: &Captures<'_>) -> Option<()> {
    let mut characters = with.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '$' {
            all.push(character);
            continue;
        }
        match characters.peek().copied() {
            Some('$') => all.push('$'),
            Some('&') => all.push_str(found.get(0)?.as_str()),
            Some(digit @ '1'..='9') => {
                let at = digit.to_digit(10).and_then(|at| usize::try_from(at).ok())?;
                if found.len() <= at {
                    return None;
                }
                all.push_str(found.get(at).map_or("", |group| group.as_str()));
            }
            _ => return None,
        }
        characters.next();
    }
    Some(())
}

/// The same expression as this engine writes it.
fn translated(source: &str, takes_lines: bool) -> Option<String> {
    let mut all = String::with_capacity(source.len() + 16);
    let mut characters = source.chars().peekable();
    let mut in_class = false;
    while let Some(character) = characters.next() {
        match character {
            '\\' => escaped(&mut all, &mut characters, in_class)?,
            '[' if in_class => all.push_str("\\["),
            '[' => {
                in_class = true;
                all.push('[');
                if characters.peek() == Some(&'^') {
                    characters.next();
                    all.push('^');
                }
                if characters.peek() == Some(&']') {
                    return None;
                }
            }
            ']' if in_class => {
                in_class = false;
                all.push(']');
            }
            '&' | '~' if in_class => all.extend(['\\', character]),
            // Two of them take one set from another here.
            '-' if in_class && characters.peek() == Some(&'-') => return None,
            '.' if !in_class && !takes_lines => all.push_str(r"[^\n\r\x{2028}\x{2029}]"),
            '.' if !in_class => all.push_str("(?s:.)"),
            '(' if !in_class && characters.peek() == Some(&'?') => {
                characters.next();
                match characters.next()? {
                    ':' => all.push_str("(?:"),
                    '<' if characters.peek().is_some_and(|next| next.is_ascii_alphabetic() || *next == '_') => all.push_str("(?P<"),
                    _ => return None,
                }
            }
            character => all.push(character),
        }
    }
    (!in_class).then_some(all)
}

fn escaped(all: &mut String, characters: &mut std::iter::Peekable<std::str::Chars<'_>>, in_class: bool) -> Option<()> {
    let set = |all: &mut String, set: &str, is_other: bool| {
        if in_class && !is_other {
            all.push_str(set);
        } else {
            all.extend([if is_other { "[^" } else { "[" }, set, "]"]);
        }
    };
    match characters.next()? {
        'd' => set(all, "0-9", false),
        'D' => set(all, "0-9", true),
        'w' => set(all, "0-9A-Za-z_", false),
        'W' => set(all, "0-9A-Za-z_", true),
        's' => set(all, SPACE, false),
        'S' => set(all, SPACE, true),
        'b' if in_class => all.push_str("\\x08"),
        'b' => all.push_str("(?-u:\\b)"),
        'B' if !in_class => all.push_str("(?-u:\\B)"),
        plain @ ('n' | 'r' | 't' | 'v' | 'f') => all.extend(['\\', plain]),
        '0' if !characters.peek().is_some_and(char::is_ascii_digit) => all.push_str("\\x00"),
        'x' => {
            let digits: String = characters.by_ref().take(2).filter(char::is_ascii_hexdigit).collect();
            all.push_str(&(digits.len() == 2).then(|| format!("\\x{{{digits}}}"))?);
        }
        'u' if characters.peek() != Some(&'{') => {
            let digits: String = characters.by_ref().take(4).filter(char::is_ascii_hexdigit).collect();
            all.push_str(&(digits.len() == 4).then(|| format!("\\x{{{digits}}}"))?);
        }
        mark if mark.is_ascii_punctuation() => all.push_str(&regex::escape(mark.encode_utf8(&mut [0; 4]))),
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_text_is_replaced_split_and_matched_as_a_browser_does() {
        let of = |source: &'static str, flags: &'static str| Written { source, flags };
        assert_eq!(of(r"\s+", "g").replaced("LT00 00 7", "").as_deref(), Some("LT00007"));
        assert_eq!(of(r"\s+", "").replaced("a b c", "-").as_deref(), Some("a-b c"));
        assert_eq!(of(r"(\w)-(\w)", "").replaced("a-b", "$2$1$$$&").as_deref(), Some("ba$a-b"));
        assert_eq!(of(r"[^a-z\d]", "gi").replaced("A.9_ä", "").as_deref(), Some("A9"));
        assert_eq!(of(r".", "g").replaced("a\nb", "x").as_deref(), Some("x\nx"));
        assert_eq!(of(r"[[&~]", "g").replaced("a[b&c~", "").as_deref(), Some("abc"));
        assert_eq!(of(r"\/|\x2f|\u0041", "g").replaced("/A/", "-").as_deref(), Some("---"));
        assert_eq!(of(r"[,;]", "").split("a,b;c"), Some(vec!["a", "b", "c"]));
        assert_eq!(of(r"\d", "g").matched("a1b2"), Some(Some(vec!["1".to_owned(), "2".to_owned()])));
        assert_eq!(of(r"(a)|(b)", "").first("b"), Some(Some(vec![Some("b".to_owned()), None, Some("b".to_owned())])));
        // A single match is more than a list of texts.
        assert_eq!(of(r"\d", "").matched("a1b2"), None);
        assert_eq!(of(r"x", "g").matched("a"), Some(None));
    }

    #[test]
    fn what_this_engine_does_not_have_is_not_evaluated() {
        // A letter of two units is two of them, unless the expression says otherwise.
        let of = |flags: &'static str| Written { source: ".", flags };
        assert_eq!((of("g").replaced("😀", "x"), of("gu").replaced("😀", "x").as_deref()), (None, Some("x")));
        assert_eq!(
            (of("g").matched("😀"), of("g").matches("😀").map(|all| all.len()), of("g").split("a😀"), of("").first("😀")),
            (None, None, None, None)
        );
        for (source, flags) in [
            ("[+--]", ""),
            ("(?=a)", ""),
            ("(?<!a)b", ""),
            (r"(a)\1", ""),
            ("a", "y"),
            ("[]", ""),
            ("[^]", ""),
            (r"\p{L}", "u"),
            ("a{,", ""),
        ] {
            let written = Written { source, flags };
            assert_eq!(written.replaced("ab", ""), None, "{source}");
        }
        assert_eq!(Written { source: "", flags: "g" }.split("ab"), None);
        assert_eq!(Written { source: "(a)", flags: "" }.split("bab"), None);
        assert_eq!(Written { source: "a", flags: "" }.replaced("a", "$<n>"), None);
    }
}
