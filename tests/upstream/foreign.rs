//! Answers of scorers that take numbers over from elsewhere: two scorers together, services, analyzers, similar samples, a cache.

use std::time::Duration;

use callgate::model::external_api::cache::{Cache, WhenFull};
use callgate::upstream::enclave::answer::{ForeignAnswer, ForeignSignal, Level};
use callgate::upstream::enclave::keywords::{self as local, Measures};
use callgate::upstream::enclave::progressive::{Combination, Progressive, judge};
use callgate::upstream::enclave::view::{LiteralCall, LiteralView};
use callgate::upstream::enclave::words::SensitiveCategory;
use callgate::upstream::enclave::{rules, service as external_api};
use serde_json::{Value, json};

use crate::{float, number, text, view_of};

/// What upstream's two scorers together say of a script.
pub fn progressive(input: &Value) -> Value {
    let usual = Progressive::default();
    let settings = Progressive {
        escalation_threshold: input["config"].get("escalationThreshold").map_or(usual.escalation_threshold, number),
        combination: match input["config"]["combination"].as_str() {
            Some("avg") => Combination::Avg,
            Some("replace") => Combination::Replace,
            Some(_) | None => usual.combination,
        },
    };
    let fast: ForeignAnswer = rules::score(&view_of(&text(&input["code"]))).into();
    let detailed = given(&input["detailed"]).ok();
    let mut escalated = false;
    let answer = judge(fast, settings, || {
        escalated = true;
        detailed
    });
    let signals: Vec<Value> = answer.signals.iter().map(|signal| json!([signal.id, float(signal.score), signal.level.name()])).collect();
    json!({
        "escalated": escalated,
        "totalScore": float(answer.total),
        "riskLevel": answer.level.name(),
        "scorerType": "progressive",
        "signals": signals,
    })
}

/// A result that a row gives in place of a scorer, or the message by which it fails.
fn given(result: &Value) -> Result<ForeignAnswer, String> {
    if let Some(message) = result.get("error") {
        return Err(text(message));
    }
    let total = result.get("totalScore").or_else(|| result.get("score")).map_or(0.0, number);
    let signals = result["signals"].as_array().into_iter().flatten().map(|signal| ForeignSignal {
        id: text(&signal["id"]),
        score: number(&signal["score"]),
        level: Level::from_name(&text(&signal["level"])).expect("it is a level"),
        description: text(&signal["description"]),
    });
    Ok(ForeignAnswer { total, level: Level::of_total(total as u32), signals: signals.collect() })
}

fn result(answer: &ForeignAnswer, scorer: &str) -> Value {
    let signals: Vec<Value> = answer
        .signals
        .iter()
        .map(|signal| json!({ "id": signal.id, "score": float(signal.score), "description": signal.description, "level": signal.level.name() }))
        .collect();
    json!({ "totalScore": float(answer.total), "riskLevel": answer.level.name(), "signals": signals, "scorerType": scorer })
}

/// What upstream makes of the answer of a service, or of its settings.
pub fn external(input: &Value) -> Value {
    if let Some(config) = input.get("config") {
        let or = |key: &str, usual: Value| config.get(key).filter(|value| !value.is_null()).cloned().unwrap_or(usual);
        let given = |key: &str| config.get(key).filter(|value| !value.is_null()).map(number);
        return json!({ "config": {
            "endpoint": config["endpoint"],
            "apiKey": or("apiKey", json!("")),
            "timeoutMs": float(external_api::timeout_ms(given("timeoutMs"))),
            "headers": or("headers", json!({})),
            "retries": float(external_api::retries(given("retries"))),
        }});
    }
    let response = &input["response"];
    let status = u16::try_from(response["status"].as_u64().expect("a status is a number")).expect("a status is small");
    let (answer, attempts) =
        external_api::ask(external_api::retries(input.get("retries").filter(|value| !value.is_null()).map(number)), || {
            external_api::accept(status, &response.get("text").map(text).unwrap_or_default())?;
            external_api::read(&response["body"])
        });
    match answer {
        Ok(answer) => json!({ "result": result(&answer, "external-api"), "attempts": attempts }),
        Err(message) => json!({ "error": message, "attempts": attempts }),
    }
}

