//! JSON: what a value is written as, and read again from.

use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::derived;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::text::Slot;
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::interpret::{Interpreter, Loop};
use crate::format::script::js::constant::Constant;
use crate::subject::call::Repeat;
use crate::value::span::Span;
use std::rc::Rc;
impl<'a> Interpreter<'a> {
    pub fn stringify(&mut self, arguments: &Arguments, span: Span) -> Val {
        let mut value = arguments.get(0);
        self.call_for_parts(arguments.get(1), value, span);
        let chosen = self.elements(arguments.get(1));
        if let Some(names) = chosen.known.filter(|names| !names.is_empty()) {
            // Only the fields that are named.
            let object = self.allocate(derived(span, 7), ObjectKind::Plain(None));
            for name in names {
                if let Some(name) = self.values.text(name.id) {
                    let field = self.property(value, &name, span);
                    let key = self.values.texts.intern(&name);
                    self.heap.set(Place::Field(object, key), field);
                }
            }
            value = self.values.object(object);
        }
        if let Some(kept) = self.all_that_is_kept(value, span) {
            value = kept;
        }
        value = self.with_put(value, span).unwrap_or(value);
        value = self.as_json(value, span, 6);
        if let Some(text) = self.known_json(value, 8) {
            return self.values.string(&text);
        }
        self.written(value, span)
    }

    /// The text that a value is written as, of which only the value is known.
    pub fn written(&mut self, value: Val, span: Span) -> Val {
        let (taint, via) = self.carried(value);
        let context = self.frames.last().map_or(0, |frame| frame.context);
        let object = self.heap.allocate(span.start, context, 14, ObjectKind::Encoded(value));
        if self.heap.object(object).is_summary {
            self.heap.object_mut(object).kind = ObjectKind::Encoded(value);
        }
        let encoded = self.values.object(object);
        self.values.with_taint(encoded, taint).through(via)
    }

    /// A value as JSON sees it: what its own `toJSON` gives, and nothing of its private fields.
    pub fn as_json(&mut self, value: Val, span: Span, depth: u32) -> Val {
        // One object may stand in many places.
        let Some(depth) = depth.checked_sub(1).filter(|_| self.spend()) else { return value };
        if let Some(each) = self.each_object(value) {
            let read: Vec<Val> = each.iter().map(|one| self.as_json(*one, span, depth)).collect();
            let is_same = read.iter().zip(&each).all(|(read, one)| read.id == one.id);
            let all = read.into_iter().fold(Val::NEVER, |all, one| self.joined_with_way(all, one));
            return if is_same { value } else { all };
        }
        let [Atom::Object(object)] = *self.values.atoms(value.id) else { return value };
        // The elements of a list are looked at only where something in the script says how it is written.
        let is_list = matches!(self.heap.object(object).kind, ObjectKind::Array) && self.values.texts.known("toJSON").is_some();
        let is_object = matches!(self.heap.object(object).kind, ObjectKind::Plain(_));
        if !is_list && !is_object || 64 < self.heap.object(object).fields.len() {
            return value;
        }
        if let Some(method) = self.own_or_inherited(object, "toJSON") {
            return self.call_value(method, value, &Arguments::default(), span);
        }
        let fields: Vec<_> = self.heap.object(object).fields.iter().map(|(key, value)| (*key, *value)).collect();
        let mut changed = false;
        let mut seen = Vec::with_capacity(fields.len());
        for (key, field) in fields {
            let as_json = self.as_json(field, span, depth);
            let is_private = matches!(self.values.texts.slot_of(key), Some((Slot::Private, _)));
            changed |= is_private || as_json.id != field.id;
            if !is_private {
                seen.push((key, as_json));
            }
        }
        let mut rest = self.heap.object(object).rest;
        if is_list && rest.id != Val::NEVER.id {
            let as_json = self.as_json(rest, span, depth);
            changed |= as_json.id != rest.id;
            rest = as_json;
        }
        if !changed {
            return value;
        }
        let context = self.new_context();
        let kind = if is_list { ObjectKind::Array } else { ObjectKind::Plain(None) };
        let view = self.heap.allocate(span.start, context, 29, kind);
        for (key, field) in seen {
            self.heap.set(Place::Field(view, key), field);
        }
        if rest.id != Val::NEVER.id {
            self.heap.set(Place::Rest(view), rest);
        }
        self.values.object(view)
    }

    /// The objects that a value can be, each by itself, if it can be several and nothing else.
    pub fn each_object(&mut self, value: Val) -> Option<Vec<Val>> {
        if self.values.shape(value.id).atoms.len() < 2 {
            return None;
        }
        let shape = self.values.shape(value.id).clone();
        let is_object = |atom: &Atom| matches!(atom, Atom::Object(_));
        let is_several = (2..=8).contains(&shape.atoms.len()) && !shape.is_open && shape.atoms.iter().all(is_object);
        is_several.then(|| {
            let each = shape.atoms.iter().map(|atom| self.values.atom(*atom));
            let each: Vec<Val> = each.collect();
            each.into_iter().map(|one| self.values.with_taint(one, shape.taint).through(value.via)).collect()
        })
    }

