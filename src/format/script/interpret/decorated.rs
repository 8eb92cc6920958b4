//! Decorators of the script's own: functions that may put another one in the place of a method or of a class.

use oxc_ast::ast::{AccessorProperty, Decorator};

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, derived};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::format::script::span::span_of;
use crate::value::span::Span;

/// The field of a descriptor that holds the method.
const VALUE: &str = "value";
/// So many parameters has a decorator that is handed an object, a key and a descriptor: TypeScript's `experimentalDecorators`.
const OF_DESCRIPTORS: usize = 3;

impl<'a> Interpreter<'a> {
    /// What stands in the place of a method once its decorators have been called, the last of them first.
    pub fn decorated(&mut self, decorators: &'a [Decorator<'a>], owner: ObjectId, name: &str, method: Val) -> Val {
        decorators.iter().rev().fold(method, |method, decorator| {
            let with = self.evaluate(&decorator.expression);
            let span = span_of(decorator);
            match self.parameters_of(with) {
                None => method,
                Some(count) if OF_DESCRIPTORS <= count => self.described(with, (owner, name), method, span),
                Some(_) => self.replaced(with, ("method", name), method, span),
            }
        })
    }

    /// What stands in the place of a class once its decorators have been called.
    pub fn decorated_class(&mut self, decorators: &'a [Decorator<'a>], name: &str, class: Val) -> Val {
        decorators.iter().rev().fold(class, |class, decorator| {
            let with = self.evaluate(&decorator.expression);
            if self.parameters_of(with).is_none() { class } else { self.replaced(with, ("class", name), class, span_of(decorator)) }
        })
    }

    /// What a field begins with once the functions that its decorators return have seen its own value.
    pub fn initialized(&mut self, decorators: &'a [Decorator<'a>], name: &str, value: Val) -> Val {
        decorators.iter().rev().fold(value, |value, decorator| {
            let with = self.evaluate(&decorator.expression);
            if self.parameters_of(with).is_none() {
                return value;
            }
            let span = span_of(decorator);
            let made = self.replaced(with, ("field", name), Val::UNDEFINED, span);
            if self.is_function(made) { self.call_value(made, Val::UNDEFINED, &Arguments::of(vec![value]), span) } else { value }
        })
    }

    /// What a field that is read and set by functions (`accessor name = value`) is read as, once its decorators have seen it.
    pub fn accessor_value(&mut self, property: &'a AccessorProperty<'a>, name: &str) -> Val {
        let own = property.value.as_ref().map_or(Val::UNDEFINED, |value| self.evaluate(value));
        property.decorators.iter().rev().fold(own, |value, decorator| {
            let with = self.evaluate(&decorator.expression);
            if self.parameters_of(with).is_none() {
                return value;
            }
            let span = span_of(decorator);
            let read = self.plain_object(derived(span, 3));
            let context = self.told_of("accessor", name, span);
            let made = self.call_value(with, Val::UNDEFINED, &Arguments::of(vec![read, context]), span);
            let begins = self.property(made, "init", span);
            let value = if self.is_function(begins) { self.call_value(begins, made, &Arguments::of(vec![value]), span) } else { value };
            let reads = self.property(made, "get", span);
            if self.is_function(reads) { self.call_value(reads, made, &Arguments::of(Vec::new()), span) } else { value }
        })
    }

    /// What a decorator makes of a method or class that it is handed with what tells of it.
    fn replaced(&mut self, with: Val, (kind, name): (&str, &str), own: Val, span: Span) -> Val {
        let context = self.told_of(kind, name, span);
        let made = self.call_value(with, Val::UNDEFINED, &Arguments::of(vec![own, context]), span);
        self.made_or_own(made, own)
    }

    /// What a decorator is told of what it decorates.
    fn told_of(&mut self, kind: &str, name: &str, span: Span) -> Val {
        let context = self.plain_object(derived(span, 1));
        for (key, text) in [("kind", kind), ("name", name)] {
            let text = self.values.string(text);
            self.set_property(context, Key::named(key), text);
        }
        context
    }

    /// What a decorator returned, or what it was handed where it may have returned nothing.
    fn made_or_own(&mut self, made: Val, own: Val) -> Val {
        if !self.is_callable(made) {
            return own;
        }
        let shape = self.values.shape(made.id);
        let is_sure = !shape.is_open && shape.atoms.iter().all(|atom| !matches!(atom, Atom::Undefined | Atom::Null));
        if is_sure { made } else { self.values.join(made, own) }
    }

    /// What stands in a method's descriptor once a decorator has seen it, or in the one that it returns.
    fn described(&mut self, with: Val, (owner, name): (ObjectId, &str), method: Val, span: Span) -> Val {
        let descriptor = self.plain_object(derived(span, 2));
        self.set_property(descriptor, Key::named(VALUE), method);
        let (owner, key) = (self.values.object(owner), self.values.string(name));
        let returned = self.call_value(with, Val::UNDEFINED, &Arguments::of(vec![owner, key, descriptor]), span);
        let is_object = matches!(&*self.values.atoms(returned.id), [Atom::Object(_)]);
        let made = self.property(if is_object { returned } else { descriptor }, VALUE, span);
        self.made_or_own(made, method)
    }

    fn plain_object(&mut self, place: u32) -> Val {
        let object = self.allocate(place, ObjectKind::Plain(None));
        self.values.object(object)
    }

    /// How many parameters a function of the script has; nothing of what is none.
    fn parameters_of(&self, function: Val) -> Option<usize> {
        let [Atom::Object(object)] = *self.values.atoms(function.id) else { return None };
        let ObjectKind::Function { code, .. } = &self.heap.object(object).kind else { return None };
        Some(code.parameters())
    }
}
