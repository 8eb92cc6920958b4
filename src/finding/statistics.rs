//! How often each rule hit: by severity, and how much of it was accepted.

use std::collections::BTreeMap;

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

    /// Counts a hit that is so bad.
    pub fn add(&mut self, severity: Severity, is_allowed: bool) {
        self.by_severity[severity as usize] += 1;
        self.allowed += usize::from(is_allowed);
    }

    /// How often it hit, without what was accepted.
    pub fn total(&self) -> usize {
        self.by_severity.iter().sum()
    }
}

impl Statistics {
    /// What is counted of a rule so far.
    pub fn of(&mut self, rule: &str) -> &mut Tally {
        self.0.entry(rule.to_owned()).or_default()
    }

    /// The rules with their counts, the most frequent first, then by name.
    pub fn rows(&self) -> Vec<(&str, &Tally)> {
        let mut rows: Vec<(&str, &Tally)> = self.0.iter().map(|(rule, tally)| (rule.as_str(), tally)).collect();
        rows.sort_by_key(|(_, tally)| std::cmp::Reverse((tally.total(), tally.accepted, tally.also)));
        rows
    }
}
