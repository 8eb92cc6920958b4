//! Functions and objects that are called in another way than they are written: `util.promisify`, `util.callbackify`, `events.once`
//! and objects that have a `then` of their own.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, Place, derived};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::value::span::Span;

/// What calls a function of the script whose last parameter is a callback.
const PROMISIFIED: &str = "(promisified)";
/// What calls a function of the script and passes what it returns to a callback.
const CALLBACKIFIED: &str = "(callbackified)";
/// The callback that settles a promise by its second argument, as the first is an error.
const SECOND: &str = "(settled by the second)";
/// The listener that settles a promise by the list of all that it is passed.
const ALL: &str = "(settled by all)";

impl Interpreter<'_> {
    /// What an adapter of Node.js makes, or one of the functions that it made is called.
    pub fn adapted(&mut self, path: &str, this: Val, arguments: &Arguments, span: Span) -> Option<Val> {
        let first = arguments.get(0);
        Some(match path {
            "util.promisify" | "promisify" | "es6-promisify.promisify" if self.is_function(first) => {
                self.native_for(PROMISIFIED, first, span)
            }
            "util.callbackify" if self.is_function(first) => self.native_for(CALLBACKIFIED, first, span),
            "util.promisify" | "promisify" | "util.callbackify" | "es6-promisify.promisify" => first,
            "events.once" => {
                let (promise, listener) = self.settled_by(ALL, span);
                self.listen(first, &Arguments::of(vec![arguments.get(1), listener]), span);
                promise
            }
            "events.on" => {
                let (promise, listener) = self.settled_by(ALL, span);
                self.listen(first, &Arguments::of(vec![arguments.get(1), listener]), span);
                let each = self.settled(promise);
                self.array(derived(span, 3), &[], Some(each))
            }
            // What is tried out is what is sent then.
            path if path.ends_with(".simulateContract") && !arguments.known.is_empty() => {
                let made = self.allocate(derived(span, 4), ObjectKind::Plain(None));
                let (request, result) = (self.values.texts.intern("request"), self.values.texts.intern("result"));
                self.heap.set(Place::Field(made, request), first);
                self.heap.set(Place::Field(made, result), Val::UNKNOWN);
                self.values.object(made)
            }
            // What is made of something by a function that changes a copy of it.
            "immer.produce" | "immer" if self.is_function(arguments.get(1)) => {
                self.call_value(arguments.get(1), Val::UNDEFINED, &Arguments::of(vec![first]), span);
                first
            }
            "stream.Readable.from" if self.values.text(first.id).is_some() => self.array(derived(span, 3), &[first], None),
            "stream.Readable.from" => first,
            PROMISIFIED => {
                let (promise, callback) = self.settled_by(SECOND, span);
                let known = arguments.known.iter().copied().chain([callback]).collect();
                self.call_value(this, Val::UNDEFINED, &Arguments { known, rest: arguments.rest }, span);
                promise
            }
            CALLBACKIFIED => {
                let (callback, passed) = arguments.known.split_last()?;
                let result = self.call_value(this, Val::UNDEFINED, &Arguments::of(passed.to_vec()), span);
                let result = self.settled(result);
                let null = self.values.atom(Atom::Null);
                self.call_back(&Arguments::of(vec![*callback]), &Arguments::of(vec![null, result]), span)
            }
            SECOND => {
                self.settle(self.kept_by(this), arguments.get(1), span);
                Val::UNDEFINED
            }
            ALL => {
                let all = self.array(derived(span, 4), &arguments.known, arguments.rest);
                self.settle(self.kept_by(this), all, span);
                Val::UNDEFINED
            }
            _ => return None,
        })
    }

    /// What an object that has a `then` of its own resolves to.
    pub fn resolved_by_then(&mut self, value: Val, span: Span) -> Option<Val> {
        let [Atom::Object(object)] = *self.values.atoms(value.id) else { return None };
        if !matches!(self.heap.object(object).kind, ObjectKind::Plain(_)) {
            return None;
        }
        let then = self.property(value, "then", span);
        if !self.is_function(then) {
            return None;
        }
        let kept = self.allocate(derived(span, 5), ObjectKind::Array);
        let resolve = self.allocate(derived(span, 6), ObjectKind::Settler(Some(kept)));
        let resolve = self.values.object(resolve);
        self.call_value(then, value, &Arguments::of(vec![resolve]), span);
        Some(self.heap.object(kept).rest)
    }

    /// A promise, and the function that settles it.
    fn settled_by(&mut self, path: &str, span: Span) -> (Val, Val) {
        let kept = self.allocate(derived(span, 7), ObjectKind::Array);
        let promise = self.allocate(derived(span, 1), ObjectKind::Promise(kept));
        let promise = self.values.object(promise);
        (promise, self.native_for(path, promise, span))
    }

    /// A function that does what is known by a path, for a value.
    pub fn native_for(&mut self, path: &str, value: Val, span: Span) -> Val {
        let target = self.values.native(path);
        let bound = self.allocate(derived(span, 2), ObjectKind::Bound { target, this: value, arguments: [].into() });
        self.values.object(bound)
    }

    /// Where a promise keeps what it is settled with.
    fn kept_by(&self, promise: Val) -> Option<ObjectId> {
        match *self.values.atoms(promise.id) {
            [Atom::Object(object)] => match self.heap.object(object).kind {
                ObjectKind::Promise(kept) => Some(kept),
                _ => None,
            },
            _ => None,
        }
    }
}
