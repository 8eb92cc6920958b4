//! The strings of a JSON text, each with what it says and where every part of that stands in the source.

use crate::format::tool_call::fields::folded;
use crate::format::tool_call::json::{Item, Reader};
use crate::subject::call::{Property, Value};
use crate::subject::enclosed::Enclosed;
use crate::subject::segment::Segment;
use crate::value::limits::Limits;
use crate::value::offset_map::OffsetMap;
use crate::value::span::Span;

/// How often a text in JSON is read that is JSON itself.
const DEPTH: u32 = 4;
/// Keys that say nothing of what stands under them.
const BLAND: &[&str] = &["text", "content", "output", "result", "data", "value", "message", "body", "response"];
/// Keys under which no words stand.
const SILENT: &[&str] = &["type", "mimetype", "id", "tooluseid", "callid", "toolcallid", "cachecontrol"];

/// The strings that were read with some values, in order of place.
#[derive(Clone, Copy)]
pub struct Strings<'s> {
    /// The text of the source.
    pub source: &'s str,
    /// The strings.
    pub segments: &'s [Segment],
    /// Bounds on what is read.
    pub limits: &'s Limits,
}

impl Strings<'_> {
    /// Where the parts of a string value stand in the source.
    pub fn map(&self, value: Span) -> OffsetMap {
        let first = self.segments.partition_point(|segment| segment.span.start < value.start);
        match self.segments.get(first).filter(|segment| segment.span.end <= value.end) {
            Some(segment) => segment.map.as_deref().cloned().unwrap_or_else(|| OffsetMap::verbatim(segment.span)),
            // An empty string has no segment.
            None => OffsetMap::verbatim(Span::new(value.start, value.start)),
        }
    }

    /// Reads a string that is JSON itself; all places in the item are places in the source.
    pub fn inner(&self, text: &str, value: Span) -> Item {
        let mut reader = Reader::new(text, Span::from_offsets(0, text.len()), self.limits);
        let mut item = reader.item();
        if item.is_whole && reader.peek().is_some() {
            item.is_whole = false;
            item.fault = item.fault.or(Some(reader.fault("nothing may follow the value")));
        }
        let map = self.map(value);
        move_out(&mut item.value, &map);
        item.span = map.span(item.span);
        if let Some(fault) = &mut item.fault {
            fault.span = fault.span.map(|span| map.span(span));
        }
        item.double = item.double.map(|(key, span)| (key, map.span(span)));
        item.segments = item.segments.into_iter().map(|segment| moved_out(segment, text, &map)).collect();
        item
    }

    /// What is passed to a tool as a string that is JSON, perhaps cut off.
    pub fn passed(&self, value: Option<&Value>) -> Option<Item> {
        self.unpacked(value?, DEPTH)
    }

    /// What a string holds that is an object in JSON, or in JSON once more, as some libraries hand it on.
    fn unpacked(&self, value: &Value, depth: u32) -> Option<Item> {
        let (Value::String(text, span), Some(depth)) = (value, depth.checked_sub(1)) else { return None };
        let start = text.trim_start();
        if start.starts_with('"') {
            let item = self.inner(text, *span);
            return Strings { segments: &item.segments, ..*self }.unpacked(&item.value, depth);
        }
        let item = start.starts_with('{').then(|| self.inner(text, *span))?;
        // A bracket may also begin a script.
        let is_json = item.is_whole || matches!(&item.value, Value::Object(properties, _) if !properties.is_empty());
        is_json.then_some(item)
    }

    /// What some values say, each string on a line of its own.
    pub fn words(&self, values: &[&Value]) -> Enclosed {
        let mut words = Enclosed::default();
        values.iter().for_each(|value| self.say(value, None, DEPTH, &mut words));
        words
    }

    fn say(&self, value: &Value, key: Option<&Property>, depth: u32, words: &mut Enclosed) {
        match value {
            Value::String(text, span) => match self.packed(text, *span, depth) {
                Some(item) => Strings { segments: &item.segments, ..*self }.say(&item.value, key, depth - 1, words),
                None => say_line(text, &self.map(*span), key, words),
            },
            // A number may be one that nobody should see.
            Value::Number(_, span) => say_line(span.slice(self.source), &OffsetMap::verbatim(*span), key, words),
            Value::Array(elements, _) => elements.iter().for_each(|element| self.say(element, key, depth, words)),
            Value::Object(properties, _) => {
                for property in properties.iter().filter(|property| !SILENT.contains(&folded(&property.key).as_str())) {
                    self.say(&property.value, Some(property), depth, words);
                }
            }
            _ => {}
        }
    }

    /// What a string says that is JSON itself, as results often are.
    fn packed(&self, text: &str, span: Span, depth: u32) -> Option<Item> {
        let may_be = 0 < depth && text.trim_start().starts_with(['{', '[']);
        may_be.then(|| self.inner(text, span)).filter(|item| item.is_whole)
    }
}

/// Says `key: text`, so that a rule sees both; where the key says nothing, only the text.
fn say_line(text: &str, map: &OffsetMap, key: Option<&Property>, words: &mut Enclosed) {
    match key.filter(|key| !BLAND.contains(&folded(&key.key).as_str())) {
        Some(key) => {
            let key_map = OffsetMap::verbatim(Span::new(key.key_span.start.saturating_add(1), key.key_span.end.saturating_sub(1)));
            words.add(&key.key, &key_map);
            words.text.push_str(": ");
            words.map.append(words.text.len(), map);
            words.text.push_str(text);
        }
        None => words.add(text, map),
    }
}

/// A segment of an inner text as one of the source.
fn moved_out(segment: Segment, text: &str, map: &OffsetMap) -> Segment {
    let said = segment.text(text).to_owned();
    let own = segment.map.unwrap_or_else(|| Box::new(OffsetMap::verbatim(segment.span)));
    Segment::mapped(segment.role, map.span(segment.span), said, own.within(map))
}

/// Makes all places in a value places in the source.
fn move_out(value: &mut Value, map: &OffsetMap) {
    match value {
        Value::Missing => {}
        Value::String(_, span)
        | Value::Number(_, span)
        | Value::Boolean(_, span)
        | Value::Null(span)
        | Value::Partial(_, span)
        | Value::Dynamic(span) => *span = map.span(*span),
        Value::Array(elements, span) | Value::OneOf(elements, span) => {
            *span = map.span(*span);
            elements.iter_mut().for_each(|element| move_out(element, map));
        }
        Value::Object(properties, span) => {
            *span = map.span(*span);
            for property in properties {
                property.key_span = map.span(property.key_span);
                move_out(&mut property.value, map);
            }
        }
    }
}
