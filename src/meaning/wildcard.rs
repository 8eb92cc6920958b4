//! Values that match everything.

use std::collections::HashSet;

use crate::knowledge::words::Tag;
use crate::subject::call::Value;
use crate::value::span::Span;

/// The places at which an argument asks for everything: a wildcard at any depth, or an empty filter.
pub fn wildcards(argument: &Value, reads: bool) -> Vec<Span> {
    let mut found = Vec::new();
    argument.visit("", &mut |key, value| match value {
        Value::String(text, span) if Tag::Everything.has(text.trim()) && !Tag::GlobKey.has(key) => found.push(*span),
        Value::Object(properties, span) if properties.is_empty() && reads && Tag::FilterKey.has(key) => found.push(*span),
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
    });
    let mut seen = HashSet::new();
    found.retain(|span| seen.insert(*span));
    found
}
