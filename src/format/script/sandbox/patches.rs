//! What is put in the place of something shared: a polyfill, a wrapper that only measures, or something that hides more.
//!
//! A function is *tame* when it sends nothing, runs nothing and keeps nothing of what it is given. A tame function may be added
//! to what is built in. What was there before may only give way to a *wrapper*: a tame function that calls the original with
//! what it was given itself, and returns what that returned.

use oxc_ast::ast::{Argument, AssignmentExpression, AssignmentTarget, Expression, IdentifierReference, ObjectPropertyKind, PropertyKind};
use oxc_syntax::operator::{AssignmentOperator, LogicalOperator};

use crate::format::script::bindings::Given;
use crate::format::script::sandbox::Walker;
use crate::format::script::sandbox::names::{BUILT_IN, EXISTING, GLOBAL_OBJECT, TRUSTED, danger, is_dear_global};
use crate::format::script::sandbox::tame::Tame;
use crate::format::script::span::span_of;

/// How many names are followed to the function that they keep.
const ALIASES: u32 = 4;

/// Methods that everything inherits and the language calls by itself: what they are on all objects is no polyfill.
const CALLED_UNASKED: &[&str] = &["toJSON", "then", "get", "set", "value", "writable", "enumerable", "configurable", "toString", "valueOf"];

/// Something that is put under a name of something shared.
#[derive(Clone, Copy)]
pub struct Patch<'a, 'k> {
    /// What is changed.
    pub object: &'a Expression<'a>,
    /// The name.
    pub key: &'k str,
    /// What is put there.
    pub value: &'a Expression<'a>,
    /// It is put there only where nothing was.
    pub is_guarded: bool,
}

impl<'a> Walker<'_, 'a, '_> {
    /// Returns true if and only if an assignment changes something shared as harmless scripts do. What stands on its left needs
    /// no further look then.
    pub fn is_use(&self, assignment: &'a AssignmentExpression<'a>) -> bool {
        if let AssignmentTarget::AssignmentTargetIdentifier(name) = &assignment.left {
            let key = name.name.as_str();
            return self.is_global(name) && TRUSTED.contains(&key) && self.is_wrapper(key, &assignment.right);
        }
        let Some(member) = assignment.left.as_member_expression() else { return false };
        let keys = self.member_keys(member);
        let (value, only_missing) = self.without_guard(&keys, &assignment.right);
        let is_guarded = only_missing
            || matches!(assignment.operator, AssignmentOperator::LogicalNullish | AssignmentOperator::LogicalOr)
            || keys.iter().all(|key| self.guards.contains(key));
        if self.global(member.object()) == Some("console") && self.function(value).is_some() {
            // Who logs knows that it is read; where it goes is told by the flows.
            return true;
        }
        let is_plain = matches!(assignment.operator, AssignmentOperator::Assign) || is_guarded;
        is_plain && !keys.is_empty() && keys.iter().all(|key| self.is_harmless(Patch { object: member.object(), key, value, is_guarded }))
    }

    /// Returns true if and only if harmless scripts put such things there.
    pub fn is_harmless(&self, patch: Patch<'a, '_>) -> bool {
        let is_global = self.global(patch.object).is_some_and(|name| GLOBAL_OBJECT.contains(&name));
        if danger(patch.key).is_some() || !is_global && !self.is_plain_built_in(patch.object) {
            return false;
        }
        let is_there = !patch.is_guarded
            && if is_global { BUILT_IN.contains(&patch.key) || TRUSTED.contains(&patch.key) } else { EXISTING.contains(&patch.key) };
        if is_there {
            return self.is_wrapper(patch.key, patch.value);
        }
        if is_global {
            return !is_dear_global(patch.key);
        }
        let is_of_all = self.prototype_owner(patch.object) == Some("Object");
        match self.function(patch.value) {
            Some(_) if is_of_all && CALLED_UNASKED.contains(&patch.key) => false,
            Some(function) => Tame::of(self, patch.key, function).is_some(),
            None => self.prototype_owner(patch.object).is_none() && patch.value.is_literal(),
        }
    }

