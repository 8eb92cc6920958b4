//! The released default scorer: five factors, weighed and added up from the left.
//!
//! Source: Attesta, `core/risk.py`, `DefaultRiskScorer`, at 4b6a8de1.

use crate::upstream::attesta::call::{Call, Value};
use crate::upstream::attesta::factor::{Factor, clamped};
use crate::upstream::attesta::words::{ARGUMENTS, DESCRIPTION, DESTRUCTIVE, MUTATING, READING, WordList};
use crate::upstream::python::number;

/// What each factor weighs: name, arguments, description, hints, novelty.
pub const WEIGHTS: [f64; 5] = [0.30, 0.25, 0.20, 0.15, 0.10];

/// The names of the factors, in the order in which they are added up.
pub const FACTORS: [&str; 5] = ["function_name", "arguments", "docstring", "hints", "novelty"];

/// A share of 0–1 and what it rests on.
pub type Share = (f64, String);

/// The parts of a risk, and their sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// The risk, 0–1.
    pub risk: f64,
    /// Its parts.
    pub factors: Vec<Factor>,
}

/// What the scorer says of a call of which there were so many before.
pub fn assess(call: &Call, earlier: u32, weights: [f64; 5]) -> Assessment {
    let shares = [function_name(&call.function_name), arguments(call), description(call), hints(&call.hints), novelty(earlier)];
    let weighed = FACTORS.into_iter().zip(shares).zip(weights);
    let factors: Vec<Factor> = weighed.map(|((name, (share, evidence)), weight)| Factor::new(name, share * weight, evidence)).collect();
    let sum = factors.iter().fold(0.0, |sum, factor| sum + factor.contribution);
    Assessment { risk: clamped(sum), factors }
}

/// The words of a name: parted where a capital follows a small letter or a digit, and at `_ . - /`.
pub fn tokens(name: &str) -> Vec<String> {
    let mut parted = String::with_capacity(name.len());
    let mut before = None;
    for character in name.chars() {
        let follows = before.is_some_and(|before: char| before.is_ascii_lowercase() || before.is_ascii_digit());
        if follows && character.is_ascii_uppercase() {
            parted.push('_');
        }
        parted.push(character);
        before = Some(character);
    }
    parted.split(['_', '.', '-', '/']).filter(|token| !token.is_empty()).map(str::to_lowercase).collect()
}

/// The factor of the name.
pub fn function_name(name: &str) -> Share {
    let tokens = tokens(name);
    if tokens.is_empty() {
        return (0.5, "no recognisable tokens".to_owned());
    }
    let named = [("destructive", DESTRUCTIVE, 0.95), ("mutating", MUTATING, 0.55), ("read", READING, 0.1)];
    for (kind, verbs, share) in named {
        let found: Vec<&str> = tokens.iter().map(String::as_str).filter(|token| verbs.contains(token)).collect();
        if !found.is_empty() {
            return (share, format!("{kind} verbs: {}", found.join(", ")));
        }
    }
    (0.4, "no known verb category matched".to_owned())
}

/// All that is passed, as one text.
pub fn combined_arguments(call: &Call) -> String {
    let values = call.args.iter().chain(call.kwargs.iter().map(|(_, value)| value));
    values.map(Value::text).collect::<Vec<_>>().join(" ")
}

/// The factor of the arguments.
pub fn arguments(call: &Call) -> Share {
    if call.args.is_empty() && call.kwargs.is_empty() {
        return (0.0, "no arguments".to_owned());
    }
    worst(&ARGUMENTS, &combined_arguments(call)).unwrap_or_else(|| (0.05, "arguments appear benign".to_owned()))
}

/// The factor of the description.
pub fn description(call: &Call) -> Share {
    match call.doc.as_deref() {
        None | Some("") => (0.1, "no docstring available".to_owned()),
        Some(text) => worst(&DESCRIPTION, text).unwrap_or_else(|| (0.05, "docstring contains no risk keywords".to_owned())),
    }
}

/// The highest share of the lists that hit, and every hit.
fn worst(lists: &[WordList], text: &str) -> Option<Share> {
    let mut share: f64 = 0.0;
    let mut hits = Vec::new();
    for list in lists {
        for found in list.patterns().iter().filter_map(|pattern| pattern.find(text)) {
            hits.push(format!("{} '{found}'", list.label));
            share = share.max(list.share);
        }
    }
    (!hits.is_empty()).then(|| (share, hits.join("; ")))
}

/// What a hint adds that holds.
const FLAG: f64 = 0.3;
/// The number from which a hint adds the most, also as a power of ten, and what that is.
const LARGE: f64 = 10_000.0;
const LARGE_POWER: u32 = 4;
const MOST_OF_NUMBER: f64 = 0.8;

