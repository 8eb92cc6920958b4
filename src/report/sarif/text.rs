//! Texts that are plain wherever they are shown: bounded, without controls, and with no links in them.

use crate::value::source::shown;

/// The longest description that GitHub takes, in characters; what else is written keeps to it too.
const LONGEST: usize = 1_024;

/// A text made plain; what is too long is cut.
pub fn plain(text: &str) -> String {
    // In a message `[text](target)` is a link, and what is scanned must not be able to set one.
    let text = shown(&clipped(text, LONGEST)).replace("](", "] (");
    // One character is left for the full stop of a sentence.
    clipped(&text, LONGEST - 1)
}

/// A text as a plain sentence: with a capital and a full stop; an empty one stays empty.
pub fn sentence(text: &str) -> String {
    let mut sentence = plain(text.trim());
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    if !sentence.is_empty() && !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}

/// At most so many characters of a text.
pub fn clipped(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some(_) => text.chars().take(longest.saturating_sub(1)).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_plain_and_ends() {
        for (text, expected) in [
            ("what `a` returns is sent", "What `a` returns is sent."),
            ("Done.", "Done."),
            ("  `x` is 5 ", "`x` is 5."),
            ("[here](https://example.com)", "[here] (https://example.com)."),
            ("two\nlines\u{202e}", "Two\\nlines\\u{202e}."),
            ("", ""),
        ] {
            assert_eq!(sentence(text), expected);
        }
        for long in ["é", "\u{7}", "](", "a"] {
            assert_eq!(sentence(&long.repeat(2_000)).chars().count(), LONGEST, "{long:?}");
        }
    }
}
