//! Calls that read page after page.

use crate::knowledge::words::Tag;
use crate::meaning::argument::choices;
use crate::subject::call::Value;
use crate::value::words::joined;

/// The key that says where the next page begins, if an argument has one whose value changes from call to call.
pub fn page_key(argument: &Value) -> Option<&str> {
    let mut places: Vec<(&str, Vec<&Value>)> = Vec::new();
    argument.visit_properties(&mut |property| {
        if Tag::PageKey.has(&joined(&property.key)) {
            let values = choices(&property.value);
            match places.iter_mut().find(|(key, _)| *key == property.key) {
                Some((_, known)) => known.extend(values),
                None => places.push((&property.key, values)),
            }
        }
    });
    places.into_iter().find(|(_, values)| change(values)).map(|(key, _)| key)
}

/// Returns true if and only if a value that is one of these is not the same in every call.
fn change(values: &[&Value]) -> bool {
    let is_open = |value: &&Value| matches!(value, Value::Dynamic(_) | Value::Partial(..));
    let differ = |first: &Value, second: &Value| match (first, second) {
        (Value::Number(first, _), Value::Number(second, _)) => first != second,
        (Value::String(first, _), Value::String(second, _)) => first != second,
        _ => false,
    };
    values.iter().any(is_open) || values.first().is_some_and(|first| values.iter().any(|other| differ(first, other)))
}
