//! Holds the five-factor model's upstream edition against answers that the released software gave.
//!
//! The rows come from Python 3.11; what newer versions, which add up floats in another way, would
//! have said stands beside it (`score_py312_compensated_sum`) and is not compared.

use std::collections::BTreeMap;

use callgate::model::five_factor::profile::named_profile;
use callgate::upstream::attesta::call::{self, Call};
use callgate::upstream::attesta::combined::Scorer;
use callgate::upstream::attesta::domain::{self, Condition, Escalation, Profile, RiskPattern, Target};
use callgate::upstream::attesta::factor::Factor;
use callgate::upstream::attesta::gate::{self, DEFAULT_ENVIRONMENT};
use callgate::upstream::attesta::level::{Challenge, Level};
use callgate::upstream::attesta::scorer::{self, WEIGHTS};
use callgate::upstream::attesta::trust::{self, History, Outcome, Record, TrustParameters};
use callgate::upstream::attesta::words;
use callgate::upstream::python::number;
use callgate::upstream::python::pattern::Pattern;
use serde_json::{Map, Value, json};

use crate::{compare_rows, float, text};

/// Keys of answers of other versions of Python.
const NOT_COMPARED: [&str; 2] = ["score_py312_compensated_sum", "level_py312"];

#[test]
fn calls_are_weighed_and_gated_as_upstream_does() {
    compare_rows("attesta.jsonl", with_long_integers_named, |row| {
        let input = &row["input"];
        let actual = match (input.get("score"), input.get("weights")) {
            (Some(score), _) => level_of(score),
            (None, Some(weights)) => weighed(input, weights),
            (None, None) if input.get("allow_hint_override").is_some() => json!({ "gate": gated(input) }),
            (None, None) => judged(input),
        };
        Some((actual, without(&row["expected"], &NOT_COMPARED)))
    });
}

#[test]
fn scorers_are_combined_as_upstream_does() {
    compare_rows("attesta-composite.jsonl", with_long_integers_named, |row| {
        let scorer = scorer(&row["input"]["scorer"]);
        let expected = row["expected"].clone();
        if let Err(error) = scorer.check() {
            return Some((json!({ "error": error.to_string() }), expected));
        }
        let call = plain_call(&row["input"]["context"]);
        let assessment = scorer.assess(&call);
        let factors = match scorer {
            Scorer::Default => Value::Null,
            Scorer::Fixed(_) | Scorer::Composite(_) | Scorer::Max(_) => factors(&assessment.factors),
        };
        let actual = json!({
            "score": float(scorer.risk(&call)),
            "assess_score": float(assessment.risk),
            "level": Level::of_clamped(assessment.risk).name(),
            "name": scorer.name(),
            "scorer_name": assessment.scorer_name,
            "factors": factors,
        });
        Some((actual, expected))
    });
}

#[test]
fn trust_is_earned_and_moves_risks_as_upstream_does() {
    compare_rows("attesta-trust.jsonl", with_long_integers_named, |row| {
        let input = &row["input"];
        let parameters = trust_parameters(&input["params"]);
        let trust = trust::trust(&history(input), input["domain"].as_str(), &parameters);
        let risk = number_of(&input["raw_risk"]);
        let effective = trust::effective_risk(risk, trust, &parameters);
        let actual = json!({
            "trust": float(trust),
            "effective_risk": float(effective),
            "level_raw": Level::of_clamped(risk).name(),
            "level_effective": Level::of_clamped(effective).name(),
        });
        Some((actual, row["expected"].clone()))
    });
}

