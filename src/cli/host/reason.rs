//! Why a call is not let through, in one paragraph that an agent can act upon.

use crate::finding::placed::PlacedMatch;
use crate::finding::{Entry, Finding};
use crate::policy::DecisionReason;
use crate::subject::Kind;
use crate::value::source::is_unshowable;

/// Longest reason, in characters.
const LONGEST: usize = 600;
/// Longest part of it that quotes what was judged, in characters.
const LONGEST_PART: usize = 220;
/// How many further rules are named.
const FURTHER: usize = 4;
/// Longest name of an argument that is told, in characters.
const LONGEST_KEY: usize = 40;

/// Why an entry is not simply allowed; `payload` is what it was found in.
pub fn of(entry: &Entry, payload: &str) -> String {
    match entry {
        Entry::Finding(finding) => of_finding(finding, payload),
        Entry::Problem(problem) => format!("It could not be judged ({}): {}.", problem.reason, cut(&problem.detail, LONGEST_PART)),
        Entry::PassedOver(_) => String::new(),
    }
}

fn of_finding(finding: &Finding, payload: &str) -> String {
    if let Some(cumulative) = &finding.decision.cumulative {
        return format!("Cumulative risk: {cumulative}. Whoever set the limit can raise it; it also passes as its window moves on.");
    }
    let is_unjudged = finding.matches.is_empty() || finding.decision.reason == DecisionReason::Undetermined;
    if let Some(undetermined) = finding.undetermined.as_ref().filter(|_| is_unjudged) {
        return format!("It could not be judged ({}): {}.", undetermined.reason, cut(&undetermined.detail, LONGEST_PART));
    }
    let Some(worst) = finding.matches.first() else {
        return format!("The score is {:.0} of 100. `callgate scan --explain-score` tells what it is made of.", finding.score());
    };
    let message = cut(worst.message.trim_end_matches('.'), LONGEST_PART);
    let told = format!("{message} [{}{}]. {}", worst.rule.id, place(worst, finding, payload), worst.rule.help);
    format!("{told}{}", further(finding, worst))
}

/// Where a match stands, in the words of the payload: the argument that holds it.
fn place(found: &PlacedMatch, finding: &Finding, payload: &str) -> String {
    if let Some(argument) = finding.record.as_ref().and_then(|placed| placed.record.argument.as_deref()) {
        return format!(" in `{argument}`");
    }
    let before = payload.get(..found.span.start as usize).filter(|_| finding.kind == Kind::ToolCall);
    let key = before
        .and_then(|before| before.rsplit_once("\":"))
        .and_then(|(before, _)| before.rsplit_once('"'))
        .map(|(_, key)| key.trim_end_matches('\\'));
    key.map_or_else(String::new, |key| format!(" in `{}`", cut(key, LONGEST_KEY)))
}

/// The other rules that hit, by name.
fn further(finding: &Finding, worst: &PlacedMatch) -> String {
    let mut ids: Vec<&str> = finding.matches.iter().map(|found| found.rule.id.as_ref()).filter(|id| *id != worst.rule.id).collect();
    let mut seen = std::collections::HashSet::new();
    ids.retain(|id| seen.insert(*id));
    ids.truncate(FURTHER);
    if ids.is_empty() { String::new() } else { format!(" Also: {}.", ids.join(", ")) }
}

/// One paragraph that nothing in it can break out of, no longer than hosts show.
pub fn paragraph(text: &str) -> String {
    let plain: String = text.chars().map(|character| if is_unshowable(character) { ' ' } else { character }).collect();
    cut(&plain.split_whitespace().collect::<Vec<_>>().join(" "), LONGEST)
}

fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or("").trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_one_paragraph_without_controls() {
        assert_eq!(paragraph("a\u{1b}[2Jb\n\nc\u{202e}d  e"), "a [2Jb c d e");
        assert_eq!(paragraph(&"x".repeat(700)).chars().count(), LONGEST + 1);
    }
}
