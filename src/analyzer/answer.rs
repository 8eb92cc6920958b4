//! What a program answers, held to its shape field by field.

use serde_json::{Map, Value};

use crate::value::score::Score;
use crate::value::severity::Severity;
use crate::value::source::shown;

/// Most signals of an answer.
const SIGNALS: usize = 100;
/// Longest id of a signal, in bytes.
const LONGEST_ID: usize = 80;
/// Longest description of a signal, in bytes.
const LONGEST_DESCRIPTION: usize = 1_000;

/// The opinion of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The analyzer's id.
    pub analyzer: String,
    /// How risky the subject is.
    pub score: Score,
    /// What the score is made of, as the program says.
    pub signals: Vec<AnswerSignal>,
}

/// One part of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerSignal {
    /// What it is: letters, digits, `-`, `_`, `.` and `:`.
    pub id: String,
    /// How many points it adds, 0–100.
    pub score: f64,
    /// How bad it is.
    pub level: Severity,
    /// What was found; control characters are taken out.
    pub description: String,
}

/// Reads the answer of a program: `{"score": 0–100, "signals": [{"id", "score": 0–100, "level"?, "description"}]}`.
///
/// # Errors
///
/// When it is no JSON, or has another shape.
pub fn read(analyzer: &str, bytes: &[u8]) -> Result<Answer, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    let answer: Value = serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    let Value::Object(mut answer) = answer else { return Err("it must be an object".to_owned()) };
    let score = points(&mut answer, "score", "")?;
    let signals = match answer.shift_remove("signals") {
        None => Vec::new(),
        Some(Value::Array(signals)) if SIGNALS < signals.len() => return Err(format!("it has more than {SIGNALS} signals")),
        Some(Value::Array(signals)) => {
            signals.into_iter().enumerate().map(|(nth, signal)| read_signal(nth, signal)).collect::<Result<_, _>>()?
        }
        Some(_) => return Err("`signals` must be a list".to_owned()),
    };
    refuse_others(&answer, "")?;
    Ok(Answer { analyzer: analyzer.to_owned(), score: Score::clamped(score), signals })
}

fn read_signal(nth: usize, signal: Value) -> Result<AnswerSignal, String> {
    let place = format!("signals[{nth}].");
    let Value::Object(mut signal) = signal else { return Err(format!("`signals[{nth}]` must be an object")) };
    let id = text(&mut signal, "id", &place, LONGEST_ID)?;
    let is_plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.' | ':');
    if id.is_empty() || !id.chars().all(is_plain) {
        return Err(format!("`{place}id` must be made of letters, digits, `-`, `_`, `.` and `:`"));
    }
    let score = points(&mut signal, "score", &place)?;
    let level = match signal.shift_remove("level") {
        None | Some(Value::Null) => level_of(score),
        Some(Value::String(name)) => {
            Severity::from_name(&name).ok_or_else(|| format!("`{place}level` must be low, medium, high or critical"))?
        }
        Some(_) => return Err(format!("`{place}level` must be a text")),
    };
    let description = shown(&text(&mut signal, "description", &place, LONGEST_DESCRIPTION)?);
    refuse_others(&signal, &place)?;
    Ok(AnswerSignal { id, score, level, description })
}

/// The level of a signal of which the program says none: from 20 points on medium, 40 high, 70 critical.
fn level_of(score: f64) -> Severity {
    match score {
        score if score < 20.0 => Severity::Low,
        score if score < 40.0 => Severity::Medium,
        score if score < 70.0 => Severity::High,
        _ => Severity::Critical,
    }
}

fn points(object: &mut Map<String, Value>, key: &str, place: &str) -> Result<f64, String> {
    let number = match object.shift_remove(key) {
        Some(Value::Number(number)) => number.as_f64(),
        Some(_) => return Err(format!("`{place}{key}` must be a number")),
        None => return Err(format!("`{place}{key}` is missing")),
    };
    number.filter(|number| (0.0..=100.0).contains(number)).ok_or_else(|| format!("`{place}{key}` must be from 0 to 100"))
}

