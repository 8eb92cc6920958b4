//! The edition `upstream`: each call of a subject as Attesta is handed it, and what becomes of its answer.

use indexmap::IndexMap;

use crate::model::five_factor::opinion::{CallFactor, CallOpinion};
use crate::subject::Subject;
use crate::subject::call::{Call, Hint, HostCall, Property, Value};
use crate::subject::handed_on::{HandedOn, Passing};
use crate::upstream::attesta::gate::DEFAULT_ENVIRONMENT;
use crate::upstream::attesta::{Attesta, call as json};
use crate::value::span::Span;

/// Floats hold whole numbers up to here, and JSON writes them without a point.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// What Attesta would say of each call of a subject, which stands in this text.
///
/// A tool call that was handed on as JSON is judged letter by letter as it stands. The calls of a script are what a
/// gate around its tools would be handed: what is not known before they run is an empty text.
pub fn opinions(subject: &Subject, text: &str, attesta: &Attesta) -> Vec<CallOpinion> {
    if let (Some(handed_on), Some(call)) = (&subject.handed_on, subject.calls.first()) {
        let read = as_written(call, handed_on, text);
        return vec![opinion(attesta, &read.function_name, &read, call.earlier, call.span)];
    }
    let calls = subject.calls.iter().map(|call| opinion(attesta, call.tool.shown(), &of_script(call), call.earlier, call.span));
    let host_calls = subject.host_calls.iter().map(|call| opinion(attesta, &call.api, &of_host(call), call.earlier, call.span));
    calls.chain(host_calls).collect()
}

/// What stands around the five factors, for people.
pub fn told(attesta: &Attesta) -> String {
    let mut parts = vec![format!("the environment `{}`", attesta.environment.as_deref().unwrap_or(DEFAULT_ENVIRONMENT))];
    parts.extend(attesta.profile.as_ref().map(|profile| format!("the domain `{}`", profile.name)));
    parts.extend(attesta.level.map(|level| format!("the level `{}` chosen for all calls", level.name())));
    parts.extend(attesta.trust.as_ref().map(|_| "trust".to_owned()));
    format!(", by {}", parts.join(", "))
}

fn opinion(attesta: &Attesta, name: &str, call: &json::Call, earlier: u32, span: Span) -> CallOpinion {
    let gated = attesta.judge(call, earlier);
    let factors = gated.factors.into_iter().map(|factor| CallFactor {
        because: format!("{:+.3}: {}", factor.contribution, factor.evidence),
        name: factor.name,
        added: factor.contribution,
    });
    CallOpinion { name: name.to_owned(), risk: gated.risk, level: gated.level, factors: factors.collect(), span }
}

/// A call as it stands in a text. What it does not say of itself a manifest may say.
fn as_written(call: &Call, handed_on: &HandedOn, text: &str) -> json::Call {
    let (by_position, by_name): (Vec<&Value>, &[Property]) = match (handed_on.passing, &call.argument) {
        (Passing::Alone, argument) => (vec![argument], &[]),
        (Passing::ByName, Value::Object(properties, _)) => (Vec::new(), properties),
        (Passing::Numbered(count), Value::Object(properties, _)) => {
            let (numbered, named) = properties.split_at(count.min(properties.len()));
            (numbered.iter().map(|property| &property.value).collect(), named)
        }
        (Passing::ByName | Passing::Numbered(_), _) => (Vec::new(), &[]),
    };
    json::Call {
        function_name: call.tool.name().unwrap_or_default().to_owned(),
        args: by_position.into_iter().map(|value| written(value, text)).collect(),
        kwargs: last_of_each(by_name, text),
        doc: handed_on.doc.clone().or_else(|| call.doc.clone()),
        hints: if handed_on.hints.is_empty() { hints_of(call) } else { last_of_each(&handed_on.hints, text) },
        environment: handed_on.environment.clone(),
    }
}

/// Keys that stand twice count once, in the place of the first with the value of the last.
fn last_of_each(properties: &[Property], text: &str) -> Vec<(String, json::Value)> {
    let mut entries = IndexMap::with_capacity(properties.len());
    for property in properties {
        entries.insert(property.key.clone(), written(&property.value, text));
    }
    entries.into_iter().collect()
}

fn written(value: &Value, text: &str) -> json::Value {
    match value {
        Value::String(text, _) => json::Value::String(text.clone()),
        Value::Number(number, span) => written_number(span.slice(text), *number),
        Value::Boolean(flag, _) => json::Value::Bool(*flag),
        Value::Array(elements, _) => json::Value::List(elements.iter().map(|element| written(element, text)).collect()),
        Value::Object(properties, _) => json::Value::Map(last_of_each(properties, text)),
        // JSON has none of the others.
        Value::Null(_) | Value::Missing | Value::Partial(..) | Value::OneOf(..) | Value::Dynamic(_) => json::Value::Null,
    }
}

/// Whole numbers are those without a point and an exponent, as long as they may be.
fn written_number(digits: &str, number: f64) -> json::Value {
    if digits.contains(['.', 'e', 'E']) {
        return json::Value::Float(number);
    }
    match digits {
        "-0" => json::Value::Int(0),
        digits => digits.parse().map_or_else(|_| json::Value::LongInt(digits.to_owned()), json::Value::Int),
    }
}

