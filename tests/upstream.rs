//! Holds the upstream editions against answers that the released scoring gate gave.
//!
//! The answers are not part of this repository. The environment variable `CALLGATE_VECTORS` names the
//! folder that holds them; without it each test says that it compared nothing, and passes.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test says what must be there by expecting it, and how many rows it compared"
)]

#[path = "upstream/adr.rs"]
mod adr;
#[path = "upstream/attesta.rs"]
mod attesta;
#[path = "upstream/clawguardian.rs"]
mod clawguardian;
#[path = "upstream/foreign.rs"]
mod foreign;
#[path = "upstream/gate.rs"]
mod gated;
#[path = "upstream/jaydenbeard.rs"]
mod jaydenbeard;
#[path = "upstream/lists.rs"]
mod lists;
#[path = "upstream/maxxie.rs"]
mod maxxie;
#[path = "upstream/pipeline.rs"]
mod pipeline;

use std::env;
use std::fs;
use std::path::Path;
use std::thread;

use callgate::upstream::enclave::answer::{Answer as Scored, Signal, Thresholds, gate};
use callgate::upstream::enclave::view::{LiteralCall, LiteralView};
use callgate::upstream::enclave::words::{BULK, SEND, names_one};
use callgate::upstream::enclave::{keywords, parses, rules, view};
use serde_json::{Map, Number, Value, json};

/// Rows on whose syntax oxc and acorn do not agree, by id, with the reason.
const DISAGREEING: &[(&str, &str)] = &[];

/// Some scripts nest deeply, and both parser and walk recurse.
const STACK_BYTES: usize = 256 * 1024 * 1024;
/// How many differences a failing test prints.
const SHOWN: usize = 10;

#[test]
fn scripts_are_seen_and_scored_as_upstream_does() {
    compare("enclave.jsonl", |input| {
        let code = text(&input["code"]);
        let view = view_of(&code);
        let result = rules::score(&view);
        let answer = gate(f64::from(result.total), Thresholds::default());
        Some(json!({
            "parse_ok": parses(&code),
            "features": features(&view),
            "result": {
                "totalScore": result.total,
                "riskLevel": result.level.name(),
                "signals": signals(&result.signals),
                "scorerType": "rule-based",
            },
            "gate": {
                "allowed": answer.allowed,
                "warned": answer.warned,
                "totalScore": result.total,
                "riskLevel": result.level.name(),
            },
        }))
    });
}

#[test]
fn names_and_sequences_are_told_apart_as_upstream_does() {
    compare("enclave-static.jsonl", |input| match input.get("sequence").and_then(Value::as_array) {
        Some(sequence) => {
            let sequence: Vec<String> = sequence.iter().map(text).collect();
            let sequence: Vec<&str> = sequence.iter().map(String::as_str).collect();
            Some(json!({ "exfil": rules::holds_exfiltration(&sequence) }))
        }
        None => {
            let name = text(&input["name"]);
            Some(json!({ "bulk": names_one(&name, BULK), "send": names_one(&name, SEND) }))
        }
    });
}

#[test]
fn the_gate_answers_as_upstream_does() {
    compare("enclave-gate.jsonl", |input| {
        let config = gated::normalized(&input["config"]);
        if input.get("code").is_none() {
            return Some(json!({ "normalized": config }));
        }
        let first = match gated::evaluate(&config, input) {
            Ok(answer) => answer,
            Err(message) => return Some(json!({ "throws": message })),
        };
        if input["evaluations"] == 2 {
            let second = gated::from_cache(&config, &first);
            return Some(json!({ "first": first, "second": second, "cache_stats": gated::one_hit(&config) }));
        }
        Some(first)
    });
}

#[test]
fn keywords_are_searched_as_upstream_does() {
    compare("enclave-llm.jsonl", |input| {
        if let Some(answer) = foreign::local_model(input) {
            return Some(answer);
        }
        let (view, measures) = foreign::view_and_measures(input);
        let found = keywords::score_measured(&view, measures);
        let total = |result: &Scored| {
            let level = result.level.name();
            json!({ "totalScore": result.total, "riskLevel": level, "scorerType": "local-llm" })
        };
        let mut answer = json!({
            "prompt": keywords::prompt_measured(&view, measures),
            "heuristics": {
                "score": found.signals.iter().map(|signal| signal.score).sum::<u32>(),
                "signals": signals(&found.signals),
            },
            "similarity": total(&found),
            "classification_fallback": total(&rules::score(&view)),
            "classification_no_fallback": total(&found),
        });
        // Rows that give features ask for the rules as well.
        if input.get("features").is_some() {
            let rules = rules::score(&view);
            answer["rule_based"] = total(&rules);
            answer["rule_based"]["signals"] = signals(&rules.signals);
            answer["rule_based"]["scorerType"] = json!("rule-based");
        }
        Some(answer)
    });
}

#[test]
fn two_scorers_are_combined_as_upstream_does() {
    compare("enclave-progressive.jsonl", |input| Some(foreign::progressive(input)));
}

#[test]
fn answers_of_services_are_read_as_upstream_does() {
    compare("enclave-external.jsonl", |input| Some(foreign::external(input)));
}

#[test]
fn answers_are_remembered_as_upstream_does() {
    compare("enclave-cache.jsonl", |input| Some(foreign::cached(input)));
}

#[test]
fn scripts_that_upstream_does_not_rewrite_in_a_way_that_counts_score_as_they_do_there() {
    pipeline::compare();
}

/// What a test says to the input of a row; `None` for rows that are not its own.
type Answer = fn(&Value) -> Option<Value>;

