//! Values as plain data: what is known of an argument when all is done.

use crate::format::script::collect::span_of;
use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::record::{ALTERNATIVES, DEPTH, PARTS};
use crate::format::script::interpret::value::{Atom, Val};
use crate::subject::call::{Property, Repeat, Value};
use crate::value::span::Span;
use oxc_ast::ast::{ObjectExpression, ObjectPropertyKind};
use std::rc::Rc;

/// How many things one value is taken for.
const CHOICES: usize = 32;

impl<'a> Interpreter<'a> {
    /// The text of an argument, if it is known.
    pub fn argument_text(&mut self, arguments: &Arguments, made_with: &Rc<[Val]>, at: &str) -> Option<String> {
        let mut keys = at.split('.');
        let first = keys.next()?;
        let mut value =
            if first == "this" { *made_with.get(keys.next()?.parse::<usize>().ok()?)? } else { arguments.get(first.parse().ok()?) };
        for key in keys {
            value = self.property(value, key, Span::default());
        }
        self.values.text(value.id).map(|text| text.to_string())
    }

    /// A value as plain data.
    pub fn plain(&mut self, value: Val, span: Span) -> Value {
        self.plain_at(value, span, DEPTH, &mut PARTS.clone())
    }

    fn plain_at(&mut self, value: Val, span: Span, depth: u32, parts: &mut u32) -> Value {
        let (Some(depth), Some(left)) = (depth.checked_sub(1), parts.checked_sub(1)) else { return Value::Dynamic(span) };
        *parts = left;
        let shape = self.values.shape(value.id).clone();
        let mut alternatives: Vec<Value> = Vec::new();
        for atom in shape.atoms.iter().take(CHOICES) {
            alternatives.push(self.plain_atom(*atom, span, depth, parts));
        }
        if shape.is_open || alternatives.is_empty() {
            alternatives.push(Value::Dynamic(span));
        }
        match alternatives.len() {
            1 => alternatives.remove(0),
            _ => Value::OneOf(alternatives, span),
        }
    }

    fn plain_atom(&mut self, atom: Atom, span: Span, depth: u32, parts: &mut u32) -> Value {
        let object = match atom {
            Atom::Undefined | Atom::Null => return Value::Null(span),
            Atom::Boolean(value) => return Value::Boolean(value, span),
            Atom::Number(bits) => return Value::Number(f64::from_bits(bits), span),
            Atom::Text(text) => return Value::String(self.values.texts.get(text).to_string(), span),
            Atom::Partial(text) => return Value::Partial(self.values.texts.get(text).to_string(), span),
            Atom::Native(_) => return Value::Dynamic(span),
            Atom::Object(object) => object,
        };
        let kind = self.heap.object(object).kind.clone();
        match kind {
            ObjectKind::Plain(node) => {
                let fields: Vec<(Rc<str>, Val)> =
                    self.heap.object(object).fields.iter().map(|(key, value)| (Rc::clone(self.values.texts.get(*key)), *value)).collect();
                let rest = self.heap.object(object).rest;
                let own = node.map_or(span, span_of);
                let mut properties = Vec::with_capacity(fields.len());
                for (key, value) in fields.into_iter().filter(|(key, _)| !key.starts_with('#')) {
                    let (key_span, value_span) = node.and_then(|node| field_spans(node, &key)).unwrap_or((own, own));
                    let value = self.plain_at(value, value_span, depth, parts);
                    properties.push(Property { key: key.strip_prefix("get ").unwrap_or(&key).to_owned(), key_span, value });
                }
                if rest.id != Val::NEVER.id {
                    properties.push(Property { key: "...".to_owned(), key_span: own, value: Value::Dynamic(own) });
                }
                Value::Object(properties, own)
            }
            ObjectKind::Array => {
                let value = self.values.object(object);
                let elements = self.elements(value);
                match elements.known {
                    Some(known) => Value::Array(known.into_iter().map(|one| self.plain_at(one, span, depth, parts)).collect(), span),
                    None => Value::Array(vec![self.plain_at(elements.any, span, depth, parts)], span),
                }
            }
            ObjectKind::Encoded(inner) => self.plain_at(inner, span, depth, parts),
            ObjectKind::Collection => {
                let value = self.values.object(object);
                let entries: Vec<Value> = self
                    .collected_entries(value)
                    .into_iter()
                    .map(|(key, value)| {
                        let key_span = span;
                        let value = self.plain_at(value, span, depth, parts);
                        Value::Object(vec![Property { key, key_span, value }], span)
                    })
                    .collect();
                Value::Array(entries, span)
            }
            ObjectKind::Function { .. }
            | ObjectKind::Class { .. }
            | ObjectKind::Bound { .. }
            | ObjectKind::Instance { .. }
            | ObjectKind::Promise(_)
            | ObjectKind::Environment { .. } => Value::Dynamic(span),
        }
    }

    fn collected_entries(&mut self, value: Val) -> Vec<(String, Val)> {
        let mut entries = Vec::new();
        for atom in self.values.atoms(value.id).iter() {
            let Atom::Object(object) = atom else { continue };
            for (key, value) in &self.heap.object(*object).fields {
                let key = self.values.texts.get(*key);
                entries.push((key.strip_prefix("key ").unwrap_or(key).to_owned(), *value));
            }
        }
        entries
    }
}

/// The places of a field's key and value in the expression that makes the object.
fn field_spans(node: &ObjectExpression<'_>, key: &str) -> Option<(Span, Span)> {
    node.properties.iter().rev().find_map(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) => {
            let name = property.key.static_name()?;
            (name == key).then(|| (span_of(&property.key), span_of(&property.value)))
        }
        ObjectPropertyKind::SpreadProperty(_) => None,
    })
}

/// Of two runs of one place, the one that runs more often.
pub fn wider(left: Repeat, right: Repeat) -> Repeat {
    let rank = |repeat: Repeat| match repeat {
        Repeat::Once => 0,
        Repeat::Counted(count) => 1 + u64::from(count),
        Repeat::Each => u64::from(u32::MAX) + 2,
        Repeat::Open => u64::from(u32::MAX) + 3,
    };
    if rank(left) < rank(right) { right } else { left }
}

/// One of two values.
pub fn merged(left: Value, right: Value) -> Value {
    if left == right {
        return left;
    }
    let span = right.span();
    let mut alternatives = match left {
        Value::OneOf(values, _) => values,
        Value::Missing => return right,
        value => vec![value],
    };
    let more = match right {
        Value::OneOf(values, _) => values,
        value => vec![value],
    };
    for value in more {
        if alternatives.len() < ALTERNATIVES && !alternatives.contains(&value) {
            alternatives.push(value);
        }
    }
    Value::OneOf(alternatives, span)
}
