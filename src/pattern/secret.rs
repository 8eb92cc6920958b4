//! Secrets: the exact texts that a run found and must not repeat, and what may be said of them.

use crate::pattern::Texts;

/// The starts of secrets that are shown at most, as a part of the whole: a third.
const LEAST_HIDDEN: usize = 3;
/// The lengths from which on a secret is of the next class, in characters.
const CLASSES: [(usize, &str); 3] = [(64, "64 or more"), (32, "32 to 63"), (16, "16 to 31")];

/// A text that must not be repeated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Secret {
    /// The text.
    pub text: Box<str>,
    /// How many bytes at its start tell nothing but its kind.
    pub shown: usize,
    /// It is no secret itself but a longer text that holds one in another writing, as base64 does: nothing but the whole
    /// of it is telling.
    pub is_writing: bool,
}

impl Secret {
    /// What a pattern with these keywords found. A keyword at its start tells the kind (`ghp_`, `AKIA`): it stands in the
    /// provider's documentation, and says nothing of the rest.
    pub fn new(text: &str, keywords: &Texts) -> Self {
        let starts = |keyword: &&str| text.get(..keyword.len()).is_some_and(|start| start.eq_ignore_ascii_case(keyword));
        let longest = keywords.iter().filter(starts).map(str::len).max().unwrap_or(0);
        let shown = if longest * LEAST_HIDDEN <= text.len() { longest } else { 0 };
        Self { text: text.into(), shown, is_writing: false }
    }

    /// A text that holds a secret in another writing.
    pub fn writing(text: &str) -> Self {
        Self { text: text.into(), shown: 0, is_writing: true }
    }

    /// What may be said of it.
    pub fn redacted(&self) -> String {
        redacted(&self.text, self.shown)
    }
}

/// What may be said of a secret of which so many bytes may be shown: its kind and how long it is, roughly.
pub fn redacted(text: &str, shown: usize) -> String {
    let length = text.chars().count();
    let class = CLASSES.iter().find(|(least, _)| *least <= length).map_or("under 16", |(_, class)| class);
    format!("{}… ({class} characters)", text.get(..shown).unwrap_or(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_said_than_the_kind_and_a_class_of_length() {
        let keywords = Texts::Static(&["key_", "key_live_"]);
        for (text, expected) in [
            ("key_0123456789abcdef", "key_… (16 to 31 characters)"),
            ("KEY_LIVE_0123456789abcdef0123456789abcdef", "KEY_LIVE_… (32 to 63 characters)"),
            ("key_live_0", "… (under 16 characters)"),
            ("hunter2hunter2", "… (under 16 characters)"),
            ("ü", "… (under 16 characters)"),
        ] {
            assert_eq!(Secret::new(text, &keywords).redacted(), expected);
        }
        assert_eq!(redacted(&"x".repeat(64), 0), "… (64 or more characters)");
    }
}
