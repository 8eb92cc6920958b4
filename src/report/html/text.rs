//! Texts and bars in pages of HTML: nothing that was scanned can become a part of the page itself.

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::value::encoding::encode_base64;
use crate::value::source::shown;
use crate::value::verdict::Verdict;

/// A text for people: what could change how it is read stands as an escape, and what HTML would act upon as a reference.
pub struct Text<'t>(pub &'t str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in shown(self.0).chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                character => fmt::Write::write_char(f, character)?,
            }
        }
        Ok(())
    }
}

/// Points and scores: without a fraction where there is none, else with one digit of it.
pub fn plain(points: f64) -> String {
    let rounded = (points * 10.0).round() / 10.0;
    if rounded.fract() == 0.0 { format!("{rounded:.0}") } else { format!("{rounded:.1}") }
}

/// How hot a score from 0 to 100 is, as a class of the page: 0 for nothing, then ten steps.
pub fn heat(score: f64) -> u8 {
    // A score is at most 100, so the step is at most 10.
    (score / 10.0).ceil().clamp(0.0, 10.0) as u8
}

/// The source of an inline style or script as a content security policy names it.
pub fn policy_source(text: &str) -> String {
    format!("'sha256-{}'", encode_base64(&Sha256::digest(text.as_bytes())))
}

/// The sign of a verdict, so that it is not told by the border alone.
pub fn sign(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Allow) => "○",
        Some(Verdict::Warn) => "▲",
        Some(Verdict::Block) => "■",
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_a_part_of_the_page() {
        for (text, expected) in [
            ("plain", "plain"),
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("\"><img src=x onerror='x()'>", "&quot;&gt;&lt;img src=x onerror=&#39;x()&#39;&gt;"),
            ("a\u{202e}b\u{1b}[2J\n", "a\\u{202e}b\\u{1b}[2J\\n"),
        ] {
            assert_eq!(Text(text).to_string(), expected);
        }
    }

    #[test]
    fn heat_is_in_steps_of_ten() {
        for (score, expected) in [(0.0, 0), (0.1, 1), (10.0, 1), (10.1, 2), (70.0, 7), (99.9, 10), (100.0, 10)] {
            assert_eq!(heat(score), expected, "{score}");
        }
    }
}