/// Runs `answer` over every row of a file and fails if one differs from what the row expects.
fn compare(file: &str, answer: Answer) {
    compare_rows(file, str::to_owned, move |row| Some((answer(&row["input"])?, row["expected"].clone())));
}

/// Runs `pair` over every row of a file, whose lines are `prepared` before they are read, and fails if one pair of
/// what was answered and what was expected differs.
fn compare_rows(file: &str, prepared: fn(&str) -> String, pair: impl Fn(&Value) -> Option<(Value, Value)> + Send + 'static) {
    let Some(folder) = env::var_os("CALLGATE_VECTORS") else {
        println!("{file}: compared 0 rows, because CALLGATE_VECTORS names no folder");
        return;
    };
    let path = Path::new(&folder).join(file);
    let content = fs::read_to_string(&path).expect("the folder holds the file of that name");
    let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || differences(&content, prepared, &pair));
    let (rows, different) = thread.expect("a thread starts").join().expect("no row panics");
    println!("{file}: compared {rows} rows, {} differ", different.len());
    let unexpected: Vec<&str> = different.iter().filter(|(id, _)| !is_listed(id)).map(|(_, text)| text.as_str()).collect();
    let shown: Vec<&str> = unexpected.iter().take(SHOWN).copied().collect();
    assert!(unexpected.is_empty(), "{file}: {} rows differ:\n{}", unexpected.len(), shown.join("\n"));
    assert!(0 < rows, "{file} holds no row");
}

fn is_listed(id: &str) -> bool {
    DISAGREEING.iter().any(|(row, _)| *row == id)
}

/// How many rows were compared, and id and text of those that differ.
fn differences(
    content: &str,
    prepared: fn(&str) -> String,
    pair: &dyn Fn(&Value) -> Option<(Value, Value)>,
) -> (usize, Vec<(String, String)>) {
    let mut rows = 0;
    let mut different = Vec::new();
    for line in content.lines() {
        let row: Value = serde_json::from_str(&prepared(line)).expect("each line is one JSON object");
        let Some((actual, expected)) = pair(&row) else {
            continue;
        };
        let (actual, expected) = (plain(&actual), plain(&expected));
        rows += 1;
        if actual != expected {
            let id = text(&row["id"]);
            different.push((id.clone(), format!("{id}\n  expected {expected}\n  actual   {actual}")));
        }
    }
    (rows, different)
}

/// One spelling for what two sides may spell in two ways: every number a float, no lone surrogates,
/// and none of the contexts of signals, which repeat features.
fn plain(value: &Value) -> Value {
    match value {
        Value::Object(map) if map.contains_key("$utf16") => Value::String(text(value)),
        Value::Object(map) => {
            let kept = map.iter().filter(|(key, _)| *key != "context");
            kept.map(|(key, value)| (key.clone(), plain(value))).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Number(number) => float(number.as_f64().expect("every number fits a double")),
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

fn text(value: &Value) -> String {
    if let Some(units) = value.get("$utf16").and_then(Value::as_array) {
        let units = units.iter().filter_map(Value::as_u64).filter_map(|unit| u16::try_from(unit).ok());
        return String::from_utf16_lossy(&units.collect::<Vec<u16>>());
    }
    value.as_str().expect("a text is a string or a list of UTF-16 units").to_owned()
}

fn number(value: &Value) -> f64 {
    match value.get("$f").and_then(Value::as_str) {
        Some(name) => name.parse().expect("Rust reads NaN, Infinity and -Infinity"),
        None => value.as_f64().expect("a number is a JSON number or has a name"),
    }
}

fn float(value: f64) -> Value {
    if value.is_finite() {
        return Number::from_f64(value).map_or(Value::Null, Value::Number);
    }
    let name = if value.is_nan() {
        "NaN"
    } else if value < 0.0 {
        "-Infinity"
    } else {
        "Infinity"
    };
    json!({ "$f": name })
}

fn view_of(code: &str) -> LiteralView {
    LiteralView::clone(&view(code))
}

fn features(view: &LiteralView) -> Value {
    let categories: Vec<&str> = view.sensitive_categories.iter().map(|category| category.name()).collect();
    json!({
        "toolCalls": view.calls.iter().map(tool_call).collect::<Vec<_>>(),
        "patterns": {
            "totalToolCalls": view.calls.len(),
            "uniqueToolsCount": view.unique_tool_count(),
            "toolsInLoops": view.tools_in_loops(),
            "maxLoopNesting": view.max_loop_nesting,
            "toolSequence": view.tool_sequence(),
            "iteratesOverToolResults": view.iterates_over_tool_results,
        },
        "signals": {
            "maxLimit": float(view.max_limit()),
            "maxStringLength": view.max_string_length,
            "toolCallDensity": view.tool_call_density(),
            "fanOutRisk": view.fan_out_risk(),
        },
        "sensitive": { "fieldsAccessed": view.sensitive_fields, "categories": categories },
        "meta": { "codeHash": view.code_hash, "lineCount": view.line_count },
    })
}

fn tool_call(call: &LiteralCall) -> Value {
    json!({
        "toolName": call.tool_name,
        "isStaticName": call.is_static_name,
        "argumentKeys": call.argument_keys,
        "stringLiterals": call.string_literals,
        "numericLiterals": call.numeric_literals.iter().copied().map(float).collect::<Vec<_>>(),
        "insideLoop": call.inside_loop(),
        "loopDepth": call.loop_depth,
        "location": { "line": 0, "column": 0 },
    })
}

fn signals(signals: &[Signal]) -> Value {
    let rows = signals.iter().map(|signal| {
        json!({
            "id": signal.id,
            "score": signal.score,
            "description": signal.description,
            "level": signal.level.name(),
        })
    });
    rows.collect()
}
