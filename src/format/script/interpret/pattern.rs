//! Patterns: how a value is taken apart into variables and places.

use oxc_ast::ast::{AssignmentTarget, AssignmentTargetMaybeDefault, AssignmentTargetProperty, BindingPattern, SimpleAssignmentTarget};

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::property::elements::Elements;
use crate::format::script::interpret::text::Text;
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::span::span_of;
use crate::value::span::Span;

impl<'a> Interpreter<'a> {
    /// Gives the variables of a declaration their values.
    pub fn declare(&mut self, pattern: &'a BindingPattern<'a>, value: Val) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => {
                if let Some(symbol) = name.symbol_id.get() {
                    self.write(symbol, value, span_of(&**name));
                }
            }
            BindingPattern::ObjectPattern(object) => {
                let mut taken = Vec::new();
                for property in &object.properties {
                    let key = self.key(&property.key);
                    let part = self.get(value, &key, span_of(property));
                    taken.extend(key.name);
                    self.declare(&property.value, part);
                }
                if let Some(rest) = &object.rest {
                    let rest_value = self.without(value, &taken, rest.span.start);
                    self.declare(&rest.argument, rest_value);
                }
            }
            BindingPattern::ArrayPattern(array) => {
                let elements = self.elements(value);
                for (at, element) in array.elements.iter().enumerate() {
                    if let Some(element) = element {
                        let part = self.element_for(&elements, at);
                        self.declare(element, part);
                    }
                }
                if let Some(rest) = &array.rest {
                    let rest_value = self.elements_from(&elements, array.elements.len(), rest.span.start);
                    self.declare(&rest.argument, rest_value);
                }
            }
            BindingPattern::AssignmentPattern(assignment) => {
                let value = self.or_default(value, &assignment.right);
                self.declare(&assignment.left, value);
            }
        }
    }

    /// The rest of a list from a position on.
    fn elements_from(&mut self, elements: &super::property::elements::Elements, start: usize, site: u32) -> Val {
        match &elements.known {
            Some(known) => {
                let known: Vec<Val> = known.iter().skip(start).copied().collect();
                self.array(site, &known, None)
            }
            None => self.array(site, &[], Some(elements.any)),
        }
    }

    /// An object like another without some of its fields.
    pub fn without(&mut self, value: Val, taken: &[String], site: u32) -> Val {
        let object = self.allocate(site, ObjectKind::Plain(None));
        self.copy_fields_but(object, value, taken);
        // Where any field may be, these are not.
        if self.heap.object(object).rest.id != Val::NEVER.id {
            let is_known = |name: &&String| self.values.texts.known(name).is_some_and(|key| self.is_field_of(value, key));
            let known: Vec<_> = taken.iter().filter(is_known).collect();
            for name in known {
                let key = self.values.texts.intern(name);
                self.heap.set(Place::Field(object, key), Val::UNDEFINED);
            }
        }
        self.values.object(object)
    }

    /// Returns true if and only if one of the objects that a value may be has a field.
    fn is_field_of(&self, value: Val, key: Text) -> bool {
        self.values.atoms(value.id).iter().any(|atom| match atom {
            Atom::Object(object) => self.heap.get(Place::Field(*object, key)).is_some(),
            _ => false,
        })
    }

    /// Gives the target of an assignment a value.
    pub fn assign(&mut self, target: &'a AssignmentTarget<'a>, value: Val) {
        match target {
            AssignmentTarget::ObjectAssignmentTarget(object) => {
                let mut taken = Vec::new();
                for property in &object.properties {
                    match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(property) => {
                            let name = property.binding.name.as_str();
                            let mut part = self.property(value, name, span_of(&property.binding));
                            if let Some(default) = &property.init {
                                part = self.or_default(part, default);
                            }
                            taken.push(name.to_owned());
                            self.assign_name(&property.binding, part);
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                            let key = self.key(&property.name);
                            let part = self.get(value, &key, span_of(&**property));
                            taken.extend(key.name);
                            self.assign_maybe(&property.binding, part);
                        }
                    }
                }
                if let Some(rest) = &object.rest {
                    let rest_value = self.without(value, &taken, rest.span.start);
                    self.assign(&rest.target, rest_value);
                }
            }
            AssignmentTarget::ArrayAssignmentTarget(array) => {
                let elements = self.elements(value);
                for (at, element) in array.elements.iter().enumerate() {
                    if let Some(element) = element {
                        let part = self.element_for(&elements, at);
                        self.assign_maybe(element, part);
                    }
                }
                if let Some(rest) = &array.rest {
                    let rest_value = self.elements_from(&elements, array.elements.len(), rest.span.start);
                    self.assign(&rest.target, rest_value);
                }
            }
            target => {
                if let Some(target) = target.as_simple_assignment_target() {
                    self.assign_simple(target, value);
                }
            }
        }
    }

    /// The element of a list for one place of a pattern. Where it is not known how many there are, it may be missing.
    fn element_for(&mut self, elements: &Elements, at: usize) -> Val {
        let part = elements.at(at);
        if elements.known.is_none() && !self.values.shape(part.id).is_open { self.values.join(part, Val::UNDEFINED) } else { part }
    }

    fn assign_maybe(&mut self, target: &'a AssignmentTargetMaybeDefault<'a>, value: Val) {
        match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(target) => {
                let value = self.or_default(value, &target.init);
                self.assign(&target.binding, value);
            }
            target => {
                if let Some(target) = target.as_assignment_target() {
                    self.assign(target, value);
                }
            }
        }
    }

    fn assign_name(&mut self, name: &'a oxc_ast::ast::IdentifierReference<'a>, value: Val) {
        let value = match self.asked.last().cloned() {
            Some(asked) => self.variable_of(value, &asked),
            None => value,
        };
        match self.symbol_of(name) {
            Some(symbol) => self.write(symbol, value, span_of(name)),
            None => {
                self.note_output(name.name.as_str(), value, span_of(name));
                let key = self.values.texts.intern(name.name.as_str());
                self.store(Place::Field(self.globals, key), value, None);
            }
        }
    }

    /// Gives a name or a property a value.
    pub fn assign_simple(&mut self, target: &'a SimpleAssignmentTarget<'a>, value: Val) {
        match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => self.assign_name(name, value),
            target => {
                if let Some(member) = target.as_member_expression() {
                    let (object, key) = self.member_parts(member);
                    let span = span_of(member);
                    self.assigned(object, &key, value, span);
                    self.set_property(object, key, value);
                }
            }
        }
    }

    /// Properties of the runtime whose assignment does something: `image.src`, `location.href`.
    fn assigned(&mut self, object: Val, key: &super::expression::Key, value: Val, span: Span) {
        let Some(name) = &key.name else { return };
        for atom in self.values.atoms(object.id).iter() {
            let (path, made_with) = match atom {
                Atom::Native(path) => (*path, std::rc::Rc::from([])),
                Atom::Object(object) => match &self.heap.object(*object).kind {
                    ObjectKind::Instance { path, made_with } => (*path, std::rc::Rc::clone(made_with)),
                    _ => continue,
                },
                _ => continue,
            };
            let path = format!("{}.{name}", self.values.texts.get(path));
            self.assign_native(&path, &made_with, value, span);
        }
    }
}
