//! What a service answers, checked field by field: `{score, risk?, signals?: [{id, score, level, description}], error?}`.
//!
//! Stricter than the released software: a score outside 0–100 is an error and is not clamped, and every text has a length.

use serde_json::Value as Json;

use crate::upstream::enclave::answer::{ForeignAnswer, ForeignSignal, Level};

/// How many signals an answer may have.
const MOST_SIGNALS: usize = 1_000;
/// The longest id of a signal, in characters.
const LONGEST_ID: usize = 100;
/// How much of a description or an error is kept, in characters.
const KEPT: usize = 300;

/// Reads an answer.
///
/// # Errors
///
/// In words: what is missing or wrong, or the error that the service tells.
pub fn read(text: &str) -> Result<ForeignAnswer, String> {
    let answer: Json = serde_json::from_str(text).map_err(|_| "its answer is no JSON".to_owned())?;
    let Some(answer) = answer.as_object() else { return Err("its answer is no JSON object".to_owned()) };
    match answer.get("error") {
        None | Some(Json::Null | Json::Bool(false)) => {}
        Some(Json::String(error)) if error.is_empty() => {}
        Some(Json::String(error)) => return Err(format!("it tells an error: {}", kept(error))),
        Some(Json::Bool(true) | Json::Number(_) | Json::Array(_) | Json::Object(_)) => return Err("it tells an error".to_owned()),
    }
    let total = points(answer.get("score"), "`score`")?;
    let level = match answer.get("risk") {
        None | Some(Json::Null) => Level::of_total(total as u32),
        Some(risk) => level(risk, "`risk`")?,
    };
    let signals = match answer.get("signals") {
        None | Some(Json::Null) => Vec::new(),
        Some(Json::Array(signals)) if MOST_SIGNALS < signals.len() => {
            return Err(format!("`signals` has more than {MOST_SIGNALS} elements"));
        }
        Some(Json::Array(signals)) => signals.iter().enumerate().map(|(nth, value)| signal(value, nth)).collect::<Result<_, _>>()?,
        Some(_) => return Err("`signals` in its answer is no list".to_owned()),
    };
    Ok(ForeignAnswer { total, level, signals })
}

fn signal(value: &Json, nth: usize) -> Result<ForeignSignal, String> {
    let field = |name: &str| value.get(name).ok_or_else(|| format!("`signals[{nth}].{name}` is missing in its answer"));
    let text = |name: &str| field(name)?.as_str().ok_or_else(|| format!("`signals[{nth}].{name}` in its answer is no text"));
    let id = text("id")?;
    if id.is_empty() || LONGEST_ID < id.chars().count() {
        return Err(format!("`signals[{nth}].id` in its answer must have 1 to {LONGEST_ID} characters"));
    }
    Ok(ForeignSignal {
        id: id.to_owned(),
        score: points(Some(field("score")?), &format!("`signals[{nth}].score`"))?,
        level: level(field("level")?, &format!("`signals[{nth}].level`"))?,
        description: kept(text("description")?),
    })
}

fn points(value: Option<&Json>, what: &str) -> Result<f64, String> {
    let Some(value) = value else { return Err(format!("{what} is missing in its answer")) };
    let Some(number) = value.as_f64() else { return Err(format!("{what} in its answer is no number")) };
    if (0.0..=100.0).contains(&number) { Ok(number) } else { Err(format!("{what} in its answer is {number}, not from 0 to 100")) }
}

fn level(value: &Json, what: &str) -> Result<Level, String> {
    let known = value.as_str().and_then(Level::from_name);
    known.ok_or_else(|| format!("{what} in its answer is not `none`, `low`, `medium`, `high` or `critical`"))
}

fn kept(text: &str) -> String {
    let mut kept: String = text.chars().take(KEPT).collect();
    if kept.len() < text.len() {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_right_answer_is_taken_over() {
        for (text, total, level, signals) in [
            (r#"{"score":0}"#, 0.0, "none", 0),
            (r#"{"score":55.5}"#, 55.5, "medium", 0),
            (r#"{"score":100,"risk":"low","error":""}"#, 100.0, "low", 0),
            (r#"{"score":5,"risk":null,"signals":null,"error":null,"more":[1]}"#, 5.0, "none", 0),
            (r#"{"score":1,"signals":[{"id":"A","score":9,"level":"high","description":"d","more":1}]}"#, 1.0, "none", 1),
        ] {
            let answer = read(text).expect("it is right");
            assert_eq!(
                (answer.total.to_bits(), answer.level.name(), answer.signals.len()),
                (f64::to_bits(total), level, signals),
                "{text}"
            );
        }
    }

    #[test]
    fn every_malformed_answer_is_told_by_its_field() {
        for (text, expected) in [
            ("", "no JSON"),
            ("<html>", "no JSON"),
            (r#"{"score":1"#, "no JSON"),
            ("[]", "no JSON object"),
            ("55", "no JSON object"),
            ("{}", "`score` is missing"),
            (r#"{"score":null}"#, "`score` in its answer is no number"),
            (r#"{"score":"55"}"#, "`score` in its answer is no number"),
            (r#"{"score":-1}"#, "not from 0 to 100"),
            (r#"{"score":100.1}"#, "not from 0 to 100"),
            (r#"{"score":1e999}"#, "no JSON"),
            (r#"{"score":1,"risk":"bad"}"#, "`risk`"),
            (r#"{"score":1,"risk":3}"#, "`risk`"),
            (r#"{"score":1,"signals":{}}"#, "`signals` in its answer is no list"),
            (r#"{"score":1,"signals":[1]}"#, "`signals[0].id` is missing"),
            (r#"{"score":1,"signals":[{"id":5,"score":1,"level":"low","description":""}]}"#, "`signals[0].id` in its answer is no text"),
            (r#"{"score":1,"signals":[{"id":"","score":1,"level":"low","description":""}]}"#, "1 to 100 characters"),
            (r#"{"score":1,"signals":[{"id":"A","score":"1","level":"low","description":""}]}"#, "`signals[0].score`"),
            (r#"{"score":1,"signals":[{"id":"A","score":1,"level":"bad","description":""}]}"#, "`signals[0].level`"),
            (r#"{"score":1,"signals":[{"id":"A","score":1,"level":"low"}]}"#, "`signals[0].description` is missing"),
            (r#"{"score":1,"error":"quota"}"#, "it tells an error: quota"),
            (r#"{"error":{"code":1}}"#, "it tells an error"),
        ] {
            let message = read(text).expect_err(text);
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
