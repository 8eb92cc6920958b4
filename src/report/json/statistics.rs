//! How often each rule hit.

use serde_json::{Map, Value, json};

use crate::finding::statistics::Statistics;
use crate::value::severity::Severity;

/// A value for each rule, the most frequent first.
pub fn rows(statistics: &Statistics) -> Vec<Value> {
    let rows = statistics.rows().into_iter().map(|(rule, tally)| {
        let severities = Severity::ALL.into_iter().rev().map(|severity| (severity.name().to_owned(), tally.of(severity).into()));
        json!({
            "rule": rule,
            "total": tally.total(),
            "by_severity": severities.collect::<Map<String, Value>>(),
            "allowed": tally.allowed,
            "also": tally.also,
            "accepted": tally.accepted,
        })
    });
    rows.collect()
}