/// A tool call of a script: the fields of its argument are passed by name.
fn of_script(call: &Call) -> json::Call {
    let (args, kwargs) = match &call.argument {
        Value::Missing => (Vec::new(), Vec::new()),
        Value::Object(properties, _) => (Vec::new(), entries(properties)),
        argument => (vec![known(argument)], Vec::new()),
    };
    json::Call {
        function_name: call.tool.name().unwrap_or_default().to_owned(),
        args,
        kwargs,
        doc: call.doc.clone(),
        hints: hints_of(call),
        environment: None,
    }
}

fn of_host(call: &HostCall) -> json::Call {
    json::Call { function_name: call.api.clone(), args: call.arguments.iter().map(known).collect(), ..json::Call::default() }
}

fn hints_of(call: &Call) -> Vec<(String, json::Value)> {
    let value = |hint: &Hint| match hint {
        Hint::Flag(holds) => json::Value::Bool(*holds),
        Hint::Number(number) => known_number(*number),
    };
    call.hints.iter().map(|(name, hint)| (name.clone(), value(hint))).collect()
}

fn entries(properties: &[Property]) -> Vec<(String, json::Value)> {
    properties.iter().map(|property| (property.key.clone(), known(&property.value))).collect()
}

/// A value as far as it is known before a script runs.
fn known(value: &Value) -> json::Value {
    match value {
        Value::Missing | Value::Null(_) => json::Value::Null,
        Value::String(text, _) | Value::Partial(text, _) => json::Value::String(text.clone()),
        Value::Number(number, _) => known_number(*number),
        Value::Boolean(value, _) => json::Value::Bool(*value),
        Value::Array(elements, _) => json::Value::List(elements.iter().map(known).collect()),
        Value::Object(properties, _) => json::Value::Map(entries(properties)),
        // Which one it will be is not known; all of them are looked at.
        Value::OneOf(values, _) => json::Value::String(values.iter().map(|value| known(value).text()).collect::<Vec<_>>().join(" ")),
        Value::Dynamic(_) => json::Value::String(String::new()),
    }
}

fn known_number(number: f64) -> json::Value {
    if number.fract() == 0.0 && number.abs() < WHOLE { json::Value::Int(number as i64) } else { json::Value::Float(number) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::tool_call::read;
    use crate::format::{Language, ReadOptions};

    fn read_call(text: &str) -> json::Call {
        let subject = read(text, Language::ToolCall, &ReadOptions::default()).remove(0);
        as_written(&subject.calls[0], subject.handed_on.as_ref().unwrap(), text)
    }

    #[test]
    fn a_call_is_handed_on_letter_by_letter() {
        let text = r#"{"function_name":"f","args":[1,2.0,-0,1e2,123456789012345678901234567890,null],"kwargs":{"a":{"x":1,"x":2},"b":[true,"\u0041"],"a":3},"hints":{"h":"low"},"environment":"production"}"#;
        let call = read_call(text);
        let args: Vec<String> = call.args.iter().map(json::Value::literal).collect();
        assert_eq!(args, ["1", "2.0", "0", "100.0", "123456789012345678901234567890", "None"]);
        let kwargs: Vec<(&str, String)> = call.kwargs.iter().map(|(key, value)| (key.as_str(), value.literal())).collect();
        assert_eq!(kwargs, [("a", "3".to_owned()), ("b", "[True, 'A']".to_owned())]);
        assert_eq!(call.hints, [("h".to_owned(), json::Value::String("low".to_owned()))]);
        assert_eq!((call.doc.as_deref(), call.environment.as_deref()), (None, Some("production")));
    }

    #[test]
    fn what_is_passed_by_position_and_by_name_stays_apart() {
        for (passed, args, kwargs) in [
            (r#""args":[{"0":1,"a":2}]"#, &["{'0': 1, 'a': 2}"][..], &[][..]),
            (r#""args":[1],"kwargs":{"a":2}"#, &["1"], &[("a", "2")]),
            (r#""args":[1],"kwargs":{"0":2}"#, &["1"], &[("0", "2")]),
            (r#""args":[1],"kwargs":{}"#, &["1"], &[]),
            (r#""args":[],"kwargs":{"a":2}"#, &[], &[("a", "2")]),
            (r#""args":[1,2],"kwargs":null"#, &["1", "2"], &[]),
            (r#""args":[]"#, &[], &[]),
            (r#""kwargs":"plain""#, &[], &[]),
        ] {
            let call = read_call(&format!(r#"{{"function_name":"f",{passed}}}"#));
            let found: Vec<String> = call.args.iter().map(json::Value::literal).collect();
            let named: Vec<(&str, String)> = call.kwargs.iter().map(|(key, value)| (key.as_str(), value.literal())).collect();
            assert_eq!(found, args, "{passed}");
            assert_eq!(named, kwargs.iter().map(|(key, value)| (*key, (*value).to_owned())).collect::<Vec<_>>(), "{passed}");
        }
    }

    #[test]
    fn values_of_scripts_are_what_json_would_hand_on() {
        let span = Span::default();
        for (value, expected) in [
            (Value::Number(3.0, span), "3"),
            (Value::Number(0.5, span), "0.5"),
            (Value::Array(vec![Value::Null(span), Value::Boolean(true, span)], span), "[None, True]"),
            (Value::Dynamic(span), ""),
            (Value::OneOf(vec![Value::String("a".to_owned(), span), Value::Number(1.0, span)], span), "a 1"),
        ] {
            assert_eq!(known(&value).text(), expected);
        }
    }
}