/// What upstream's local model says where a row gives similar samples or an analyzer; `None` for other rows.
pub fn local_model(input: &Value) -> Option<Value> {
    let view = || view_of(&text(&input["code"]));
    if let Some(matches) = input.get("matches").and_then(Value::as_array) {
        let similarities: Vec<f64> = matches.iter().map(|found| number(&found["score"])).collect();
        return Some(json!({ "result": result(&local::score_similar(&view(), &similarities), "local-llm") }));
    }
    let analyzer = input.get("analyzer")?;
    let stand_in = (input["fallbackToRules"] != false).then(|| rules::score(&view()));
    Some(match local::analyzed(given(analyzer), stand_in) {
        Ok(answer) => json!({ "result": result(&answer, "local-llm") }),
        Err(message) => json!({ "error": message }),
    })
}

/// The script of a row, or the features that it gives, with what they state.
pub fn view_and_measures(input: &Value) -> (LiteralView, Measures) {
    let Some(features) = input.get("features") else {
        let view = view_of(&text(&input["code"]));
        let measures = Measures::of(&view);
        return (view, measures);
    };
    let texts = |value: &Value| -> Vec<String> { value.as_array().into_iter().flatten().map(text).collect() };
    let size = |value: &Value| usize::try_from(value.as_u64().expect("it is a count")).expect("it is small");
    let calls = features["toolCalls"].as_array().into_iter().flatten().map(|call| LiteralCall {
        tool_name: text(&call["toolName"]),
        is_static_name: call["isStaticName"] == true,
        argument_keys: texts(&call["argumentKeys"]),
        string_literals: texts(&call["stringLiterals"]),
        numeric_literals: call["numericLiterals"].as_array().into_iter().flatten().map(number).collect(),
        loop_depth: size(&call["loopDepth"]),
    });
    let categories = texts(&features["sensitive"]["categories"]);
    let category = |name: &String| SensitiveCategory::ALL.into_iter().find(|category| category.name() == name).expect("it is a category");
    let signals = &features["signals"];
    let view = LiteralView {
        calls: calls.collect(),
        max_loop_nesting: size(&features["patterns"]["maxLoopNesting"]),
        iterates_over_tool_results: features["patterns"]["iteratesOverToolResults"] == true,
        largest_number: number(&signals["maxLimit"]),
        max_string_length: size(&signals["maxStringLength"]),
        sensitive_fields: texts(&features["sensitive"]["fieldsAccessed"]),
        sensitive_categories: categories.iter().map(category).collect(),
        code_hash: text(&features["meta"]["codeHash"]),
        line_count: size(&features["meta"]["lineCount"]),
    };
    let measures = Measures {
        max_limit: number(&signals["maxLimit"]),
        fan_out_risk: size(&signals["fanOutRisk"]),
        tool_call_density: number(&signals["toolCallDensity"]),
    };
    (view, measures)
}

/// What upstream's cache gives back, question by question.
pub fn cached(input: &Value) -> Value {
    let config = &input["config"];
    let most = usize::try_from(config["maxEntries"].as_u64().unwrap_or(1000)).expect("it is small");
    let is_enabled = config["enabled"] != false;
    let mut cache: Cache<String, Value> = Cache::new(most, millis(config.get("ttlMs").unwrap_or(&json!(300_000))), is_enabled);
    let mut now = Duration::ZERO;
    let operations = input["ops"].as_array().into_iter().flatten();
    let results: Vec<Value> = operations
        .map(|operation| {
            let key = || text(&operation[1]);
            match operation[0].as_str().expect("an operation has a name") {
                "set" => cache.put(key(), operation[2].clone(), now, WhenFull::ForgetAnyway),
                "get" => return cache.get(&key(), now).unwrap_or(Value::Null),
                "has" => return cache.has(&key(), now).into(),
                "delete" => return cache.remove(&key()).into(),
                "prune" => return cache.prune(now).into(),
                "clear" => cache.clear(),
                "advance" => now += millis(&operation[1]),
                "stats" => return stats(&cache, most, is_enabled),
                other => panic!("nobody knows what {other} does"),
            }
            Value::Null
        })
        .collect();
    json!({ "results": results })
}

fn stats(cache: &Cache<String, Value>, most: usize, is_enabled: bool) -> Value {
    let counts = cache.counts();
    json!({
        "size": cache.len(),
        "maxEntries": most,
        "totalHits": counts.hits,
        "totalMisses": counts.misses,
        "hitRate": counts.hit_rate(),
        "enabled": is_enabled,
    })
}

fn millis(value: &Value) -> Duration {
    Duration::from_secs_f64(number(value) / 1000.0)
}
