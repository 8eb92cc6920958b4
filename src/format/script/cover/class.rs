//! Classes, accessors and decorators.

use oxc_ast::ast::{Class, ClassElement, Decorator, Expression, MethodDefinitionKind, PropertyKey};
use oxc_ast_visit::Visit;

use crate::format::script::cover::Cover;
use crate::format::script::cover::accessors::passed_to;
use crate::format::script::cover::call::{Callee, Passed};
use crate::format::script::cover::function::{Around, FunctionNodes};
use crate::format::script::cover::graph::{Edge, FOREIGN, Node};
use crate::format::script::span::span_of;

impl Cover<'_> {
    /// A getter: what it returns is read under the key.
    pub fn getter(&mut self, object: Node, key: &PropertyKey<'_>, function: Node) {
        self.member_function(object, function, false);
        for number in self.graph.held(function).functions.clone() {
            let returned = self.functions[number as usize].returned;
            self.keyed_write(object, key, returned);
        }
    }

    /// A setter: what is written under the key is passed to it.
    pub fn setter(&mut self, object: Node, key: &PropertyKey<'_>, function: Node) {
        self.member_function(object, function, false);
        let written = match (key.static_name(), key.as_expression()) {
            (Some(name), _) if self.parted.contains(&*name) => self.graph.field(&passed_to(&name)),
            (Some(name), _) => self.graph.field(&name),
            (None, expression) => {
                if let Some(expression) = expression {
                    self.value(expression);
                }
                self.any_field
            }
        };
        for number in self.graph.held(function).functions.clone() {
            if let Some(parameter) = self.functions[number as usize].parameters.first().copied() {
                self.graph.same(written, parameter);
            }
        }
    }

    /// A class.
    pub fn class(&mut self, class: &Class<'_>) -> Node {
        let node = self.object();
        let instance = self.object();
        self.classes.push(class.span.start);
        if let Some(symbol) = class.id.as_ref().and_then(|id| id.symbol_id.get()) {
            let variable = self.variable(symbol);
            self.graph.same(node, variable);
        }
        let parent = class.heritage.as_ref().map(|heritage| self.value(&heritage.expression));
        if let Some(parent) = parent {
            // What is not the script's own may call every method.
            self.graph.edge(parent, Edge::Leads(node));
            self.graph.edge(parent, Edge::Leads(instance));
            // Its static members are the class's too.
            self.graph.edge(parent, Edge::Inherits(node));
            let foreign = self.foreign_parent(parent);
            self.graph.mark(instance, foreign);
        }
        let prototype = self.graph.field("prototype");
        self.graph.same(instance, prototype);
        self.hold_field(node, instance);
        self.around.push(Around { this: Some(instance), parent, ..Around::default() });
        let mut constructor = None;
        for element in &class.body.body {
            match element {
                ClassElement::StaticBlock(block) => {
                    self.around.push(Around { this: Some(node), parent, ..Around::default() });
                    self.visit_static_block(block);
                    self.around.pop();
                }
                ClassElement::MethodDefinition(method) => {
                    let function = self.function(&method.value);
                    let owner = if method.r#static { node } else { instance };
                    let decorated = self.decorators(&method.decorators, function, owner);
                    match method.kind {
                        MethodDefinitionKind::Constructor => constructor = Some(function),
                        MethodDefinitionKind::Method => {
                            self.keyed_write(owner, &method.key, decorated);
                            self.member_function(owner, decorated, parent.is_some());
                        }
                        MethodDefinitionKind::Get => self.getter(owner, &method.key, function),
                        MethodDefinitionKind::Set => self.setter(owner, &method.key, function),
                    }
                }
                ClassElement::PropertyDefinition(property) => {
                    self.class_field(&property.key, property.value.as_ref(), &property.decorators, (node, instance), property.r#static);
                }
                ClassElement::AccessorProperty(property) => {
                    self.class_field(&property.key, property.value.as_ref(), &property.decorators, (node, instance), property.r#static);
                }
                ClassElement::TSIndexSignature(_) => {}
            }
        }
        self.around.pop();
        self.classes.pop();
        self.construct(node, instance, constructor, parent);
        self.decorators(&class.decorators, node, node)
    }

    /// The function that makes instances of a class.
    pub fn construct(&mut self, class: Node, instance: Node, constructor: Option<Node>, parent: Option<Node>) {
        let number = constructor.and_then(|constructor| self.graph.held(constructor).functions.first().copied());
        match number {
            Some(number) => {
                let nodes = &mut self.functions[number as usize];
                let (this, returned) = (nodes.this, nodes.returned);
                self.graph.same(this, instance);
                self.graph.same(instance, this);
                self.graph.same(instance, returned);
                // A constructor may return another object in place of the instance.
                self.graph.edge(returned, Edge::Inherits(instance));
                self.graph.function(class, number);
            }
            None => {
                let rest = self.object();
                let nodes = FunctionNodes {
                    parameters: Vec::new(),
                    rest: Some(rest),
                    arguments: self.object(),
                    this: instance,
                    returned: instance,
                    target: self.graph.node(),
                    answer: self.graph.plain(),
                };
                self.graph.function(class, self.functions.len() as u32);
                self.functions.push(nodes);
                if let Some(parent) = parent {
                    let passed = vec![Passed { node: rest, is_spread: true }];
                    self.super_call(parent, instance, passed);
                }
            }
        }
    }

    pub fn foreign_parent(&self, parent: Node) -> u64 {
        if self.graph.held(parent).functions.is_empty() { FOREIGN } else { 0 }
    }

    pub fn hold_field(&mut self, base: Node, value: Node) {
        self.graph.edge(value, Edge::Field(base));
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of two kinds of fields that have no type in common")]
    pub fn class_field(
        &mut self,
        key: &PropertyKey<'_>,
        value: Option<&Expression<'_>>,
        decorators: &[Decorator<'_>],
        (class, instance): (Node, Node),
        is_static: bool,
    ) {
        let owner = if is_static { class } else { instance };
        let around = self.innermost();
        self.around.push(Around { this: Some(owner), ..around });
        let value = match value {
            Some(value) => self.value(value),
            None => self.graph.node(),
        };
        let decorated = self.decorators(decorators, value, owner);
        let class = self.classes.last().copied().filter(|_| !is_static);
        let owned = class.zip(key.static_name()).and_then(|(class, name)| self.owned.field(class, &name)).map(str::to_owned);
        self.write_owned(owned, decorated);
        self.keyed_write(owner, key, decorated);
        self.member_function(owner, decorated, false);
        self.around.pop();
    }

    /// Decorators are called with what they stand at, and may give something else in its place.
    ///
    /// What they register in their context is called on the owner: an instance or the class.
    pub fn decorators(&mut self, decorators: &[Decorator<'_>], target: Node, owner: Node) -> Node {
        let mut all = vec![target];
        for decorator in decorators {
            let callee = self.callee(&decorator.expression, true);
            let context = self.foreign();
            let passed = vec![Passed { node: target, is_spread: false }, Passed { node: context, is_spread: false }];
            let given = self.call(callee, passed, span_of(decorator), &[], false);
            let registered = self.graph.node();
            self.called_by_any_name(context, registered);
            self.member_function(owner, registered, false);
            // What it returns for a field is called with its first value.
            let passed = vec![Passed { node: target, is_spread: false }];
            let first = self.call(Callee::of(given), passed, span_of(decorator), &[], false);
            all.extend([given, first]);
        }
        if decorators.is_empty() { target } else { self.either(&all) }
    }
}
