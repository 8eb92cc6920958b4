//! The shapes in which one tool call is written as JSON.

use crate::format::tool_call::fields::{Fields, elements, fields, text};
use crate::subject::call::{Hint, Property, Value};
use crate::subject::handed_on::{HandedOn, Passing};
use crate::value::span::Span;

/// The parts of a tool call, wherever its shape keeps them.
#[derive(Clone)]
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
    /// What is passed is said to be JavaScript.
    pub is_javascript: bool,
    /// A part that is there, but not what it should be.
    pub fault: Option<(&'static str, Span)>,
}

/// The keys that name a tool where an object says nothing else.
const NAMES: &[&str] = &["toolname", "tool", "functionname", "function", "name"];
/// The keys under which arguments stand.
pub const ARGUMENTS: &[&str] = &["arguments", "args", "input", "parameters", "params", "kwargs", "toolinput", "toolargs"];
/// What may stand beside `function_name`.
const PLAIN_KEYS: &[&str] = &["functionname", "args", "kwargs", "functiondoc", "hints", "environment", "sessionid", "agentid", "metadata"];
/// What may stand beside a name and arguments.
const BARE_KEYS: &[&str] = &[
    "id",
    "meta",
    "type",
    "sessionid",
    "agentid",
    "callid",
    "toolcallid",
    "tooluseid",
    "timestamp",
    "index",
    "server",
    "servername",
    "metadata",
    "hints",
    "functiondoc",
    "environment",
    "status",
    "thoughtsignature",
    "thought",
    "thoughts",
    "reason",
    "reasoning",
    "why",
    "explanation",
    "rationale",
];

/// `{"function_name": …, "args": […], "kwargs": {…}, "function_doc": …, "hints": {…}, "environment": …}`
pub fn plain(fields: Fields<'_>) -> Option<Parts<'_>> {
    let name = fields.get("functionname")?;
    if !fields.has("kwargs") && !fields.has("args") && !fields.are_all(PLAIN_KEYS) {
        return None;
    }
    let mut parts = Parts::of(name, "`function_name` is no string");
    parts.args = fields.present("args");
    parts.kwargs = fields.present("kwargs");
    parts.hints = fields.present("hints");
    parts.doc = fields.text("functiondoc");
    parts.environment = fields.text("environment");
    parts.expect(parts.args, "`args` is no array", |value| matches!(value, Value::Array(..)));
    parts.expect(parts.kwargs, "`kwargs` is no object", is_object);
    parts.expect(parts.hints, "`hints` is no object", is_object);
    parts.expect(fields.present("functiondoc"), "`function_doc` is no string", |value| text(value).is_some());
    parts.expect(fields.present("environment"), "`environment` is no string", |value| text(value).is_some());
    Some(parts)
}

/// `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": …, "arguments": {…}}}`
pub fn message(outer: Fields<'_>, span: Span) -> Parts<'_> {
    let params = outer.get("params");
    let Some((inner, inner_span)) = params.and_then(|params| Some((fields(params)?, params.span()))) else {
        let span = params.map_or(span, Value::span);
        return Parts { fault: Some(("`params` is no object", span)), ..Parts::nameless(span) };
    };
    let Some(name) = inner.get("name") else {
        return Parts { fault: Some(("`params` has no `name`", inner_span)), ..Parts::nameless(inner_span) };
    };
    let mut parts = Parts::of(name, "`name` is no string");
    parts.kwargs = inner.present("arguments");
    parts.expect(parts.kwargs, "`arguments` is no object", is_object);
    parts
}

/// `{"name": …, "arguments": {…}}`, in any spelling, with nothing else that would make it something else.
pub fn bare(fields: Fields<'_>) -> Option<Parts<'_>> {
    let key = NAMES.iter().find(|key| fields.text(key).is_some_and(is_name))?;
    let kwargs = ARGUMENTS.iter().find(|argument| fields.present(argument).is_some_and(|value| may_be_passed(key, argument, value)))?;
    let is_known = |written: &str| [*key, *kwargs].iter().chain(BARE_KEYS).any(|known| super::fields::is_key(written, known));
    let are_known = fields.0.iter().all(|property| is_known(&property.key));
    let name = fields.get(key).filter(|_| are_known)?;
    let mut parts = Parts { is_bare: true, ..Parts::of(name, "") };
    match fields.present(kwargs) {
        Some(list @ Value::Array(..)) => parts.args = Some(list),
        other => parts.kwargs = other,
    }
    parts.hints = fields.present("hints");
    parts.doc = fields.text("functiondoc");
    Some(parts)
}

/// Whether what stands under a key can be what is passed to a tool: what only has a name and a list may be anything.
fn may_be_passed(name: &str, key: &str, value: &Value) -> bool {
    match value {
        Value::Object(..) => true,
        Value::Array(..) => name != "name",
        Value::String(text, _) => name != "name" || key == "arguments" || text.trim_start().starts_with('{'),
        _ => false,
    }
}

/// A call of which another key tells that it is one, whatever stands beside it: an element of `tool_calls`, the payload of a hook.
pub fn known<'v>(fields: Fields<'v>, names: &[&str], arguments: &[&str]) -> Option<Parts<'v>> {
    let name = names.iter().find_map(|key| fields.get(key).filter(|value| text(value).is_some()))?;
    Some(Parts { kwargs: fields.first(arguments), hints: fields.present("hints"), doc: fields.text("functiondoc"), ..Parts::of(name, "") })
}

/// What a value says that was not read to its end: it may still have become a call.
pub fn may_become_bare(value: &Value) -> bool {
    let Some(fields) = fields(value) else { return false };
    fields.are_all(&["name", "arguments", "id", "meta"])
}

fn is_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':' | b'/');
    !name.is_empty() && name.bytes().all(is_part)
}

