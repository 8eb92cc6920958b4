//! The results of a run: one for each match, and for whatever could not be judged.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::accept::acceptance::{Acceptance, Basis};
use crate::finding::placed::{PlacedMatch, PlacedStep};
use crate::finding::{Entry, Finding};
use crate::model::Evaluation;
use crate::report::sarif::document::{
    Alert, AlertProperties, CodeFlow, Location, Opinion, PartProperties, PartialFingerprints, Suppression, SuppressionProperties, Text,
    ThreadFlow, ThreadFlowLocation,
};
use crate::report::sarif::notification;
use crate::report::sarif::place::{location, region, unjudged};
use crate::report::sarif::rule::{self, RuleTable, level};
use crate::report::sarif::text::{plain, sentence};
use crate::rule::Origin;
use crate::value::severity::Severity;
use crate::value::source::SourceName;
use crate::value::span::Position;
use crate::value::verdict::{Action, Verdict};

/// The most results of a run that GitHub takes; a file with more is rejected as a whole.
const RESULTS: usize = 25_000;
/// The most steps of a flow that GitHub shows.
const STEPS: usize = 1_000;

/// Something on its way to be a result.
enum Candidate<'r> {
    Match {
        finding: &'r Finding,
        found: &'r PlacedMatch,
        /// Why it does not count, if it does not.
        acceptance: Option<&'r Acceptance>,
        /// The how manieth of its rule on its line it is, from 1.
        number: u32,
    },
    /// What could not be judged, or not wholly.
    Unjudged(&'r Entry),
}

impl Candidate<'_> {
    /// Whether it is told although it does not count.
    fn is_accepted(&self) -> bool {
        match self {
            Self::Match { acceptance, .. } => acceptance.is_some(),
            Self::Unjudged(entry) => !entry.acceptances().is_empty(),
        }
    }

    /// How much would be lost without it.
    fn weight(&self) -> (Severity, Action) {
        match self {
            // What does not count is what a full report does without first.
            Self::Match { acceptance: Some(_), .. } => (Severity::Low, Action::Allow),
            Self::Match { found, .. } => (found.severity, found.action),
            Self::Unjudged(_) => (Severity::Critical, Action::Block),
        }
    }
}

/// The results in order of the entries, and how many were left out because there are too many.
///
/// What is allowed is nothing to alert anyone of, unless everything is asked for; what is accepted is told as suppressed.
pub fn all<'r>(entries: &[&'r Entry], everything: bool, rules: &RuleTable<'_>) -> (Vec<Alert<'r>>, usize) {
    let of_entry = |entry: &'r Entry| {
        let counts = everything || Verdict::Allow < entry.verdict();
        let is_told = |candidate: &Candidate<'r>| counts || candidate.is_accepted();
        let unjudged = is_unjudged(entry).then_some(Candidate::Unjudged(entry));
        unjudged.into_iter().chain(entry.finding().into_iter().flat_map(candidates_of)).filter(is_told).collect::<Vec<_>>()
    };
    let mut candidates: Vec<(usize, Candidate<'r>)> = entries.iter().copied().flat_map(of_entry).enumerate().collect();
    let left_out = candidates.len().saturating_sub(RESULTS);
    candidates.sort_by_key(|(_, candidate)| Reverse(candidate.weight()));
    candidates.truncate(RESULTS);
    candidates.sort_unstable_by_key(|(index, _)| *index);
    let alerts = candidates.into_iter().filter_map(|(_, candidate)| match candidate {
        Candidate::Match { finding, found, acceptance, number } => Some(alert(finding, found, acceptance, number, rules)),
        Candidate::Unjudged(entry) => unjudged_alert(entry, rules),
    });
    (alerts.collect(), left_out)
}

