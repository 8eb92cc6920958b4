//! Explanations as JSON: each score as a bill, and what would lower the verdict.

use serde_json::{Value, json};

use crate::explain::Explanation;
use crate::explain::bill::{Bill, Item, Threshold};
use crate::explain::counterfactual::{Change, Counterfactual};
use crate::value::span::Position;

/// What a finding's scores are made of and what would lower its verdict.
pub fn value(explanation: &Explanation) -> Value {
    json!({
        "models": explanation.bills.iter().map(bill).collect::<Vec<_>>(),
        "counterfactual": counterfactual(&explanation.counterfactual),
    })
}

/// A number without the noise of its last digits.
pub fn number(number: f64) -> Value {
    super::number((number * 1e6).round() / 1e6)
}

/// What one score is made of.
pub fn bill(bill: &Bill) -> Value {
    let mut value = json!({
        "model": bill.model,
        "method": bill.rule,
        "signals": bill.items.iter().map(item).collect::<Vec<_>>(),
        "sum": number(bill.sum),
        "adjustment": bill.adjustment.map(|adjustment| json!({ "points": number(adjustment.points), "why": adjustment.why })),
        "score": number(bill.score),
        "thresholds": bill.thresholds.iter().map(threshold).collect::<Vec<_>>(),
        "verdict": bill.decision.verdict.name(),
        "action": bill.decision.action.name(),
        "reason": bill.decision.reason.name(),
    });
    if let Some(object) = value.as_object_mut().filter(|_| !bill.parts.is_empty()) {
        object.insert("parts".to_owned(), bill.parts.iter().map(self::bill).collect());
    }
    value
}

fn item(item: &Item) -> Value {
    json!({
        "id": item.id,
        "level": item.level,
        "description": item.description,
        "line": item.place.map(|place| place.line),
        "column": item.place.map(|place| place.column),
        "points": number(item.points),
        "total": number(item.total),
        "reckoning": Some(&item.reckoning).filter(|reckoning| !reckoning.is_empty()),
    })
}

fn threshold(threshold: &Threshold) -> Value {
    json!({
        "name": threshold.name,
        "score": number(threshold.score),
        "applies": if threshold.is_strict { "above" } else { "from" },
        "verdict": threshold.verdict.name(),
        "reached": threshold.is_reached,
    })
}

fn counterfactual(found: &Counterfactual) -> Value {
    let (outcome, changes, why): (_, &[Change], _) = match found {
        Counterfactual::Lowest => ("lowest", &[], None),
        Counterfactual::Single(changes) => ("single", changes, None),
        Counterfactual::Set(changes) => ("set", changes, None),
        Counterfactual::Nothing(why) => ("nothing", &[], Some(why)),
    };
    json!({ "outcome": outcome, "why": why, "changes": changes.iter().map(change).collect::<Vec<_>>() })
}

fn change(change: &Change) -> Value {
    let place = |place: Option<Position>| place.map(|place| json!({ "line": place.line, "column": place.column }));
    json!({
        "scope": change.scope.name(),
        "without": change.rules,
        "matches": change.matches,
        "origin": place(change.origin),
        "place": place(change.place),
        "found": change.found,
        "help": change.help,
        "verdict": change.after.verdict.name(),
        "score": number(change.after.score),
    })
}
