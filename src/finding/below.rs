//! What was found and is not shown, because it is not bad enough for whoever reads.

use crate::finding::Finding;
use crate::value::severity::Severity;

/// How much of a finding is not shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Below {
    /// How many matches.
    pub count: usize,
    /// The worst of them.
    pub worst: Option<Severity>,
}

impl Finding {
    /// Takes the matches out that are not as bad as that. They were judged, and are counted; what could not be judged stays.
    pub fn show_from(&mut self, bar: Severity) {
        let Below { count, worst } = &mut self.below;
        self.matches.retain(|found| {
            let is_shown = bar <= found.severity;
            if !is_shown {
                *count += 1;
                *worst = (*worst).max(Some(found.severity));
            }
            is_shown
        });
    }
}
