//! The scorer that asks a service: what is posted to it, and how its answer is read, to the digit.
//!
//! Source: agentfront/enclave, `external-api.scorer.ts`, at 7ac44b0a. It takes more than the published edition: a score outside
//! 0–100 is clamped, its level still follows from what was given, and every failed try is repeated.

use serde_json::{Value as Json, json};

use crate::upstream::enclave::answer::{ForeignAnswer, ForeignSignal, Level};
use crate::upstream::enclave::view::{LiteralCall, LiteralView};
use crate::value::js_number;

/// The most retries that Enclave makes, whatever is asked for.
pub const MOST_RETRIES: f64 = 10.0;
/// The retries that Enclave makes if nothing is asked for.
pub const USUAL_RETRIES: f64 = 1.0;
/// How long Enclave waits for an answer if nothing is asked for, in milliseconds.
pub const USUAL_TIMEOUT_MS: f64 = 5_000.0;
/// How much of the text of a refusal Enclave repeats, in units of UTF-16.
const REPEATED: usize = 200;

/// What stands in place of names and strings that must not leave: here callgate keeps back what Enclave posts.
#[derive(Clone, Copy)]
pub struct Masks<'m> {
    /// A name, or what stands in its place.
    pub name: &'m dyn Fn(&str) -> String,
    /// All strings of a script, each as it may leave.
    pub strings: &'m dyn Fn(&[&str]) -> Vec<String>,
}

/// The features of a script that Enclave posts, where nothing in them that is masked leaves.
pub fn features(view: &LiteralView, masks: Masks<'_>) -> Json {
    let strings: Vec<&str> = view.calls.iter().flat_map(|call| call.string_literals.iter().map(String::as_str)).collect();
    let mut strings = (masks.strings)(&strings).into_iter();
    let calls: Vec<Json> = view.calls.iter().map(|call| call_value(call, masks, &mut strings)).collect();
    let names = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (masks.name)(name)).collect() };
    let fields: Vec<&str> = view.sensitive_fields.iter().map(String::as_str).collect();
    json!({
        "toolCalls": calls,
        "patterns": {
            "totalToolCalls": view.calls.len(),
            "uniqueToolsCount": view.unique_tool_count(),
            "toolsInLoops": names(&view.tools_in_loops()),
            "maxLoopNesting": view.max_loop_nesting,
            "toolSequence": names(&view.tool_sequence()),
            "iteratesOverToolResults": view.iterates_over_tool_results,
        },
        "signals": {
            "maxLimit": view.max_limit(),
            "maxStringLength": view.max_string_length,
            "toolCallDensity": view.tool_call_density(),
            "fanOutRisk": view.fan_out_risk(),
        },
        "sensitive": {
            "fieldsAccessed": names(&fields),
            "categories": view.sensitive_categories.iter().map(|category| category.name()).collect::<Vec<_>>(),
        },
        "meta": { "codeHash": view.code_hash, "lineCount": view.line_count },
    })
}

fn call_value(call: &LiteralCall, masks: Masks<'_>, strings: &mut impl Iterator<Item = String>) -> Json {
    json!({
        "toolName": (masks.name)(&call.tool_name),
        "isStaticName": call.is_static_name,
        "argumentKeys": call.argument_keys.iter().map(|key| (masks.name)(key)).collect::<Vec<_>>(),
        "stringLiterals": strings.take(call.string_literals.len()).collect::<Vec<_>>(),
        "numericLiterals": call.numeric_literals,
        "insideLoop": call.inside_loop(),
        "loopDepth": call.loop_depth,
        "location": { "line": 0, "column": 0 },
    })
}

/// The retries that Enclave makes where so many are asked for.
pub fn retries(asked: Option<f64>) -> f64 {
    asked.unwrap_or(USUAL_RETRIES).clamp(0.0, MOST_RETRIES)
}

/// How long Enclave waits for an answer where so long is asked for, in milliseconds.
pub fn timeout_ms(asked: Option<f64>) -> f64 {
    asked.unwrap_or(USUAL_TIMEOUT_MS).max(0.0)
}

