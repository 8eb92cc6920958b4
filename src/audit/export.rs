//! Records for other programs: JSON Lines and CSV, with the names of the columns as the view `evaluations` has them.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::audit::chain::hex;
use crate::audit::query::Kept;
use crate::meaning::sheet::number;
use crate::policy::DecisionReason;
use crate::value::csv::cell;
use crate::value::severity::Severity;
use crate::value::time::rfc3339;

/// How the published schema calls the reason that a score passed the override.
const SCORE_OVERRIDE: &str = "score_override_threshold";

/// Everything that is stored of an evaluation, by the names of the columns.
pub fn fields(kept: &Kept) -> Map<String, Value> {
    let record = &kept.record;
    let reason = if record.reason == DecisionReason::ScoreOverride.name() { SCORE_OVERRIDE } else { &record.reason };
    let fields = [
        ("evaluation_id", json!(record.id.to_string())),
        ("tool_call_id", json!(record.tool_call_id)),
        ("lifecycle_point", json!(record.lifecycle)),
        ("timestamp", json!(rfc3339(record.at))),
        ("matched_patterns", json!(record.patterns)),
        ("match_count", json!(record.match_count)),
        ("numeric_score", json!(record.score.map(number))),
        ("categorical_severity", json!(record.severity.map(Severity::name))),
        ("action", json!(record.action)),
        ("action_reason", json!(reason)),
        ("scan_duration_ms", json!(record.duration.map(|micros| number(f64::from(micros) / 1_000.0)))),
        ("pattern_library_version", json!(record.library)),
        ("tenant_id", json!(record.tenant)),
        ("session_id", json!(record.session.as_ref().map(|session| session.text.as_str()))),
        ("agent", json!(record.agent)),
        ("verdict", json!(record.verdict.name())),
        ("reason", json!(record.reason)),
        ("deciding_rule", json!(record.rule)),
        ("undetermined", json!(record.undetermined)),
        ("kind", json!(record.kind)),
        ("path", json!(record.path)),
        ("record", json!(record.number)),
        ("tool", json!(record.tool)),
        ("subject_hash", json!(record.subject.map(|subject| hex(&subject)))),
        ("models", json!(record.models)),
        ("model_scores", json!(record.scores)),
        ("input_timestamp", json!(record.input_timestamp)),
        ("callgate_version", json!(record.version)),
        ("accepted_patterns", json!(record.accepted)),
        ("accepted_count", json!(record.accepted_count)),
        ("label", json!(kept.label.map(|is_bad| if is_bad { "bad" } else { "good" }))),
        ("label_note", json!(kept.note)),
        ("hash", json!(hex(&kept.hash))),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Writes a record as a line of JSON.
///
/// # Errors
///
/// When it cannot be written.
pub fn json_line(kept: &Kept, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &Value::Object(fields(kept)))?;
    out.write_all(b"\n")
}

/// Writes a record as a row of CSV, behind the names of the columns if it is the first.
///
/// # Errors
///
/// When it cannot be written.
pub fn csv_row(kept: &Kept, is_first: bool, out: &mut dyn Write) -> io::Result<()> {
    let fields = fields(kept);
    if is_first {
        writeln!(out, "{}", fields.keys().map(String::as_str).collect::<Vec<_>>().join(","))?;
    }
    let cells: Vec<String> = fields.values().map(cell).collect();
    writeln!(out, "{}", cells.join(","))
}
