//! Properties that are read: chains to constructors and prototypes, stacks, callers.

use oxc_ast::ast::{BinaryExpression, BindingPattern, ComputedMemberExpression, Expression, PropertyKey, StaticMemberExpression};
use oxc_ast_visit::{VisitJs as _, walk_js};
use oxc_syntax::operator::BinaryOperator;

use crate::format::script::sandbox::names::{Danger, GLOBAL_OBJECT, TOLD_BY_PROCESS, danger, is_dear_global};
use crate::format::script::sandbox::{Place, Walker};
use crate::format::script::span::span_of;
use crate::subject::hazard::{HazardKind, Strength};
use crate::value::span::Span;

/// Methods that take a stack apart.
const STACK_READERS: &[&str] = &["split", "match", "matchAll", "includes", "indexOf", "replace", "slice", "substring", "map", "length"];

/// Objects whose methods scripts choose by name.
const CHOSEN_FROM: &[&str] = &["Math", "JSON", "Intl", "console", "Buffer"];

impl<'a> Walker<'_, 'a, '_> {
    /// `object.name`.
    pub fn static_member(&mut self, member: &'a StaticMemberExpression<'a>) {
        let name = member.property.name.as_str();
        if self.settled.contains(&span_of(member)) {
            return;
        }
        if danger(name).is_none() {
            // A method that is read or lent leads no further than itself.
            self.settle_prototype(&member.object);
        }
        if name == "name"
            && let Some(object) = constructor_of(&member.object)
        {
            return self.visit_expression(object);
        }
        if self.global(&member.object) == Some("Symbol") {
            return self.symbol(name, span_of(member));
        }
        if self.global(&member.object) == Some("Function") && name == "prototype" {
            return self.tell(HazardKind::Chain, Strength::Probing, span_of(member), "`Function.prototype` is shared by all functions");
        }
        if let Expression::StaticMemberExpression(inner) = member.object.get_inner_expression()
            && inner.property.name == "stack"
            && STACK_READERS.contains(&name)
            && self.is_no_data(&inner.object)
        {
            self.tell(HazardKind::Stack, Strength::Probing, span_of(member), "the stack of an error is taken apart");
        }
        if name == "getPrototypeOf" && matches!(self.global(&member.object), Some("Object" | "Reflect")) {
            self.tell(HazardKind::Chain, Strength::Probing, span_of(member), "the prototype of an object is read");
        }
        self.read(&member.object, name, false, span_of(member));
        if self.is_plain_member(&member.object, name) {
            return;
        }
        walk_js::walk_static_member_expression(self, member);
    }

    /// `object[key]`.
    pub fn computed_member(&mut self, member: &'a ComputedMemberExpression<'a>) {
        let is_written = matches!(&member.expression, Expression::StringLiteral(_));
        let keys = self.keys(&member.expression);
        if keys.is_empty() && !self.is_number(&member.expression) && self.symbol_name(&member.expression).is_none() {
            let chosen = self.global(&member.object).is_some_and(|name| CHOSEN_FROM.contains(&name));
            if self.is_built_in(&member.object) && !chosen {
                let note = "a property of a built-in object is read that is not known before it runs";
                self.tell(HazardKind::Chain, Strength::Probing, span_of(member), note);
            }
        }
        for key in keys {
            self.read(&member.object, &key, !is_written, span_of(member));
        }
    }

    /// Returns true if and only if a property of the global object or of `process` leads nowhere: a slot of the
    /// script's own, something everybody may use, the environment.
    pub fn is_plain_member(&self, object: &Expression<'a>, key: &str) -> bool {
        match self.global(object) {
            Some("process") => TOLD_BY_PROCESS.contains(&key),
            Some(name) => GLOBAL_OBJECT.contains(&name) && !is_dear_global(key),
            None => false,
        }
    }

    /// Returns true if and only if a call or a member is of a plain member of the global object by a computed key.
    pub fn is_plain_computed(&self, member: &'a ComputedMemberExpression<'a>) -> bool {
        let keys = self.keys(&member.expression);
        !keys.is_empty() && keys.iter().all(|key| self.is_plain_member(&member.object, key))
    }

    fn is_number(&self, expression: &Expression<'a>) -> bool {
        self.folder.fold(expression).is_some()
    }

    /// A property that is read, by a name that is written out or computed.
    pub fn read(&mut self, object: &'a Expression<'a>, key: &str, is_computed: bool, span: Span) {
        let Some(danger) = danger(key) else { return };
        let is_own = self.place == Place::Method && matches!(object.get_inner_expression(), Expression::ThisExpression(_));
        let is_data = !self.is_no_data(object);
        let strength = match danger {
            Danger::Prototype | Danger::Stack | Danger::Host => Strength::Clear,
            Danger::Constructor | Danger::OwnPrototype if is_computed => Strength::Clear,
            Danger::Constructor if is_own => return,
            Danger::Constructor if is_data => Strength::Probing,
            Danger::Constructor => Strength::Clear,
            Danger::OwnPrototype if self.is_own_class(object) => return,
            Danger::OwnPrototype if is_data && self.global(object).is_none() => return,
            Danger::OwnPrototype if self.is_built_in(object) => Strength::Probing,
            Danger::OwnPrototype => Strength::Clear,
            Danger::Caller if self.global(object) == Some("arguments") => Strength::Clear,
            Danger::Caller if is_data && !is_computed => return,
            Danger::Caller => Strength::Probing,
            Danger::Trace if self.global(object) == Some("Error") || is_computed => Strength::Probing,
            Danger::Trace => return,
        };
        let how = if is_computed { "a computed key reads" } else { "the script reads" };
        self.tell(danger.kind(), strength, span, format!("{how} `{key}`, {}", meaning(danger)));
    }