#[test]
fn domains_raise_and_lower_risks_as_upstream_does() {
    compare_rows("attesta-domain.jsonl", with_long_integers_named, |row| {
        let input = &row["input"];
        let profile = match &input["profile"] {
            Value::String(name) => named_profile(name, &BTreeMap::new()).expect("it is built in"),
            own => profile(own),
        };
        let call = plain_call(&input["context"]);
        let base = match &input["base_fixed"] {
            Value::Null => scorer::assess(&call, 0, WEIGHTS).risk,
            fixed => number_of(fixed),
        };
        let environment = call.environment.as_deref().unwrap_or(DEFAULT_ENVIRONMENT);
        let assessment = domain::assess(&profile, &call, environment, base);
        let parts: Value = assessment.factors.iter().map(|factor| json!([factor.name, float(factor.contribution)])).collect();
        let terms: Value = assessment.terms.iter().map(|(pattern, share)| json!([pattern, float(*share)])).collect();
        let actual = json!({
            "score": float(assessment.risk),
            "level": Level::of_clamped(assessment.risk).name(),
            "factors": parts,
            "matched_patterns": assessment.matched,
            "sensitive_terms": sorted(terms),
            "critical": assessment.is_critical,
            "safe": assessment.is_safe,
            "escalations": assessment.escalations,
            "scorer_name": format!("domain:{}", profile.name),
        });
        let mut expected = row["expected"].clone();
        expected["sensitive_terms"] = sorted(expected["sensitive_terms"].take());
        Some((actual, expected))
    });
}

/// The words of built-in profiles stand in order of the alphabet; upstream's order changes nothing but itself.
fn sorted(terms: Value) -> Value {
    let mut terms = terms.as_array().cloned().unwrap_or_default();
    terms.sort_by_key(ToString::to_string);
    terms.into()
}

fn level_of(score: &Value) -> Value {
    match Level::from_risk(number_of(score)) {
        Ok(level) => json!({ "level": level.name() }),
        // Upstream writes whole numbers as it was given them, without a point.
        Err(error) => json!({ "error": error.to_string().replace(&number::float(error.0), &plain_value(score).text()) }),
    }
}

fn judged(input: &Value) -> Value {
    let call = plain_call(input);
    let assessment = scorer::assess(&call, earlier(input), WEIGHTS);
    json!({
        "tokens": scorer::tokens(&call.function_name),
        "combined_args": scorer::combined_arguments(&call),
        "factor_scores": {
            "function_name": float(scorer::function_name(&call.function_name).0),
            "arguments": float(scorer::arguments(&call).0),
            "docstring": float(scorer::description(&call).0),
            "hints": float(scorer::hints(&call.hints).0),
        },
        "factors": factors(&assessment.factors),
        "score": float(assessment.risk),
        "level": Level::of_clamped(assessment.risk).name(),
        "gate": gated(input),
    })
}

fn weighed(input: &Value, weights: &Value) -> Value {
    let weights: Vec<f64> = weights.as_array().expect("weights are a list").iter().map(number_of).collect();
    let weights = weights.try_into().expect("there are five weights");
    let assessment = scorer::assess(&plain_call(input), earlier(input), weights);
    json!({
        "factors": factors(&assessment.factors),
        "score": float(assessment.risk),
        "level": Level::of_clamped(assessment.risk).name(),
    })
}

fn gated(input: &Value) -> Value {
    let call = plain_call(input);
    let by_gate = input["risk_override"].as_str().and_then(Level::from_name);
    let choice = gate::choice(&call, by_gate, input["allow_hint_override"] == true);
    let risk = scorer::assess(&call, earlier(input), WEIGHTS).risk;
    let gated = gate::gate(risk, choice, call.environment.as_deref().unwrap_or(DEFAULT_ENVIRONMENT));
    let added: Value = gated.factors.iter().map(|factor| json!([factor.name, float(factor.contribution)])).collect();
    let challenge = match gated.level.challenge() {
        Challenge::AutoApprove => "auto_approve",
        Challenge::Confirm => "confirm",
        Challenge::Quiz => "quiz",
        Challenge::MultiParty => "multi_party",
    };
    json!({ "score": float(gated.risk), "level": gated.level.name(), "challenge": challenge, "extra_factors": added })
}

