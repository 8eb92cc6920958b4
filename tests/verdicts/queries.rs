//! What tools do to all there is: each row of `knowledge/queries.yaml` holds its examples.

use crate::judge;
use callgate::knowledge::query::{QUERIES, query};
use callgate::model::registry::ModelSettings;
use callgate::value::verdict::Verdict;

/// Rows that say nothing bad by themselves: they fill.
const FILLS: &str = "new-rows";

#[test]
fn rows_of_queries_hold_their_examples() {
    let verdict = |text: &str| judge::judge("hybrid", &ModelSettings::default(), text).decision.verdict;
    for row in QUERIES.rows {
        let (hit, miss, tools) = (row.hit.get(), row.miss.get(), row.tools.get());
        assert_eq!(verdict(hit) == Verdict::Allow, row.to == FILLS, "hit: {hit}");
        assert_eq!(verdict(miss), Verdict::Allow, "miss: {miss}");
        assert!(!row.source.get().is_empty() && tools.iter().all(|tool| query(tool).is_some()), "{tools:?}");
    }
}
