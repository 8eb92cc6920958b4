//! How what was found differs from what was found in another revision, for people.

use crate::finding::delta::{Delta, FileDelta, Gone};
use crate::value::severity::Severity;
use crate::value::source::shown;

/// The totals, and in each file what is gone.
pub fn lines(delta: &Delta) -> Vec<String> {
    let (added, kept, gone) = delta.totals();
    let commit = delta.commit.get(..10).unwrap_or(&delta.commit);
    let mut lines = vec![format!("since {} ({commit}): {added} added, {kept} as before, {gone} gone", shown(&delta.revision))];
    for FileDelta { path, gone, .. } in &delta.files {
        for Gone { rule, severity, line } in gone {
            let line = line.map(|line| format!(":{line}")).unwrap_or_default();
            lines.push(format!("  gone: {} ({}) from {}{line}", shown(rule), severity.map_or("-", Severity::name), shown(path)));
        }
    }
    lines
}