/// The matches of a finding; those of one rule on one line are numbered by place.
fn candidates_of(finding: &Finding) -> Vec<Candidate<'_>> {
    let counting = finding.matches.iter().map(|found| (found, None));
    let accepted = finding.accepted.matches.iter().map(|(found, acceptance)| (found, Some(&**acceptance)));
    let mut by_place: Vec<(usize, (&PlacedMatch, Option<&Acceptance>))> = counting.chain(accepted).enumerate().collect();
    by_place.sort_by_key(|(_, (found, _))| found.span);
    let mut numbers: HashMap<(&str, u32), u32> = HashMap::new();
    let mut numbered: Vec<(usize, Candidate<'_>)> = Vec::with_capacity(by_place.len());
    for (index, (found, acceptance)) in by_place {
        let number = numbers.entry((&found.rule.id, found.start.line)).or_default();
        *number += 1;
        numbered.push((index, Candidate::Match { finding, found, acceptance, number: *number }));
    }
    numbered.sort_unstable_by_key(|(index, _)| *index);
    numbered.into_iter().map(|(_, candidate)| candidate).collect()
}

fn alert<'r>(
    finding: &'r Finding,
    found: &'r PlacedMatch,
    acceptance: Option<&'r Acceptance>,
    number: u32,
    rules: &RuleTable<'_>,
) -> Alert<'r> {
    Alert {
        rule_id: &found.rule.id,
        rule_index: rules.index(&found.rule),
        level: level(found.severity),
        message: Text::new(what(found)),
        locations: [location(&finding.name, Some(region(found.start, found.end)), None)],
        // Alone, the number would make strangers look alike.
        partial_fingerprints: found
            .line_hash
            .as_deref()
            .map(|line_hash| PartialFingerprints { line_hash, match_on_line: number.to_string() }),
        code_flows: code_flow(&finding.name, found).into_iter().collect(),
        related_locations: related(&finding.name, found),
        suppressions: acceptance.map(suppression).into_iter().collect(),
        properties: AlertProperties {
            verdict: finding.decision.verdict.name(),
            score: Some(finding.score()),
            severity: found.severity.name(),
            action: found.action.name(),
            evidence: &found.evidence,
            also: found.also.iter().map(|rule| rule.id.as_ref()).collect(),
            parts: finding.evaluations.iter().flat_map(parts).collect(),
            opinions: opinions(finding),
        },
    }
}

/// Whether something in it could not be judged, be it accepted or not.
fn is_unjudged(entry: &Entry) -> bool {
    let is_accepted = |finding: &Finding| finding.accepted.undetermined.is_some();
    entry.is_undetermined() || entry.finding().map_or(matches!(entry, Entry::Problem(_)), is_accepted)
}

fn suppression(acceptance: &Acceptance) -> Suppression<'_> {
    let Acceptance { basis, reason, owner, expires, place } = acceptance;
    let kind = match basis {
        Basis::Inline => "inSource",
        Basis::Settings | Basis::Baseline | Basis::Revision => "external",
    };
    let properties = SuppressionProperties { place, owner: owner.as_deref(), expires: expires.as_deref() };
    Suppression { kind, status: "accepted", justification: reason, properties }
}

/// All parts of an opinion, each before its own parts.
fn parts(whole: &Evaluation) -> Vec<PartProperties<'_>> {
    let mut all = Vec::new();
    for part in &whole.parts {
        all.push(PartProperties { of: &whole.model, model: &part.model, score: part.score.value() });
        all.extend(parts(part));
    }
    all
}

/// What the models say that have levels of their own.
fn opinions(finding: &Finding) -> Vec<Opinion<'_>> {
    let opinions = finding.evaluations.iter().filter_map(|evaluation| {
        let level = evaluation.level.as_deref()?;
        Some(Opinion { model: &evaluation.model, score: evaluation.score.value(), level, challenge: evaluation.challenge })
    });
    opinions.collect()
}

/// What was found. Where space is short, GitHub shows only the first sentence.
fn what(found: &PlacedMatch) -> String {
    let message = sentence(&found.message);
    let message = if message.is_empty() { sentence(&found.rule.id) } else { message };
    match found.rule.origin {
        Origin::Check => message,
        // An expression holds of the whole subject, so it points at nothing.
        Origin::Analyzer if found.evidence.is_empty() => message,
        // The message of a pattern is the same for all its hits.
        Origin::Pattern | Origin::UserPattern | Origin::Analyzer => format!("{message} Found: `{}`.", plain(&found.evidence)),
    }
}