/// What Enclave says of a status that is no success.
///
/// # Errors
///
/// Always but for a success.
pub fn accept(status: u16, text: &str) -> Result<(), String> {
    if (200..=299).contains(&status) {
        return Ok(());
    }
    let units: Vec<u16> = text.encode_utf16().take(REPEATED + 1).collect();
    let repeated = match units.get(..REPEATED) {
        Some(beginning) if REPEATED < units.len() => format!("{}...", String::from_utf16_lossy(beginning)),
        Some(_) | None => text.to_owned(),
    };
    Err(format!("API returned {status}: {repeated}"))
}

/// What Enclave says of all tries together: every failed one is repeated, whatever it failed by. A part of a retry is a whole
/// one, though the message tells the part.
///
/// # Errors
///
/// The message of the last try, as Enclave wraps it.
pub fn ask<T>(retries: f64, mut attempt: impl FnMut() -> Result<T, String>) -> (Result<T, String>, u32) {
    let most = retries + 1.0;
    let (mut tries, mut last) = (0, "undefined".to_owned());
    while f64::from(tries) < most {
        tries += 1;
        match attempt() {
            Ok(answer) => return (Ok(answer), tries),
            Err(message) => last = message,
        }
    }
    (Err(format!("ExternalApiScorerError: Failed to score after {} attempts: {last}", js_number::plain(most))), tries)
}

/// Reads an answer as Enclave does: what is left out is not looked at, what is `null` is there.
///
/// # Errors
///
/// Enclave's message, or that of the runtime where Enclave looks into nothing.
pub fn read(answer: &Json) -> Result<ForeignAnswer, String> {
    let invalid = |what: &str| format!("Invalid API response: {what}");
    if answer.is_null() {
        return Err(of_nothing("error"));
    }
    if let Some(error) = answer.get("error").filter(|error| is_truthy(error)) {
        return Err(format!("API error: {}", as_text(error)));
    }
    let total = answer.get("score").and_then(Json::as_f64).ok_or_else(|| invalid("missing score"))?;
    let level = match answer.get("risk") {
        None => Level::of_total(total as u32),
        Some(risk) => level(risk).ok_or_else(|| invalid(&format!("invalid risk level \"{}\"", as_text(risk))))?,
    };
    let signals = match answer.get("signals") {
        None => Vec::new(),
        Some(Json::Array(signals)) => signals.iter().map(signal).collect::<Result<_, _>>()?,
        Some(_) => return Err(invalid("signals must be an array")),
    };
    // Adding nothing makes a zero of a negative one.
    Ok(ForeignAnswer { total: total.clamp(0.0, 100.0) + 0.0, level, signals })
}

fn signal(value: &Json) -> Result<ForeignSignal, String> {
    if value.is_null() {
        return Err(of_nothing("id"));
    }
    let text = |name: &str| value.get(name).and_then(Json::as_str);
    let score = value.get("score").and_then(Json::as_f64);
    let fields = text("id").zip(score).zip(text("description")).zip(text("level"));
    let Some((((id, score), description), named)) = fields else {
        return Err("Invalid API response: signal missing required fields".to_owned());
    };
    let level = Level::from_name(named).ok_or_else(|| format!("Invalid API response: invalid signal level \"{named}\""))?;
    Ok(ForeignSignal { id: id.to_owned(), score, level, description: description.to_owned() })
}

fn level(value: &Json) -> Option<Level> {
    Level::from_name(value.as_str()?)
}

/// What the runtime says where a field of nothing is read.
fn of_nothing(field: &str) -> String {
    format!("Cannot read properties of null (reading '{field}')")
}

/// What JavaScript takes for true.
fn is_truthy(value: &Json) -> bool {
    match value {
        Json::Null => false,
        Json::Bool(flag) => *flag,
        Json::Number(number) => number.as_f64() != Some(0.0),
        Json::String(text) => !text.is_empty(),
        Json::Array(_) | Json::Object(_) => true,
    }
}

