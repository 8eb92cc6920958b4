//! Values that match everything.

use std::collections::HashSet;

use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::meaning::argument::choices;
use crate::meaning::walk::Arguments;
use crate::subject::call::Value;
use crate::value::span::Span;

/// The places at which an argument asks for everything: a wildcard at any depth, or an empty filter.
pub fn wildcards(argument: &Arguments<'_>, reads: bool) -> Vec<Span> {
    let mut found = Vec::new();
    // Who asks for a text anywhere asks for no more than where it stands.
    let is_search = argument.properties().any(|(key, property)| {
        let is_said = |value: &Value| matches!(value, Value::String(text, _) if 2 < text.trim().len() && !text.contains('*'));
        list("asked-texts").contains(&key.joined.as_str()) && choices(&property.value).into_iter().all(is_said)
    });
    for (key, value) in argument.values() {
        if is_search && list("search-places").contains(&key.joined.as_str()) {
            continue;
        }
        // Who is let in by a policy is nothing that is asked for; of a text in all languages there is one.
        if list("policy-parties").contains(&key.joined.as_str()) || list("language-keys").contains(&key.joined.as_str()) {
            continue;
        }
        // Of which requests a rule speaks is nothing that is asked for.
        if list("matched-addresses").contains(&key.joined.as_str()) {
            continue;
        }
        match value {
            Value::String(text, span) if Tag::Everything.has(text.trim()) && !Tag::GlobKey.has(key.text) => found.push(*span),
            Value::Object(properties, span) if properties.is_empty() && reads && Tag::FilterKey.has(key.text) => found.push(*span),
            Value::Missing
            | Value::String(..)
            | Value::Number(..)
            | Value::Boolean(..)
            | Value::Null(_)
            | Value::Array(..)
            | Value::Object(..)
            | Value::Partial(..)
            | Value::OneOf(..)
            | Value::Dynamic(_) => {}
        }
    }
    let mut seen = HashSet::new();
    found.retain(|span| seen.insert(*span));
    found
}
