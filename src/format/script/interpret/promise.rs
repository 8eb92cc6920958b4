//! Promises, and emitters that call back what listens to them.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, Place, derived};
use crate::format::script::interpret::text::{Slot, Text};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::value::span::Span;
use std::rc::Rc;

/// What an event is made with that its listeners read.
const EVENT_PARTS: &[&str] = &["detail", "data", "error", "reason"];

impl<'a> Interpreter<'a> {
    /// Keeps a listener: what is emitted under the same name is passed to it.
    pub fn listen(&mut self, this: Val, arguments: &Arguments, span: Span) -> Val {
        let (event, listener) =
            if self.is_function(arguments.get(0)) { (Val::UNDEFINED, arguments.get(0)) } else { (arguments.get(0), arguments.get(1)) };
        let name = self.values.text(event.id).unwrap_or_else(|| Rc::from(""));
        for object in self.makers_of(this) {
            let key = self.values.texts.slot_named(Slot::Listener, &name);
            let before = self.heap.get(Place::Field(object, key)).unwrap_or(Val::NEVER);
            let joined = self.values.join(before, listener);
            self.heap.set(Place::Field(object, key), joined);
        }
        self.call_back(&Arguments::of(vec![listener]), &Arguments { known: Vec::new(), rest: Some(Val::UNKNOWN) }, span);
        this
    }

    /// Passes what is emitted to the listeners.
    pub fn emit(&mut self, this: Val, arguments: &Arguments, span: Span) -> Val {
        let name = self.values.text(arguments.get(0).id).unwrap_or_else(|| Rc::from(""));
        self.tell(this, &name, &arguments.skip(1), span);
        if !name.is_empty() {
            // Who listens to everything that is put in is passed all of it.
            self.tell(this, "", arguments, span);
        }
        Val::UNKNOWN
    }

    /// Passes an event to those who listen for its type: `bus.dispatchEvent(new CustomEvent('ticket', { detail }))`.
    pub fn dispatch(&mut self, this: Val, arguments: &Arguments, span: Span) -> Val {
        let event = arguments.get(0);
        let (name, passed) = self.made_event(event, span).unwrap_or_else(|| (self.property(event, "type", span), event));
        let Some(name) = self.values.text(name.id) else { return self.emit(this, arguments, span) };
        let passed = Arguments::of(vec![passed]);
        self.tell(this, &name, &passed, span);
        let handler = self.property(this, &format!("on{name}"), Span::default());
        if self.is_function(handler) {
            self.maybe(|interpreter| interpreter.call_value(handler, this, &passed, span));
        }
        Val::UNKNOWN
    }

    /// The type of an event that the language's own classes make, and the event with what it was made with.
    fn made_event(&mut self, event: Val, span: Span) -> Option<(Val, Val)> {
        let [Atom::Object(object)] = *self.values.atoms(event.id) else { return None };
        let ObjectKind::Instance { path, made_with } = self.heap.object(object).kind.clone() else { return None };
        if !self.values.texts.get(path).ends_with("Event()") {
            return None;
        }
        let name = made_with.first().copied()?;
        let made = self.allocate(derived(span, 9), ObjectKind::Plain(None));
        let made = self.values.object(made);
        self.set_property(made, Key::named("type"), name);
        for key in EVENT_PARTS {
            let part = made_with.get(1).map_or(Val::UNDEFINED, |options| self.property(*options, key, span));
            self.set_property(made, Key::named(*key), part);
        }
        Some((name, made))
    }

    /// Passes a message to those who listen at a port: as it is, and as the data of an event.
    pub fn post(&mut self, this: Val, arguments: &Arguments, span: Span) -> Val {
        let message = arguments.get(0);
        self.tell(this, "message", &Arguments::of(vec![message]), span);
        let event = self.allocate(derived(span, 2), ObjectKind::Plain(None));
        let key = self.values.texts.intern("data");
        self.heap.set(Place::Field(event, key), message);
        let event = Arguments::of(vec![self.values.object(event)]);
        self.tell(this, "message", &event, span);
        let handler = self.property(this, "onmessage", Span::default());
        if self.is_function(handler) {
            self.maybe(|interpreter| interpreter.call_value(handler, this, &event, span));
        }
        Val::UNDEFINED
    }

    /// Calls those who listen to an event.
    pub fn tell(&mut self, this: Val, event: &str, passed: &Arguments, span: Span) {
        let known = self.values.texts.known(event).and_then(|name| self.values.texts.known_slot(Slot::Listener, name));
        let Some(key) = known else { return };
        for atom in self.values.atoms(this.id).iter() {
            if let Atom::Object(object) = atom
                && let Some(listener) = self.heap.get(Place::Field(*object, key))
            {
                self.maybe(|interpreter| interpreter.call_value(listener, this, passed, span));
            }
        }
    }

    /// A promise is settled: what listens to it is called, or its value is thrown.
    pub fn settle(&mut self, kept: Option<ObjectId>, value: Val, span: Span) {
        let Some(kept) = kept else {
            self.thrown = self.values.join(self.thrown, value);
            return;
        };
        self.push_unknown(kept, value);
        let key = self.values.texts.slot(Slot::Settled, Text::EMPTY);
        if let Some(listener) = self.heap.get(Place::Field(kept, key)) {
            self.maybe(|interpreter| interpreter.call_value(listener, Val::UNDEFINED, &Arguments::of(vec![value]), span));
        }
    }

