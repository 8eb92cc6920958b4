//! Messages and lines of transcripts in which there is nothing to judge, which streams are full of.

use crate::format::ReadOptions;
use crate::format::tool_call::held;
use crate::format::tool_call::json::Reader;
use crate::value::span::Span;

/// Returns true if and only if a text is one message, read to its end, in which there is nothing to judge.
pub fn is_bookkeeping(text: &str, options: &ReadOptions) -> bool {
    let mut reader = Reader::new(text, Span::from_offsets(0, text.len()), &options.limits);
    let item = reader.item();
    let found = held::find(&item.value, text);
    let is_whole = item.fault.is_none() && item.double.is_none() && reader.peek().is_none();
    is_whole && found.is_message && found.held.is_empty() && found.faults.is_empty()
}