/// The call of a row has a number from 1; upstream counts what came before.
fn earlier(input: &Value) -> u32 {
    let number = input["call_number"].as_u64().unwrap_or(1);
    u32::try_from(number).expect("no row calls that often").saturating_sub(1)
}

fn factors(factors: &[Factor]) -> Value {
    factors.iter().map(|factor| json!([factor.name, float(factor.contribution), factor.evidence])).collect()
}

fn plain_call(context: &Value) -> Call {
    Call {
        function_name: text(&context["function_name"]),
        args: context["args"].as_array().into_iter().flatten().map(plain_value).collect(),
        kwargs: entries(&context["kwargs"]),
        doc: context["function_doc"].as_str().map(str::to_owned),
        hints: entries(&context["hints"]),
        environment: context["environment"].as_str().map(str::to_owned),
    }
}

fn entries(value: &Value) -> Vec<(String, call::Value)> {
    value.as_object().into_iter().flatten().map(|(key, value)| (key.clone(), plain_value(value))).collect()
}

fn plain_value(value: &Value) -> call::Value {
    match value {
        Value::Object(map) if map.contains_key("$f") => call::Value::Float(number_of(value)),
        Value::Object(map) if map.contains_key("$int") => call::Value::LongInt(text(&map["$int"])),
        Value::Null => call::Value::Null,
        Value::Bool(value) => call::Value::Bool(*value),
        Value::Number(number) => match number.as_i64() {
            Some(value) => call::Value::Int(value),
            None => call::Value::Float(number_of(value)),
        },
        Value::String(text) => call::Value::String(text.clone()),
        Value::Array(values) => call::Value::List(values.iter().map(plain_value).collect()),
        Value::Object(_) => call::Value::Map(entries(value)),
    }
}

fn number_of(value: &Value) -> f64 {
    crate::number(value)
}

fn scorer(value: &Value) -> Scorer {
    let parts = || value["scorers"].as_array().expect("a combined scorer has parts").iter();
    match value["type"].as_str() {
        Some("default") => Scorer::Default,
        Some("fixed") => Scorer::Fixed(number_of(&value["score"])),
        Some("composite") => Scorer::Composite(parts().map(|part| (scorer(&part[0]), number_of(&part[1]))).collect()),
        Some("max") => Scorer::Max(parts().map(scorer).collect()),
        _ => panic!("no such scorer: {value}"),
    }
}

fn history(input: &Value) -> History {
    let records = input["history"].as_array().expect("a history is a list").iter().map(|record| Record {
        days_ago: number_of(&record[0]),
        outcome: match record[1].as_str() {
            Some("success") => Outcome::Success,
            Some("denied") => Outcome::Denied,
            _ => Outcome::Incident,
        },
        domain: text(&record[2]),
    });
    let incidents = u32::try_from(input["incidents"].as_u64().expect("incidents are counted")).expect("they are few");
    History {
        records: records.collect(),
        incidents,
        last_action_days_ago: Some(&input["last_action_days_ago"]).filter(|days| !days.is_null()).map(number_of),
    }
}

fn trust_parameters(given: &Value) -> TrustParameters {
    let default = TrustParameters::default();
    let parameter = |name: &str, default| given.get(name).map_or(default, number_of);
    TrustParameters {
        initial: parameter("initial_score", default.initial),
        ceiling: parameter("ceiling", default.ceiling),
        decay_rate: parameter("decay_rate", default.decay_rate),
        incident_penalty: parameter("incident_penalty", default.incident_penalty),
        influence: parameter("influence", default.influence),
    }
}

