//! The published edition: the points of the published table, each rule once a script.

use std::collections::BTreeMap;

use crate::check::excessive_limit::EXCESSIVE;
use crate::check::extreme_value::EXTREME;
use crate::feature::Features;
use crate::model::upstream_answer::UpstreamLevel;
use crate::model::{Evidence, Signal};
use crate::value::span::Span;

/// A rule of the published table.
struct PublishedRule {
    id: &'static str,
    points: f64,
    description: &'static str,
    /// The first place at which it holds; an empty span where it has no place.
    holds: fn(&Evidence<'_>) -> Option<Span>,
}

/// The published table: `points` as published.
const RULES: &[PublishedRule] = &[
    PublishedRule { id: "SENSITIVE_FIELD", points: 35.0, description: "names sensitive fields", holds: sensitive_field },
    PublishedRule { id: "EXCESSIVE_LIMIT", points: 25.0, description: "asks for more than 10,000 records", holds: excessive_limit },
    PublishedRule { id: "WILDCARD_QUERY", points: 20.0, description: "asks for everything", holds: wildcard_query },
    PublishedRule { id: "LOOP_TOOL_CALL", points: 25.0, description: "calls a tool in a loop", holds: loop_tool_call },
    PublishedRule { id: "EXFIL_PATTERN", points: 50.0, description: "reads and then sends", holds: exfil_pattern },
    PublishedRule { id: "EXTREME_VALUE", points: 30.0, description: "passes a number beyond 1,000,000", holds: extreme_value },
    PublishedRule { id: "DYNAMIC_TOOL", points: 20.0, description: "calls a tool whose name is not known", holds: dynamic_tool },
    PublishedRule { id: "BULK_OPERATION", points: 15.0, description: "calls a tool that acts on many", holds: bulk_operation },
];

/// The ids of all rules, for which points can be set.
pub fn rule_ids() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.id)
}

/// The rules that hold, with their points.
pub fn signals(evidence: &Evidence<'_>, points: &BTreeMap<String, f64>) -> Vec<Signal> {
    let held = RULES.iter().filter_map(|rule| {
        let span = (rule.holds)(evidence)?;
        let score = points.get(rule.id).copied().unwrap_or(rule.points);
        let level = UpstreamLevel::of_signal(score as u32).name();
        Some(Signal { id: rule.id.to_owned(), score, level: level.into(), description: rule.description.to_owned(), span: Some(span) })
    });
    held.collect()
}

/// The span of the first call whose features pass a test.
fn first_call(evidence: &Evidence<'_>, holds: impl Fn(&crate::feature::CallFeatures) -> bool) -> Option<Span> {
    let index = evidence.features.calls.iter().position(holds)?;
    evidence.subject.calls.get(index).map(|call| call.span)
}

fn sensitive_field(evidence: &Evidence<'_>) -> Option<Span> {
    evidence.features.sensitive_fields.first().map(|field| field.span)
}

fn excessive_limit(evidence: &Evidence<'_>) -> Option<Span> {
    let Features { calls, .. } = evidence.features;
    calls.iter().flat_map(|call| &call.limits).find(|limit| EXCESSIVE < limit.number).map(|limit| limit.span)
}

fn wildcard_query(evidence: &Evidence<'_>) -> Option<Span> {
    evidence.features.calls.iter().find_map(|call| call.wildcards.first()).copied()
}

fn loop_tool_call(evidence: &Evidence<'_>) -> Option<Span> {
    first_call(evidence, |call| call.is_repeated)
}

fn exfil_pattern(evidence: &Evidence<'_>) -> Option<Span> {
    let (_, send) = evidence.features.sequences.first()?;
    evidence.subject.calls.get(*send).map(|call| call.span)
}

fn extreme_value(evidence: &Evidence<'_>) -> Option<Span> {
    let calls = evidence.features.calls.iter();
    let mut numbers = calls.flat_map(|call| call.numbers.iter().chain(&call.limits));
    numbers.find(|value| EXTREME < value.number.abs()).map(|value| value.span)
}

fn dynamic_tool(evidence: &Evidence<'_>) -> Option<Span> {
    first_call(evidence, |call| call.is_dynamic)
}

fn bulk_operation(evidence: &Evidence<'_>) -> Option<Span> {
    first_call(evidence, |call| call.words.is_bulk)
}
