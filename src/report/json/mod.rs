//! JSON: one document, or one line a finding. Version 2 of our own schema.

mod accepted;
mod delta;
pub mod escaped;
pub mod explanation;
mod matched;
mod record;
mod statistics;

use std::collections::BTreeMap;
use std::io;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::accept::acceptance::Basis;
use crate::finding::hide::Hidden;
use crate::finding::placed::PlacedMatch;
use crate::finding::{Entry, Finding, PlacedRecord, Problem, Report, Run};
use crate::meaning::sheet::number;
use crate::model::{Evaluation, Signal};
use crate::report::Style;
use crate::report::json::matched::{match_value, undetermined_value};
use crate::subject::passed::{Meaning, Passed};
use crate::value::verdict::Verdict;

/// Version of the schema of both formats; grows when a field changes its meaning or goes away.
const SCHEMA_VERSION: u32 = 2;
/// The JSON schema of the document; a line of JSON Lines is one of its findings.
pub const SCHEMA: &str = include_str!("schema.json");

/// The whole report.
#[derive(Serialize)]
struct Document<'r> {
    #[serde(flatten)]
    summary: Summary<'r>,
    findings: Findings<'r>,
}

/// The last line of JSON Lines.
#[derive(Serialize)]
struct RunLine<'r> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    summary: Summary<'r>,
}

/// What holds for the whole run.
#[derive(Serialize)]
struct Summary<'r> {
    schema_version: u32,
    tool: ToolVersion,
    verdict: &'static str,
    totals: Totals,
    configuration: Configuration<'r>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    acceptances: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audit_problem: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<Vec<Value>>,
}

/// All entries, each made into a value only when it is written, so that none waits in memory.
struct Findings<'r> {
    entries: &'r [Entry],
    style: Style,
    library_version: &'r str,
}

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shown = self.entries.iter().filter(|entry| self.style.shows(entry));
        serializer.collect_seq(shown.map(|entry| entry_value(entry, Some(self.library_version))))
    }
}

#[derive(Serialize)]
struct ToolVersion {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct Totals {
    allow: usize,
    warn: usize,
    block: usize,
    undetermined: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hidden: Option<usize>,
    skipped_kind: usize,
    skipped_binary: usize,
    no_reader: usize,
    passed_over: BTreeMap<&'static str, usize>,
}

#[derive(Serialize)]
struct Configuration<'r> {
    file: Option<&'r str>,
    loosened: &'r [String],
    models: &'r [String],
    /// Left out of lines: it takes longer to compute than many a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern_library_version: Option<&'r str>,
}

const TOOL: ToolVersion = ToolVersion { name: "callgate", version: env!("CARGO_PKG_VERSION") };

/// Writes a report as one document.
///
/// # Errors
///
/// When the writer fails.
pub fn write(report: Hidden<'_, Report>, style: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let library_version = &report.run.library_version;
    let document = Document {
        summary: summary(report.get(), Some(library_version)),
        findings: Findings { entries: &report.entries, style, library_version },
    };
    escaped::write_pretty(&document, writer)
}

fn summary<'r>(report: &'r Report, pattern_library_version: Option<&'r str>) -> Summary<'r> {
    let Run { models, configuration, loosened, audit_problem, delta, .. } = &report.run;
    Summary {
        schema_version: SCHEMA_VERSION,
        tool: TOOL,
        verdict: report.verdict().name(),
        totals: totals(report),
        configuration: Configuration { file: configuration.as_deref(), loosened, models, pattern_library_version },
        acceptances: accepted::remarks(report),
        audit_problem: audit_problem.as_deref(),
        delta: delta.as_ref().map(delta::value),
        statistics: report.statistics.as_ref().map(statistics::rows),
    }
}

fn totals(report: &Report) -> Totals {
    let passed_over = &report.run.passed_over;
    Totals {
        allow: report.count(Verdict::Allow),
        warn: report.count(Verdict::Warn),
        block: report.count(Verdict::Block),
        undetermined: report.undetermined(),
        accepted: Some(Basis::ALL.iter().map(|basis| report.accepted(*basis)).sum()).filter(|count| 0 < *count),
        hidden: report.below().map(|(count, _)| count),
        skipped_kind: passed_over.files_of_other_kinds(),
        skipped_binary: passed_over.of(Passed::Binary),
        no_reader: passed_over.meaning(Meaning::NoReader),
        passed_over: passed_over.iter().map(|(kind, count)| (kind.name(), count)).collect(),
    }
}

