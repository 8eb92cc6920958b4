//! The sheet: the features of a subject as one document, the same wherever they are handed out.

use serde_json::{Value, json};

use crate::knowledge::{Sensitivity, Side};
use crate::meaning::magnitude::Magnitude;
use crate::meaning::passage::Passage;
use crate::meaning::{CallFeatures, Features};
use crate::subject::call::{Call, Tool};
use crate::value::js_number::grouped;
use crate::value::span::Position;

/// The features of a subject as a document: what `--features` shows, expressions read and programs are handed.
/// `places` are its tool calls in order, each with its place.
pub fn value<'c>(places: impl Iterator<Item = (&'c Call, Position)>, features: &Features) -> Value {
    let places: Vec<(&Call, Position)> = places.collect();
    let calls: Vec<Value> = places.iter().zip(&features.calls).map(|((call, place), facts)| call_value(call, *place, facts)).collect();
    let names: Vec<&str> = places.iter().map(|(call, _)| call.tool.shown()).collect();
    let host_calls: Vec<&str> =
        features.ends.reaches.iter().filter(|reach| reach.call.tool().is_none()).map(|reach| &*reach.name).collect();
    let pair = |(from, to): &(usize, usize)| json!({ "from": names.get(*from), "to": names.get(*to) });
    let in_loops = || places.iter().zip(&features.calls).filter(|(_, facts)| facts.is_repeated);
    let limits = || features.calls.iter().flat_map(|call| &call.limits).map(|limit| limit.number);
    json!({
        "tools": { "names": names, "distinct": distinct(&names), "dynamic": features.calls.iter().filter(|call| call.is_dynamic).count() },
        "host_calls": { "names": host_calls, "distinct": distinct(&host_calls) },
        "arguments": {
            "calls": calls,
            "max_limit": limits().reduce(f64::max).map(number),
            "sensitive_fields": features.sensitive_fields.iter()
                .map(|field| json!({ "name": field.name, "category": field.category.name() })).collect::<Vec<_>>(),
        },
        "control_flow": {
            "calls": names.len(),
            "calls_in_loops": in_loops().count(),
            "max_loop_depth": features.calls.iter().map(|call| call.loop_depth).max().unwrap_or(0),
            "tools_in_loops": distinct(&in_loops().map(|((call, _), _)| call.tool.shown()).collect::<Vec<_>>()),
        },
        "data_flow": features.data_flow.iter().map(pair).collect::<Vec<_>>(),
        "flows": features.ends.passages.iter().filter_map(|passage| flow_value(passage, features)).collect::<Vec<_>>(),
        "sequences": { "order": names, "read_then_send": features.sequences.iter().map(pair).collect::<Vec<_>>() },
    })
}

/// Moves the places of a document so many lines down.
pub fn move_down(document: &mut Value, lines: u32) {
    let calls = document.pointer_mut("/arguments/calls").and_then(Value::as_array_mut).into_iter().flatten();
    for line in calls.filter_map(|call| call.get_mut("line")) {
        let moved = line.as_u64().map(|line| line.saturating_add(u64::from(lines)));
        *line = moved.map_or(Value::Null, Value::from);
    }
}

/// The features of a subject for people: each family with a line.
pub fn lines(calls: &[Call], features: &Features) -> Vec<(&'static str, String)> {
    let name = |call: &usize| calls.get(*call).map_or("", |call| call.tool.shown());
    let listed = |words: Vec<String>| if words.is_empty() { "none".to_owned() } else { words.join(", ") };
    let pairs = |pairs: &[(usize, usize)]| listed(pairs.iter().map(|(from, to)| format!("{} → {}", name(from), name(to))).collect());
    let magnitudes = features.calls.iter().flat_map(|call| call.limits.iter().chain(&call.numbers));
    let numbers = magnitudes.map(|magnitude| format!("{} = {}", magnitude.key, grouped(magnitude.number)));
    let in_loops = features.calls.iter().filter(|call| call.is_repeated).count();
    let deepest = features.calls.iter().map(|call| call.loop_depth).max().unwrap_or(0);
    let sensitive = features.sensitive_fields.iter().map(|field| format!("{} ({})", field.name, field.category.name()));
    let order: Vec<&str> = calls.iter().map(|call| call.tool.shown()).collect();
    vec![
        ("tools", listed(order.iter().map(|tool| (*tool).to_owned()).collect())),
        ("arguments", format!("numbers: {}; sensitive fields: {}", listed(numbers.collect()), listed(sensitive.collect()))),
        ("control flow", format!("{} calls, {in_loops} of them repeated, loops {deepest} deep", calls.len())),
        ("data flow", pairs(&features.data_flow)),
        ("sequences", format!("{}; reads then sends: {}", order.join(" → "), pairs(&features.sequences))),
    ]
}

fn call_value(call: &Call, place: Position, facts: &CallFeatures) -> Value {
    let resolution = match call.tool {
        Tool::Named(_) => "literal",
        Tool::Folded(_) => "folded",
        Tool::Dynamic => "dynamic",
    };
    let magnitudes = |values: &[Magnitude]| -> Vec<Value> {
        values.iter().map(|value| json!({ "key": value.key, "number": number(value.number) })).collect()
    };
    json!({
        "tool": call.tool.name(),
        "resolution": resolution,
        "line": place.line,
        "column": place.column,
        "keys": facts.keys,
        "limits": magnitudes(&facts.limits),
        "numbers": magnitudes(&facts.numbers),
        "wildcards": facts.wildcards.len(),
        "loop_depth": facts.loop_depth,
        "repeated": facts.is_repeated,
    })
}

fn flow_value(passage: &Passage, features: &Features) -> Option<Value> {
    let reach = features.ends.reach(passage)?;
    let side = match reach.side {
        Side::Inside => "inside",
        Side::Unknown => "unknown",
        Side::Outside => "outside",
    };
    Some(json!({
        "from": passage.read.kind.name(),
        "sensitivity": passage.read.sensitivity.map(Sensitivity::name),
        "to": reach.name,
        "side": side,
    }))
}

/// Whole numbers without a decimal point.
pub fn number(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 { Value::from(number as i64) } else { Value::from(number) }
}

fn distinct<'n>(names: &[&'n str]) -> Vec<&'n str> {
    let mut seen = std::collections::HashSet::new();
    names.iter().copied().filter(|name| seen.insert(*name)).collect()
}
