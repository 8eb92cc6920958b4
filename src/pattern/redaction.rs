//! What is put in the place of what must not pass.
//!
//! Source of the markers: ClawGuardian of superglue-ai (`[REDACTED]`, the lines that are kept of a key block) and ClawGuard
//! of maxxie114 (markers that name what was there, and the one of a text that was cut).

/// Stands for a secret.
pub const REDACTED: &str = "[REDACTED]";
/// Stands between the first and the last line of a key block.
const REDACTED_LINES: &str = "…redacted…";
/// Stands for a key block of one line.
const REDACTED_LINE: &str = "***";
/// Stands behind a text that was cut.
const TRUNCATED: &str = " [TRUNCATED]";

/// The kinds of marker that name what was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// Words that tell an agent what to do.
    Injection,
    /// A secret.
    Secret,
}

impl Named {
    /// The marker for what a rule of that name found.
    pub fn marker(self, rule: &str) -> String {
        let kind = match self {
            Self::Injection => "INJECTION_REDACTED",
            Self::Secret => "SECRET_REDACTED",
        };
        format!("[{kind}:{rule}]")
    }
}

/// The text with other words in the place of some stretches, given in bytes and in order. A stretch that is out of order,
/// overlaps the one before or does not lie between characters stays as it is.
pub fn replaced<'r>(text: &str, stretches: impl IntoIterator<Item = ((usize, usize), &'r str)>) -> String {
    let mut written = String::with_capacity(text.len());
    let mut done = 0;
    for ((start, end), replacement) in stretches {
        if let (Some(before), true) = (text.get(done..start), text.get(start..end).is_some()) {
            written.push_str(before);
            written.push_str(replacement);
            done = end;
        }
    }
    written.push_str(text.get(done..).unwrap_or(""));
    written
}

/// What a rule found, with `[REDACTED]` where the secret in it first stands (`token=abc` becomes `token=[REDACTED]`).
/// Of a block of several lines, as private keys are, the first and the last line are kept.
pub fn without_secret(found: &str, secret: &str) -> String {
    if found.contains("PRIVATE KEY-----") {
        return without_inner_lines(found);
    }
    if secret.is_empty() { found.to_owned() } else { found.replacen(secret, REDACTED, 1) }
}

fn without_inner_lines(block: &str) -> String {
    let mut lines = block.lines().filter(|line| !line.is_empty());
    match (lines.next(), lines.next_back()) {
        (Some(first), Some(last)) => format!("{first}\n{REDACTED_LINES}\n{last}"),
        (Some(_), None) | (None, _) => REDACTED_LINE.to_owned(),
    }
}

/// The text, or its first `most` characters with a marker behind them where it has more.
pub fn truncated(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}{TRUNCATED}", text.get(..end).unwrap_or("")),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_are_replaced_and_the_rest_is_kept() {
        for (stretches, expected) in [
            (vec![], "a key and a key"),
            (vec![((2, 5), REDACTED), ((12, 15), "[x]")], "a [REDACTED] and a [x]"),
            (vec![((2, 5), "[x]"), ((4, 9), "[y]")], "a [x] and a key"),
            (vec![((2, 99), "[x]")], "a key and a key"),
        ] {
            assert_eq!(replaced("a key and a key", stretches.clone()), expected, "{stretches:?}");
        }
        assert_eq!(replaced("ä", [((0, 1), "[x]")]), "ä", "half a character is none");
    }

    #[test]
    fn only_the_secret_of_what_was_found_goes() {
        let header = ["-----BEGIN ", "PRIVATE KEY-----"].concat();
        for (found, secret, expected) in [
            ("token=abc abc".to_owned(), "abc", "token=[REDACTED] abc".to_owned()),
            ("abc".to_owned(), "abc", "[REDACTED]".to_owned()),
            ("abc".to_owned(), "", "abc".to_owned()),
            (format!("{header}\nq\nr\nend"), "", format!("{header}\n…redacted…\nend")),
            (header.clone(), "", "***".to_owned()),
        ] {
            assert_eq!(without_secret(&found, secret), expected);
        }
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        for (text, most, expected) in [("äöü", 3, "äöü"), ("äöü", 2, "äö [TRUNCATED]"), ("", 0, "")] {
            assert_eq!(truncated(text, most), expected);
        }
        assert_eq!(Named::Injection.marker("x"), "[INJECTION_REDACTED:x]");
    }
}