/// Writes a report as lines.
///
/// # Errors
///
/// When the writer fails.
pub fn write_lines(report: Hidden<'_, Report>, style: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let shown = report.entries.iter().filter(|entry| style.shows(entry));
    shown.into_iter().try_for_each(|entry| escaped::write_line(&entry_value(entry, None), writer))?;
    write_run(report, writer)
}

/// Writes one entry as a line.
///
/// # Errors
///
/// When the writer fails.
pub fn write_line(entry: Hidden<'_, Entry>, writer: &mut dyn io::Write) -> io::Result<()> {
    escaped::write_line(&entry_value(entry.get(), None), writer)
}

/// Writes what holds for the whole run as a line, the last one, of type `run`.
///
/// # Errors
///
/// When the writer fails.
pub fn write_run(report: Hidden<'_, Report>, writer: &mut dyn io::Write) -> io::Result<()> {
    escaped::write_line(&RunLine { kind: "run", summary: summary(report.get(), None) }, writer)
}

fn entry_value(entry: &Entry, library_version: Option<&str>) -> Value {
    match entry {
        Entry::Finding(finding) => finding_value(finding, library_version),
        Entry::Problem(problem) => problem_value(problem),
        Entry::PassedOver(passed) => record::passed_over(passed),
    }
}

fn problem_value(problem: &Problem) -> Value {
    let mut value = json!({
        "path": problem.name.as_text(),
        "kind": null,
        "verdict": problem.verdict.name(),
        "score": null,
        "severity": null,
        "action": null,
        "reason": "undetermined",
        "undetermined": undetermined_value(problem.reason.name(), &problem.detail, None),
        "matches": [],
    });
    if let Some(object) = value.as_object_mut() {
        accepted::put_problem(problem, object);
        record::put(problem.stream_line, object);
    }
    value
}

fn finding_value(finding: &Finding, library_version: Option<&str>) -> Value {
    let undetermined = finding
        .undetermined
        .as_ref()
        .map(|undetermined| undetermined_value(undetermined.reason.name(), &undetermined.detail, undetermined.position));
    let mut value = Map::new();
    let mut put = |key: &str, part: Value| value.insert(key.to_owned(), part);
    put("path", finding.name.as_text().into());
    put("kind", finding.kind.name().into());
    if let Some(PlacedRecord { record, line }) = finding.record.as_deref() {
        let place = json!({ "number": record.number, "id": record.id, "line": line, "tool": record.tool, "argument": record.argument });
        put("record", place);
        if let Some(session) = &record.session_id {
            put("session_id", session.as_str().into());
        }
        if let Some(timestamp) = &record.timestamp {
            put("timestamp", timestamp.as_str().into());
        }
    }
    let stored = finding.trail.as_ref().and_then(|trail| trail.stored.as_ref());
    if let Some(stored) = stored {
        put("evaluation_id", stored.evaluation_id.as_str().into());
    }
    put("verdict", finding.decision.verdict.name().into());
    put("score", number(finding.score()));
    put("severity", finding.severity().map(|severity| severity.name()).into());
    put("action", finding.decision.action.name().into());
    put("reason", finding.decision.reason.name().into());
    if let Some(rule) = &finding.decision.rule {
        put("deciding_rule", rule.as_str().into());
    }
    if let Some(cumulative) = &finding.decision.cumulative {
        put("cumulative_risk", (**cumulative).into());
    }
    if let Some(tenant) = &finding.tenant {
        put("tenant_id", (**tenant).into());
    }
    put("undetermined", undetermined.into());
    put("matches", finding.matches.iter().map(match_value).collect());
    if 0 < finding.further_matches {
        put("further_matches", finding.further_matches.into());
    }
    if 0 < finding.below.count {
        put("hidden_matches", finding.below.count.into());
    }
    let ids = |evaluation: &Evaluation| evaluation_value(finding, evaluation, library_version);
    accepted::put(&finding.accepted, &mut value);
    let mut put = |key: &str, part: Value| value.insert(key.to_owned(), part);
    put("evaluations", finding.evaluations.iter().map(ids).collect());
    if let Some(explanation) = &finding.explanation {
        put("explanation", explanation::value(explanation));
    }
    if let Some(features) = &finding.features {
        put("features", features.document.clone());
    }
    record::put(finding.stream_line, &mut value);
    Value::Object(value)
}

/// The rule of every hit, those of one cause one after another.
fn rules(finding: &Finding) -> Vec<&str> {
    finding.matches.iter().flat_map(PlacedMatch::rules).map(|rule| rule.id.as_ref()).collect()
}

