//! What is embedded of a subject and of a sample: its feature text, as words.
//!
//! Of code these are the names of tools, of what is called, of keys and members, and the words of its strings. Names of
//! variables, keywords and comments say nothing about what code does and are left out, so that they can neither hide it nor
//! be mistaken for it. Of what people write it is every word.

use crate::model::Evidence;
use crate::model::embedding::stretches::Reach;
use crate::model::embedding::stretches::{Placed, Repetition, Stretches};
use crate::model::similarity::code_words::{code_words, split};
use crate::subject::call::Value;
use crate::subject::{Kind, Subject};
use crate::value::span::Span;

/// The feature text of a subject, cut as an embedder wants it.
pub fn subject(evidence: &Evidence<'_>, reach: Reach) -> Stretches {
    let mut stretches = Stretches::default();
    // What calls resolve to comes first: it is the same however the code is written.
    let calls = calls(evidence.subject, &mut stretches);
    stretches.cut(&calls, Repetition::Once, reach);
    let hidden = hidden(evidence.subject, &mut stretches);
    stretches.cut(&hidden, Repetition::Once, reach);
    let extent = extent(evidence);
    let written = written(evidence.subject.kind, extent.slice(evidence.text), extent.start, &mut stretches);
    stretches.cut(&written, repetition(evidence.subject.kind), reach);
    stretches
}

/// The feature text of a sample: one stretch.
pub fn sample(kind: Kind, text: &str) -> Stretches {
    let mut stretches = Stretches::default();
    let words = written(kind, text, 0, &mut stretches);
    stretches.add(&words, repetition(kind));
    stretches
}

fn repetition(kind: Kind) -> Repetition {
    match kind {
        Kind::Script | Kind::ToolCall => Repetition::Once,
        Kind::ToolResult | Kind::Prompt | Kind::Manifest | Kind::Text => Repetition::Each,
    }
}

/// The stretch of the source that the subject covers.
fn extent(evidence: &Evidence<'_>) -> Span {
    let segments = evidence.subject.segments.iter().map(|segment| segment.span);
    let calls = evidence.subject.calls.iter().map(|call| call.span);
    let whole = Span::from_offsets(0, evidence.text.len());
    match evidence.subject.kind {
        Kind::Script => whole,
        Kind::ToolCall | Kind::ToolResult | Kind::Prompt | Kind::Manifest | Kind::Text => {
            segments.chain(calls).reduce(|left, right| Span::new(left.start.min(right.start), left.end.max(right.end))).unwrap_or(whole)
        }
    }
}

fn written(kind: Kind, text: &str, base: u32, stretches: &mut Stretches) -> Vec<Placed> {
    let mut words = Vec::new();
    let mut push = |word: &str, start: usize, end: usize| {
        let base = base as usize;
        words.push(stretches.word(word, Span::from_offsets(base + start, base + end)));
    };
    match kind {
        Kind::Script | Kind::ToolCall => code_words(text, &mut push),
        Kind::ToolResult | Kind::Prompt | Kind::Manifest | Kind::Text => split(text, 0, &mut push),
    }
    words
}

/// The words of all calls of tools and host APIs, with what is known of their arguments.
fn calls(subject: &Subject, stretches: &mut Stretches) -> Vec<Placed> {
    let tools = subject.calls.iter().map(|call| (call.span, call.tool.name().unwrap_or_default(), std::slice::from_ref(&call.argument)));
    let host = subject.host_calls.iter().map(|call| (call.span, call.api.as_str(), call.arguments.as_slice()));
    let mut calls: Vec<(Span, &str, &[Value])> = tools.chain(host).collect();
    calls.sort_by_key(|(span, ..)| *span);
    let mut words = Vec::new();
    for (span, name, arguments) in calls {
        let mut push = |text: &str| split(text, 0, &mut |word, _, _| words.push(stretches.word(word, span)));
        push(name);
        for argument in arguments {
            let mut keys: Option<&str> = None;
            argument.visit("", &mut |key, value| {
                // The elements of an array stand under its key, which is said once.
                if keys != Some(key) {
                    push(key);
                    keys = Some(key);
                }
                match value {
                    Value::String(text, _) | Value::Partial(text, _) => push(text),
                    Value::Missing
                    | Value::Number(..)
                    | Value::Boolean(..)
                    | Value::Null(_)
                    | Value::Array(..)
                    | Value::Object(..)
                    | Value::OneOf(..)
                    | Value::Dynamic(_) => {}
                }
            });
        }
    }
    words
}

/// The words of texts that say something else than what stands in the source: what was put together or decoded.
fn hidden(subject: &Subject, stretches: &mut Stretches) -> Vec<Placed> {
    let mut words = Vec::new();
    for (text, span) in subject.segments.iter().filter_map(|segment| Some((segment.decoded.as_deref()?, segment.span))) {
        split(text, 0, &mut |word, _, _| words.push(stretches.word(word, span)));
    }
    words
}
