//! A tool call as plain data, letter by letter as it stands in the JSON.

use crate::format::tool_call::shape::Parts;
use crate::subject::call::{Property, Value};
use crate::subject::plain_call::{PlainCall, PlainValue};

/// The parts of a call as plain data; `text` is what they were read from.
pub fn plain_call(parts: &Parts<'_>, text: &str) -> PlainCall {
    let args = match parts.args {
        Some(Value::Array(elements, _)) => elements.iter().map(|element| plain(element, text)).collect(),
        Some(other) => vec![plain(other, text)],
        None => Vec::new(),
    };
    PlainCall {
        function_name: parts.tool.to_owned(),
        args,
        kwargs: entries(parts.kwargs, text),
        doc: parts.doc.map(str::to_owned),
        hints: entries(parts.hints, text),
        environment: parts.environment.map(str::to_owned),
    }
}

fn entries(value: Option<&Value>, text: &str) -> Vec<(String, PlainValue)> {
    match value {
        Some(Value::Object(properties, _)) => last_of_each(properties, text),
        Some(_) | None => Vec::new(),
    }
}

/// Keys that stand twice count once, in the place of the first with the value of the last.
fn last_of_each(properties: &[Property], text: &str) -> Vec<(String, PlainValue)> {
    let mut entries = indexmap::IndexMap::with_capacity(properties.len());
    for property in properties {
        entries.insert(property.key.clone(), plain(&property.value, text));
    }
    entries.into_iter().collect()
}

fn plain(value: &Value, text: &str) -> PlainValue {
    match value {
        Value::String(text, _) => PlainValue::String(text.clone()),
        Value::Number(number, span) => plain_number(span.slice(text), *number),
        Value::Boolean(flag, _) => PlainValue::Bool(*flag),
        Value::Array(elements, _) => PlainValue::List(elements.iter().map(|element| plain(element, text)).collect()),
        Value::Object(properties, _) => PlainValue::Map(last_of_each(properties, text)),
        // JSON has none of the others.
        Value::Null(_) | Value::Missing | Value::Partial(..) | Value::OneOf(..) | Value::Dynamic(_) => PlainValue::Null,
    }
}

/// Whole numbers are those without a point and an exponent, as long as they may be.
fn plain_number(digits: &str, number: f64) -> PlainValue {
    if digits.contains(['.', 'e', 'E']) {
        return PlainValue::Float(number);
    }
    match digits {
        "-0" => PlainValue::Int(0),
        digits => digits.parse().map_or_else(|_| PlainValue::LongInt(digits.to_owned()), PlainValue::Int),
    }
}