fn is_object(value: &Value) -> bool {
    matches!(value, Value::Object(..))
}

impl<'v> Parts<'v> {
    /// A call of the tool of that name.
    pub fn of(name: &'v Value, fault: &'static str) -> Self {
        match name {
            Value::String(tool, span) => Parts { tool, ..Self::nameless(*span) },
            _ => Parts { fault: Some((fault, name.span())), ..Self::nameless(name.span()) },
        }
    }

    /// A call of a tool that has no name; its arguments stand at the place.
    pub fn nameless(span: Span) -> Self {
        Parts {
            tool: "",
            tool_span: span,
            args: None,
            kwargs: None,
            doc: None,
            hints: None,
            environment: None,
            is_bare: false,
            is_javascript: false,
            fault: None,
        }
    }

    fn expect(&mut self, value: Option<&Value>, fault: &'static str, test: impl Fn(&Value) -> bool) {
        if let Some(value) = value.filter(|value| !test(value)) {
            self.fault.get_or_insert((fault, value.span()));
        }
    }

    /// What is passed to the tool, as one value, and how: what is passed by name and, under their positions, what is passed
    /// by position. A value that is passed alone is the argument itself.
    pub fn argument(&self) -> (Value, Passing) {
        let by_position = match self.args {
            Some(list @ Value::Array(..)) => elements(list),
            Some(other) => std::slice::from_ref(other),
            None => &[],
        };
        let by_name = match self.kwargs {
            Some(Value::Object(properties, _)) => properties.as_slice(),
            Some(_) | None => &[],
        };
        match (by_position, self.kwargs) {
            ([], Some(kwargs)) => (kwargs.clone(), Passing::ByName),
            ([only], _) if by_name.is_empty() => (only.clone(), Passing::Alone),
            ([], None) => (Value::Missing, Passing::ByName),
            (_, kwargs) => {
                let numbered = by_position.iter().enumerate().map(|(at, value)| Property {
                    key: at.to_string(),
                    key_span: value.span(),
                    value: value.clone(),
                });
                let span = kwargs.or(self.args).map(Value::span).unwrap_or_default();
                let properties = numbered.chain(by_name.iter().cloned()).collect();
                (Value::Object(properties, span), Passing::Numbered(by_position.len()))
            }
        }
    }

    /// What is told beside the argument, which is passed in this way.
    pub fn handed_on(&self, passing: Passing) -> HandedOn {
        let hints = match self.hints {
            Some(Value::Object(properties, _)) => properties.clone(),
            Some(_) | None => Vec::new(),
        };
        HandedOn { passing, doc: self.doc.map(str::to_owned), hints, environment: self.environment.map(str::to_owned) }
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