/// The result of what could not be judged, or not wholly: where a gate stops it, there is more to see than a notification.
fn unjudged_alert<'r>(entry: &'r Entry, rules: &RuleTable<'_>) -> Option<Alert<'r>> {
    let (reason, detail, position, action, acceptance) = match entry {
        Entry::Finding(finding) => {
            let accepted = finding.accepted.undetermined.as_ref();
            let place = finding.undetermined.as_ref().or(accepted.map(|(place, _)| place))?;
            let acceptance = accepted.map(|(_, acceptance)| &**acceptance);
            (place.reason, &place.detail, place.position, finding.decision.action.name(), acceptance)
        }
        Entry::Problem(problem) => (problem.reason, &problem.detail, None, problem.verdict.name(), problem.accepted.as_deref()),
        Entry::PassedOver(_) => return None,
    };
    let rule = rule::undetermined(reason);
    let position = position.unwrap_or(Position { line: 1, column: 1 });
    Some(Alert {
        rule_id: &rule.id,
        rule_index: rules.index(rule),
        level: notification::level(entry.verdict()),
        message: Text::new(unjudged("It could not be judged, or not wholly", reason, detail, entry.verdict())),
        locations: [location(entry.name(), Some(region(position, position)), None)],
        partial_fingerprints: None,
        code_flows: Vec::new(),
        related_locations: Vec::new(),
        suppressions: acceptance.map(suppression).into_iter().collect(),
        properties: AlertProperties {
            verdict: entry.verdict().name(),
            score: entry.finding().map(Finding::score),
            severity: rule.severity.name(),
            also: Vec::new(),
            action,
            evidence: "",
            parts: entry.finding().into_iter().flat_map(|finding| &finding.evaluations).flat_map(parts).collect(),
            opinions: entry.finding().map(opinions).unwrap_or_default(),
        },
    })
}

/// The way of the data, ending at the match.
fn code_flow(name: &SourceName, found: &PlacedMatch) -> Option<CodeFlow> {
    let flow = found.flow()?;
    let mut steps: Vec<(Position, Position, &str)> = flow.steps.iter().map(|step| (step.start, step.end, step.note.as_str())).collect();
    if (flow.sink.start, flow.sink.end) != (found.start, found.end) {
        steps.push((found.start, found.end, &found.message));
    }
    let count = steps.len();
    let mut locations: Vec<ThreadFlowLocation> = steps
        .into_iter()
        .enumerate()
        .map(|(nth, (start, end, note))| {
            let role = Role::of(nth, count);
            ThreadFlowLocation {
                location: location(name, Some(region(start, end)), Some(sentence(note)).filter(|note| !note.is_empty())),
                kinds: role.kinds(),
                importance: role.importance(),
                execution_order: nth + 1,
            }
        })
        .collect();
    // The end of a flow is what matters, so a flow that is too long loses its middle.
    if let Some(surplus @ 1..) = locations.len().checked_sub(STEPS) {
        locations.drain(STEPS / 2..STEPS / 2 + surplus);
    }
    Some(CodeFlow { message: Text::new(sentence(&found.message)), thread_flows: [ThreadFlow { locations }] })
}

/// The other places that belong to a match which is no flow.
fn related(name: &SourceName, found: &PlacedMatch) -> Vec<Location> {
    let steps = if found.flow().is_some() { &[] } else { found.steps.as_slice() };
    let place = |step: &PlacedStep| location(name, Some(region(step.start, step.end)), Some(sentence(&step.note)));
    steps.iter().map(place).collect()
}

/// What a step is in its flow.
#[derive(Clone, Copy)]
enum Role {
    Origin,
    Between,
    Sink,
}

impl Role {
    fn of(nth: usize, count: usize) -> Self {
        if nth + 1 == count {
            Self::Sink
        } else if nth == 0 {
            Self::Origin
        } else {
            Self::Between
        }
    }

    /// In the words that the standard proposes.
    fn kinds(self) -> &'static [&'static str] {
        match self {
            Self::Origin => &["acquire", "taint"],
            Self::Between => &["taint"],
            Self::Sink => &["danger", "taint"],
        }
    }

    fn importance(self) -> &'static str {
        match self {
            Self::Origin | Self::Sink => "essential",
            Self::Between => "important",
        }
    }
}
