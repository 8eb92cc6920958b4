//! The published edition: the points of the published table, each rule once a script.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::excessive_limit::EXCESSIVE;
use crate::check::extreme_value::EXTREME;
use crate::knowledge::SinkKind;
use crate::meaning::names::tells_of_many;
use crate::meaning::passage::Passage;
use crate::meaning::reach::Place;
use crate::meaning::read::Read;
use crate::meaning::{Features, between_tools};
use crate::model::{Evidence, Signal};
use crate::upstream::enclave::answer::Level;
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
    PublishedRule { id: "EXFIL_PATTERN", points: 50.0, description: "reads what matters and then sends", holds: exfil_pattern },
    PublishedRule { id: "EXTREME_VALUE", points: 30.0, description: "passes a number beyond 1,000,000", holds: extreme_value },
    PublishedRule { id: "DYNAMIC_TOOL", points: 20.0, description: "calls a tool whose name is not known", holds: dynamic_tool },
    PublishedRule { id: "BULK_OPERATION", points: 15.0, description: "calls a tool that acts on many", holds: bulk_operation },
];

/// The ids of all rules, for which points can be set.
pub fn rule_ids() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.id)
}

/// The rules that hold, with their points, and behind them what the rules of analyzers add, by the points of each.
pub fn signals(evidence: &Evidence<'_>, points: &BTreeMap<String, f64>, custom: &[(String, f64)]) -> Vec<Signal> {
    let held = RULES.iter().filter_map(|rule| {
        let span = (rule.holds)(evidence)?;
        let score = points.get(rule.id).copied().unwrap_or(rule.points);
        let level = Level::of_signal(score as u32).name();
        Some(Signal { id: rule.id.to_owned(), score, level: level.into(), description: rule.description.to_owned(), span: Some(span) })
    });
    held.chain(of_rules(evidence, custom)).chain(of_programs(evidence)).collect()
}

/// The rules of analyzers that hold, each once.
fn of_rules<'e>(evidence: &Evidence<'e>, points: &'e [(String, f64)]) -> impl Iterator<Item = Signal> {
    let matches = evidence.matches;
    points.iter().filter_map(move |(id, score)| {
        let first = matches.iter().find(|found| found.rule.id == *id)?;
        let level = Level::of_signal(*score as u32).name();
        Some(Signal { id: id.clone(), score: *score, level: level.into(), description: first.rule.why.to_string(), span: Some(first.span) })
    })
}

/// The signals of programs, each under the name of its analyzer.
fn of_programs(evidence: &Evidence<'_>) -> impl Iterator<Item = Signal> {
    evidence.answers.iter().flat_map(|answer| {
        answer.signals.iter().map(|signal| Signal {
            id: format!("{}:{}", answer.analyzer, signal.id),
            score: signal.score,
            level: signal.level.name().into(),
            description: signal.description.clone(),
            span: None,
        })
    })
}

/// The span of the first call whose features pass a test.
fn first_call(evidence: &Evidence<'_>, holds: impl Fn(&crate::meaning::CallFeatures) -> bool) -> Option<Span> {
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

/// The first call that sends what matters, or sends after it was read. That data of a person goes to that person, and
/// that something was read that tells nothing of anybody, is no exfiltration.
fn exfil_pattern(evidence: &Evidence<'_>) -> Option<Span> {
    let sends = evidence.features.sequences.iter().map(|(_, send)| *send);
    let send = sends.into_iter().find(|send| is_fed(evidence, *send) || follows_reading(evidence, *send))?;
    evidence.subject.calls.get(send).map(|call| call.span)
}

fn matters(read: &Read) -> bool {
    !read.is_harmless && !read.is_public && (read.is_many || read.sensitivity.is_some())
}

/// The flows into a call that carry more than a bit.
fn passages_into<'e>(evidence: &Evidence<'e>, send: usize) -> impl Iterator<Item = (usize, &'e Passage)> {
    let (subject, ends) = (evidence.subject, &evidence.features.ends);
    ends.passages.iter().filter_map(move |passage| {
        let (from, to) = between_tools(subject, subject.flows.get(passage.flow)?)?;
        (to == send).then_some((from, passage))
    })
}

fn is_fed(evidence: &Evidence<'_>, send: usize) -> bool {
    passages_into(evidence, send).any(|(_, passage)| is_sent(evidence, passage) && matters(&passage.read))
}

/// Returns true if and only if a passage takes something to somebody else: not what belongs to that person, not the address of
/// whom it is for, and not what only steers the call or lets it in.
fn is_sent(evidence: &Evidence<'_>, passage: &Passage) -> bool {
    let is_for_people = || {
        let reach = evidence.features.ends.reach(passage);
        reach.is_some_and(|reach| reach.does(SinkKind::Mail) || reach.does(SinkKind::Chat))
    };
    match passage.place {
        Place::Setting | Place::Entrance => false,
        Place::Target => !is_for_people(),
        Place::Cover | Place::Data => !passage.is_to_oneself || passage.is_to_others,
    }
}

/// Whether anything that matters was read before a call, of which no flow into it tells what became of it.
fn follows_reading(evidence: &Evidence<'_>, send: usize) -> bool {
    let Features { calls, ends, .. } = evidence.features;
    let is_told: BTreeSet<usize> = passages_into(evidence, send).map(|(from, _)| from).collect();
    let end = |call: usize| evidence.subject.calls.get(call).map(|call| call.span.end);
    let reads = |call: usize| calls.get(call).is_some_and(|call| call.words.reads);
    let origins = evidence.subject.origins.iter().zip(&ends.reads);
    let mut results = origins.filter_map(|(origin, read)| Some((origin.call?.tool()?, read)));
    results.any(|(call, read)| reads(call) && !is_told.contains(&call) && end(call) <= end(send) && matters(read))
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
    let call = evidence.subject.calls.iter().find(|call| call.tool.name().is_some_and(tells_of_many))?;
    Some(call.span)
}
