//! How much a call reads: a page, what was chosen, or everything.

use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::meaning::magnitude::magnitudes;
use crate::meaning::walk::{Arguments, Key};
use crate::meaning::wildcard::wildcards;
use crate::subject::call::{Call, Property, Value};
use crate::subject::flow::ASKS_FOR_ONE;
use crate::value::words::words;

/// A limit up to this asks for a page, not for everything.
const PAGE: f64 = 100.0;
/// A limit above this asks for everything.
const EVERYTHING: f64 = 10_000.0;
/// Whether a call reads a whole collection, and whether nothing chooses what of it.
pub fn amount(call: &Call, reads_many: bool) -> (bool, bool) {
    if asks_for_one(call) {
        return (false, false);
    }
    let argument = Arguments::of(&call.argument);
    let (limits, _) = magnitudes(&argument);
    let least = limits.iter().map(|limit| limit.number).fold(f64::INFINITY, f64::min);
    let is_wild = !wildcards(&argument, true).is_empty();
    let mut is_chosen = argument.properties().any(|(key, property)| chooses(key, &property.value));
    // One text alone is what is looked for.
    is_chosen |= matches!(&call.argument, Value::String(text, _) | Value::Partial(text, _) if !is_all_rows(text));
    let is_huge = limits.iter().any(|limit| EVERYTHING < limit.number);
    let is_unfiltered = is_wild || !is_chosen;
    let takes_all = call.tool.name().is_some_and(|name| Tag::TakesWhole.has_any(words(name)) && !names_one(&argument, name));
    (is_huge || reads_many && PAGE < least && (is_unfiltered || takes_all), is_unfiltered && PAGE < least)
}

/// Returns true if and only if the method by which a tool that lists is called gets one thing that is named. What a script passes under
/// that key stands somewhere in the call; what is noted of the method stands for all of it.
pub fn asks_for_one(call: &Call) -> bool {
    let Value::Object(properties, _) = &call.argument else { return false };
    let mut said = properties.iter().filter(|property| property.key == ASKS_FOR_ONE);
    let is_noted = |property: &Property| property.key_span == call.span && matches!(property.value, Value::Boolean(true, _));
    call.is_method && said.next().is_some_and(is_noted) && said.next().is_none()
}

/// Returns true if and only if what is taken is that of one person, named by a number: `customers:export { id }`.
fn names_one(argument: &Arguments<'_>, tool: &str) -> bool {
    let is_of_people = Tag::People.has_any(words(tool));
    argument.properties().any(|(key, property)| {
        let is_person = key.joined == "id" && is_of_people || list("people-told-by").contains(&key.joined.as_str());
        let is_one = match &property.value {
            Value::String(text, _) => !text.contains('*') && !Tag::AllValue.has(&text.to_lowercase()),
            Value::Number(..) | Value::Dynamic(_) | Value::Partial(..) => true,
            _ => false,
        };
        is_person && is_one
    })
}

/// Returns true if and only if a property says what is read, and not all of it.
fn chooses(key: &Key<'_>, value: &Value) -> bool {
    let is_manner = key.words.first().is_none_or(|first| Tag::ShapingKey.has(first))
        || key.words.last().is_some_and(|last| matches!(last.as_str(), "limit" | "size"));
    !is_manner
        && match value {
            Value::Object(properties, _) => !properties.is_empty(),
            Value::Array(elements, _) => !elements.is_empty(),
            Value::String(text, _) => !is_all_rows(text),
            Value::Missing | Value::Null(_) => false,
            Value::Number(..) | Value::Boolean(..) | Value::Partial(..) | Value::OneOf(..) | Value::Dynamic(_) => true,
        }
}

/// Returns true if and only if a filter or query leaves nothing out.
fn is_all_rows(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    let is_query = lower.starts_with("select ");
    Tag::EveryRow.has(&lower) || is_query && !lower.contains(" where ") && !lower.contains("count(")
}