fn profile(value: &Value) -> Profile {
    let names = |key: &str| {
        value[key].as_array().into_iter().flatten().map(|name| domain::name_pattern(&text(name)).expect("it is a pattern")).collect()
    };
    let patterns = value["risk_patterns"].as_array().into_iter().flatten().map(|pattern| RiskPattern {
        name: text(&pattern["name"]),
        pattern: Pattern::new(&text(&pattern["pattern"]), true).expect("it is a pattern"),
        target: Target::from_name(&text(&pattern["target"])).expect("it is a target"),
        share: number_of(&pattern["risk_contribution"]),
    });
    let terms = value["sensitive_terms"].as_object().into_iter().flatten();
    let escalations = value["escalation_rules"].as_array().into_iter().flatten();
    Profile {
        name: text(&value["name"]),
        patterns: patterns.collect(),
        terms: terms.map(|(term, share)| (Pattern::whole_word(term).expect("it is a word"), number_of(share))).collect(),
        critical: names("critical_actions"),
        safe: names("safe_actions"),
        floor: number_of(&value["base_risk_floor"]),
        production_multiplier: number_of(&value["production_multiplier"]),
        escalations: escalations
            .map(|rule| Escalation { condition: Condition::parse(&text(&rule["condition"])), action: text(&rule["action"]) })
            .collect(),
    }
}

fn without(value: &Value, keys: &[&str]) -> Value {
    let kept = value.as_object().into_iter().flatten().filter(|(key, _)| !keys.contains(&key.as_str()));
    kept.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>().into()
}

/// Whole numbers of more than 18 digits by name, because JSON readers round them.
fn with_long_integers_named(line: &str) -> String {
    let mut named = String::with_capacity(line.len());
    let mut is_text = false;
    let mut rest = line;
    while let Some(character) = rest.chars().next() {
        let digits = rest.find(|character: char| !character.is_ascii_digit() && character != '-').unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        if !is_text && 18 < digits && !after.starts_with(['.', 'e', 'E']) && !named.ends_with(['.', '+', 'e', 'E']) {
            named.push_str(&format!("{{\"$int\":\"{number}\"}}"));
            rest = after;
            continue;
        }
        let length = match character {
            '\\' if is_text => 2,
            _ if !is_text && 0 < digits => digits,
            _ => character.len_utf8(),
        };
        is_text ^= character == '"';
        let (taken, after) = rest.split_at(length);
        named.push_str(taken);
        rest = after;
    }
    named
}

#[test]
fn long_integers_are_told_from_texts_and_floats() {
    let line = r#"{"a":1000000000000000000000,"b":"1000000000000000000000\"","c":0.1000000000000000055511,"d":-12345678901234567890}"#;
    let expected = r#"{"a":{"$int":"1000000000000000000000"},"b":"1000000000000000000000\"","c":0.1000000000000000055511,"d":{"$int":"-12345678901234567890"}}"#;
    assert_eq!(with_long_integers_named(line), expected);
}

#[test]
fn the_lists_of_words_are_those_of_the_release() {
    let Some(folder) = std::env::var_os("CALLGATE_VECTORS") else {
        println!("patterns.json: compared nothing, because CALLGATE_VECTORS names no folder");
        return;
    };
    let content = std::fs::read_to_string(std::path::Path::new(&folder).join("patterns.json")).expect("the folder holds patterns.json");
    let lists: Value = serde_json::from_str(&content).expect("the lists are a JSON object");
    let expected =
        |key: &str| -> Vec<String> { lists["attesta"][key].as_array().expect("a list").iter().map(|row| text(&row["regex"])).collect() };
    for (list, key) in words::ARGUMENTS.iter().zip(["sensitive_patterns", "sql_danger", "shell_danger", "network_patterns"]) {
        assert_eq!(list.patterns().iter().map(|pattern| pattern.source().to_owned()).collect::<Vec<_>>(), expected(key));
    }
    for (list, key) in words::DESCRIPTION.iter().zip(["docstring_high", "docstring_medium"]) {
        assert_eq!(list.patterns().iter().map(|pattern| pattern.source().to_owned()).collect::<Vec<_>>(), expected(key));
    }
}
