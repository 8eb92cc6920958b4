//! Holds the hybrid model against answers computed from the published decision record.
//!
//! The answers are not part of this repository; `CALLGATE_VECTORS` names the folder that holds them.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test says what must be there by expecting it, and how many rows it compared"
)]

use callgate::model::hybrid::{default_action, judge};
use callgate::value::severity::Severity;
use callgate::value::verdict::Action;
use serde_json::Value;

#[test]
fn scores_and_actions_are_as_published() {
    let Some(folder) = std::env::var_os("CALLGATE_VECTORS") else {
        println!("adr.jsonl: compared 0 rows, because CALLGATE_VECTORS names no folder");
        return;
    };
    let path = std::path::Path::new(&folder).join("adr.jsonl");
    let text = std::fs::read_to_string(&path).expect("the folder holds adr.jsonl");
    let mut wrong = Vec::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).expect("a row is JSON");
        let (input, expected) = (&row["input"], &row["expected"]);
        let found: Vec<(Severity, Action)> = input["matches"].as_array().expect("matches are a list").iter().map(found).collect();
        let outcome = judge(&found, input["score_override_threshold"].as_f64().unwrap_or(85.0));
        let agrees = expected["raw_score"].as_f64().map(f64::to_bits) == Some(outcome.raw.to_bits())
            && expected["numeric_score"].as_f64() == Some(outcome.score)
            && expected["categorical_severity"].as_str() == outcome.severity.map(Severity::name)
            && expected["categorical_action"].as_str() == Some(outcome.severity_action.name())
            && expected["override_exceeded"].as_bool() == Some(outcome.exceeded)
            && expected["action"].as_str() == Some(outcome.action.name())
            && expected["escalated_by_override"].as_bool() == Some(outcome.escalated);
        if !agrees {
            wrong.push(format!("{}: {outcome:?} is not {expected}", row["id"]));
        }
    }
    println!("adr.jsonl: compared {} rows, {} differ", text.lines().count(), wrong.len());
    assert!(wrong.is_empty(), "{:#?}", &wrong[..wrong.len().min(10)]);
}

fn found(row: &Value) -> (Severity, Action) {
    let severity = row["severity"].as_str().and_then(Severity::from_name).expect("a match has a severity");
    let action = row["action"].as_str().map_or(default_action(severity), |name| Action::from_name(name).expect("an action is known"));
    (severity, action)
}
