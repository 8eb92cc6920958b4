//! A tool call as plain data, with its numbers as they are written: for the `upstream` editions.

use crate::format::tool_call::shape::Parts;
use crate::subject::call::{Property, Value};
use crate::subject::plain_call::{PlainCall, PlainValue};

/// The call as software written in Python would be handed it.
pub fn plain_call(parts: &Parts<'_>, text: &str) -> PlainCall {
    let args = match parts.args {
        None => Vec::new(),
        Some(Value::Array(elements, _)) => elements.iter().map(|element| plain_value(element, text)).collect(),
        Some(other) => vec![plain_value(other, text)],
    };
    PlainCall {
        function_name: parts.tool.to_owned(),
        args,
        kwargs: fields(parts.kwargs, text),
        doc: parts.doc.map(str::to_owned),
        hints: fields(parts.hints, text),
        environment: parts.environment.map(str::to_owned),
    }
}

fn fields(value: Option<&Value>, text: &str) -> Vec<(String, PlainValue)> {
    match value {
        Some(Value::Object(properties, _)) => entries(properties, text),
        _ => Vec::new(),
    }
}

fn entries(properties: &[Property], text: &str) -> Vec<(String, PlainValue)> {
    properties.iter().map(|property| (property.key.clone(), plain_value(&property.value, text))).collect()
}

fn plain_value(value: &Value, text: &str) -> PlainValue {
    match value {
        Value::Missing | Value::Null(_) | Value::Dynamic(_) => PlainValue::Null,
        Value::String(value, _) | Value::Partial(value, _) => PlainValue::String(value.clone()),
        Value::Number(value, span) => number(*value, span.slice(text)),
        Value::Boolean(value, _) => PlainValue::Bool(*value),
        Value::Array(values, _) | Value::OneOf(values, _) => {
            PlainValue::List(values.iter().map(|value| plain_value(value, text)).collect())
        }
        Value::Object(properties, _) => PlainValue::Map(entries(properties, text)),
    }
}

/// A number with a point or an exponent is a float, any other a whole number of any length.
fn number(value: f64, written: &str) -> PlainValue {
    if !written.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        return PlainValue::Float(value);
    }
    // Python knows no whole number that is minus nothing.
    let whole = written.parse().map(PlainValue::Int);
    whole.unwrap_or_else(|_| PlainValue::LongInt(written.to_owned()))
}

#[cfg(test)]
mod tests {
    use crate::format::tool_call::read;
    use crate::format::{Language, ReadOptions};

    #[test]
    fn numbers_stay_as_they_are_written() {
        let text = r#"{"function_name": "f", "args": [3, 3.0, -0, 1e2, 1000000000000000000000000000000], "kwargs": {"k": {"n": null}}, "hints": {"a": true}, "environment": "ci", "function_doc": "d"}"#;
        let subjects = read(text, Language::ToolCall, &ReadOptions::default());
        let plain = subjects[0].plain_call.as_ref().unwrap();
        let args: Vec<String> = plain.args.iter().map(|value| value.text()).collect();
        assert_eq!(args, ["3", "3.0", "0", "100.0", "1000000000000000000000000000000"]);
        assert_eq!(plain.kwargs[0].1.text(), "{'n': None}");
        assert_eq!((plain.doc.as_deref(), plain.environment.as_deref(), plain.hints.len()), (Some("d"), Some("ci"), 1));
    }
}