/// What JavaScript makes of a value that is put into a text.
fn as_text(value: &Json) -> String {
    match value {
        Json::Null => "null".to_owned(),
        Json::Bool(flag) => flag.to_string(),
        Json::Number(number) => number.as_f64().map_or_else(|| number.to_string(), js_number::plain),
        Json::String(text) => text.clone(),
        Json::Array(values) => {
            let element = |value: &Json| if value.is_null() { String::new() } else { as_text(value) };
            values.iter().map(element).collect::<Vec<_>>().join(",")
        }
        Json::Object(_) => "[object Object]".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_clamped_and_levels_follow_from_what_was_given() {
        for (text, expected) in [
            (r#"{"score":130}"#, Ok((100.0, "critical"))),
            (r#"{"score":-3}"#, Ok((0.0, "none"))),
            (r#"{"score":90,"risk":"low"}"#, Ok((90.0, "low"))),
            (r#"{"score":"90"}"#, Err("Invalid API response: missing score")),
            (r#"{"score":-0.0}"#, Ok((0.0, "none"))),
            (r#"{"score":9,"risk":"extreme"}"#, Err("Invalid API response: invalid risk level \"extreme\"")),
            (r#"{"score":9,"risk":null}"#, Err("Invalid API response: invalid risk level \"null\"")),
            (r#"{"score":9,"risk":""}"#, Err("Invalid API response: invalid risk level \"\"")),
            (r#"{"score":9,"risk":["low"]}"#, Err("Invalid API response: invalid risk level \"low\"")),
            (r#"{"score":9,"risk":{}}"#, Err("Invalid API response: invalid risk level \"[object Object]\"")),
            (r#"{"score":9,"signals":null}"#, Err("Invalid API response: signals must be an array")),
            (r#"{"score":9,"signals":"x"}"#, Err("Invalid API response: signals must be an array")),
            (r#"{"score":9,"signals":0}"#, Err("Invalid API response: signals must be an array")),
            (r#"{"score":9,"signals":[null]}"#, Err("Cannot read properties of null (reading 'id')")),
            (r#"{"score":9,"signals":["x"]}"#, Err("Invalid API response: signal missing required fields")),
            (
                r#"{"score":9,"signals":[{"id":"A","score":1,"description":"","level":"bad"}]}"#,
                Err("Invalid API response: invalid signal level \"bad\""),
            ),
            (r#"{"error":"quota"}"#, Err("API error: quota")),
            (r#"{"error":{"code":1}}"#, Err("API error: [object Object]")),
            (r#"{"error":[1,null,"a"]}"#, Err("API error: 1,,a")),
            (r#"{"error":0,"score":9}"#, Ok((9.0, "none"))),
            ("null", Err("Cannot read properties of null (reading 'error')")),
            ("[]", Err("Invalid API response: missing score")),
            (r#"{"score":9,"signals":{}}"#, Err("Invalid API response: signals must be an array")),
            (r#"{"score":9,"signals":[{"id":"A"}]}"#, Err("Invalid API response: signal missing required fields")),
        ] {
            let answer: Json = serde_json::from_str(text).expect("it is JSON");
            let found = read(&answer).map(|answer| (answer.total, answer.level.name()));
            assert_eq!(found, expected.map_err(str::to_owned), "{text}");
        }
    }

    #[test]
    fn long_refusals_are_cut_by_units_of_utf_16() {
        for (text, repeated) in [("x".repeat(200), "x".repeat(200)), ("x".repeat(201), "x".repeat(200) + "...")] {
            assert_eq!(accept(500, &text), Err(format!("API returned 500: {repeated}")));
        }
        assert_eq!(accept(500, &"\u{1f600}".repeat(101)), Err(format!("API returned 500: {}...", "\u{1f600}".repeat(100))));
        assert_eq!((timeout_ms(Some(-1.0)), timeout_ms(None), timeout_ms(Some(1.5))), (0.0, 5_000.0, 1.5));
    }

    #[test]
    fn every_failed_try_is_repeated() {
        let mut left = 2;
        let (answer, tries) = ask(retries(Some(99.0)), || {
            left -= 1;
            if left < 0 { Ok(()) } else { Err("no".to_owned()) }
        });
        assert_eq!((answer, tries), (Ok(()), 3));
        let (answer, tries) = ask::<()>(retries(Some(0.5)), || Err("no".to_owned()));
        assert_eq!((answer, tries), (Err("ExternalApiScorerError: Failed to score after 1.5 attempts: no".to_owned()), 2));
        let (answer, tries) = ask::<()>(retries(Some(0.0)), || accept(404, ""));
        assert_eq!((answer, tries), (Err("ExternalApiScorerError: Failed to score after 1 attempts: API returned 404: ".to_owned()), 1));
    }
}
