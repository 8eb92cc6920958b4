//! Calls by which a script reaches out: reflection, modules, text that becomes code.

use oxc_ast::ast::{Argument, CallExpression, Expression, MemberExpression, NewExpression};
use oxc_ast_visit::{VisitJs as _, walk_js};

use crate::format::script::sandbox::names::{GLOBAL_OBJECT, danger, is_code_for_host};
use crate::format::script::sandbox::{Place, Walker};
use crate::format::script::span::span_of;
use crate::subject::hazard::{HazardKind, Strength};

/// Methods that list or read properties of any object by name.
const READERS: &[&str] = &["getOwnPropertyDescriptor", "get", "set", "defineProperty"];

/// Methods that only tell of a property.
const TELLERS: &[&str] = &["getOwnPropertyDescriptor", "get", "has", "hasOwn"];

/// Methods that keep an object from being changed.
const KEEPERS: &[&str] = &["freeze", "seal", "preventExtensions", "isFrozen", "isSealed"];

/// Timers, which take text for code.
const TIMERS: &[&str] = &["setTimeout", "setInterval", "setImmediate"];

impl<'a> Walker<'_, 'a, '_> {
    /// A call.
    pub fn call(&mut self, call: &'a CallExpression<'a>) {
        let callee = call.callee.get_inner_expression();
        self.sized_call(call);
        self.code_text(&call.arguments);
        if let Some(member) = callee.as_member_expression() {
            self.member_call(member, call);
            if self.is_borrowed(member) {
                return self.visit_arguments(&call.arguments);
            }
        } else if let Some(name) = self.global(callee) {
            if name == "require" {
                self.loaded(call.arguments.first().and_then(Argument::as_expression), span_of(call), "require");
                return self.visit_arguments(&call.arguments);
            }
            let text = call.arguments.first().and_then(Argument::as_expression).and_then(|argument| self.folder.fold_string(argument));
            if TIMERS.contains(&name) && text.is_some() {
                self.tell(HazardKind::Evaluation, Strength::Clear, span_of(call), format!("`{name}` turns text into code"));
            }
        }
        self.is_invoked = match callee {
            Expression::FunctionExpression(_) => true,
            callee => callee
                .as_member_expression()
                .is_some_and(|member| matches!(member.object().get_inner_expression(), Expression::FunctionExpression(_))),
        };
        self.visit_expression(&call.callee);
        self.is_invoked = false;
        self.visit_arguments_of(callee, &call.arguments);
    }

    /// A `new`.
    pub fn created(&mut self, created: &'a NewExpression<'a>) {
        self.code_text(&created.arguments);
        self.sized_new(created);
    }

