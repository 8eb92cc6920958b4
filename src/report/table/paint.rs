//! Colours of verdicts.

use crate::value::verdict::Verdict;

/// A text in the colour of a verdict, where colours are shown.
pub fn paint(text: &str, verdict: Verdict, colour: bool) -> String {
    let code = match verdict {
        Verdict::Allow => "32",
        Verdict::Warn => "33",
        Verdict::Block => "31",
    };
    if colour { format!("\u{1b}[1;{code}m{text}\u{1b}[0m") } else { text.to_owned() }
}