    /// What a promise resolves to.
    pub fn settled(&mut self, value: Val) -> Val {
        let atoms = self.values.atoms(value.id);
        let is_promise =
            |atom: &Atom| matches!(atom, Atom::Object(object) if matches!(self.heap.object(*object).kind, ObjectKind::Promise(_)));
        if !atoms.iter().any(is_promise) {
            return value;
        }
        let mut result = Val::NEVER;
        for atom in atoms.iter() {
            let one = match atom {
                Atom::Object(object) => match self.heap.object(*object).kind {
                    ObjectKind::Promise(kept) => self.values.join(self.heap.object(kept).rest, Val::UNKNOWN),
                    _ => self.values.atom(*atom),
                },
                _ => self.values.atom(*atom),
            };
            result = self.joined_with_way(result, one);
        }
        result
    }

    /// `then`, `catch` and `finally`.
    pub fn promise_method(&mut self, this: Val, name: &str, arguments: &Arguments, span: Span) -> Val {
        let callback = arguments.get(0);
        if name == "then" {
            for atom in self.values.atoms(this.id).iter() {
                if let Atom::Object(object) = atom
                    && let ObjectKind::Promise(kept) = self.heap.object(*object).kind
                {
                    let key = self.values.texts.slot(Slot::Settled, Text::EMPTY);
                    let before = self.heap.get(Place::Field(kept, key)).unwrap_or(Val::NEVER);
                    let joined = self.values.join(before, callback);
                    self.heap.set(Place::Field(kept, key), joined);
                }
            }
        }
        let this = self.settled(this);
        match name {
            "then" => {
                let result = if self.is_callable(callback) {
                    // Where it fails nobody is called.
                    self.maybe(|interpreter| interpreter.call_value(callback, Val::UNDEFINED, &Arguments::of(vec![this]), span))
                } else {
                    this
                };
                let failed = arguments.get(1);
                if self.is_callable(failed) {
                    let thrown = self.values.join(self.thrown, Val::UNKNOWN);
                    let other =
                        self.maybe(|interpreter| interpreter.call_value(failed, Val::UNDEFINED, &Arguments::of(vec![thrown]), span));
                    return self.joined_with_way(result, other);
                }
                result
            }
            "catch" => {
                if !self.is_callable(callback) {
                    return this;
                }
                let thrown = self.values.join(self.thrown, Val::UNKNOWN);
                let other = self.maybe(|interpreter| interpreter.call_value(callback, Val::UNDEFINED, &Arguments::of(vec![thrown]), span));
                self.joined_with_way(this, other)
            }
            _ => {
                if self.is_callable(callback) {
                    self.call_value(callback, Val::UNDEFINED, &Arguments::default(), span);
                }
                this
            }
        }
    }

    pub fn promise_function(&mut self, method: &str, first: Val, span: Span) -> Option<Val> {
        Some(match method {
            "resolve" => first,
            "all" => {
                let elements = self.elements(first);
                match elements.known {
                    Some(known) => {
                        let settled: Vec<Val> = known.into_iter().map(|value| self.settled(value)).collect();
                        self.array(derived(span, 1), &settled, None)
                    }
                    None => first,
                }
            }
            "race" | "any" => self.elements(first).any,
            "reject" => {
                self.thrown = self.values.join(self.thrown, first);
                Val::UNKNOWN
            }
            "allSettled" => {
                let elements = self.elements(first);
                let settled = |interpreter: &mut Self, value: Val, context: u32| {
                    let object = interpreter.heap.allocate(span.start, context, 18, ObjectKind::Plain(None));
                    let key = interpreter.values.texts.intern("value");
                    interpreter.heap.set(Place::Field(object, key), value);
                    let reason = interpreter.values.join(interpreter.thrown, Val::UNKNOWN);
                    for (name, value) in [("status", Val::UNKNOWN), ("reason", reason)] {
                        let key = interpreter.values.texts.intern(name);
                        interpreter.heap.set(Place::Field(object, key), value);
                    }
                    interpreter.values.object(object)
                };
                match elements.known {
                    Some(known) => {
                        let all: Vec<Val> = known
                            .into_iter()
                            .map(|value| {
                                let context = self.new_context();
                                settled(self, value, context)
                            })
                            .collect();
                        self.array(derived(span, 1), &all, None)
                    }
                    None => {
                        let context = self.new_context();
                        let one = settled(self, elements.any, context);
                        self.array(derived(span, 1), &[], Some(one))
                    }
                }
            }
            "withResolvers" => return None,
            _ => return None,
        })
    }

    pub fn emitter(&mut self, path: &str, this: Val, arguments: &Arguments, span: Span) -> Option<Val> {
        match path.rsplit('.').next() {
            Some("on" | "once" | "addListener" | "prependListener" | "addEventListener" | "subscribe") => {
                Some(self.listen(this, arguments, span))
            }
            Some("postMessage") => Some(self.post(this, arguments, span)),
            Some("dispatchEvent") => Some(self.dispatch(this, arguments, span)),
            Some("emit" | "next" | "publish") => Some(self.emit(this, arguments, span)),
            _ => None,
        }
    }
}

pub fn is_emitter(path: &str) -> bool {
    path.starts_with("events(")
        || path.starts_with("events.EventEmitter(")
        || path.starts_with("EventTarget(")
        || path.starts_with("eventemitter3(")
        || path.starts_with("mitt(")
        || path.strip_prefix("rxjs.").is_some_and(|class| class.split('(').next().is_some_and(|class| class.ends_with("Subject")))
        || path.starts_with("BroadcastChannel(")
}