fn text(object: &mut Map<String, Value>, key: &str, place: &str, longest: usize) -> Result<String, String> {
    match object.shift_remove(key) {
        Some(Value::String(text)) if text.len() <= longest => Ok(text),
        Some(Value::String(_)) => Err(format!("`{place}{key}` is longer than {longest} bytes")),
        Some(_) => Err(format!("`{place}{key}` must be a text")),
        None => Err(format!("`{place}{key}` is missing")),
    }
}

/// A field that nobody reads is a misunderstanding, and a gate must not guess.
fn refuse_others(object: &Map<String, Value>, place: &str) -> Result<(), String> {
    match object.keys().next() {
        Some(key) => {
            Err(format!("it has a field `{place}{}` that is not known", shown(key.get(..key.floor_char_boundary(40)).unwrap_or(""))))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_held_to_their_shape() {
        let signal = |fields: &str| format!(r#"{{"score": 1, "signals": [{{{fields}}}]}}"#);
        for (text, expected) in [
            (String::new(), "it is empty"),
            ("nope".to_owned(), "it is not JSON: expected ident at line 1 column 2"),
            ("[]".to_owned(), "it must be an object"),
            ("{}".to_owned(), "`score` is missing"),
            (r#"{"score": "9"}"#.to_owned(), "`score` must be a number"),
            (r#"{"score": null}"#.to_owned(), "`score` must be a number"),
            (r#"{"score": -1}"#.to_owned(), "`score` must be from 0 to 100"),
            (r#"{"score": 100.5}"#.to_owned(), "`score` must be from 0 to 100"),
            (r#"{"score": 1, "verdict": "allow"}"#.to_owned(), "it has a field `verdict` that is not known"),
            (r#"{"score": 1, "signals": {}}"#.to_owned(), "`signals` must be a list"),
            (r#"{"score": 1, "signals": [1]}"#.to_owned(), "`signals[0]` must be an object"),
            (signal(r#""score": 1, "description": "d""#), "`signals[0].id` is missing"),
            (signal(r#""id": "a b", "score": 1, "description": "d""#), "`signals[0].id` must be made of"),
            (signal(r#""id": "a", "description": "d""#), "`signals[0].score` is missing"),
            (signal(r#""id": "a", "score": 101, "description": "d""#), "`signals[0].score` must be from 0 to 100"),
            (signal(r#""id": "a", "score": 1"#), "`signals[0].description` is missing"),
            (signal(r#""id": "a", "score": 1, "description": 1"#), "`signals[0].description` must be a text"),
            (signal(r#""id": "a", "score": 1, "level": "bad", "description": "d""#), "`signals[0].level` must be low"),
            (signal(r#""id": "a", "score": 1, "description": "d", "x": 1"#), "it has a field `signals[0].x`"),
        ] {
            let error = read("a", text.as_bytes()).expect_err(&text);
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        assert!(read("a", b"{\"score\": NaN}").is_err());
        assert!(read("a", b"\xff").is_err());
        assert!(read("a", b"{\"score\": 1}{\"score\": 2}").is_err());
    }

    #[test]
    fn a_right_answer_keeps_all_it_says_but_control_characters() {
        let text = r#"{"score": 70, "signals": [{"id": "a:b", "score": 40, "description": "x\u001b[2J"}, {"id": "c", "score": 0.5, "level": "critical", "description": ""}]}"#;
        let answer = read("mine", text.as_bytes()).expect("it is right");
        assert_eq!((answer.score.value(), answer.signals.len(), &*answer.analyzer), (70.0, 2, "mine"));
        assert_eq!((answer.signals[0].level, &*answer.signals[0].description), (Severity::High, "x\\u{1b}[2J"));
        assert_eq!((answer.signals[1].level, answer.signals[1].score), (Severity::Critical, 0.5));
    }
}
