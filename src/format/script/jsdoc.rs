//! What a JSDoc comment says of what it stands before: a description, and hints about its risk.
//!
//! | tag | meaning |
//! |---|---|
//! | `@destructive`, `@irreversible`, `@openWorld` | a hint of that name holds |
//! | `@hint NAME` | the hint holds |
//! | `@hint NAME true`, `false` or a number | the hint has this value |
//! | `@description`, `@summary`, `@remarks`, `@warning`, `@caution` | belongs to the description |
//! | `@readonly` and all others | nothing: whoever writes a script may say that it is harmless |

use crate::subject::call::Hint;

/// A longer description is cut off, in bytes: every call in it carries a copy.
const LONGEST: usize = 2_000;
/// More hints in one comment are passed over.
const MOST_HINTS: usize = 32;

/// What a comment says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Documentation {
    /// What it describes, in one line; empty if nothing.
    pub doc: String,
    /// What it says of the risk, by name.
    pub hints: Vec<(String, Hint)>,
}

/// Reads a comment without its `/*` and `*/`.
pub(super) fn read(content: &str) -> Documentation {
    let mut documentation = Documentation::default();
    let mut is_told = true;
    for line in content.lines().map(|line| line.trim().trim_start_matches('*').trim()) {
        let text = match line.strip_prefix('@') {
            None => line,
            Some(tag) => {
                let (name, text) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
                is_told = documentation.take_tag(name, text.trim());
                if is_hint_itself(name) { "" } else { text }
            }
        };
        if is_told {
            documentation.add(text);
        }
    }
    documentation
}

fn is_hint_itself(tag: &str) -> bool {
    tag == "hint"
}

impl Documentation {
    /// Takes a tag, and tells whether its text belongs to the description.
    fn take_tag(&mut self, name: &str, text: &str) -> bool {
        match name.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
            "destructive" | "destructivehint" => self.hint("destructive", Hint::Flag(true)),
            "irreversible" => self.hint("irreversible", Hint::Flag(true)),
            "openworld" | "openworldhint" => self.hint("open_world", Hint::Flag(true)),
            "hint" => {
                let mut parts = text.split_whitespace();
                if let Some(name) = parts.next() {
                    self.hint(name, value(parts.next()));
                }
            }
            "warning" | "caution" => self.add(&format!("{name}:")),
            "description" | "desc" | "summary" | "remarks" => {}
            _ => return false,
        }
        true
    }

    fn hint(&mut self, name: &str, hint: Hint) {
        if self.hints.len() < MOST_HINTS && !self.hints.iter().any(|(known, _)| known == name) {
            self.hints.push((name.to_owned(), hint));
        }
    }

    fn add(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() || LONGEST <= self.doc.len() {
            return;
        }
        if !self.doc.is_empty() {
            self.doc.push(' ');
        }
        self.doc.push_str(text);
        if LONGEST < self.doc.len() {
            let end = (0..=LONGEST).rev().find(|at| self.doc.is_char_boundary(*at)).unwrap_or_default();
            self.doc.truncate(end);
        }
    }
}

/// What is no value of a hint is text, and the hint holds.
fn value(text: Option<&str>) -> Hint {
    match text {
        Some("false") => Hint::Flag(false),
        Some(text) => text.replace('_', "").parse().ok().filter(|number: &f64| number.is_finite()).map_or(Hint::Flag(true), Hint::Number),
        None => Hint::Flag(true),
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, read};
    use crate::subject::call::Hint;

    #[test]
    fn descriptions_and_hints_are_told_apart() {
        let flag = |name: &str| (name.to_owned(), Hint::Flag(true));
        for (content, doc, hints) in [
            ("* Permanently remove a user account. ", "Permanently remove a user account.", vec![]),
            ("*\n * Removes.\n * Twice.\n * @param {string} id the dangerous id\n *   more of it\n ", "Removes. Twice.", vec![]),
            ("* @destructive Removes all", "Removes all", vec![flag("destructive")]),
            ("*\n * @openWorld\n * @irreversible\n", "", vec![flag("open_world"), flag("irreversible")]),
            ("* @hint pii", "", vec![flag("pii")]),
            ("* @hint rows 5_000 of them\n * @readonly", "", vec![("rows".to_owned(), Hint::Number(5_000.0))]),
            ("* @hint pii false\n * Reads.", "Reads.", vec![("pii".to_owned(), Hint::Flag(false))]),
            ("* Sends.\n * @warning costs money\n * @returns nothing", "Sends. warning: costs money", vec![]),
            ("*", "", vec![]),
        ] {
            let documentation = read(content);
            assert_eq!((documentation.doc.as_str(), documentation.hints), (doc, hints), "{content:?}");
        }
    }

    #[test]
    fn long_descriptions_are_cut_off() {
        let long = read(&"é ".repeat(10_000)).doc.len();
        assert!((LONGEST - 2..=LONGEST).contains(&long), "{long}");
        assert_eq!(read(&"@hint a\n@destructive\n".repeat(10_000)).hints.len(), 2);
    }
}
