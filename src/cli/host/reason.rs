//! Why a call is not let through, in one paragraph that an agent can act upon.

use crate::cli::host::handed::Handed;
use crate::finding::{Entry, Finding, PlacedMatch};
use crate::policy::DecisionReason;
use crate::value::source::is_unshowable;

/// Longest reason, in characters.
const LONGEST: usize = 600;
/// Longest part of it that quotes what was judged, in characters.
const LONGEST_PART: usize = 220;
/// How many further rules are named.
const FURTHER: usize = 4;
/// Shortest text that is masked wherever it stands: shorter ones stand everywhere.
const SHORTEST_SECRET: usize = 6;

/// Why an entry is not simply allowed.
pub fn of(entry: &Entry, handed: &Handed) -> String {
    match entry {
        Entry::Finding(finding) => of_finding(finding, handed),
        Entry::Problem(problem) => format!("It could not be judged ({}): {}.", problem.reason, cut(&problem.detail, LONGEST_PART)),
    }
}

fn of_finding(finding: &Finding, handed: &Handed) -> String {
    let is_unjudged = finding.matches.is_empty() || finding.decision.reason == DecisionReason::Undetermined;
    if let Some(undetermined) = finding.undetermined.as_ref().filter(|_| is_unjudged) {
        return format!("It could not be judged ({}): {}.", undetermined.reason, cut(&undetermined.detail, LONGEST_PART));
    }
    let Some(worst) = finding.matches.first() else {
        return format!("The score is {:.0} of 100. `callgate scan --explain-score` tells what it is made of.", finding.score());
    };
    let message = cut(worst.message.trim_end_matches('.'), LONGEST_PART);
    let told = format!("{message} [{} at {}]. {}", worst.rule.id, place(worst, handed), worst.rule.help);
    format!("{}{}", masked(&told, finding, handed), further(finding, worst))
}

/// Where a match stands, in the words of the payload.
fn place(found: &PlacedMatch, handed: &Handed) -> String {
    let (start, end) = (found.span.start as usize, found.span.end as usize);
    let mut parts = handed.parts.iter().filter(|(range, _)| range.start < end && start < range.end).map(|(_, part)| part);
    match (parts.next(), parts.next()) {
        (Some(part), None) => part.clone(),
        (None, _) if handed.parts.is_empty() => format!("line {}, column {}", found.start.line, found.start.column),
        (Some(_) | None, _) => "the call".to_owned(),
    }
}

/// The other rules that hit, by name.
fn further(finding: &Finding, worst: &PlacedMatch) -> String {
    let mut ids: Vec<&str> = finding.matches.iter().map(|found| found.rule.id.as_ref()).filter(|id| *id != worst.rule.id).collect();
    let mut seen = std::collections::HashSet::new();
    ids.retain(|id| seen.insert(*id));
    ids.truncate(FURTHER);
    if ids.is_empty() { String::new() } else { format!(" Also: {}.", ids.join(", ")) }
}

/// The text without the secrets that were found in what was judged.
fn masked(told: &str, finding: &Finding, handed: &Handed) -> String {
    let secrets = finding.matches.iter().filter(|found| found.rule.secret);
    let mut texts: Vec<&str> = secrets.map(|found| found.span.slice(&handed.text)).filter(|text| SHORTEST_SECRET <= text.len()).collect();
    // The longest first: one may stand in another.
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts.into_iter().fold(told.to_owned(), |told, secret| told.replace(secret, "***"))
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
