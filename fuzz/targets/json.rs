//! Whatever stands in a file of tool calls: the places of all that is read lie in the text, on its characters.

#![no_main]

use callgate::format::{Language, ReadOptions, tool_call};
use callgate::value::span::Span;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let is_place = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
    for subject in tool_call::read(text, Language::ToolCall, &ReadOptions::default()) {
        for segment in &subject.segments {
            assert!(is_place(segment.span), "{:?}", segment.span);
        }
        for call in &subject.calls {
            assert!(is_place(call.span), "{:?}", call.span);
        }
    }
});
