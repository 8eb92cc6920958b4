//! Blocks that say by their `type` what they are, as providers write calls and results.

use crate::format::tool_call::fields::{Fields, folded};
use crate::format::tool_call::held::{Finder, Object};
use crate::format::tool_call::shape::{self, ARGUMENTS, Parts};
use crate::subject::Kind;
use crate::subject::call::Value;

/// What a call passes, where it does not say `arguments`.
const PASSED: &[&str] = &["input", "arguments", "args", "parameters", "params", "kwargs", "rawinput", "action", "operation", "code"];

/// Takes in a block; returns false if it is none.
pub fn read<'v>(finder: &mut Finder<'v>, object: Object<'v>) -> bool {
    let fields = object.fields;
    let Some(written) = fields.text("type") else { return false };
    let kind = folded(written);
    match kind.as_str() {
        "eventmsg" => event(finder, object),
        _ if is_call(written, &kind) && names_call(fields) => call(finder, written, object),
        _ if is_result(&kind) => finder.answer(object),
        _ => return false,
    }
    true
}

/// Returns true if and only if a value is a block that says what a tool answered.
pub fn is_answer(value: &Value) -> bool {
    super::fields::fields(value).and_then(|fields| fields.text("type")).is_some_and(|kind| is_result(&folded(kind)))
}

fn is_call(written: &str, kind: &str) -> bool {
    let ends = ["_call", "-call", "Call", "_use", "-use", "Use"].iter().any(|end| written.ends_with(end));
    ends || kind == "call" || kind.starts_with("tool") && !is_result(kind)
}

fn is_result(kind: &str) -> bool {
    let ends = ["result", "output", "response", "toolresulterror"].iter().any(|end| kind.ends_with(end));
    ends && ["tool", "call", "function"].iter().any(|word| kind.contains(word))
}

fn names_call(fields: Fields<'_>) -> bool {
    let has_id = ["id", "callid", "tooluseid", "toolcallid"].iter().any(|key| fields.has(key));
    let has_name = fields.first_text(&["name", "toolname", "tool"]).is_some();
    let has_passed = PASSED.iter().any(|key| fields.has(key));
    has_passed && (has_id || has_name)
}

fn call<'v>(finder: &mut Finder<'v>, kind: &'v str, object: Object<'v>) {
    let fields = object.fields;
    let named = shape::known(fields, &["name", "toolname", "tool"], ARGUMENTS);
    let kind_span = fields.get("type").map(Value::span).unwrap_or(object.span());
    let own = kind.strip_prefix("tool-").or(kind.strip_suffix("_call")).unwrap_or(kind);
    let unnamed = Parts { tool: own, ..Parts::nameless(kind_span) };
    finder.call(Parts { kwargs: fields.first(PASSED), ..named.unwrap_or(unnamed) }, object);
    if fields.first(&["output", "outputs", "result", "rawoutput"]).is_some() {
        finder.answer(object);
    }
}

/// A note that Codex takes of what happened: only what a command or a tool answered is of interest, the rest stands twice.
fn event<'v>(finder: &mut Finder<'v>, outer: Object<'v>) {
    let Some(noted) = outer.fields.get("payload").and_then(|payload| Object::within(payload, outer.scope)) else { return };
    let payload = noted.fields;
    let kind = payload.text("type").map(folded).unwrap_or_default();
    if kind.ends_with("end") && payload.has("callid") {
        let whole = payload.each(&["aggregatedoutput"]);
        let values = if whole.is_empty() { payload.each(&["stdout", "stderr", "result", "output"]) } else { whole };
        finder.told(Kind::ToolResult, values, noted);
    }
}
