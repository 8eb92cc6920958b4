//! Patterns: what names and fields are given.

use oxc_ast::ast::{
    AssignmentTarget, AssignmentTargetMaybeDefault, AssignmentTargetProperty, BindingPattern, MemberExpression, PropertyKey,
    SimpleAssignmentTarget,
};

use crate::format::script::cover::Cover;
use crate::format::script::cover::accessors::passed_to;
use crate::format::script::cover::graph::{Edge, Node};
use crate::format::script::span::span_of;
use crate::knowledge::secret::is_secret_variable;

impl Cover<'_> {
    /// The names of a declaration are given a value.
    pub fn declare(&mut self, pattern: &BindingPattern<'_>, value: Node) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => {
                if let Some(symbol) = name.symbol_id.get() {
                    let variable = self.variable(symbol);
                    if !self.scoping.symbol_is_mutated(symbol) && self.scoping.symbol_redeclarations(symbol).is_empty() {
                        self.graph.as_plain(variable, value);
                    }
                    self.graph.same(value, variable);
                    self.seed(span_of(&**name), variable);
                }
            }
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    let name = property.key.static_name();
                    let is_own = self.origins.contains_key(&span_of(property));
                    let is_part = |name: &str| is_own || !is_secret_variable(Some(name));
                    let part = match name.filter(|name| self.is_environment(value) && is_part(name)) {
                        // One variable of the environment: no secret, or one with a mark of its own.
                        Some(_) => self.graph.plain(),
                        None => self.keyed(value, &property.key),
                    };
                    self.seed(span_of(property), part);
                    self.declare(&property.value, part);
                }
                if let Some(rest) = &object.rest {
                    let copy = self.copied(value);
                    self.declare(&rest.argument, copy);
                }
            }
            BindingPattern::ArrayPattern(array) => {
                for (at, element) in array.elements.iter().enumerate() {
                    let Some(element) = element else { continue };
                    let part = self.element_at(value, at);
                    self.declare(element, part);
                }
                if let Some(rest) = &array.rest {
                    let copy = self.copied(value);
                    self.declare(&rest.argument, copy);
                }
            }
            BindingPattern::AssignmentPattern(pattern) => {
                let default = self.value(&pattern.right);
                let either = self.either(&[value, default]);
                self.declare(&pattern.left, either);
            }
        }
    }

    /// The targets of an assignment are given a value.
    pub fn assign(&mut self, target: &AssignmentTarget<'_>, value: Node) {
        match target {
            AssignmentTarget::ArrayAssignmentTarget(array) => {
                for (at, element) in array.elements.iter().enumerate() {
                    let Some(element) = element else { continue };
                    let part = self.element_at(value, at);
                    self.assign_maybe(element, part);
                }
                if let Some(rest) = &array.rest {
                    let copy = self.copied(value);
                    self.assign(&rest.target, copy);
                }
            }
            AssignmentTarget::ObjectAssignmentTarget(object) => {
                for property in &object.properties {
                    match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(shorthand) => {
                            let mut part = self.property(value, shorthand.binding.name.as_str());
                            self.seed(span_of(&**shorthand), part);
                            if let Some(default) = &shorthand.init {
                                let default = self.value(default);
                                part = self.either(&[part, default]);
                            }
                            let name = self.name(&shorthand.binding);
                            self.graph.same(part, name);
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(property) => {
                            let part = self.keyed(value, &property.name);
                            self.assign_maybe(&property.binding, part);
                        }
                    }
                }
                if let Some(rest) = &object.rest {
                    let copy = self.copied(value);
                    self.assign(&rest.target, copy);
                }
            }
            target => {
                if let Some(target) = target.as_simple_assignment_target() {
                    self.assign_simple(target, value);
                }
            }
        }
    }

    fn assign_maybe(&mut self, target: &AssignmentTargetMaybeDefault<'_>, value: Node) {
        match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(target) => {
                let default = self.value(&target.init);
                let either = self.either(&[value, default]);
                self.assign(&target.binding, either);
            }
            target => {
                if let Some(target) = target.as_assignment_target() {
                    self.assign(target, value);
                }
            }
        }
    }

    /// A name or a field is given a value.
    pub fn assign_simple(&mut self, target: &SimpleAssignmentTarget<'_>, value: Node) {
        match target {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => {
                let node = self.written_name(name);
                self.effect(name, node);
                self.graph.same(value, node);
            }
            target => {
                if let Some(member) = target.as_member_expression() {
                    self.assign_member(member, value);
                } else if let Some(inner) = target.get_expression() {
                    let node = self.value(inner);
                    self.graph.same(value, node);
                }
            }
        }
    }

    fn assign_member(&mut self, member: &MemberExpression<'_>, value: Node) {
        // What is kept as a cookie is read as one: it stands in no field of the page, and leads nowhere.
        let is_of_page = || matches!(self.path(member.object()).as_deref(), Some("document" | "window.document"));
        if member.static_property_name() == Some("cookie") && is_of_page() {
            self.assigned = None;
            return;
        }
        let base = self.value(member.object());
        self.replaced(member, base, value);
        let owned = self.owned.member(member).map(str::to_owned);
        self.write_owned(owned, value);
        let name = match member {
            MemberExpression::ComputedMemberExpression(computed) => {
                let key = self.value(&computed.expression);
                let name = self.key_text(&computed.expression);
                match &name {
                    Some(name) => self.write(base, name, value),
                    None => self.write_computed(base, key, value),
                }
                name.map(|name| name.to_string())
            }
            MemberExpression::StaticMemberExpression(named) => {
                let name = named.property.name.as_str();
                if self.parted.contains(name) {
                    self.write(base, &passed_to(name), value)
                } else {
                    self.write(base, name, value)
                }
                Some(named.property.name.to_string())
            }
            MemberExpression::PrivateFieldExpression(private) => {
                self.write_private(base, private.field.name.as_str(), value);
                Some(private.field.name.to_string())
            }
        };
        let text = self.assigned.take();
        // Nothing loads a number: the bytes of a frame.
        if !std::mem::take(&mut self.assigns_number) {
            self.assignment_site(span_of(member), base, value, text, name);
        }
    }

    /// What stands under a key of a pattern.
    pub fn keyed(&mut self, base: Node, key: &PropertyKey<'_>) -> Node {
        match key.static_name() {
            Some(name) => self.property(base, &name),
            None => match key.as_expression() {
                Some(expression) => {
                    let key = self.value(expression);
                    self.computed(base, key)
                }
                None => self.any_of(base),
            },
        }
    }

    /// The element of a list at a position, by itself where the list is written out.
    fn element_at(&mut self, list: Node, at: usize) -> Node {
        match self.parts.get(&list) {
            Some(parts) => parts.get(at).copied().unwrap_or_else(|| self.graph.plain()),
            None => self.element(list),
        }
    }

    /// A list or object of what is left of another.
    fn copied(&mut self, value: Node) -> Node {
        let copy = self.object();
        self.graph.edge(value, Edge::Spread(copy));
        copy
    }
}