    /// The JSON text of a value, if all of it is known.
    pub fn known_json(&mut self, value: Val, depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1).filter(|_| self.spend())?;
        if let Some(constant) = self.values.known(value.id) {
            return match constant {
                Constant::String(text) => serde_json::to_string(&text).ok(),
                Constant::Number(number) if !number.is_finite() => Some("null".to_owned()),
                // What is undefined is left out, or `null`, by where it stands.
                Constant::Undefined | Constant::BigInt(_) => None,
                constant => Some(constant.to_text()),
            };
        }
        let shape = self.values.shape(value.id).clone();
        let ([Atom::Object(object)], false) = (&*shape.atoms, shape.is_open) else { return None };
        let own = self.heap.object(*object);
        if own.rest.id != Val::NEVER.id || 64 < own.fields.len() || own.prototype.is_some() {
            return None;
        }
        match own.kind {
            ObjectKind::Array => {
                let known = self.elements(value).known?;
                let parts: Option<Vec<String>> = known.into_iter().map(|element| self.known_json(element, depth)).collect();
                Some(format!("[{}]", parts?.join(",")))
            }
            ObjectKind::Plain(_) => {
                if own.fields.keys().any(|key| self.values.texts.slot_of(*key).is_some()) {
                    return None;
                }
                let fields: Vec<(Rc<str>, Val)> =
                    own.fields.iter().map(|(key, value)| (Rc::clone(self.values.texts.get(*key)), *value)).collect();
                let mut parts = Vec::with_capacity(fields.len());
                for (key, value) in fields {
                    parts.push(format!("{}:{}", serde_json::to_string(&*key).ok()?, self.known_json(value, depth)?));
                }
                Some(format!("{{{}}}", parts.join(",")))
            }
            _ => None,
        }
    }

    /// Calls the function that is passed each part of what is written or read, as a loop over them: a replacer, a reviver.
    pub fn call_for_parts(&mut self, with: Val, whole: Val, span: Span) {
        if !self.is_function(with) {
            return;
        }
        let (taint, via) = self.carried(whole);
        let part = self.values.opaque(taint, via);
        self.loops.push(Loop { repeat: Repeat::Each, is_statement: false, over: taint });
        self.maybe(|interpreter| interpreter.call_value(with, Val::UNDEFINED, &Arguments::of(vec![Val::UNKNOWN, part]), span));
        self.loops.pop();
    }

    pub fn parse_json(&mut self, text: Val, span: Span) -> Val {
        if let [Atom::Object(object)] = &*self.values.atoms(text.id)
            && let ObjectKind::Encoded(inner) = self.heap.object(*object).kind
        {
            return inner;
        }
        if let Some(Constant::String(known)) = self.values.known(text.id)
            && let Ok(json) = serde_json::from_str::<serde_json::Value>(&known)
        {
            let value = self.json_value(&json, span, 16);
            let taint = self.values.taint(text.id);
            return self.values.with_taint(value, taint).through(text.via);
        }
        let (taint, via) = self.carried(text);
        self.values.opaque(taint, via)
    }

    pub fn json_value(&mut self, json: &serde_json::Value, span: Span, depth: u32) -> Val {
        let Some(depth) = depth.checked_sub(1) else { return Val::UNKNOWN };
        match json {
            serde_json::Value::Null => self.values.atom(Atom::Null),
            serde_json::Value::Bool(value) => self.values.boolean(*value),
            serde_json::Value::Number(number) => self.values.number(number.as_f64().unwrap_or(f64::NAN)),
            serde_json::Value::String(text) => {
                let value = self.values.string(text);
                if let Atom::Text(text) = self.values.atoms(value.id).first().copied().unwrap_or(Atom::Null) {
                    self.recorder.disguise(text, false);
                }
                value
            }
            serde_json::Value::Array(elements) => {
                let elements: Vec<Val> = elements.iter().take(1_000).map(|element| self.json_value(element, span, depth)).collect();
                let context = self.new_context();
                let array = self.heap.allocate(span.start, context, 15, ObjectKind::Array);
                self.fill(array, &elements);
                self.values.object(array)
            }
            serde_json::Value::Object(fields) => {
                let context = self.new_context();
                let object = self.heap.allocate(span.start, context, 16, ObjectKind::Plain(None));
                for (key, field) in fields.iter().take(1_000) {
                    let value = self.json_value(field, span, depth);
                    let key = self.values.texts.intern(key);
                    self.heap.set(Place::Field(object, key), value);
                }
                self.values.object(object)
            }
        }
    }
}
