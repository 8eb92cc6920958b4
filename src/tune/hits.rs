//! What each rule hits: bad files, which is what it is for, and good ones, which are false alarms.

use std::collections::BTreeMap;

use crate::tune::labels::Label;

/// How many labelled files a rule hits, each counted once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleHits {
    /// The rule.
    pub id: String,
    /// Good files.
    pub good: usize,
    /// Bad files.
    pub bad: usize,
}

impl RuleHits {
    /// The share of bad files among those that it hits, 0–1.
    pub fn precision(&self) -> f64 {
        self.bad as f64 / (self.good + self.bad).max(1) as f64
    }
}

/// Counts the rules that hit files, each file with its label. Most false alarms first, then the lower precision, then the id.
pub fn count<'f, R: IntoIterator<Item = &'f str>>(files: impl Iterator<Item = (Label, R)>) -> Vec<RuleHits> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (label, rules) in files {
        for id in rules {
            let (good, bad) = counts.entry(id).or_default();
            match label {
                Label::Good => *good += 1,
                Label::Bad => *bad += 1,
            }
        }
    }
    let mut hits: Vec<RuleHits> = counts.into_iter().map(|(id, (good, bad))| RuleHits { id: id.to_owned(), good, bad }).collect();
    hits.sort_by(|left, right| right.good.cmp(&left.good).then_with(|| left.precision().total_cmp(&right.precision())));
    hits
}
