//! Methods of what JavaScript itself offers: arrays, maps, sets, texts, promises, functions.

mod apart;
mod array;
pub mod iteration;
pub mod pick;

use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Invocation;
use crate::format::script::interpret::method::iteration::is_iteration;
use crate::format::script::interpret::property::elements::Elements;
use crate::format::script::interpret::taint::Change;
use std::rc::Rc;

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::knowledge::{self, form};
use crate::value::span::Span;

/// Methods of lists that no client of a service has.
const LIST_METHODS: &[&str] = &["shift", "pop", "reverse", "toReversed", "splice", "slice", "at", "flat"];

impl<'a> Interpreter<'a> {
    /// A method of an object that does not have its own of that name.
    pub fn object_method(&mut self, object: ObjectId, name: &str, invocation: Invocation<'_>) -> Val {
        let Invocation { this, arguments, span } = invocation;
        if self.is_tool_function(name) {
            let arguments = self.server_of(this, arguments);
            let is_of_client = match &self.heap.object(object).kind {
                ObjectKind::Instance { path, .. } => form::is_made_or_typed(self.values.texts.get(*path)),
                _ => false,
            };
            return self.call_tool_of(&arguments, span, is_of_client);
        }
        match self.heap.object(object).kind.clone() {
            ObjectKind::Array => self.array_method(object, name, invocation),
            ObjectKind::Collection => self.collection_method(object, name, invocation),
            ObjectKind::Function { .. } | ObjectKind::Bound { .. } | ObjectKind::Settler(_) | ObjectKind::Class { .. } => match name {
                "call" | "apply" | "bind" => self.function_method(this, name, arguments, span),
                _ => {
                    if let ObjectKind::Class { parent, .. } = self.heap.object(object).kind
                        && parent.id != Val::NEVER.id
                    {
                        let key = Key::named(name);
                        return self.call_member(parent, &key, arguments, span);
                    }
                    self.common_method(this, name, arguments, span)
                }
            },
            ObjectKind::Instance { path, made_with } => {
                let path = Rc::clone(self.values.texts.get(path));
                if is_iteration(name)
                    && self.is_callable(arguments.get(0))
                    && let Some(elements) = self.acting_elements(object, &made_with)
                {
                    let elements = Elements { any: this, ..elements };
                    if name == "map" {
                        let (taint, via) = self.carried(this);
                        let answers = self.iterate(name, arguments.get(0), &elements, span);
                        return self.values.with_taint(answers, taint).through(via);
                    }
                    let (_, answer) = self.for_elements(arguments.get(0), &elements, span);
                    return if name == "filter" { self.chosen(this, answer, arguments.get(0)) } else { this };
                }
                // `manager.find(Order)` finds records of that class; a function of the script is called for each element.
                let is_for_each = is_iteration(name)
                    && self.is_callable(arguments.get(0))
                    && (self.is_function(arguments.get(0)) || !Self::is_form(&path, name));
                // What an answer is asked for like a list, it is one: `range.getValues().shift()`.
                let is_list = || LIST_METHODS.contains(&name) && path.ends_with("()") && !Self::is_form(&path, name);
                if is_promise_method(name) || is_for_each || is_list() && knowledge::api(&format!("{path}.{name}")).is_none() {
                    let (taint, via) = self.carried(this);
                    let this = if is_promise_method(name) { this } else { self.values.opaque(taint, via) };
                    return self.opaque_method(this, name, arguments, span);
                }
                if let Some(numbered) = self.numbered_answer(this, name, arguments, span) {
                    return numbered;
                }
                let method = format!("{path}.{name}");
                self.call_native_of(&method, &made_with, invocation)
            }
            ObjectKind::Encoded(inner) => {
                let (taint, via) = self.carried(inner);
                let text = self.values.opaque(taint, via);
                self.opaque_method(text, name, arguments, span)
            }
            ObjectKind::Plain(_) | ObjectKind::Environment { .. } | ObjectKind::Promise(_) => {
                if let Some(value) = self.stream_method(object, name, invocation) {
                    return value;
                }
                if matches!(name, "toString" | "toJSON")
                    && let Some(href) = self.address_of(object).or_else(|| self.own_or_inherited(object, "href"))
                {
                    let (taint, via) = self.carried(this);
                    return self.values.with_taint(href, taint).through(via);
                }
                let rest = self.heap.object(object).rest;
                if rest.id != Val::NEVER.id && !is_promise_method(name) && !matches!(name, "toString" | "hasOwnProperty" | "valueOf") {
                    return self.call_value(rest, this, arguments, span);
                }
                self.common_method(this, name, arguments, span)
            }
        }
    }

    /// Methods that every value may have: promises are taken for what they resolve to.
    pub fn common_method(&mut self, this: Val, name: &str, arguments: &Arguments, span: Span) -> Val {
        if is_promise_method(name) {
            return self.promise_method(this, name, arguments, span);
        }
        match name {
            "hasOwnProperty" | "isPrototypeOf" | "propertyIsEnumerable" => Val::UNKNOWN,
            "valueOf" => this,
            "on" | "once" | "addListener" | "addEventListener" | "subscribe" => self.listen(this, arguments, span),
            "dispatchEvent" => self.dispatch(this, arguments, span),
            "emit" | "next" => self.emit(this, arguments, span),
            "postMessage" => self.post(this, arguments, span),
            _ => {
                // A class of the runtime's that the script extends, or a method that is not there.
                let (mut taint, mut via) = self.carried(this);
                for argument in arguments.iter() {
                    let one = self.carried(argument);
                    (taint, via) = self.both((taint, via), one);
                }
                let taint = self.values.changed(taint, Change::Rewritten);
                let passed = self.values.opaque(taint, via);
                self.call_back(arguments, &Arguments { known: Vec::new(), rest: Some(passed) }, span);
                passed
            }
        }
    }

    /// Returns true if and only if a value can be called.
    pub fn is_callable(&self, value: Val) -> bool {
        self.is_function(value) || self.values.shape(value.id).atoms.iter().any(|atom| matches!(atom, Atom::Native(_)))
    }
}

/// Returns true if and only if a method is one of promises.
pub fn is_promise_method(name: &str) -> bool {
    matches!(name, "then" | "catch" | "finally")
}
