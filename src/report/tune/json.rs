//! Tunings as JSON: one document. Version 1 of its own schema.

use std::io;

use serde_json::{Value, json};

use crate::finding::Run;
use crate::finding::hide::Hidden;
use crate::report::Style;
use crate::report::json::escaped;
use crate::report::json::explanation::number;
use crate::tune::hits::RuleHits;
use crate::tune::rate::{at_most, share};
use crate::tune::roc::Point;
use crate::tune::threshold::Cut;
use crate::tune::{Class, ModelTuning, Tuning};

/// Version of the schema; grows when a field changes its meaning or goes away.
const SCHEMA_VERSION: u32 = 1;
/// The JSON schema of the document.
pub const SCHEMA: &str = include_str!("schema.json");

/// Writes a tuning as one document.
///
/// # Errors
///
/// When the writer fails.
pub fn write(tuning: Hidden<'_, Tuning>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    escaped::write_pretty(&document(tuning.get()), writer)
}

fn document(tuning: &Tuning) -> Value {
    let Run { configuration, loosened, library_version, passed_over: _, models: _, remarks: _, rules: _, secrets: _, delta: _ } =
        &tuning.run;
    json!({
        "schema_version": SCHEMA_VERSION,
        "tool": { "name": "callgate", "version": env!("CARGO_PKG_VERSION") },
        "labels": { "file": tuning.labels, "good": tuning.good, "bad": tuning.bad, "unlabelled": tuning.unlabelled },
        "wanted_rates": tuning.rates,
        "configuration": { "file": configuration, "loosened": loosened, "pattern_library_version": library_version },
        "cautions": tuning.cautions(),
        "models": tuning.models.iter().map(model).collect::<Vec<_>>(),
        "left_out": tuning.left_out.iter().map(|(name, why)| json!({ "name": name, "why": why })).collect::<Vec<_>>(),
        "rules": tuning.rules.iter().map(rule).collect::<Vec<_>>(),
    })
}

fn model(model: &ModelTuning) -> Value {
    let threshold = |cut: Option<&Cut>| cut.and_then(|cut| cut.threshold).map(number);
    json!({
        "name": model.name,
        "decides_by": model.decides_by,
        "good": class(&model.good),
        "bad": class(&model.bad),
        "auc": model.auc.map(|auc| json!({ "value": number(auc.value), "low": number(auc.low), "high": number(auc.high) })),
        "warn_threshold": threshold(model.warn()),
        "block_threshold": threshold(model.block()),
        "thresholds": model.cuts.iter().map(|found| cut(found, model)).collect::<Vec<_>>(),
        "roc": model.roc.iter().map(|found| point(found, model)).collect::<Vec<_>>(),
    })
}

fn class(class: &Class) -> Value {
    let [allow, warn, block] = class.verdicts;
    json!({
        "files": class.count(),
        "undetermined": class.undetermined,
        "silent": class.silent,
        "allow": allow,
        "warn": warn,
        "block": block,
    })
}

fn cut(cut: &Cut, model: &ModelTuning) -> Value {
    let mut value = flagged(cut.good, cut.bad, model);
    if let Some(object) = value.as_object_mut() {
        object.insert("wanted_rate".to_owned(), cut.rate.into());
        object.insert("threshold".to_owned(), cut.threshold.map(number).into());
        object.insert("false_positive_rate_at_most".to_owned(), number(at_most(cut.good, model.good.count())));
    }
    value
}

fn point(point: &Point, model: &ModelTuning) -> Value {
    let mut value = flagged(point.good, point.bad, model);
    if let Some(object) = value.as_object_mut() {
        object.insert("threshold".to_owned(), point.threshold.map(number).into());
    }
    value
}

fn flagged(good: usize, bad: usize, model: &ModelTuning) -> Value {
    json!({
        "true_positives": bad,
        "false_positives": good,
        "true_positive_rate": share(bad, model.bad.count()).map(number),
        "false_positive_rate": share(good, model.good.count()).map(number),
    })
}

fn rule(hits: &RuleHits) -> Value {
    json!({ "id": hits.id, "good": hits.good, "bad": hits.bad, "precision": number(hits.precision()) })
}
