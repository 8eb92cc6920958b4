//! Arguments: what is said under which key.

use crate::knowledge::words::Tag;
use crate::subject::call::{Property, Value};
use crate::subject::flow::{SYSTEM, is_obeyed_role};
use crate::subject::segment::HOLE;
use crate::value::span::Span;
use crate::value::words::joined;

/// A string somewhere in an argument.
#[derive(Clone, Copy, Debug)]
pub struct Text<'v> {
    /// The key under which it stands, empty at the top.
    pub key: &'v str,
    /// What it says; what is not known reads as [`HOLE`].
    pub text: &'v str,
    /// All of it is known.
    pub is_known: bool,
    /// Where it stands.
    pub span: Span,
}

/// All strings of an argument at any depth, in order of place.
pub fn texts(argument: &Value) -> Vec<Text<'_>> {
    let mut found = Vec::new();
    argument.visit("", &mut |key, value| match value {
        Value::String(text, span) => found.push(Text { key, text, is_known: true, span: *span }),
        Value::Partial(text, span) => found.push(Text { key, text, is_known: false, span: *span }),
        Value::Missing
        | Value::Number(..)
        | Value::Boolean(..)
        | Value::Null(_)
        | Value::Array(..)
        | Value::Object(..)
        | Value::OneOf(..)
        | Value::Dynamic(_) => {}
    });
    found
}

/// The text that a value writes, if it writes one.
pub fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text, _) | Value::Partial(text, _) => Some(text),
        Value::Missing
        | Value::Number(..)
        | Value::Boolean(..)
        | Value::Null(_)
        | Value::Array(..)
        | Value::Object(..)
        | Value::OneOf(..)
        | Value::Dynamic(_) => None,
    }
}

/// The values of which it is one, those that are not there left out; itself, where there is no choice.
pub fn choices(value: &Value) -> Vec<&Value> {
    match value {
        Value::OneOf(choices, _) => {
            choices.iter().filter(|choice| !matches!(choice, Value::Null(_))).flat_map(self::choices).take(CHOICES).collect()
        }
        value => vec![value],
    }
}

/// The properties of an argument that is an object, or may be one of several.
pub fn properties(argument: &Value) -> Vec<&Property> {
    let mut found = Vec::new();
    for choice in choices(argument) {
        if let Value::Object(properties, _) = choice {
            found.extend(properties);
        }
    }
    found
}

/// So many choices of one value are looked at.
pub const CHOICES: usize = 16;

/// The value as one or more words of a command, by its first choice: what is not known reads as [`HOLE`].
pub fn command_words(value: &Value) -> Vec<String> {
    match value {
        Value::String(text, _) | Value::Partial(text, _) => vec![text.clone()],
        Value::Number(number, _) => vec![number.to_string()],
        Value::Array(elements, _) => elements.iter().flat_map(command_words).collect(),
        Value::OneOf(..) => choices(value).first().map(|first| command_words(first)).unwrap_or_default(),
        Value::Missing | Value::Null(_) | Value::Boolean(..) | Value::Object(..) => Vec::new(),
        Value::Dynamic(_) => vec![HOLE.to_string()],
    }
}

/// How much of the text at a place is written out in the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// None of it.
    Nothing,
    /// It begins with words of the script's own.
    Start,
    /// Some of it, behind what is not.
    Part,
    /// All of it: at most one of several texts is chosen.
    All,
}

/// How much of the text at a place of a value is written out, `a.b.[].c`; where it may be several, the least.
pub fn written(value: &Value, path: &str) -> Written {
    let mut least = None;
    let keys: Vec<&str> = path.split('.').filter(|key| !key.is_empty()).collect();
    least_written(value, &keys, &mut least);
    least.unwrap_or(Written::Nothing)
}

