//! JSON: one document, or one line a finding. Version 2 of our own schema.

pub mod explanation;

use std::io;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::feature::sheet::{self, number};
use crate::finding::{Entry, Finding, PlacedMatch, PlacedStep, Problem, Report, Run};
use crate::model::{Evaluation, Signal};
use crate::report::Style;
use crate::value::span::Position;
use crate::value::verdict::Verdict;

/// Version of the schema of both formats; grows when a field changes its meaning or goes away.
const SCHEMA_VERSION: u32 = 2;
/// The JSON schema of the document; a line of JSON Lines is one of its findings.
pub const SCHEMA: &str = include_str!("schema.json");

#[derive(Serialize)]
struct Document<'r> {
    schema_version: u32,
    tool: ToolVersion,
    verdict: &'static str,
    totals: Totals,
    configuration: Configuration<'r>,
    findings: Findings<'r>,
}

/// All entries, each made into a value only when it is written, so that none waits in memory.
struct Findings<'r> {
    entries: &'r [Entry],
    library_version: &'r str,
}

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.entries.iter().map(|entry| entry_value(entry, Some(self.library_version))))
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
    skipped_kind: usize,
    skipped_binary: usize,
}

#[derive(Serialize)]
struct Configuration<'r> {
    file: Option<&'r str>,
    loosened: &'r [String],
    models: &'r [String],
    pattern_library_version: &'r str,
}

/// Writes a report as one document.
///
/// # Errors
///
/// When the writer fails.
pub fn write(report: &Report, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let Run { skipped_kind, skipped_binary, models, library_version, configuration, loosened, rules: _ } = &report.run;
    let document = Document {
        schema_version: SCHEMA_VERSION,
        tool: ToolVersion { name: "callgate", version: env!("CARGO_PKG_VERSION") },
        verdict: report.verdict().name(),
        totals: Totals {
            allow: report.count(Verdict::Allow),
            warn: report.count(Verdict::Warn),
            block: report.count(Verdict::Block),
            undetermined: report.undetermined(),
            skipped_kind: *skipped_kind,
            skipped_binary: *skipped_binary,
        },
        configuration: Configuration { file: configuration.as_deref(), loosened, models, pattern_library_version: library_version },
        findings: Findings { entries: &report.entries, library_version },
    };
    serde_json::to_writer_pretty(&mut *writer, &document)?;
    writeln!(writer)
}

/// Writes a report as lines.
///
/// # Errors
///
/// When the writer fails.
pub fn write_lines(report: &Report, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    report.entries.iter().try_for_each(|entry| write_line(entry, writer))
}

/// Writes one entry as a line.
///
/// # Errors
///
/// When the writer fails.
pub fn write_line(entry: &Entry, writer: &mut dyn io::Write) -> io::Result<()> {
    serde_json::to_writer(&mut *writer, &entry_value(entry, None))?;
    writeln!(writer)
}

fn entry_value(entry: &Entry, library_version: Option<&str>) -> Value {
    match entry {
        Entry::Finding(finding) => finding_value(finding, library_version),
        Entry::Problem(problem) => problem_value(problem),
    }
}

fn problem_value(problem: &Problem) -> Value {
    json!({
        "path": problem.name.as_text(),
        "kind": null,
        "verdict": problem.verdict.name(),
        "score": null,
        "severity": null,
        "action": null,
        "reason": "undetermined",
        "undetermined": undetermined_value(problem.reason.name(), &problem.detail, None),
        "matches": [],
    })
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
    put("verdict", finding.decision.verdict.name().into());
    put("score", number(finding.score()));
    put("severity", finding.severity().map(|severity| severity.name()).into());
    put("action", finding.decision.action.name().into());
    put("reason", finding.decision.reason.name().into());
    if let Some(rule) = &finding.decision.rule {
        put("deciding_rule", rule.as_str().into());
    }
    put("undetermined", undetermined.into());
    put("matches", finding.matches.iter().map(match_value).collect());
    if 0 < finding.further_matches {
        put("further_matches", finding.further_matches.into());
    }
    let ids = |evaluation: &Evaluation| evaluation_value(finding, evaluation, library_version);
    put("evaluations", finding.evaluations.iter().map(ids).collect());
    if let Some(explanation) = &finding.explanation {
        put("explanation", explanation::value(explanation));
    }
    if let Some(features) = &finding.features {
        put("features", sheet::value(features.calls.iter().map(|(call, place)| (call, *place)), &features.features));
    }
    Value::Object(value)
}

fn undetermined_value(reason: &str, detail: &str, position: Option<Position>) -> Value {
    json!({
        "reason": reason,
        "detail": detail,
        "line": position.map(|position| position.line),
        "column": position.map(|position| position.column),
    })
}

fn match_value(found: &PlacedMatch) -> Value {
    let mut value = json!({
        "rule": found.rule.id,
        "severity": found.severity.name(),
        "action": found.action.name(),
        "category": found.rule.category,
        "line": found.start.line,
        "column": found.start.column,
        "end_line": found.end.line,
        "end_column": found.end.column,
        "evidence": found.evidence,
        "message": found.message,
    });
    if let Some(object) = value.as_object_mut() {
        if let Some(flow) = found.flow() {
            let steps: Value = flow.steps.iter().map(step_value).collect();
            object.insert("flow".to_owned(), json!({ "origin": step_value(flow.origin), "sink": step_value(flow.sink), "steps": steps }));
        } else if !found.steps.is_empty() {
            object.insert("related".to_owned(), found.steps.iter().map(step_value).collect());
        }
        if !found.also.is_empty() {
            object.insert("also".to_owned(), found.also.iter().map(|rule| rule.id.as_ref()).collect());
        }
    }
    value
}

fn step_value(step: &PlacedStep) -> Value {
    json!({
        "line": step.start.line,
        "column": step.start.column,
        "end_line": step.end.line,
        "end_column": step.end.column,
        "note": step.note,
    })
}

/// The rule of every hit, those of one cause one after another.
fn rules(finding: &Finding) -> Vec<&str> {
    finding.matches.iter().flat_map(PlacedMatch::rules).map(|rule| rule.id.as_ref()).collect()
}

/// The evaluation as the audit store keeps it. What needs a clock is null: reports are the same every time.
fn evaluation_value(finding: &Finding, evaluation: &Evaluation, library_version: Option<&str>) -> Value {
    let mut value = json!({
        "model": evaluation.model,
        "lifecycle_point": finding.lifecycle.name(),
        "matched_patterns": rules(finding),
        "match_count": finding.matches.len() + finding.further_matches,
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
        let id = evaluation_id(&[&finding.name.as_text(), hash, &evaluation.model, version]);
        object.insert("evaluation_id".to_owned(), id.into());
        object.insert("pattern_library_version".to_owned(), version.into());
        for unknown in ["tool_call_id", "tenant_id", "timestamp", "scan_duration_ms"] {
            object.insert(unknown.to_owned(), Value::Null);
        }
    }
    value
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
fn evaluation_id(parts: &[&str]) -> String {
    use sha2::{Digest as _, Sha256};
    let digest = Sha256::digest(parts.join("\0").as_bytes());
    let mut bytes = [0_u8; 16];
    bytes.iter_mut().zip(digest).for_each(|(byte, digest)| *byte = digest);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [&hex[..4], &hex[4..6], &hex[6..8], &hex[8..10], &hex[10..]].map(<[String]>::concat).join("-")
}