    /// `Object.defineProperty(shared, key, descriptor)`, as harmless scripts write it.
    pub fn is_harmless_property(&self, object: &'a Expression<'a>, key: &'a Expression<'a>, descriptor: &'a Expression<'a>) -> bool {
        let keys = self.keys(key);
        let Expression::ObjectExpression(descriptor) = descriptor.get_inner_expression() else { return false };
        let of = |property: &'a ObjectPropertyKind<'a>| match property {
            ObjectPropertyKind::ObjectProperty(property) => match property.key.static_name()?.as_ref() {
                "value" => Some((false, &property.value)),
                "get" | "set" => Some((true, &property.value)),
                _ => None,
            },
            ObjectPropertyKind::SpreadProperty(_) => None,
        };
        let values: Vec<(bool, &'a Expression<'a>)> = descriptor.properties.iter().filter_map(of).collect();
        !keys.is_empty()
            && !values.is_empty()
            && keys.iter().all(|key| {
                let is_guarded = self.guards.contains(key);
                let is_new = is_guarded || !EXISTING.contains(&key.as_str()) && !TRUSTED.contains(&key.as_str());
                values
                    .iter()
                    .all(|(is_accessor, value)| (is_new || !is_accessor) && self.is_harmless(Patch { object, key, value, is_guarded }))
            })
    }

    /// `Object.assign(shared, { key: value })`, as harmless scripts write it.
    pub fn is_harmless_object(&self, object: &'a Expression<'a>, added: &'a Expression<'a>) -> bool {
        let Expression::ObjectExpression(added) = added.get_inner_expression() else { return false };
        added.properties.iter().all(|property| match property {
            ObjectPropertyKind::ObjectProperty(property) if property.kind == PropertyKind::Init => {
                property.key.static_name().is_some_and(|key| {
                    let patch = Patch {
                        object,
                        key: key.as_ref(),
                        value: &property.value,
                        is_guarded: self.guards.iter().any(|guard| *guard == key),
                    };
                    self.is_harmless(patch)
                })
            }
            ObjectPropertyKind::ObjectProperty(_) | ObjectPropertyKind::SpreadProperty(_) => false,
        })
    }

    /// Returns true if and only if an object is built in, or the prototype of what is built in, written as such.
    pub fn is_plain_built_in(&self, object: &Expression<'a>) -> bool {
        self.is_built_in(object) && self.global(object) != Some("Function")
            || self.prototype_owner(object).is_some_and(|name| name != "Function")
    }

    /// `Array` of `Array.prototype`.
    pub fn prototype_owner(&self, object: &Expression<'a>) -> Option<&'a str> {
        match object.get_inner_expression() {
            Expression::StaticMemberExpression(member) if member.property.name == "prototype" && self.is_built_in(&member.object) => {
                self.global(&member.object)
            }
            Expression::Identifier(name) => match self.bindings.constant(self.bindings.symbol(name)?)? {
                Given::Expression(given) if !matches!(given.get_inner_expression(), Expression::Identifier(_)) => {
                    self.prototype_owner(given)
                }
                Given::Property(object, "prototype") if self.is_built_in(object) => self.global(object),
                Given::Expression(_) | Given::Property(..) | Given::Unknown => None,
            },
            _ => None,
        }
    }

    /// `original || value` and `original ?? value`: the value, and whether it stands only where nothing was.
    fn without_guard(&self, keys: &[String], value: &'a Expression<'a>) -> (&'a Expression<'a>, bool) {
        match value.get_inner_expression() {
            Expression::LogicalExpression(choice)
                if choice.operator != LogicalOperator::And && keys.iter().all(|key| self.is_original(key, &choice.left, ALIASES)) =>
            {
                (&choice.right, true)
            }
            _ => (value, false),
        }
    }

    /// Returns true if and only if a value is what stood under a name, or only hands through to it.
    fn is_wrapper(&self, key: &str, value: &'a Expression<'a>) -> bool {
        if self.is_original(key, value, ALIASES) {
            return true;
        }
        let Some(function) = self.function(value) else { return false };
        Tame::of(self, key, function).is_some_and(|tame| tame.hands_through)
            && function.returned().into_iter().all(|returned| self.is_result(key, returned))
    }

    /// Returns true if and only if what a wrapper returns may be what the original returned.
    fn is_result(&self, key: &str, returned: &'a Expression<'a>) -> bool {
        match returned.get_inner_expression() {
            Expression::AwaitExpression(awaited) => self.is_result(key, &awaited.argument),
            Expression::Identifier(_) => true,
            Expression::CallExpression(call) => self.is_call_of(key, &call.callee, &call.arguments),
            _ => false,
        }
    }

    /// Returns true if and only if a call calls what stood under a name, by itself, `call`, `apply` or `Reflect.apply`.
    pub fn is_call_of(&self, key: &str, callee: &'a Expression<'a>, arguments: &'a [Argument<'a>]) -> bool {
        let member = callee.get_inner_expression().as_member_expression();
        match member.and_then(|member| Some((member, member.static_property_name()?))) {
            Some((member, "apply")) if self.global(member.object()) == Some("Reflect") => {
                arguments.first().and_then(Argument::as_expression).is_some_and(|called| self.is_original(key, called, ALIASES))
            }
            Some((member, "call" | "apply")) if self.is_original(key, member.object(), ALIASES) => true,
            _ => self.is_original(key, callee, ALIASES),
        }
    }

