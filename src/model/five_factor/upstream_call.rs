//! The upstream edition on the calls of a subject.

use crate::model::five_factor::settings::UpstreamGate;
use crate::model::five_factor::{CallFactor, CallOpinion};
use crate::subject::Subject;
use crate::subject::call::{Call, Hint, HostCall, Property, Value};
use crate::subject::plain_call::{PlainCall, PlainValue};
use crate::value::span::Span;

/// Floats hold whole numbers up to here, and JSON writes them without a point.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// What the released software would say of each call.
///
/// A tool call that was handed on as plain data is judged as it stands. The calls of a script are what a
/// gate around its tools would be handed: what is not known before they run is an empty text.
pub fn opinions(subject: &Subject, gate: &UpstreamGate) -> Vec<CallOpinion> {
    if let Some(plain) = &subject.plain_call {
        let Some(call) = subject.calls.first() else {
            return vec![opinion(gate, &plain.function_name, plain, 0, Span::default())];
        };
        let mut plain = plain.clone();
        // What the call does not say of itself a manifest may say.
        if plain.doc.is_none() {
            plain.doc.clone_from(&call.doc);
        }
        if plain.hints.is_empty() {
            plain.hints = hints_of(call);
        }
        return vec![opinion(gate, &plain.function_name, &plain, call.earlier, call.span)];
    }
    let calls = subject.calls.iter().map(|call| opinion(gate, call.tool.shown(), &plain_of(call), call.earlier, call.span));
    let host_calls = subject.host_calls.iter().map(|call| opinion(gate, &call.api, &plain_of_host(call), call.earlier, call.span));
    calls.chain(host_calls).collect()
}

fn opinion(gate: &UpstreamGate, name: &str, call: &PlainCall, earlier: u32, span: Span) -> CallOpinion {
    let gated = gate.judge(call, earlier);
    let factors = gated.factors.into_iter().map(|factor| CallFactor {
        because: format!("{:+.3}: {}", factor.contribution, factor.evidence),
        name: factor.name,
        added: factor.contribution,
    });
    CallOpinion { name: name.to_owned(), risk: gated.risk, level: gated.level, factors: factors.collect(), span }
}

/// A tool call of a script: the fields of its argument are passed by name.
fn plain_of(call: &Call) -> PlainCall {
    let (args, kwargs) = match &call.argument {
        Value::Missing => (Vec::new(), Vec::new()),
        Value::Object(properties, _) => (Vec::new(), entries(properties)),
        argument => (vec![plain_value(argument)], Vec::new()),
    };
    PlainCall {
        function_name: call.tool.name().unwrap_or_default().to_owned(),
        args,
        kwargs,
        doc: call.doc.clone(),
        hints: hints_of(call),
        environment: None,
    }
}

fn hints_of(call: &Call) -> Vec<(String, PlainValue)> {
    let value = |hint: &Hint| match hint {
        Hint::Flag(holds) => PlainValue::Bool(*holds),
        Hint::Number(number) => plain_number(*number),
    };
    call.hints.iter().map(|(name, hint)| (name.clone(), value(hint))).collect()
}

fn plain_of_host(call: &HostCall) -> PlainCall {
    PlainCall { function_name: call.api.clone(), args: call.arguments.iter().map(plain_value).collect(), ..PlainCall::default() }
}

fn entries(properties: &[Property]) -> Vec<(String, PlainValue)> {
    properties.iter().map(|property| (property.key.clone(), plain_value(&property.value))).collect()
}

fn plain_value(value: &Value) -> PlainValue {
    match value {
        Value::Missing | Value::Null(_) => PlainValue::Null,
        Value::String(text, _) | Value::Partial(text, _) => PlainValue::String(text.clone()),
        Value::Number(number, _) => plain_number(*number),
        Value::Boolean(value, _) => PlainValue::Bool(*value),
        Value::Array(elements, _) => PlainValue::List(elements.iter().map(plain_value).collect()),
        Value::Object(properties, _) => PlainValue::Map(entries(properties)),
        // Which one it will be is not known; all of them are looked at.
        Value::OneOf(values, _) => PlainValue::String(values.iter().map(|value| plain_value(value).text()).collect::<Vec<_>>().join(" ")),
        Value::Dynamic(_) => PlainValue::String(String::new()),
    }
}

fn plain_number(number: f64) -> PlainValue {
    if number.fract() == 0.0 && number.abs() < WHOLE { PlainValue::Int(number as i64) } else { PlainValue::Float(number) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(plain_value(&value).text(), expected);
        }
    }
}
