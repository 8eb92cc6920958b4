//! Changes of what all values share: prototypes, built-in objects, the functions of the sandbox.

use oxc_ast::ast::{
    Argument, AssignmentExpression, AssignmentTarget, CallExpression, Expression, ObjectProperty, PropertyKey, PropertyKind,
};

use crate::format::script::sandbox::Walker;
use crate::format::script::sandbox::names::{BUILT_IN, Danger, danger, is_internal};
use crate::format::script::span::span_of;
use crate::subject::hazard::{HazardKind, Strength};

/// Functions that a sandbox gives to a script.
const GIVEN: &[&str] = &["callTool", "parallel"];

/// So many objects are looked at that are made of each other.
const LINEAGE: u32 = 6;

impl<'a> Walker<'_, 'a, '_> {
    /// An assignment to something that is not the script's own.
    pub fn polluted(&mut self, assignment: &'a AssignmentExpression<'a>) {
        let span = span_of(&assignment.left);
        match &assignment.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) if self.is_global(name) => {
                let text = name.name.as_str();
                if is_internal(text) || GIVEN.contains(&text) || BUILT_IN.contains(&text) {
                    self.tell(HazardKind::Pollution, Strength::Clear, span, format!("`{text}` is replaced, which the script does not own"));
                }
            }
            target => {
                let Some(member) = target.as_member_expression() else { return };
                let is_shared = self.is_shared(member.object());
                if is_shared {
                    self.tell(HazardKind::Pollution, Strength::Clear, span, "what all values share is changed");
                    return;
                }
                let symbol = match member {
                    oxc_ast::ast::MemberExpression::ComputedMemberExpression(member) => self.symbol_name(&member.expression),
                    _ => None,
                };
                if symbol.is_some() && !self.is_own_class(member.object()) {
                    self.tell(HazardKind::Hook, Strength::Probing, span, "how the language treats a value is changed");
                }
            }
        }
    }

    /// Returns true if and only if an object is shared by all code of the realm.
    fn is_shared(&self, object: &'a Expression<'a>) -> bool {
        self.is_built_in(object) || self.is_foreign_prototype(object)
    }

    /// `Object.assign`, `defineProperty`, `setPrototypeOf` and the like.
    pub fn changed(&mut self, name: &str, call: &'a CallExpression<'a>) {
        let argument = |at: usize| call.arguments.get(at).and_then(Argument::as_expression);
        let Some(target) = argument(0) else { return };
        let span = span_of(call);
        match name {
            // Who logs knows that it is read; where it goes is told by the flows.
            "assign" if self.global(target) == Some("console") => {}
            "assign" | "defineProperty" | "defineProperties" | "set" | "deleteProperty" | "setPrototypeOf" if self.is_shared(target) => {
                self.tell(HazardKind::Pollution, Strength::Clear, span, format!("`{name}` changes what all values share"));
            }
            "setPrototypeOf" if self.is_own_lineage(target, argument(1)) => {}
            "setPrototypeOf" if !argument(1).is_some_and(|prototype| matches!(prototype, Expression::NullLiteral(_))) => {
                let is_no_data = argument(1).is_some_and(|prototype| self.is_built_in(prototype));
                let strength = if is_no_data { Strength::Clear } else { Strength::Probing };
                self.tell(HazardKind::Pollution, strength, span, "the prototype of an object is replaced");
            }
            _ => {}
        }
    }

    /// Returns true if and only if an object that is written out gets a prototype that is written out.
    fn is_own_lineage(&self, target: &'a Expression<'a>, prototype: Option<&'a Expression<'a>>) -> bool {
        self.is_written(target, LINEAGE) && prototype.is_some_and(|prototype| self.is_written(prototype, LINEAGE))
    }

    /// Returns true if and only if an object is written out, or made of one that is: `Object.create(base, { … })`.
    fn is_written(&self, object: &'a Expression<'a>, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match self.folder.written_out(object) {
            Some(Expression::ObjectExpression(_)) => true,
            Some(Expression::CallExpression(call)) => {
                let base = call.arguments.first().and_then(Argument::as_expression);
                let callee = call.callee.get_inner_expression().as_member_expression();
                let creates = callee.is_some_and(|callee| {
                    self.global(callee.object()) == Some("Object") && callee.static_property_name() == Some("create")
                });
                creates && base.is_some_and(|base| self.is_written(base, depth))
            }
            _ => false,
        }
    }

    /// A property of a written object whose name leads out.
    pub fn written_key(&mut self, property: &'a ObjectProperty<'a>) {
        let is_computed = property.computed;
        for name in self.key_names(&property.key) {
            let span = span_of(&property.key);
            match danger(&name) {
                Some(Danger::Prototype) if matches!(property.value, Expression::NullLiteral(_)) => {}
                Some(Danger::Prototype) => {
                    self.tell(HazardKind::Pollution, Strength::Clear, span, format!("an object is written with the key `{name}`"));
                }
                Some(Danger::Constructor | Danger::OwnPrototype | Danger::Stack) if is_computed && is_disguised(&property.key) => {
                    self.tell(HazardKind::Chain, Strength::Probing, span, format!("an object is written with the computed key `{name}`"));
                }
                Some(Danger::Constructor) if property.kind == PropertyKind::Get => {
                    self.tell(HazardKind::Chain, Strength::Probing, span, "an object answers for its `constructor` by a function");
                }
                _ => {}
            }
        }
    }
}

fn is_disguised(key: &PropertyKey<'_>) -> bool {
    !matches!(key, PropertyKey::StringLiteral(_))
}
