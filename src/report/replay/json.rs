//! Replays as JSON: one document. Version 1 of its own schema.

use std::io;

use serde_json::{Value, json};

use crate::compare::replay::{Flip, Replay, Side, Turns};
use crate::finding::Run;
use crate::finding::hide::Hidden;
use crate::report::Style;
use crate::report::json::{escaped, explanation};

/// Version of the schema; grows when a field changes its meaning or goes away.
const SCHEMA_VERSION: u32 = 1;
/// The JSON schema of the document.
pub const SCHEMA: &str = include_str!("schema.json");

/// Writes a replay as one document.
///
/// # Errors
///
/// When the writer fails.
pub fn write(replay: Hidden<'_, Replay>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let replay = replay.get();
    let Turns { milder, stricter } = replay.turns();
    let [before, after] = replay.runs.each_ref().map(run);
    let document = json!({
        "schema_version": SCHEMA_VERSION,
        "tool": { "name": "callgate", "version": env!("CARGO_PKG_VERSION") },
        "totals": { "subjects": replay.subjects, "flips": replay.flips.len(), "milder": milder, "stricter": stricter },
        "before": before,
        "after": after,
        "rules": turns("rule", &replay.rules),
        "models": turns("model", &replay.models),
        "flips": replay.flips.iter().map(flip).collect::<Vec<_>>(),
    });
    escaped::write_pretty(&document, writer)
}

fn run(run: &Run) -> Value {
    json!({
        "file": run.configuration,
        "loosened": run.loosened,
        "models": run.models,
        "pattern_library_version": run.library_version,
    })
}

fn turns(key: &str, rows: &[(String, Turns)]) -> Vec<Value> {
    rows.iter().map(|(name, Turns { milder, stricter })| json!({ key: name, "milder": milder, "stricter": stricter })).collect()
}

fn flip(flip: &Flip) -> Value {
    let [before, after] = flip.sides.each_ref().map(|side| side.as_ref().map(side_value));
    let rules = flip.rules.iter().map(|(rule, sides)| {
        let [before, after] = sides.map(|severity| severity.map(|severity| severity.name()));
        json!({ "rule": rule, "before": before, "after": after })
    });
    let models = flip.models.iter().map(|(model, sides)| {
        let [before, after] = sides.map(|verdict| verdict.map(|verdict| verdict.name()));
        json!({ "model": model, "before": before, "after": after })
    });
    json!({
        "path": flip.source.as_text(),
        "name": flip.name,
        "before": before,
        "after": after,
        "rules": rules.collect::<Vec<_>>(),
        "models": models.collect::<Vec<_>>(),
    })
}

fn side_value(side: &Side) -> Value {
    json!({ "verdict": side.verdict.name(), "reason": side.reason, "score": side.score.map(explanation::number) })
}
