//! Matches and their places.

use serde_json::{Value, json};

use crate::finding::placed::{PlacedMatch, PlacedStep};
use crate::value::span::Position;

/// Why something could not be judged, or not wholly.
pub fn undetermined_value(reason: &str, detail: &str, position: Option<Position>) -> Value {
    json!({
        "reason": reason,
        "detail": detail,
        "line": position.map(|position| position.line),
        "column": position.map(|position| position.column),
    })
}

/// A match.
pub fn match_value(found: &PlacedMatch) -> Value {
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
