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
        Basis::Baseline => "in the baseline",
        Basis::Revision => "from before the change",
    };
    let counts = Basis::ALL.map(|basis| (report.accepted(basis), word(basis)));
    let total: usize = counts.iter().map(|(count, _)| count).sum();
    let parts: Vec<String> = counts.iter().filter(|(count, _)| 0 < *count).map(|(count, word)| format!("{count} {word}")).collect();
    (0 < total).then(|| format!("accepted: {} finding{} ({})", total, if total == 1 { "" } else { "s" }, parts.join(", ")))
}

/// What was found in a subject and does not count, with the reasons.
pub fn write(finding: &Finding, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let why = |acceptance: &Acceptance| format!("{} ({})", shown(&acceptance.reason), shown(&acceptance.place));
    // What stood there before may be much, and nobody has to look at it again.
    let listed = finding.accepted.acceptances().filter(|acceptance| acceptance.basis.is_list()).count();
    if 0 < listed {
        writeln!(f, "  accepted: {listed} finding{} that stood there before", if listed == 1 { "" } else { "s" })?;
    }
    for (found, acceptance) in finding.accepted.matches.iter().filter(|(_, acceptance)| !acceptance.basis.is_list()) {
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
    let undetermined = finding.accepted.undetermined.iter().filter(|(_, acceptance)| !acceptance.basis.is_list());
    undetermined.into_iter().try_for_each(|(place, acceptance)| {
        writeln!(f, "  accepted: not judged, or not wholly: {}: {}: {}", place.reason, shown(&place.detail), why(acceptance))
    })
}
