//! Messages that call no tool, which streams between clients and servers are full of.

use crate::format::ReadOptions;
use crate::format::tool_call::json::Reader;
use crate::format::tool_call::shape::{Shape, shape};
use crate::value::span::Span;

/// Returns true if and only if a text is one message, read to its end, that calls no tool.
pub fn is_bookkeeping(text: &str, options: &ReadOptions) -> bool {
    let mut reader = Reader::new(text, Span::from_offsets(0, text.len()), &options.limits);
    let item = reader.item();
    item.fault.is_none() && item.double.is_none() && reader.peek().is_none() && matches!(shape(&item.value), Shape::OtherMessage)
}
