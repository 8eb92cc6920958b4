//! Comparisons as JSON: one document. Version 1 of its own schema.

use std::io;

use serde_json::{Map, Value, json};

use crate::compare::agreement::{Agreement, Column};
use crate::compare::cell::{Cell, State};
use crate::compare::{Comparison, Row};
use crate::explain::opinion::{Judgement, Opinion};
use crate::finding::hide::Hidden;
use crate::finding::{Entry, Run};
use crate::report::Style;
use crate::report::json::{escaped, explanation};
use crate::subject::passed::Passed;
use crate::value::verdict::Verdict;

/// Version of the schema; grows when a field changes its meaning or goes away.
const SCHEMA_VERSION: u32 = 1;
/// The JSON schema of the document.
pub const SCHEMA: &str = include_str!("schema.json");

/// Writes a comparison as one document.
///
/// # Errors
///
/// When the writer fails.
pub fn write(comparison: Hidden<'_, Comparison>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    escaped::write_pretty(&document(comparison.get()), writer)
}

fn document(comparison: &Comparison) -> Value {
    let Run { passed_over, configuration, loosened, library_version, models: _, remarks: _, rules: _, secrets: _, delta: _ } =
        &comparison.run;
    let names: Vec<&str> = comparison.columns.iter().map(|column| column.name.as_str()).collect();
    let (strictest, mildest) = comparison.extremes().unwrap_or_default();
    json!({
        "schema_version": SCHEMA_VERSION,
        "tool": { "name": "callgate", "version": env!("CARGO_PKG_VERSION") },
        "totals": {
            "subjects": comparison.subjects(),
            "disagreements": comparison.disagreements(),
            "hidden": comparison.hidden,
            "skipped_kind": passed_over.files_of_other_kinds(),
            "skipped_binary": passed_over.of(Passed::Binary),
        },
        "configuration": { "file": configuration, "loosened": loosened, "pattern_library_version": library_version },
        "models": comparison.columns.iter().map(column).collect::<Vec<_>>(),
        "left_out": comparison.left_out.iter().map(|(name, why)| json!({ "name": name, "why": why })).collect::<Vec<_>>(),
        "strictest": strictest,
        "mildest": mildest,
        "agreement": comparison.agreements.iter().map(|agreement| pair(agreement, &names)).collect::<Vec<_>>(),
        "subjects": comparison.rows.iter().map(|row| subject(row, &names)).collect::<Vec<_>>(),
    })
}

fn column(column: &Column) -> Value {
    let [allow, warn, block] = column.counts;
    json!({
        "name": column.name,
        "summary": column.summary,
        "allow": allow,
        "warn": warn,
        "block": block,
        "undetermined": column.undetermined,
        "failed": column.failed,
        "silent": column.silent,
        "mean_score": column.mean_score.map(explanation::number),
    })
}

fn pair(agreement: &Agreement, names: &[&str]) -> Value {
    let (left, right) = agreement.models;
    json!({
        "models": [names.get(left), names.get(right)],
        "subjects": agreement.both,
        "same": agreement.same,
        "percent": agreement.percent(),
    })
}

fn subject(row: &Row, names: &[&str]) -> Value {
    let (kind, undetermined, opinions): (_, _, &[Opinion]) = match &row.entry {
        Entry::Finding(finding) => {
            let undetermined = finding.undetermined.as_ref().map(|found| (found.reason.name(), found.detail.as_str()));
            (Some(finding.kind.name()), undetermined, &finding.opinions)
        }
        Entry::Problem(problem) => (None, Some((problem.reason.name(), problem.detail.as_str())), &[]),
        Entry::PassedOver(_) => (None, None, &[]),
    };
    let cells = row.cells.iter().enumerate().zip(names);
    json!({
        "path": row.entry.name().as_text(),
        "nth": row.nth,
        "kind": kind,
        "undetermined": undetermined.map(|(reason, detail)| json!({ "reason": reason, "detail": detail })),
        "distance": row.distance,
        "spread": explanation::number(row.spread),
        "opinions": cells.map(|((at, cell), name)| opinion(name, cell, opinions.get(at))).collect::<Vec<_>>(),
    })
}

fn opinion(model: &str, cell: &Cell, opinion: Option<&Opinion>) -> Value {
    let mut value = Map::new();
    let mut put = |key: &str, part: Value| value.insert(key.to_owned(), part);
    put("model", model.into());
    put("state", cell.state.name().into());
    put("verdict", cell.verdict.map(Verdict::name).into());
    put("score", cell.score.map(explanation::number).into());
    put("level", cell.level.clone().into());
    if let State::Failed(why) = &cell.state {
        put("why", why.clone().into());
    }
    if let Some(Opinion::Judged(judgements)) = opinion {
        put("evaluations", judgements.iter().map(judgement).collect());
    }
    Value::Object(value)
}

fn judgement(judgement: &Judgement) -> Value {
    let mut value = explanation::bill(&judgement.bill);
    if let Some(object) = value.as_object_mut() {
        object.insert("level".to_owned(), judgement.level.as_deref().into());
        object.insert("severity".to_owned(), judgement.severity.map(|severity| severity.name()).into());
        object.insert("challenge".to_owned(), judgement.challenge.into());
    }
    value
}