    /// `x.constructor === Y` and `x instanceof Function`, which compare and hold nothing.
    pub fn is_type_test(&mut self, binary: &'a BinaryExpression<'a>) -> bool {
        match binary.operator {
            BinaryOperator::Instanceof if self.global(&binary.right) == Some("Function") => {
                self.visit_expression(&binary.left);
                true
            }
            BinaryOperator::In => {
                self.settle_prototype(&binary.right);
                false
            }
            BinaryOperator::Equality | BinaryOperator::StrictEquality | BinaryOperator::Inequality | BinaryOperator::StrictInequality => {
                let compared = [&binary.left, &binary.right];
                let tested: Vec<Option<&'a Expression<'a>>> = compared.into_iter().map(|side| self.tested(side)).collect();
                if tested.iter().all(Option::is_none) {
                    return false;
                }
                for (side, tested) in compared.into_iter().zip(tested) {
                    self.settle_prototype(side);
                    self.visit_expression(tested.unwrap_or(side));
                }
                true
            }
            _ => false,
        }
    }

    /// What a comparison only asks for its constructor, for its prototype, or whether it is there.
    fn tested(&mut self, side: &'a Expression<'a>) -> Option<&'a Expression<'a>> {
        match side.get_inner_expression() {
            Expression::ThisExpression(_) => {
                self.settle(side);
                Some(side)
            }
            Expression::CallExpression(call) => {
                let member = call.callee.get_inner_expression().as_member_expression()?;
                let asks = member.static_property_name() == Some("getPrototypeOf")
                    && matches!(self.global(member.object()), Some("Object" | "Reflect"));
                call.arguments.first().filter(|_| asks && call.arguments.len() == 1)?.as_expression()
            }
            _ => constructor_of(side),
        }
    }

    /// `const { key: name } = object`.
    pub fn destructured(&mut self, pattern: &'a BindingPattern<'a>, object: Option<&'a Expression<'a>>) {
        let BindingPattern::ObjectPattern(pattern) = pattern else { return };
        if let Some(object) = object
            && pattern.rest.is_none()
        {
            let names: Vec<String> = pattern.properties.iter().flat_map(|property| self.key_names(&property.key)).collect();
            if names.len() == pattern.properties.len() {
                self.settle_known(object, &names);
            }
        }
        for property in &pattern.properties {
            self.taken(&property.key, object, span_of(property));
        }
    }

    /// A property that a pattern takes out of an object.
    pub fn taken(&mut self, key: &'a PropertyKey<'a>, object: Option<&'a Expression<'a>>, span: Span) {
        let is_computed = key.static_name().is_none();
        for name in self.key_names(key) {
            self.taken_name(&name, is_computed, object, span);
        }
    }

    /// A property of a known name that a pattern takes out of an object.
    pub fn taken_name(&mut self, name: &str, is_computed: bool, object: Option<&'a Expression<'a>>, span: Span) {
        match (danger(name), object) {
            (None, _) => {}
            (Some(_), Some(object)) => self.read(object, name, is_computed, span),
            (Some(Danger::Prototype | Danger::Stack | Danger::Host), None) => {
                self.tell(HazardKind::Chain, Strength::Clear, span, format!("a pattern takes `{name}` out of an object"));
            }
            (Some(Danger::Constructor | Danger::OwnPrototype), None) if is_computed || name == "constructor" => {
                let strength = if is_computed { Strength::Clear } else { Strength::Probing };
                self.tell(HazardKind::Chain, strength, span, format!("a pattern takes `{name}` out of an object"));
            }
            (Some(Danger::Constructor | Danger::OwnPrototype | Danger::Caller | Danger::Trace), None) => {}
        }
    }
}

impl<'a> Walker<'_, 'a, '_> {
    /// The global object or a prototype, of which only properties of known names are used that lead nowhere.
    pub fn settle_known(&mut self, object: &'a Expression<'a>, names: &[String]) {
        let is_global = self.global(object).is_some_and(|name| GLOBAL_OBJECT.contains(&name));
        let is_dear = |name: &String| if is_global { is_dear_global(name) } else { danger(name).is_some() };
        if names.is_empty() || names.iter().any(is_dear) {
            return;
        }
        let is_told = self.global(object) == Some("process") && names.iter().all(|name| TOLD_BY_PROCESS.contains(&name.as_str()));
        if is_global || is_told {
            self.settle(object);
        }
        self.settle_prototype(object);
    }
}

/// `x` of `x.constructor`.
fn constructor_of<'e, 'a>(expression: &'e Expression<'a>) -> Option<&'e Expression<'a>> {
    match expression.get_inner_expression() {
        Expression::StaticMemberExpression(member) if member.property.name == "constructor" => Some(&member.object),
        _ => None,
    }
}

fn meaning(danger: Danger) -> &'static str {
    match danger {
        Danger::Constructor => "from which a function can be made of text",
        Danger::Prototype | Danger::OwnPrototype => "which leads to what all values share",
        Danger::Caller => "which leads to the function that called",
        Danger::Stack => "which hands over objects of the host",
        Danger::Trace => "which works on the call stack",
        Danger::Host => "which belongs to the host or the sandbox",
    }
}
