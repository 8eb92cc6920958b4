//! The upstream gate around a scorer: its settings, its cache, and what it does when a scorer fails.
//!
//! callgate has its own settings; these are here so that whole answers can be compared.
//! Source: agentfront/enclave, `libs/core/src/scoring`, at 7ac44b0a.

use callgate::upstream::enclave::answer::{Answer, Level, Thresholds, gate};
use callgate::upstream::enclave::view::LiteralView;
use callgate::upstream::enclave::{keywords, rules};
use serde_json::{Map, Value, json};

use crate::{float, number, signals, text, view_of};

/// The configuration as upstream keeps it, with its defaults. Source: `normalizeScoringConfig`.
pub fn normalized(config: &Value) -> Value {
    let or = |pointer: &str, default: Value| config.pointer(pointer).cloned().unwrap_or(default);
    let progressive = config.get("scoring");
    let of_part = |name: &str| {
        let part = progressive.and_then(|scoring| scoring.pointer(&format!("/detailed/{name}")));
        part.or_else(|| config.get(name)).cloned()
    };
    let thresholds = Thresholds::default();
    let mut kept = json!({
        "scorerType": if progressive.is_some() { json!("progressive") } else { or("/scorer", json!("disabled")) },
        "blockThreshold": or("/blockThreshold", json!(thresholds.block)),
        "warnThreshold": or("/warnThreshold", json!(thresholds.warn)),
        "failOpen": or("/failOpen", json!(true)),
        "verbose": or("/verbose", json!(false)),
        "cache": {
            "enabled": or("/cache/enabled", json!(true)),
            "ttlMs": or("/cache/ttlMs", json!(300_000)),
            "maxEntries": or("/cache/maxEntries", json!(1000)),
        },
    });
    let optional = [
        ("progressiveConfig", progressive.cloned()),
        ("localLlm", of_part("localLlm")),
        ("externalApi", of_part("externalApi")),
        ("customRules", custom_rules(config)),
    ];
    for (key, value) in optional {
        if let Some(value) = value {
            kept[key] = value;
        }
    }
    kept
}

/// Accepted, merged and stored upstream, and read by nothing.
fn custom_rules(config: &Value) -> Option<Value> {
    let outer = config.get("customRules");
    let inner = config.pointer("/scoring/fast/customRules");
    let given = [outer, inner].into_iter().flatten().filter_map(Value::as_object);
    let merged: Map<String, Value> = given.flatten().map(|(key, value)| (key.clone(), value.clone())).collect();
    outer.or(inner).map(|_| merged.into())
}

/// Which scorer upstream makes of a configuration.
enum Scorer {
    Rules,
    Keywords,
    Progressive { detailed: Option<Box<Self>> },
}

/// The answer of a fresh gate to one script, or what it throws.
pub fn evaluate(config: &Value, input: &Value) -> Result<Value, String> {
    let mut answer = if config["scorerType"] == "disabled" {
        json!({ "allowed": true, "reason": "Scoring disabled", "cached": false })
    } else if let Some(message) = input["scorer_throws"].as_str() {
        failed(config, message)
    } else if let Some(total) = input.get("stub_total") {
        judged(config, number(total), &Answer::from_signals(vec![]))
    } else {
        let result = scorer(config)?.score(&view_of(&text(&input["code"])));
        judged(config, f64::from(result.total), &result)
    };
    // Rows that give nothing but a script and a configuration tell which scorer was chosen.
    if input.as_object().is_some_and(|input| input.len() == 2) {
        answer["scorerType"] = config["scorerType"].clone();
    }
    Ok(answer)
}

fn failed(config: &Value, message: &str) -> Value {
    let open = config["failOpen"] == true;
    let way = if open { "fail-open" } else { "fail-closed" };
    json!({ "allowed": open, "reason": format!("Scoring error ({way}): {message}"), "cached": false })
}

fn judged(config: &Value, total: f64, result: &Answer) -> Value {
    let answer = gate(total, thresholds(config));
    json!({
        "allowed": answer.allowed,
        "warned": answer.warned,
        "totalScore": float(total),
        "riskLevel": result.level.name(),
        "signals": signals(&result.signals),
        "cached": false,
    })
}

/// From its cache upstream warns about what it blocks as well.
pub fn from_cache(config: &Value, first: &Value) -> Value {
    let total = number(&first["totalScore"]);
    let thresholds = thresholds(config);
    json!({
        "allowed": total < thresholds.block,
        "warned": thresholds.warn <= total,
        "totalScore": total,
        "riskLevel": first["riskLevel"],
        "cached": true,
    })
}

/// The cache's count after one script was judged twice.
pub fn one_hit(config: &Value) -> Value {
    json!({
        "size": 1,
        "maxEntries": config["cache"]["maxEntries"],
        "totalHits": 1,
        "totalMisses": 1,
        "hitRate": 0.5,
        "enabled": config["cache"]["enabled"],
    })
}

fn thresholds(config: &Value) -> Thresholds {
    Thresholds { warn: number(&config["warnThreshold"]), block: number(&config["blockThreshold"]) }
}

/// Errors are thrown before upstream's fail-open setting is asked.
fn scorer(config: &Value) -> Result<Scorer, String> {
    let missing = |what: &str, needs: &str| Err(format!("ScoringGateError: {what} scorer requires {needs} configuration"));
    match config["scorerType"].as_str().unwrap_or_default() {
        "rule-based" => Ok(Scorer::Rules),
        "local-llm" => config.get("localLlm").map_or(Ok(Scorer::Rules), local_model),
        "external-api" => missing("external-api", "externalApi"),
        "progressive" => match config.get("progressiveConfig") {
            None => missing("progressive", "scoring"),
            Some(progressive) => {
                let detailed = progressive.pointer("/detailed/localLlm").map(local_model).transpose()?;
                Ok(Scorer::Progressive { detailed: detailed.map(Box::new) })
            }
        },
        other => Err(format!("ScoringGateError: Unknown scorer type: {other}")),
    }
}

/// The vectors were made with model loading switched off.
fn local_model(config: &Value) -> Result<Scorer, String> {
    if config["fallbackToRules"] == false {
        let cause = "Model loading disabled via ENCLAVE_DISABLE_LOCAL_LLM_MODEL=1";
        return Err(format!("LocalLlmScorerError: Failed to initialize model: {cause}"));
    }
    Ok(if config["mode"] == "similarity" { Scorer::Keywords } else { Scorer::Rules })
}

impl Scorer {
    /// Upstream's default threshold for escalation.
    const ESCALATION: u32 = 30;

    fn score(&self, view: &LiteralView) -> Answer {
        match self {
            Self::Rules => rules::score(view),
            Self::Keywords => keywords::score(view),
            Self::Progressive { detailed } => {
                let fast = rules::score(view);
                match detailed {
                    Some(detailed) if Self::ESCALATION <= fast.total => higher(fast, detailed.score(view)),
                    _ => fast,
                }
            }
        }
    }
}

/// Upstream's default combination: the higher total, and of each signal the one with more points.
fn higher(fast: Answer, detailed: Answer) -> Answer {
    let total = fast.total.max(detailed.total);
    let mut signals = fast.signals;
    for signal in detailed.signals {
        match signals.iter_mut().find(|known| known.id == signal.id) {
            Some(known) if known.score < signal.score => *known = signal,
            Some(_) => {}
            None => signals.push(signal),
        }
    }
    Answer { total, level: Level::of_total(total), signals }
}