/// The factor of the hints.
pub fn hints(hints: &[(String, Value)]) -> Share {
    if hints.is_empty() {
        return (0.0, "no hints provided".to_owned());
    }
    let mut sum = 0.0;
    let mut parts = Vec::new();
    for (name, value) in hints {
        let added = match value {
            Value::Bool(true) => FLAG,
            Value::Int(_) | Value::LongInt(_) => of_number(number::divided_by_power_of_ten(&value.text(), LARGE_POWER)),
            Value::Float(value) => of_number(value / LARGE),
            Value::Bool(false) | Value::Null | Value::String(_) | Value::List(_) | Value::Map(_) => continue,
        };
        sum += added;
        parts.push(format!("{name}={} (+{})", value.text(), number::fixed(added, 2)));
    }
    if parts.is_empty() {
        return (0.0, "hints contained no scorable values".to_owned());
    }
    (clamped(sum), parts.join("; "))
}

/// What a number adds, given as a share of the large number. What is not a number stays so.
fn of_number(share: f64) -> f64 {
    (if 1.0 < share { 1.0 } else { share }) * MOST_OF_NUMBER
}

/// The factor of the novelty, by how many such calls there were before.
pub fn novelty(earlier: u32) -> Share {
    let share = match earlier {
        0 => 0.9,
        1..10 => 0.9 - (f64::from(earlier) / 10.0) * 0.8,
        10.. => 0.1,
    };
    (share, format!("seen {earlier} time(s) before"))
}

#[cfg(test)]
mod tests {
    use super::{WEIGHTS, arguments, assess, description, function_name, hints, novelty, tokens};
    use crate::upstream::attesta::call::{Call, Value};

    #[test]
    fn names_are_parted_at_ascii_capitals_and_four_signs() {
        for (name, expected) in [
            ("deleteUser", &["delete", "user"][..]),
            ("delete2Users", &["delete2", "users"]),
            ("HTTPDelete", &["httpdelete"]),
            ("mcp__files.drop-it/now", &["mcp", "files", "drop", "it", "now"]),
            ("éDelete", &["édelete"]),
            ("users:delete", &["users:delete"]),
            ("_", &[]),
        ] {
            assert_eq!(tokens(name), expected, "{name}");
        }
        for (name, expected) in [("get_and_drop", 0.95), ("run_list", 0.55), ("find", 0.1), ("wipe", 0.4), ("__", 0.5)] {
            assert_eq!(function_name(name).0, expected, "{name}");
        }
    }

    #[test]
    fn the_worst_hit_in_arguments_counts_and_all_are_told() {
        let call =
            |values: &[&str]| Call { args: values.iter().map(|value| Value::String((*value).to_owned())).collect(), ..Call::default() };
        for (values, share, evidence) in [
            (&[][..], 0.0, "no arguments"),
            (&["plain"], 0.05, "arguments appear benign"),
            (&["api_key"], 0.05, "arguments appear benign"),
            (&["http://x"], 0.5, "network pattern 'http://'"),
            (&["rm", "-rf"], 0.9, "shell command 'rm -rf'"),
            (&["http://x?token=1"], 0.9, "sensitive pattern 'token'; network pattern 'http://'"),
        ] {
            assert_eq!(arguments(&call(values)), (share, evidence.to_owned()));
        }
    }

    #[test]
    fn descriptions_and_hints_are_weighed() {
        let doc = |doc: &str| description(&Call { doc: Some(doc.to_owned()), ..Call::default() }).0;
        assert_eq!([doc(""), doc("plain"), doc("with caution"), doc("Permanently")], [0.1, 0.05, 0.5, 0.85]);
        let hint = |value| hints(&[("n".to_owned(), value)]);
        assert_eq!(hint(Value::Bool(true)), (0.3, "n=True (+0.30)".to_owned()));
        assert_eq!(hint(Value::Int(-5_000)), (0.0, "n=-5000 (+-0.40)".to_owned()));
        assert_eq!(hint(Value::Float(f64::NAN)), (1.0, "n=nan (+nan)".to_owned()));
        assert_eq!(hint(Value::Int(20_000)).0, 0.8);
        assert_eq!(hint(Value::String("true".to_owned())).0, 0.0);
    }

    #[test]
    fn calls_grow_old_over_ten_calls() {
        for (earlier, expected) in [(0, 0.9), (5, 0.5), (9, 0.179_999_999_999_999_94), (10, 0.1), (99, 0.1)] {
            assert_eq!(novelty(earlier).0, expected, "{earlier}");
        }
    }

    #[test]
    fn the_worst_call_without_hints_is_not_critical() {
        let call = Call {
            function_name: "delete_user".to_owned(),
            args: vec![Value::String("production".to_owned())],
            doc: Some("Permanently removes a user.".to_owned()),
            ..Call::default()
        };
        assert_eq!(assess(&call, 0, WEIGHTS).risk, 0.77);
    }
}
