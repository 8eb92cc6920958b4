//! Trends for machines: one document, or a row a day or hour as CSV.

use std::io;

use serde_json::{Map, Value, json};

use crate::finding::hide::Hidden;
use crate::history::period::{Period, Tally};
use crate::history::rising::{Rise, Rising};
use crate::history::trends::{ModelTrend, Pair, RuleTrend, Trends};
use crate::meaning::sheet::number;
use crate::report::Style;
use crate::report::history::{SCHEMA_VERSION, sessions};
use crate::report::json::escaped::write_pretty;
use crate::value::csv::cell;
use crate::value::time::rfc3339;

/// The schema of what `write_json` writes.
pub const SCHEMA: &str = include_str!("schema/trends.json");

/// Writes trends as one document.
///
/// # Errors
///
/// When the writer fails.
pub fn write_json(trends: Hidden<'_, Trends>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let filters: Map<String, Value> = trends.filters.iter().map(|(name, value)| ((*name).to_owned(), value.as_str().into())).collect();
    let document = json!({
        "schema_version": SCHEMA_VERSION,
        "tool": { "name": "callgate", "version": env!("CARGO_PKG_VERSION") },
        "by": trends.by.name(),
        "filter": filters,
        "total": tally(&trends.total),
        "periods": trends.periods.iter().map(period).collect::<Vec<_>>(),
        "rules": trends.rules.iter().map(rule).collect::<Vec<_>>(),
        "sessions": trends.sessions.iter().map(sessions::value).collect::<Vec<_>>(),
        "models": trends.models.iter().map(model).collect::<Vec<_>>(),
        "agreements": trends.pairs.iter().map(pair).collect::<Vec<_>>(),
        "rising": rising(&trends.rising),
    });
    write_pretty(&document, writer)
}

fn tally(tally: &Tally) -> Value {
    let [allowed, warned, blocked] = tally.verdicts;
    json!({
        "evaluations": tally.evaluations(),
        "allow": allowed,
        "warn": warned,
        "block": blocked,
        "undetermined": tally.undetermined,
        "accepted": tally.accepted,
        "mean_score": tally.mean_score().map(number),
        "highest_score": tally.highest_score.map(number),
    })
}

fn period(period: &Period) -> Value {
    let mut fields = Map::from_iter([("start".to_owned(), rfc3339(period.start).into())]);
    if let Value::Object(sums) = tally(&period.tally) {
        fields.extend(sums);
    }
    fields.insert("disagreements".to_owned(), period.disputed.into());
    Value::Object(fields)
}

fn rule(rule: &RuleTrend) -> Value {
    json!({ "rule": rule.rule, "evaluations": rule.evaluations, "block": rule.blocked, "by_period": rule.by_period })
}

fn model(model: &ModelTrend) -> Value {
    let [allowed, warned, blocked] = model.verdicts;
    json!({
        "model": model.model,
        "evaluations": model.evaluations(),
        "allow": allowed,
        "warn": warned,
        "block": blocked,
        "mean_score": model.mean_score().map(number),
    })
}

fn pair(pair: &Pair) -> Value {
    json!({ "models": [pair.models.0, pair.models.1], "both": pair.both, "same": pair.same })
}

fn rising(rising: &Rising) -> Value {
    json!({
        "window_ms": rising.window,
        "end": rfc3339(rising.end),
        "tenants_compared": rising.compared,
        "tenants_with_too_few": rising.too_few,
        "rises": rising.rises.iter().map(rise).collect::<Vec<_>>(),
    })
}

fn rise(rise: &Rise) -> Value {
    let z = if rise.z < f64::MAX { number(rise.z) } else { Value::Null };
    json!({
        "tenant_id": rise.tenant,
        "what": rise.what.name(),
        "rule": rise.what.rule(),
        "before": number(rise.before),
        "now": number(rise.now),
        "z": z,
    })
}

/// Writes the spans of time as CSV, the names of the columns first.
///
/// # Errors
///
/// When the writer fails.
pub fn write_csv(trends: Hidden<'_, Trends>, _: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    for (nth, span) in trends.periods.iter().enumerate() {
        let Value::Object(fields) = period(span) else { continue };
        if nth == 0 {
            writeln!(writer, "{}", fields.keys().map(String::as_str).collect::<Vec<_>>().join(","))?;
        }
        writeln!(writer, "{}", fields.values().map(cell).collect::<Vec<_>>().join(","))?;
    }
    Ok(())
}
