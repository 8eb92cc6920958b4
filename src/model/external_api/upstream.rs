//! The upstream edition of the external model: what the released software posts, and how it reads an answer, to the digit.
//!
//! Source: agentfront/enclave, `external-api.scorer.ts`, at 7ac44b0a. It takes more than the published edition: a score outside
//! 0–100 is clamped, its level still follows from what was given, and every failed try is repeated.

use serde_json::{Value as Json, json};

use crate::model::external_api::posted::Secrets;
use crate::model::upstream_answer::{UpstreamForeignResult, UpstreamForeignSignal, UpstreamLevel};
use crate::subject::literal_view::{LiteralCall, LiteralView};

/// The most retries that upstream makes, whatever is asked for.
pub const MOST_RETRIES: f64 = 10.0;
/// The retries that upstream makes if nothing is asked for.
pub const USUAL_RETRIES: f64 = 1.0;
/// How much of the text of a refusal upstream repeats, in characters.
const REPEATED: usize = 200;

/// The features that upstream posts. Unlike upstream, strings of the script that hold a secret are masked.
pub fn features(view: &LiteralView, secrets: &Secrets<'_>) -> Json {
    let strings: Vec<&str> = view.calls.iter().flat_map(|call| call.string_literals.iter().map(String::as_str)).collect();
    let mut strings = secrets.texts(&strings).into_iter();
    let calls: Vec<Json> = view.calls.iter().map(|call| call_value(call, secrets, &mut strings)).collect();
    let names = |names: &[&str]| -> Vec<String> { names.iter().map(|name| masked(name, secrets)).collect() };
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

fn call_value(call: &LiteralCall, secrets: &Secrets<'_>, strings: &mut impl Iterator<Item = String>) -> Json {
    json!({
        "toolName": masked(&call.tool_name, secrets),
        "isStaticName": call.is_static_name,
        "argumentKeys": call.argument_keys.iter().map(|key| masked(key, secrets)).collect::<Vec<_>>(),
        "stringLiterals": strings.take(call.string_literals.len()).collect::<Vec<_>>(),
        "numericLiterals": call.numeric_literals,
        "insideLoop": call.inside_loop(),
        "loopDepth": call.loop_depth,
        "location": { "line": 0, "column": 0 },
    })
}

fn masked(name: &str, secrets: &Secrets<'_>) -> String {
    secrets.name(name, crate::value::span::Span::default())
}

/// The retries that upstream makes where so many are asked for.
pub fn retries(asked: Option<f64>) -> f64 {
    asked.unwrap_or(USUAL_RETRIES).clamp(0.0, MOST_RETRIES)
}

/// What upstream says of a status that is no success.
///
/// # Errors
///
/// Always but for a success.
pub fn accept(status: u16, text: &str) -> Result<(), String> {
    if (200..=299).contains(&status) {
        return Ok(());
    }
    let mut repeated: String = text.chars().take(REPEATED).collect();
    if repeated.len() < text.len() {
        repeated.push_str("...");
    }
    Err(format!("API returned {status}: {repeated}"))
}

/// What upstream says of all tries together: every failed one is repeated, whatever it failed by.
///
/// # Errors
///
/// The message of the last try, as upstream wraps it.
pub fn ask<T>(retries: f64, mut attempt: impl FnMut() -> Result<T, String>) -> (Result<T, String>, u32) {
    let most = retries as u32 + 1;
    let mut tries = 1;
    loop {
        match attempt() {
            Ok(answer) => return (Ok(answer), tries),
            Err(_) if tries < most => tries += 1,
            Err(message) => return (Err(format!("ExternalApiScorerError: Failed to score after {tries} attempts: {message}")), tries),
        }
    }
}

/// Reads an answer as upstream does.
///
/// # Errors
///
/// Upstream's message.
pub fn read(answer: &Json) -> Result<UpstreamForeignResult, String> {
    let invalid = |what: &str| format!("Invalid API response: {what}");
    let error = answer.get("error").filter(|error| is_truthy(error));
    if let Some(error) = error {
        return Err(format!("API error: {}", error.as_str().map_or_else(|| error.to_string(), str::to_owned)));
    }
    let total = answer.get("score").and_then(Json::as_f64).ok_or_else(|| invalid("missing score"))?;
    let risk = answer.get("risk").filter(|risk| is_truthy(risk));
    let level = match risk {
        None => UpstreamLevel::of_total(total as u32),
        Some(risk) => risk.as_str().and_then(UpstreamLevel::from_name).ok_or_else(|| invalid("invalid risk level"))?,
    };
    let signals = match answer.get("signals").filter(|signals| is_truthy(signals)) {
        None => Vec::new(),
        Some(Json::Array(signals)) => {
            let signals: Option<Vec<_>> = signals.iter().map(signal).collect();
            signals.ok_or_else(|| invalid("signal missing required fields"))?
        }
        Some(_) => return Err(invalid("signals must be an array")),
    };
    Ok(UpstreamForeignResult { total: total.clamp(0.0, 100.0), level, signals })
}

fn signal(value: &Json) -> Option<UpstreamForeignSignal> {
    Some(UpstreamForeignSignal {
        id: value.get("id")?.as_str()?.to_owned(),
        score: value.get("score")?.as_f64()?,
        level: UpstreamLevel::from_name(value.get("level")?.as_str()?)?,
        description: value.get("description")?.as_str()?.to_owned(),
    })
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
            (r#"{"score":9,"signals":{}}"#, Err("Invalid API response: signals must be an array")),
            (r#"{"score":9,"signals":[{"id":"A"}]}"#, Err("Invalid API response: signal missing required fields")),
        ] {
            let answer: Json = serde_json::from_str(text).expect("it is JSON");
            let found = read(&answer).map(|answer| (answer.total, answer.level.name()));
            assert_eq!(found, expected.map_err(str::to_owned), "{text}");
        }
    }

    #[test]
    fn every_failed_try_is_repeated() {
        let mut left = 2;
        let (answer, tries) = ask(retries(Some(99.0)), || {
            left -= 1;
            if left < 0 { Ok(()) } else { Err("no".to_owned()) }
        });
        assert_eq!((answer, tries), (Ok(()), 3));
        let (answer, tries) = ask::<()>(retries(Some(0.0)), || accept(404, ""));
        assert_eq!((answer, tries), (Err("ExternalApiScorerError: Failed to score after 1 attempts: API returned 404: ".to_owned()), 1));
    }
}