    /// The arguments of a call, without the global object where it is only what `this` shall be.
    fn visit_arguments_of(&mut self, callee: &'a Expression<'a>, arguments: &'a [Argument<'a>]) {
        let member = callee.as_member_expression();
        let place = match member.and_then(MemberExpression::static_property_name) {
            Some("apply") if member.is_some_and(|member| self.global(member.object()) == Some("Reflect")) => Some(1),
            Some("call" | "apply" | "bind") => Some(0),
            _ => None,
        };
        for (at, argument) in arguments.iter().enumerate() {
            let is_receiver = place == Some(at)
                && argument.as_expression().and_then(|argument| self.global(argument)).is_some_and(|name| GLOBAL_OBJECT.contains(&name));
            if !is_receiver {
                walk_js::walk_argument(self, argument);
            }
        }
    }

    fn visit_arguments(&mut self, arguments: &[Argument<'a>]) {
        for argument in arguments {
            walk_js::walk_argument(self, argument);
        }
    }

    /// Text that hands over the host, passed where code may be taken.
    fn code_text(&mut self, arguments: &'a [Argument<'a>]) {
        for argument in arguments.iter().filter_map(Argument::as_expression) {
            let is_text = matches!(
                argument.get_inner_expression(),
                Expression::StringLiteral(_) | Expression::TemplateLiteral(_) | Expression::BinaryExpression(_)
            );
            if is_text && self.folder.fold_string(argument).is_some_and(|text| is_code_for_host(&text)) {
                self.tell(
                    HazardKind::Evaluation,
                    Strength::Clear,
                    span_of(argument),
                    "text is passed that is code to get hold of the host",
                );
            }
        }
    }

    /// `Array.prototype.slice.call(…)`, which only borrows a method.
    fn is_borrowed(&self, member: &'a MemberExpression<'a>) -> bool {
        let is_lent = matches!(member.static_property_name(), Some("call" | "apply" | "bind"));
        let Some(method) = member.object().get_inner_expression().as_member_expression().filter(|_| is_lent) else { return false };
        let Some(name) = method.static_property_name() else { return false };
        let Some(prototype) = method.object().get_inner_expression().as_member_expression() else { return false };
        danger(name).is_none()
            && prototype.static_property_name() == Some("prototype")
            && self.is_built_in(prototype.object())
            && self.global(prototype.object()) != Some("Function")
    }

    fn member_call(&mut self, member: &'a MemberExpression<'a>, call: &'a CallExpression<'a>) {
        let reflects = matches!(self.global(member.object()), Some("Object" | "Reflect"));
        for name in self.member_keys(member) {
            match name.as_str() {
                "constructor" if !(self.place == Place::Method && matches!(member.object(), Expression::ThisExpression(_))) => {
                    let note = "a constructor is called that was read off a value";
                    self.tell(HazardKind::Chain, Strength::Clear, span_of(member), note);
                }
                "getFunction" if call.arguments.is_empty() => {
                    self.tell(HazardKind::Stack, Strength::Clear, span_of(call), "a frame of the stack hands over its function");
                }
                "for" if self.global(member.object()) == Some("Symbol") => self.shared_symbol(call),
                "parse" if self.global(member.object()) == Some("JSON") => self.parsed_text(call),
                name => self.reflected(name, reflects, member, call),
            }
        }
    }

    fn reflected(&mut self, name: &str, reflects: bool, member: &'a MemberExpression<'a>, call: &'a CallExpression<'a>) {
        let argument = |at: usize| call.arguments.get(at).and_then(Argument::as_expression);
        let span = span_of(call);
        if reflects {
            if READERS.contains(&name)
                && let (Some(object), Some(key)) = (argument(0), argument(1))
            {
                let keys = self.keys(key);
                for key in &keys {
                    self.read(object, key, true, span);
                }
            }
            if TELLERS.contains(&name)
                && let (Some(object), Some(key)) = (argument(0), argument(1))
            {
                let keys = self.keys(key);
                self.settle_known(object, &keys);
            }
            if KEEPERS.contains(&name)
                && let Some(object) = argument(0)
            {
                self.settle_prototype(object);
            }
            if !self.is_settled_change(name, call) {
                self.changed(name, call);
            }
        }
        match name {
            "getPrototypeOf" => self.tell(HazardKind::Chain, Strength::Probing, span_of(member), "the prototype of an object is read"),
            "getOwnPropertyDescriptors" if !reflects => {
                self.tell(HazardKind::Chain, Strength::Clear, span, "what `Object` does is done by a constructor read off a value");
            }
            "getOwnPropertyDescriptors" | "getOwnPropertyNames" | "getOwnPropertySymbols" | "ownKeys" | "keys" | "entries"
                if reflects && argument(0).is_some_and(|object| self.is_shown_around(object)) =>
            {
                self.tell(HazardKind::Chain, Strength::Probing, span, "the properties of a built-in object are listed");
            }
            "construct" | "apply"
                if reflects
                    && self.global(member.object()) == Some("Reflect")
                    && !argument(0).is_some_and(|called| self.is_plainly_named(called)) =>
            {
                self.tell(HazardKind::Hook, Strength::Probing, span, format!("`Reflect.{name}` calls what cannot be told beforehand"));
            }
            _ => {}
        }
    }

    /// `Object.defineProperty` and `Object.assign`, as harmless scripts change what is shared.
    fn is_settled_change(&mut self, name: &str, call: &'a CallExpression<'a>) -> bool {
        let argument = |at: usize| call.arguments.get(at).and_then(Argument::as_expression);
        let is_harmless = match (name, argument(0), argument(1), argument(2)) {
            ("defineProperty", Some(object), Some(key), Some(descriptor)) => self.is_harmless_property(object, key, descriptor),
            ("assign", Some(object), Some(added), None) => self.is_harmless_object(object, added),
            _ => false,
        };
        if is_harmless && let Some(object) = argument(0) {
            self.settle(object);
        }
        is_harmless
    }

    /// A function that has a name, or is a method of a known name of something that does.
    fn is_plainly_named(&self, called: &'a Expression<'a>) -> bool {
        match called.get_inner_expression() {
            Expression::Identifier(_) => true,
            Expression::StaticMemberExpression(member) => danger(member.property.name.as_str()).is_none(),
            _ => false,
        }
    }

    /// Returns true if and only if listing an object's properties tells about the sandbox, not about data.
    fn is_shown_around(&self, object: &'a Expression<'a>) -> bool {
        self.is_built_in(object)
            || self.is_foreign_prototype(object)
            || matches!(object.get_inner_expression(), Expression::ThisExpression(_)) && self.place == Place::Top
            || self.function(object).is_some()
    }

    /// `Symbol.for('nodejs.…')`, by which the host asks objects for hooks.
    fn shared_symbol(&mut self, call: &'a CallExpression<'a>) {
        let Some(name) = call.arguments.first().and_then(Argument::as_expression) else { return };
        if let Some(name) = self.keys(name).into_iter().find(|name| name.starts_with("nodejs.")) {
            self.tell(HazardKind::Hook, Strength::Clear, span_of(call), format!("the host's own symbol `{name}` is taken"));
        }
    }

    /// `JSON.parse` of a text that writes to prototypes, or that nests without end.
    fn parsed_text(&mut self, call: &'a CallExpression<'a>) {
        let Some(text) = call.arguments.first().and_then(Argument::as_expression) else { return };
        if self.folder.fold_string(text).is_some_and(|text| has_prototype_key(&text)) {
            self.tell(HazardKind::Pollution, Strength::Clear, span_of(call), "parsed text has the key `__proto__`");
        }
    }
}

/// Returns true if and only if JSON has the key `__proto__` with an object, which would become one's prototype; anything else
/// would be nobody's.
fn has_prototype_key(text: &str) -> bool {
    text.match_indices("\"__proto__\"").filter_map(|(at, key)| text.get(at + key.len()..)).any(|rest| {
        let value = rest.trim_start().strip_prefix(':').map(str::trim_start);
        value.is_none_or(|value| !value.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '"' | 't' | 'f' | 'n' | '-')))
    })
}
