//! What agent hosts hand to their hooks: Claude Code, Codex, Cursor, Gemini CLI, Copilot, OpenClaw.

use crate::format::tool_call::fields::{Fields, folded};
use crate::format::tool_call::held::{Finder, Held, Object, What};
use crate::format::tool_call::shape::{self, Parts};
use crate::subject::Kind;
use crate::subject::call::Value;

/// Where a payload keeps what a tool answered.
const ANSWERS: &[&str] = &["toolresponse", "tooloutput", "toolresult", "resultjson", "result", "output", "response", "error"];
/// Where it keeps what is passed to a tool.
const PASSED: &[&str] = &["toolinput", "toolargs", "params", "arguments", "input"];
/// What only a payload has beside the name of a tool.
const SIGNS: &[&str] = &["toolargs", "toolinput", "toolkind", "toolinputkind", "derivedpaths", "toolresult", "toolresponse", "runid"];

/// Returns true if and only if an object is what a host hands to a hook.
pub fn is_payload(fields: Fields<'_>) -> bool {
    let is_named = || fields.text("toolname").is_some() && SIGNS.iter().any(|key| fields.has(key));
    let is_asked = || fields.text("prompt").is_some() && fields.has("cwd") && fields.has("sessionid");
    fields.text("hookeventname").is_some() || is_named() || is_asked()
}

/// Takes in a payload.
pub fn payload<'v>(finder: &mut Finder<'v>, object: Object<'v>) {
    let Object { whole, fields, scope } = object;
    let event = fields.text("hookeventname").map(folded).unwrap_or_default();
    let tool = fields.text("toolname");
    let heard = |kind, values: Vec<&'v Value>| Held { what: What::Told(kind, values), id: None, tool, scope, span: whole.span() };
    let answers = fields.each(ANSWERS);
    let is_after = event.starts_with("post") || event.starts_with("after") || event.is_empty() && !answers.is_empty();
    let prompt = fields.present("prompt").filter(|_| tool.is_none());
    if let Some(prompt) = prompt {
        return finder.push(heard(Kind::Prompt, vec![prompt]));
    }
    if is_after && !answers.is_empty() {
        return finder.told(Kind::ToolResult, answers, object);
    }
    let command = fields.present("command");
    let path = fields.present("filepath");
    match (tool, command, path) {
        (Some(_), ..) if is_after => finder.push(heard(Kind::ToolResult, Vec::new())),
        (Some(_), ..) => named_call(finder, object),
        (None, Some(command), _) => {
            finder.call(Parts { tool: "Shell", args: Some(command), ..Parts::nameless(command.span()) }, object);
        }
        (None, None, Some(path)) if fields.has("edits") => {
            // The host tells of it after the fact; what was written may still be run.
            finder.call(Parts { tool: "edit_file", kwargs: Some(whole), ..Parts::nameless(path.span()) }, object);
        }
        (None, None, Some(path)) => {
            finder.call(Parts { tool: "read_file", args: Some(path), ..Parts::nameless(path.span()) }, object);
            if let Some(content) = fields.present("content") {
                finder.push(Held { tool: Some("read_file"), span: content.span(), ..heard(Kind::ToolResult, vec![content]) });
            }
        }
        // Sessions begin and end, and hosts take notes: nothing is asked of anybody.
        (None, None, None) => finder.push(heard(Kind::Prompt, Vec::new())),
    }
}

/// A call of the tool that the payload names.
fn named_call<'v>(finder: &mut Finder<'v>, object: Object<'v>) {
    let fields = object.fields;
    let Some(mut parts) = shape::known(fields, &["toolname"], PASSED) else { return };
    let mut kinds = ["toolinputkind", "toolkind"].iter().filter_map(|key| fields.text(key)).map(folded);
    parts.is_javascript = kinds.any(|kind| ["javascript", "typescript", "codemodeexec"].iter().any(|word| kind.contains(word)));
    finder.call(parts, object);
}
