//! Calls that stand in the words of a message, as models write them that have no other way: hosts make them all the same.

use crate::format::tool_call::fields::{Fields, fields, text};
use crate::subject::call::Value;
use crate::value::span::Span;

/// What stands before such a call.
const MARKS: &[&str] = &["<tool_call>", "<tool_call ", "<function_call>", "<|tool_call", "<|python_tag|>", "[TOOL_CALLS]"];

/// Where the words of a message hold a call. It is not read, and must not be passed over for it.
pub fn spoken(message: Fields<'_>) -> Vec<Span> {
    let pieces = message.each(&["content", "parts", "text"]).into_iter().flat_map(|value| match value {
        Value::Array(pieces, _) => pieces.as_slice(),
        other => std::slice::from_ref(other),
    });
    pieces.filter(|piece| words(piece).is_some_and(holds_call)).map(Value::span).collect()
}

/// The words of one piece of a message.
fn words(piece: &Value) -> Option<&str> {
    text(piece).or_else(|| fields(piece).and_then(|block| block.text("text")))
}

fn holds_call(words: &str) -> bool {
    MARKS.iter().any(|mark| words.contains(mark))
}