    /// Returns true if and only if a name stands for what stood under a name before it was replaced.
    pub fn is_name_of(&self, key: &str, name: &IdentifierReference<'a>) -> bool {
        self.is_alias_of(key, name, ALIASES)
    }

    fn is_alias_of(&self, key: &str, name: &IdentifierReference<'a>, aliases: u32) -> bool {
        match self.bindings.symbol(name).and_then(|symbol| self.bindings.constant(symbol)) {
            Some(Given::Expression(given)) => self.is_original(key, given, aliases),
            Some(Given::Property(object, taken)) => taken == key && self.is_of_realm(object),
            Some(Given::Unknown) | None => false,
        }
    }

    /// Returns true if and only if an expression is what stood under a name before it was replaced.
    fn is_original(&self, key: &str, expression: &'a Expression<'a>, aliases: u32) -> bool {
        let Some(aliases) = aliases.checked_sub(1) else { return false };
        match expression.get_inner_expression() {
            Expression::Identifier(name) if self.is_global(name) => name.name == key,
            Expression::Identifier(name) => self.is_alias_of(key, name, aliases),
            Expression::CallExpression(call) => {
                let member = call.callee.get_inner_expression().as_member_expression();
                let bound = member.filter(|member| member.static_property_name() == Some("bind"));
                bound.is_some_and(|member| self.is_original(key, member.object(), aliases))
            }
            inner => inner
                .as_member_expression()
                .is_some_and(|member| self.is_of_realm(member.object()) && self.member_keys(member).iter().all(|found| found == key)),
        }
    }

    fn is_of_realm(&self, object: &Expression<'a>) -> bool {
        self.is_plain_built_in(object) || self.global(object).is_some_and(|name| GLOBAL_OBJECT.contains(&name))
    }

    /// Notes that an expression was judged together with what stands around it.
    pub fn settle(&mut self, expression: &Expression<'a>) {
        self.settled.insert(span_of(expression.get_inner_expression()));
    }

    /// `Array.prototype`, of which only something known is used.
    pub fn settle_prototype(&mut self, object: &Expression<'a>) {
        if matches!(object.get_inner_expression(), Expression::StaticMemberExpression(_)) && self.prototype_owner(object).is_some() {
            self.settle(object);
        }
    }

    /// The names that a condition asks for: what is put under them behind it stands only where nothing was.
    pub fn asked_for(&self, test: &'a Expression<'a>) -> Vec<String> {
        match test.get_inner_expression() {
            Expression::UnaryExpression(unary) => self.asked_for(&unary.argument),
            Expression::LogicalExpression(choice) => {
                let mut names = self.asked_for(&choice.left);
                names.extend(self.asked_for(&choice.right));
                names
            }
            Expression::BinaryExpression(binary) => {
                let mut names = self.asked_for(&binary.left);
                names.extend(self.folder.fold_string(&binary.left).filter(|_| binary.operator.is_in()));
                names
            }
            inner => inner.as_member_expression().map_or_else(Vec::new, |member| self.member_keys(member)),
        }
    }

    /// Visits what stands behind a condition that asks for names.
    pub fn guarded(&mut self, names: Vec<String>, visit: impl FnOnce(&mut Self)) {
        let around = self.guards.len();
        self.guards.extend(names);
        visit(self);
        self.guards.truncate(around);
    }
}
