//! The shapes in which a tool call is written as JSON.

use crate::subject::call::{Hint, Property, Value};
use crate::value::span::Span;

/// The parts of a tool call, wherever its shape keeps them.
pub struct Parts<'v> {
    /// The name of the tool.
    pub tool: &'v str,
    /// Where the name stands.
    pub tool_span: Span,
    /// What is passed by position.
    pub args: Option<&'v Value>,
    /// What is passed by name.
    pub kwargs: Option<&'v Value>,
    /// What the tool is said to do.
    pub doc: Option<&'v str>,
    /// What is said of the risk of the call.
    pub hints: Option<&'v Value>,
    /// What it runs in: `production`, `staging` …
    pub environment: Option<&'v str>,
    /// Only its keys tell that it is a call: `name` and `arguments`, and nothing else.
    pub is_bare: bool,
    /// A part that is there, but not what it should be.
    pub fault: Option<(&'static str, Span)>,
}

/// What a JSON value is.
pub enum Shape<'v> {
    /// A tool call.
    Call(Box<Parts<'v>>),
    /// A message between a client and a server that calls no tool.
    OtherMessage,
    /// Something else.
    Other,
}

/// What may stand beside `function_name`.
const PLAIN_KEYS: &[&str] =
    &["function_name", "args", "kwargs", "function_doc", "hints", "environment", "session_id", "agent_id", "metadata"];
/// What may stand beside `name` and `arguments`.
const BARE_KEYS: &[&str] = &["name", "arguments", "id", "_meta"];

/// Tells what a value is.
pub fn shape(value: &Value) -> Shape<'_> {
    let Value::Object(properties, span) = value else { return Shape::Other };
    if let Some(parts) = plain(properties) {
        return Shape::Call(Box::new(parts));
    }
    let method = field(properties, "method").and_then(text);
    if method == Some("tools/call") {
        return Shape::Call(Box::new(message(properties, *span)));
    }
    if method.is_some() || field(properties, "jsonrpc").is_some() {
        return Shape::OtherMessage;
    }
    bare(properties).map_or(Shape::Other, |parts| Shape::Call(Box::new(parts)))
}

/// `{"function_name": …, "args": […], "kwargs": {…}, "function_doc": …, "hints": {…}, "environment": …}`
fn plain(properties: &[Property]) -> Option<Parts<'_>> {
    let name = field(properties, "function_name")?;
    let is_known = || properties.iter().all(|property| PLAIN_KEYS.contains(&property.key.as_str()));
    if field(properties, "kwargs").is_none() && field(properties, "args").is_none() && !is_known() {
        return None;
    }
    let mut parts = parts(name, "`function_name` is no string");
    parts.args = present(properties, "args");
    parts.kwargs = present(properties, "kwargs");
    parts.hints = present(properties, "hints");
    parts.doc = field(properties, "function_doc").and_then(text);
    parts.environment = field(properties, "environment").and_then(text);
    parts.expect(parts.args, "`args` is no array", |value| matches!(value, Value::Array(..)));
    parts.expect(parts.kwargs, "`kwargs` is no object", is_object);
    parts.expect(parts.hints, "`hints` is no object", is_object);
    parts.expect(present(properties, "function_doc"), "`function_doc` is no string", |value| text(value).is_some());
    parts.expect(present(properties, "environment"), "`environment` is no string", |value| text(value).is_some());
    Some(parts)
}

/// `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": …, "arguments": {…}}}`
fn message(properties: &[Property], span: Span) -> Parts<'_> {
    let params = field(properties, "params");
    let Some(Value::Object(inner, inner_span)) = params else {
        let span = params.map_or(span, Value::span);
        return Parts { fault: Some(("`params` is no object", span)), ..nameless(span) };
    };
    let Some(name) = field(inner, "name") else {
        return Parts { fault: Some(("`params` has no `name`", *inner_span)), ..nameless(*inner_span) };
    };
    let mut parts = parts(name, "`name` is no string");
    parts.kwargs = present(inner, "arguments");
    parts.expect(parts.kwargs, "`arguments` is no object", is_object);
    parts
}

