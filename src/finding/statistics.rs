//! How often each rule hit: by severity, and how much of it was accepted.

use std::collections::BTreeMap;

use crate::finding::Entry;
use crate::finding::item::items_of;
use crate::value::severity::Severity;

/// How often each rule hit, in a whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics(BTreeMap<String, Tally>);

/// How often a rule hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// What counts, by severity.
    by_severity: [usize; Severity::ALL.len()],
    /// How many of these are in what is allowed all the same.
    pub allowed: usize,
    /// What was accepted.
    pub accepted: usize,
    /// How often it hit for a cause for which another rule stands.
    pub also: usize,
}

impl Tally {
    /// How often it hit so badly.
    pub fn of(&self, severity: Severity) -> usize {
        self.by_severity[severity as usize]
    }

    /// How often it hit, without what was accepted.
    pub fn total(&self) -> usize {
        self.by_severity.iter().sum()
    }
}

impl Statistics {
    /// Counts an entry.
    pub fn add(&mut self, entry: &Entry) {
        let is_allowed = entry.verdict() == crate::value::verdict::Verdict::Allow && !entry.is_undetermined();
        for item in items_of(entry, true) {
            let tally = self.0.entry(item.rule).or_default();
            match item.acceptance {
                Some(_) => tally.accepted += 1,
                None => {
                    tally.by_severity[item.severity as usize] += 1;
                    tally.allowed += usize::from(is_allowed);
                }
            }
            for rule in item.found.iter().flat_map(|found| &found.also) {
                self.0.entry(rule.id.to_string()).or_default().also += 1;
            }
        }
    }

    /// The rules with their counts, the most frequent first, then by name.
    pub fn rows(&self) -> Vec<(&str, &Tally)> {
        let mut rows: Vec<(&str, &Tally)> = self.0.iter().map(|(rule, tally)| (rule.as_str(), tally)).collect();
        rows.sort_by_key(|(_, tally)| std::cmp::Reverse((tally.total(), tally.accepted, tally.also)));
        rows
    }
}
