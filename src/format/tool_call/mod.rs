//! Tool calls, results and prompts as JSON: one, an array of them, one a line, or within the messages of hosts and providers.
//! Each is a subject of its own, and so is each script that is passed to a tool.

mod block;
pub mod bookkeeping;
mod fields;
mod found;
mod held;
mod host;
mod json;
mod manifest;
mod patch;
mod scripts;
mod shape;
mod spoken;
mod strings;

use crate::format::tool_call::found::Found;
use crate::format::tool_call::json::Reader;
use crate::format::{Language, ReadOptions};
use crate::subject::{Completeness, Kind, Lifecycle, Reason, Subject, Undetermined};
use crate::value::span::{LineIndex, Span};

/// One of these stands near the beginning of every long text that holds a call, if no escape hides it.
const MARKS: [&str; 15] = [
    "\"function_name\"",
    "tools/call",
    "\"arguments\"",
    "\"role\"",
    "tool_",
    "\"toolName\"",
    "\"toolCall",
    "functionCall",
    "\"jsonrpc\"",
    "hook_event_name",
    "\"parentUuid\"",
    "session_meta",
    "\"kwargs\"",
    "\"sessionId\"",
    "install\"",
];

/// Reads all tool calls, results and prompts of a text. A text without any is none of this format, whatever else it holds; a
/// fault in one hides no other.
pub fn read(text: &str, _: Language, options: &ReadOptions) -> Vec<Subject> {
    if let Some(plain) = without_nuls(text) {
        return if read(&plain, Language::ToolCall, options).is_empty() { Vec::new() } else { vec![misread()] };
    }
    let mut found = Found::new(text, options);
    found.items();
    found.subjects()
}

/// Returns false if and only if the words that tell a call are missing from the beginning of a text.
pub fn may_be(text: &str) -> bool {
    let bytes = text.as_bytes();
    MARKS.iter().any(|mark| memchr::memmem::find(bytes, mark.as_bytes()).is_some()) || hides_letters(bytes)
}

/// A text without its NULs, if it is one of two or four bytes a character whose encoding nothing told.
fn without_nuls(text: &str) -> Option<String> {
    let is_wide = text.as_bytes().get(..4).is_some_and(|start| start.contains(&0));
    is_wide.then(|| text.replace('\0', ""))
}

/// What stands for the calls of a text in an encoding that nothing told.
fn misread() -> Subject {
    let mut subject = Subject::empty(Kind::ToolCall, Lifecycle::PreToolCall);
    let detail = "it holds tool calls in UTF-16 or UTF-32 without a byte order mark";
    subject.completeness = Completeness::Undetermined(Undetermined::new(Reason::Encoding, detail));
    subject
}

/// Returns true if and only if an escape stands for a letter or a low line, which nobody needs to escape, or for the
/// slash before `call`.
fn hides_letters(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'\\', bytes).any(|at| match bytes.get(at + 1..at + 6) {
        Some(b"/call" | b"u002f" | b"u002F") => true,
        Some([b'u', b'0', b'0', b'4'..=b'7', _]) => true,
        Some(_) | None => false,
    })
}

/// Why nothing in a text is a tool call.
pub fn why_none(text: &str, options: &ReadOptions) -> Undetermined {
    let whole = Span::from_offsets(0, text.len());
    let mut reader = Reader::new(text, whole, &options.limits);
    if reader.peek().is_none() {
        return Undetermined::new(Reason::UnknownLanguage, "it is empty, so nothing in it is a tool call");
    }
    let item = reader.item();
    if let Some(fault) = item.fault {
        let place = LineIndex::new(text).position(text, fault.span.unwrap_or_default().start);
        let detail = format!("line {}, column {}: {}", place.line, place.column, fault.detail);
        return Undetermined { detail, ..fault };
    }
    let detail = "it is JSON, but no tool call, result or prompt in a shape that is known: a message of MCP or of a provider, the payload \
                  of a hook, a transcript, or an object with a tool's name and its arguments alone";
    Undetermined::new(Reason::UnknownLanguage, detail)
}
