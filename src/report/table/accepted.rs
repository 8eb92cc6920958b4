//! What was found and does not count, with the reasons.

use std::fmt;

use crate::accept::acceptance::{Acceptance, Basis};
use crate::finding::{Finding, Report};
use crate::value::source::shown;

/// How much was found and does not count, by where that is written.
pub fn total(report: &Report) -> Option<String> {
    let word = |basis: Basis| match basis {
        Basis::Inline => "in comments",
        Basis::Settings => "in the settings",
    };
    let counts = Basis::ALL.map(|basis| (report.accepted(basis), word(basis)));
    let total: usize = counts.iter().map(|(count, _)| count).sum();
    let parts: Vec<String> = counts.iter().filter(|(count, _)| 0 < *count).map(|(count, word)| format!("{count} {word}")).collect();
    (0 < total).then(|| format!("accepted: {} finding{} ({})", total, if total == 1 { "" } else { "s" }, parts.join(", ")))
}

/// What was found in a subject and does not count, with the reasons.
pub fn write(finding: &Finding, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let why = |acceptance: &Acceptance| format!("{} ({})", shown(&acceptance.reason), shown(&acceptance.place));
    for (found, acceptance) in &finding.accepted.matches {
        writeln!(
            f,
            "  accepted: {} ({}) at {}:{}: {}",
            found.rule.id,
            found.severity,
            found.start.line,
            found.start.column,
            why(acceptance)
        )?;
    }
    finding.accepted.undetermined.iter().try_for_each(|(place, acceptance)| {
        writeln!(f, "  accepted: not judged, or not wholly: {}: {}: {}", place.reason, shown(&place.detail), why(acceptance))
    })
}