/// The evaluation as the audit store keeps it. What the input does not say is null: reports are the same every time.
fn evaluation_value(finding: &Finding, evaluation: &Evaluation, library_version: Option<&str>) -> Value {
    let mut value = json!({
        "model": evaluation.model,
        "lifecycle_point": finding.lifecycle.name(),
        "matched_patterns": rules(finding),
        "match_count": finding.match_count(),
        "numeric_score": number(evaluation.score.value()),
        "level": evaluation.level,
        "categorical_severity": evaluation.severity.map(|severity| severity.name()),
        "action": evaluation.action.map(|action| action.name()),
        "action_reason": finding.decision.reason.name(),
        "signals": evaluation.signals.iter().map(signal_value).collect::<Vec<_>>(),
    });
    if let Some(object) = value.as_object_mut() {
        if let Some(challenge) = evaluation.challenge {
            object.insert("challenge".to_owned(), challenge.into());
        }
        if !evaluation.parts.is_empty() {
            object.insert("parts".to_owned(), evaluation.parts.iter().map(part_value).collect());
        }
        if let Some(undetermined) = &evaluation.undetermined {
            object.insert("undetermined".to_owned(), undetermined.as_str().into());
        }
    }
    if let (Some(object), Some(hash), Some(version)) = (value.as_object_mut(), &finding.text_hash, library_version) {
        let mut parts = vec![finding.name.as_text(), hash.clone(), evaluation.model.to_string(), version.to_owned()];
        let record = finding.record.as_ref().map(|placed| &placed.record);
        if let Some(record) = record {
            parts.extend([record.number.to_string(), record.part.to_string(), record.argument.clone().unwrap_or_default()]);
        }
        // Only what answers a line of a stream has one.
        parts.extend(finding.stream_line.map(|line| line.number.to_string()));
        let id = evaluation_id(&parts);
        object.insert("evaluation_id".to_owned(), id.into());
        object.insert("pattern_library_version".to_owned(), version.into());
        object.insert("tool_call_id".to_owned(), record.and_then(|record| record.id.clone()).into());
        object.insert("session_id".to_owned(), record.and_then(|record| record.session_id.clone()).into());
        object.insert("timestamp".to_owned(), record.and_then(|record| record.timestamp.clone()).into());
        object.insert("tenant_id".to_owned(), finding.tenant.as_deref().into());
        object.insert("scan_duration_ms".to_owned(), Value::Null);
        put_stored(finding, object);
    }
    value
}

/// What is only known where evaluations are stored: all opinions of a subject are one evaluation.
fn put_stored(finding: &Finding, evaluation: &mut Map<String, Value>) {
    let Some((trail, stored)) = finding.trail.as_ref().and_then(|trail| Some((trail, trail.stored.as_ref()?))) else { return };
    evaluation.insert("evaluation_id".to_owned(), stored.evaluation_id.as_str().into());
    evaluation.insert("timestamp".to_owned(), stored.timestamp.as_str().into());
    evaluation.insert("tenant_id".to_owned(), stored.tenant.as_deref().into());
    evaluation.insert("scan_duration_ms".to_owned(), number(trail.took.as_secs_f64() * 1_000.0));
}

/// What an opinion is made of that is made of opinions.
fn part_value(part: &Evaluation) -> Value {
    json!({
        "model": part.model,
        "numeric_score": number(part.score.value()),
        "level": part.level,
        "challenge": part.challenge,
        "categorical_severity": part.severity.map(|severity| severity.name()),
        "action": part.action.map(|action| action.name()),
        "signals": part.signals.iter().map(signal_value).collect::<Vec<_>>(),
        "parts": part.parts.iter().map(part_value).collect::<Vec<_>>(),
    })
}

fn signal_value(signal: &Signal) -> Value {
    json!({
        "id": signal.id,
        "score": number(signal.score),
        "level": signal.level,
        "description": signal.description,
    })
}

/// A UUID (version 8) made from what was judged, so that the same evaluation has the same id.
fn evaluation_id(parts: &[String]) -> String {
    use sha2::{Digest as _, Sha256};
    let digest = Sha256::digest(parts.join("\0").as_bytes());
    let mut bytes = [0_u8; 16];
    bytes.iter_mut().zip(digest).for_each(|(byte, digest)| *byte = digest);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [&hex[..4], &hex[4..6], &hex[6..8], &hex[8..10], &hex[10..]].map(<[String]>::concat).join("-")
}