fn least_written(value: &Value, keys: &[&str], least: &mut Option<Written>) {
    match (value, keys) {
        (Value::OneOf(values, _), _) => values.iter().for_each(|value| least_written(value, keys, least)),
        (Value::Array(values, _), ["[]", rest @ ..]) => values.iter().for_each(|value| least_written(value, rest, least)),
        (Value::Array(values, _), [index, rest @ ..]) if index.bytes().all(|byte| byte.is_ascii_digit()) => {
            index.parse::<usize>().ok().and_then(|index| values.get(index)).into_iter().for_each(|value| least_written(value, rest, least));
        }
        (Value::Array(values, _), _) => values.iter().for_each(|value| least_written(value, keys, least)),
        (Value::Object(properties, _), [SYSTEM, rest @ ..]) if says_obeyed_role(properties) => {
            properties.iter().filter(|property| property.key == "content").for_each(|property| least_written(&property.value, rest, least));
        }
        (Value::Object(properties, _), [key, rest @ ..]) => {
            properties.iter().filter(|property| property.key == *key).for_each(|property| least_written(&property.value, rest, least));
        }
        (Value::Partial(text, _), _) => {
            let starts = text.trim_start().starts_with(|first: char| first != HOLE);
            let is_telling = 3 < text.chars().filter(|character| character.is_alphanumeric()).count();
            let own = if starts && is_telling {
                Written::Start
            } else if is_telling {
                Written::Part
            } else {
                Written::Nothing
            };
            let rank = |written: Written| match written {
                Written::Nothing => 0,
                Written::Part => 1,
                Written::Start => 2,
                Written::All => 3,
            };
            *least = Some(least.filter(|known| rank(*known) < rank(own)).unwrap_or(own));
        }
        // Options that are written out stand beside a text, and are none.
        (Value::Object(properties, _), []) if properties.iter().all(|property| is_constant(&property.value)) => {}
        (Value::Dynamic(_) | Value::Object(..), _) => *least = Some(Written::Nothing),
        (Value::String(..), []) => *least = Some(least.unwrap_or(Written::All)),
        (Value::Missing | Value::String(..) | Value::Number(..) | Value::Boolean(..) | Value::Null(_), _) => {}
    }
}

fn is_constant(value: &Value) -> bool {
    matches!(value, Value::String(..) | Value::Number(..) | Value::Boolean(..) | Value::Null(_))
}

/// Returns true if and only if a message is one that a model obeys.
fn says_obeyed_role(message: &[Property]) -> bool {
    message.iter().any(|property| property.key == "role" && text(&property.value).is_some_and(is_obeyed_role))
}

/// Returns true if and only if a value may mean yes.
pub fn is_yes(value: &Value) -> bool {
    choices(value).into_iter().any(means_yes)
}

fn means_yes(value: &Value) -> bool {
    match value {
        Value::Boolean(yes, _) => *yes,
        Value::String(text, _) => Tag::MeansYes.has(&text.to_ascii_lowercase()),
        Value::Number(number, _) => *number == 1.0,
        _ => false,
    }
}

/// Returns true if and only if a value may mean no.
pub fn is_no(value: &Value) -> bool {
    choices(value).into_iter().any(|value| match value {
        Value::Boolean(yes, _) => !*yes,
        Value::String(text, _) => Tag::MeansNo.has(&text.to_ascii_lowercase()),
        Value::Number(number, _) => *number == 0.0,
        _ => false,
    })
}

/// Returns true if and only if the argument surely asks only to be told what would happen.
pub fn is_dry_run(argument: &Value) -> bool {
    let choices = choices(argument);
    !choices.is_empty()
        && choices.into_iter().all(|choice| match choice {
            Value::Object(properties, _) => properties
                .iter()
                .any(|property| says_dry_run(property) || matches!(&property.value, Value::Object(..)) && is_dry_run(&property.value)),
            _ => false,
        })
}

fn says_dry_run(property: &Property) -> bool {
    let name = joined(&property.key);
    let is_name = Tag::DryRunKey.has(&name);
    // `dryRun: 'All'` has a cluster go through all its stages.
    let means_all = |value: &Value| matches!(value, Value::String(text, _) if text == "All");
    is_name && choices(&property.value).into_iter().all(|value| means_yes(value) || means_all(value))
        || Tag::CarryOutKey.has(&name) && choices(&property.value).into_iter().all(is_no)
        || name == "mode" && text(&property.value).is_some_and(|mode| Tag::DryRunMode.has(mode))
}

/// Returns true if and only if a text is a name rather than a sentence.
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && text.len() <= 64 && !text.contains(char::is_whitespace)
}

/// Returns true if and only if an operator of a document store holds for everything: `{ $exists: true }`.
pub fn is_open_operator(operator: &str, value: &Value) -> bool {
    // `where: { id: { gt: 0 } }` is the same without its sign.
    match (operator.trim_start_matches('$'), value) {
        ("exists", value) => is_yes(value),
        ("ne" | "not", Value::Null(_)) => true,
        ("match_all" | "matchAll", _) => true,
        ("gt" | "gte", Value::Number(number, _)) => *number <= 0.0,
        ("gt" | "gte" | "ne" | "contains" | "startsWith", Value::String(text, _)) => text.is_empty(),
        ("regex", Value::String(text, _)) => Tag::OpenRegex.has(text),
        _ => false,
    }
}