/// `{"name": …, "arguments": {…}}`, with nothing else that would make it something else.
fn bare(properties: &[Property]) -> Option<Parts<'_>> {
    let name = field(properties, "name")?;
    let is_name = text(name).is_some_and(|name| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':' | b'/');
        !name.is_empty() && name.bytes().all(is_part)
    });
    let kwargs = field(properties, "arguments").filter(|value| is_object(value))?;
    let is_known = properties.iter().all(|property| BARE_KEYS.contains(&property.key.as_str()));
    (is_name && is_known).then(|| Parts { kwargs: Some(kwargs), is_bare: true, ..parts(name, "") })
}

/// What a value says that was not read to its end: it may still have become a call.
pub fn may_become_bare(value: &Value) -> bool {
    let Value::Object(properties, _) = value else { return false };
    properties.iter().all(|property| BARE_KEYS.contains(&property.key.as_str()))
}

fn parts<'v>(name: &'v Value, fault: &'static str) -> Parts<'v> {
    match name {
        Value::String(tool, span) => Parts { tool, ..nameless(*span) },
        _ => Parts { fault: Some((fault, name.span())), ..nameless(name.span()) },
    }
}

fn nameless<'v>(span: Span) -> Parts<'v> {
    Parts { tool: "", tool_span: span, args: None, kwargs: None, doc: None, hints: None, environment: None, is_bare: false, fault: None }
}

impl Parts<'_> {
    fn expect(&mut self, value: Option<&Value>, fault: &'static str, test: impl Fn(&Value) -> bool) {
        if let Some(value) = value.filter(|value| !test(value)) {
            self.fault.get_or_insert((fault, value.span()));
        }
    }

    /// What is passed to the tool, as one value: what is passed by name and, under their positions, what is passed by
    /// position. A value that is passed alone is the argument itself.
    pub fn argument(&self) -> Value {
        let by_position = match self.args {
            Some(Value::Array(elements, _)) => elements.as_slice(),
            Some(other) => std::slice::from_ref(other),
            None => &[],
        };
        let by_name = match self.kwargs {
            Some(Value::Object(properties, _)) => properties.as_slice(),
            Some(_) | None => &[],
        };
        match (by_position, self.kwargs) {
            ([], Some(kwargs)) => kwargs.clone(),
            ([only], _) if by_name.is_empty() => only.clone(),
            ([], None) => Value::Missing,
            (_, kwargs) => {
                let numbered = by_position.iter().enumerate().map(|(at, value)| Property {
                    key: at.to_string(),
                    key_span: value.span(),
                    value: value.clone(),
                });
                let span = kwargs.or(self.args).map(Value::span).unwrap_or_default();
                Value::Object(numbered.chain(by_name.iter().cloned()).collect(), span)
            }
        }
    }

    /// The hints that are flags or numbers.
    pub fn known_hints(&self) -> Vec<(String, Hint)> {
        let Some(Value::Object(properties, _)) = self.hints else { return Vec::new() };
        let known = properties.iter().filter_map(|property| match property.value {
            Value::Boolean(flag, _) => Some((property.key.clone(), Hint::Flag(flag))),
            Value::Number(number, _) => Some((property.key.clone(), Hint::Number(number))),
            _ => None,
        });
        known.collect()
    }
}

/// What stands under a key; of several the last, as most readers take it.
fn field<'v>(properties: &'v [Property], key: &str) -> Option<&'v Value> {
    properties.iter().rfind(|property| property.key == key).map(|property| &property.value)
}

/// What stands under a key, unless it is `null`.
fn present<'v>(properties: &'v [Property], key: &str) -> Option<&'v Value> {
    field(properties, key).filter(|value| !matches!(value, Value::Null(_)))
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text, _) => Some(text),
        _ => None,
    }
}

fn is_object(value: &Value) -> bool {
    matches!(value, Value::Object(..))
}
