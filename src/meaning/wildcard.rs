//! Values that match everything.

use std::collections::HashSet;

use crate::subject::call::Value;
use crate::value::span::Span;

/// Values that match everything in one query language or another.
const EVERYTHING: &[&str] = &[
    "*",
    "**",
    "**/*",
    "%",
    "%%",
    ".*",
    "^.*$",
    "*:*",
    "SELECT *",
    "(objectClass=*)",
    "objectClass=*",
    "(objectclass=*)",
    "(cn=*)",
    "(uid=*)",
];
/// Keys whose value chooses what is read.
const FILTERS: &[&str] = &["filter", "filters", "where", "query", "q", "match", "selector", "criteria", "conditions"];
/// Keys whose value matches paths or patterns by design, where a star is common.
const GLOBS: &[&str] = &["glob", "pattern", "include", "exclude", "origin", "path", "paths", "files", "accept"];

/// The places at which an argument asks for everything: a wildcard at any depth, or an empty filter.
pub fn wildcards(argument: &Value, reads: bool) -> Vec<Span> {
    let mut found = Vec::new();
    argument.visit("", &mut |key, value| match value {
        Value::String(text, span) if EVERYTHING.contains(&text.trim()) && !GLOBS.contains(&key) => found.push(*span),
        Value::Object(properties, span) if properties.is_empty() && reads && FILTERS.contains(&key) => found.push(*span),
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
