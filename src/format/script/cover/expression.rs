//! Expressions: what they may hold.

use oxc_ast::ast::{
    ArrayExpression, ArrayExpressionElement, Expression, IdentifierReference, ObjectExpression, ObjectPropertyKind, PropertyKey,
    PropertyKind, TemplateLiteral, UnaryExpression, YieldExpression,
};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, UnaryOperator};

use crate::format::script::cover::Cover;
use crate::format::script::cover::call::Passed;
use crate::format::script::cover::graph::{ADDRESS, ENVIRONMENT, Edge, FOREIGN, Node, OBJECT, Read};
use crate::format::script::cover::sink;
use crate::format::script::span::span_of;
use crate::value::span::Span;

/// The most texts with addresses in them that are told apart.
const ADDRESSES: usize = 64;

impl Cover<'_> {
    /// What an expression may hold.
    pub fn value(&mut self, expression: &Expression<'_>) -> Node {
        let node = self.value_of(expression);
        self.seed(span_of(expression), node);
        node
    }

    /// Data that is read in a place is in the node.
    pub fn seed(&mut self, span: Span, node: Node) {
        if let Some(marks) = self.origins.get(&span) {
            self.graph.mark(node, *marks);
            if self.environments.contains(&span) {
                self.environment_nodes.insert(node);
                self.graph.mark(node, ENVIRONMENT);
            }
        }
    }

    fn value_of(&mut self, expression: &Expression<'_>) -> Node {
        match expression {
            Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::BigIntLiteral(_)
            | Expression::StringLiteral(_)
            | Expression::RegExpLiteral(_) => self.graph.plain(),
            Expression::ImportMeta(_) => self.global("import.meta"),
            Expression::NewTarget(_) => self.new_target(),
            Expression::TemplateLiteral(template) => self.template(template, expression),
            Expression::Identifier(name) => self.name(name),
            Expression::ThisExpression(_) | Expression::Super(_) => self.this(),
            Expression::ArrayExpression(array) => self.array(array),
            Expression::ObjectExpression(object) => self.object_literal(object),
            Expression::ArrowFunctionExpression(function) => self.arrow(function),
            Expression::FunctionExpression(function) => self.function(function),
            Expression::ClassExpression(class) => self.class(class),
            Expression::AssignmentExpression(assignment) => {
                let value = self.value(&assignment.right);
                self.assigned = assignment.left.as_member_expression().map(|_| sink::written(&assignment.right));
                if let Some(target) = assignment.left.as_simple_assignment_target()
                    && !matches!(assignment.operator, AssignmentOperator::Assign)
                    && !assignment.operator.is_logical()
                {
                    let made = self.made(&[value]);
                    self.told(made);
                    self.tells_itself(value, made);
                    self.assign_simple(target, made);
                } else if self.laps == 0 {
                    self.assign(&assignment.left, value);
                } else {
                    let told = self.either(&[value]);
                    self.told(told);
                    self.assign(&assignment.left, told);
                }
                value
            }
            Expression::UpdateExpression(update) => {
                let made = self.graph.node();
                if let Some(member) = update.argument.as_member_expression() {
                    let value = self.member(member);
                    self.graph.edge(value, Edge::Made(made));
                    self.graph.edge(value, Edge::Asks(made));
                } else if let oxc_ast::ast::SimpleAssignmentTarget::AssignmentTargetIdentifier(name) = &update.argument {
                    let value = self.name(name);
                    self.told(value);
                    self.effect(name, value);
                    self.graph.edge(value, Edge::Made(made));
                    self.graph.edge(value, Edge::Asks(made));
                }
                made
            }
            Expression::AwaitExpression(awaited) => {
                let value = self.value(&awaited.argument);
                if 0 < self.tries {
                    let thrown = self.thrown;
                    self.graph.edge(value, Edge::Oozes(thrown));
                }
                value
            }
            Expression::BinaryExpression(binary) => {
                let (left, right) = (self.value(&binary.left), self.value(&binary.right));
                match binary.operator {
                    operator if operator.is_equality() || operator.is_compare() => self.answer(binary, left, right),
                    BinaryOperator::In | BinaryOperator::Instanceof => {
                        self.asks(left, right);
                        self.graph.node()
                    }
                    _ => {
                        let made = self.made(&[left, right]);
                        if binary.operator != BinaryOperator::Addition {
                            // `if (code & bit)` tells a bit of it.
                            for side in [left, right] {
                                self.graph.edge(side, Edge::Asks(made));
                            }
                            self.spelled_like(made, &[left, right]);
                            if self.key_text(&binary.left).is_none() && self.key_text(&binary.right).is_none() {
                                self.spelled.insert(made);
                            }
                        }
                        if [&binary.left, &binary.right].into_iter().any(has_address) {
                            self.address(made, expression);
                        }
                        made
                    }
                }
            }
            Expression::PrivateInExpression(test) => {
                self.value(&test.right);
                self.graph.node()
            }
            Expression::LogicalExpression(logical) => {
                let left = self.value(&logical.left);
                let right = self.under(left, |cover| cover.branch(|cover| cover.value(&logical.right)));
                let either = self.either(&[left, right]);
                self.spelled_like(either, &[left, right]);
                either
            }
            Expression::ConditionalExpression(conditional) => {
                let test = self.value(&conditional.test);
                let left = self.under(test, |cover| cover.branch(|cover| cover.value(&conditional.consequent)));
                let right = self.under(test, |cover| cover.branch(|cover| cover.value(&conditional.alternate)));
                let either = self.either(&[left, right]);
                if 0 < self.laps {
                    self.tells(test, either);
                }
                either
            }
            Expression::SequenceExpression(sequence) => {
                let mut last = self.graph.node();
                for expression in &sequence.expressions {
                    last = self.value(expression);
                }
                last
            }
            Expression::UnaryExpression(unary) => self.unary(unary),
            Expression::YieldExpression(yielded) => self.yielded(yielded),
            Expression::CallExpression(call) => {
                let callee = self.callee(&call.callee, !call.arguments.is_empty());
                let passed = self.passed(&call.arguments);
                self.call(callee, passed, span_of(&**call), &call.arguments, false)
            }
            Expression::NewExpression(new) => {
                let callee = self.callee(&new.callee, true);
                let passed = self.passed(&new.arguments);
                self.call(callee, passed, span_of(&**new), &new.arguments, true)
            }
            Expression::TaggedTemplateExpression(tagged) => {
                let callee = self.callee(&tagged.tag, true);
                let mut passed = vec![Passed { node: self.object(), is_spread: false }];
                for expression in &tagged.quasi.expressions {
                    let node = self.value(expression);
                    passed.push(Passed { node, is_spread: false });
                }
                self.call(callee, passed, span_of(&**tagged), &[], false)
            }
            Expression::ImportExpression(import) => {
                let source = self.value(&import.source);
                if let Some(options) = &import.options {
                    self.value(options);
                }
                let node = self.foreign();
                if let Expression::StringLiteral(name) = import.source.get_inner_expression() {
                    self.module(node, name.value.as_str());
                }
                self.graph.edge(source, Edge::Made(node));
                self.complains_of(source);
                node
            }
            Expression::V8IntrinsicExpression(call) => {
                for passed in self.passed(&call.arguments) {
                    let thrown = self.thrown;
                    self.graph.edge(passed.node, Edge::Made(thrown));
                }
                self.foreign()
            }
            Expression::JSXElement(element) => self.jsx(element),
            Expression::JSXFragment(fragment) => {
                let list = self.object();
                self.children(&fragment.children, list);
                list
            }
            Expression::ChainExpression(chain) => match &chain.expression {
                oxc_ast::ast::ChainElement::CallExpression(call) => {
                    let callee = self.callee(&call.callee, !call.arguments.is_empty());
                    let passed = self.passed(&call.arguments);
                    let node = self.call(callee, passed, span_of(&**call), &call.arguments, false);
                    self.seed(span_of(&**call), node);
                    node
                }
                oxc_ast::ast::ChainElement::TSNonNullExpression(inner) => self.value(&inner.expression),
                element => match element.as_member_expression() {
                    Some(member) => self.member(member),
                    None => self.foreign(),
                },
            },
            Expression::ComputedMemberExpression(_) | Expression::StaticMemberExpression(_) | Expression::PrivateFieldExpression(_) => {
                match expression.as_member_expression() {
                    Some(member) => self.member(member),
                    None => self.foreign(),
                }
            }
            Expression::ParenthesizedExpression(inner) => self.value(&inner.expression),
            Expression::TSAsExpression(inner) => self.value(&inner.expression),
            Expression::TSSatisfiesExpression(inner) => self.value(&inner.expression),
            Expression::TSTypeAssertion(inner) => self.value(&inner.expression),
            Expression::TSNonNullExpression(inner) => self.value(&inner.expression),
            Expression::TSInstantiationExpression(inner) => self.value(&inner.expression),
        }
    }

    // -- answers -------------------------------------------------------------------------------------

    // -- nodes ---------------------------------------------------------------------------------------

    /// Something of which nothing is known.
    pub fn foreign(&mut self) -> Node {
        let node = self.graph.node();
        self.graph.mark(node, FOREIGN);
        node
    }

    /// An object or list that is made here.
    pub fn object(&mut self) -> Node {
        let node = self.graph.node();
        self.graph.mark(node, OBJECT);
        node
    }

    /// What any of these is.
    pub fn either(&mut self, nodes: &[Node]) -> Node {
        let either = self.graph.node();
        for node in nodes {
            self.graph.same(*node, either);
        }
        either
    }

    /// What is computed from these.
    pub fn made(&mut self, nodes: &[Node]) -> Node {
        let made = self.graph.plain();
        for node in nodes {
            self.graph.edge(*node, Edge::Made(made));
        }
        made
    }

    /// The node of a name that no declaration of the script makes.
    pub fn global(&mut self, name: &str) -> Node {
        if let Some(known) = self.globals.get(name) {
            return *known;
        }
        let node = self.foreign();
        self.globals.insert(name.to_owned(), node);
        if name == "globalThis" {
            self.graph.top = Some(node);
        }
        self.way_of(node, name);
        if name != "globalThis" {
            let all = self.global("globalThis");
            let field = self.graph.field(name);
            self.graph.read(Read { base: all, named: field, into: node, is_measure: false, keeps: true, is_open: false }, false);
            if matches!(name, "window" | "self" | "global" | "top" | "parent" | "frames") {
                self.graph.same(all, node);
            }
        }
        node
    }

    /// What a name stands for.
    pub fn name(&mut self, name: &IdentifierReference<'_>) -> Node {
        let symbol = name.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id());
        let node = match symbol {
            Some(symbol) => self.variable(symbol),
            None if name.name == "undefined" => self.graph.node(),
            None if name.name == "arguments" => self.listed_arguments(),
            None => self.global(name.name.as_str()),
        };
        if self.with.is_empty() {
            return node;
        }
        let mut all = vec![node];
        for object in self.with.clone() {
            all.push(self.property(object, name.name.as_str()));
        }
        self.either(&all)
    }

    // -- fields --------------------------------------------------------------------------------------

    // -- literals ------------------------------------------------------------------------------------

    /// A text with an address in it is put together here.
    fn address(&mut self, made: Node, expression: &Expression<'_>) {
        self.graph.mark(made, ADDRESS);
        if self.addresses.len() < ADDRESSES {
            self.addresses.push((made, sink::written(expression)));
        }
    }

    fn template(&mut self, template: &TemplateLiteral<'_>, expression: &Expression<'_>) -> Node {
        let parts: Vec<Node> = template.expressions.iter().map(|expression| self.value(expression)).collect();
        let made = self.made(&parts);
        if template.quasis.iter().any(|quasi| holds_address(quasi.value.raw.as_str())) {
            self.address(made, expression);
        }
        made
    }

    fn array(&mut self, array: &ArrayExpression<'_>) -> Node {
        let list = self.object();
        let elements = self.elements;
        let mut parts = Some(Vec::new());
        for element in &array.elements {
            match element {
                ArrayExpressionElement::SpreadElement(spread) => {
                    let spread = self.value(&spread.argument);
                    let part = self.element(spread);
                    parts = None;
                    self.graph.same(part, elements);
                    self.hold(list, part);
                    self.graph.edge(spread, Edge::Spread(list));
                }
                ArrayExpressionElement::Elision(_) => parts = None,
                element => {
                    if let Some(expression) = element.as_expression() {
                        let value = self.value(expression);
                        self.graph.same(value, elements);
                        self.hold(list, value);
                        parts.iter_mut().for_each(|parts| parts.push(value));
                    }
                }
            }
        }
        if let Some(parts) = parts {
            self.parts.insert(list, parts);
        }
        list
    }

    fn object_literal(&mut self, literal: &ObjectExpression<'_>) -> Node {
        let object = self.object();
        for property in &literal.properties {
            match property {
                ObjectPropertyKind::SpreadProperty(spread) => {
                    let spread = self.value(&spread.argument);
                    self.graph.edge(spread, Edge::Spread(object));
                }
                ObjectPropertyKind::ObjectProperty(property) => {
                    let value = self.value(&property.value);
                    match property.kind {
                        PropertyKind::Init => {
                            self.keyed_write(object, &property.key, value);
                            self.member_function(object, value, false);
                        }
                        PropertyKind::Get => self.getter(object, &property.key, value),
                        PropertyKind::Set => self.setter(object, &property.key, value),
                    }
                }
            }
        }
        object
    }

    /// What stands under a key of a literal or class.
    pub fn keyed_write(&mut self, object: Node, key: &PropertyKey<'_>, value: Node) {
        if let PropertyKey::PrivateIdentifier(name) = key {
            return self.write_private(object, name.name.as_str(), value);
        }
        match key.static_name() {
            Some(name) => self.write(object, &name, value),
            None => {
                self.write_any(object, value);
                if let Some(expression) = key.as_expression() {
                    let key = self.value(expression);
                    self.graph.edge(key, Edge::Soaks(object));
                }
            }
        }
    }

    fn unary(&mut self, unary: &UnaryExpression<'_>) -> Node {
        let value = self.value(&unary.argument);
        match unary.operator {
            UnaryOperator::UnaryPlus | UnaryOperator::UnaryNegation | UnaryOperator::BitwiseNot => self.made(&[value]),
            UnaryOperator::LogicalNot => {
                let answer = self.graph.plain();
                self.graph.edge(value, Edge::Answers(answer));
                self.spelled_like(answer, &[value]);
                answer
            }
            UnaryOperator::Typeof | UnaryOperator::Void | UnaryOperator::Delete => self.graph.node(),
        }
    }

    fn yielded(&mut self, yielded: &YieldExpression<'_>) -> Node {
        let sent = self.sent;
        let Some(argument) = &yielded.argument else { return sent };
        let value = self.value(argument);
        let returned = self.returned();
        if yielded.delegate {
            self.graph.same(value, returned);
            return self.either(&[value, sent]);
        }
        let elements = self.elements;
        self.graph.same(value, elements);
        self.hold(returned, value);
        sent
    }

    // -- JSX -----------------------------------------------------------------------------------------
}

/// Returns true if and only if an expression is text with an address in it.
fn has_address(expression: &Expression<'_>) -> bool {
    matches!(expression.get_inner_expression(), Expression::StringLiteral(text) if holds_address(text.value.as_str()))
}

/// Returns true if and only if a text holds an address that something may load.
fn holds_address(text: &str) -> bool {
    ["https://", "http://", "wss://", "ws://"].iter().any(|scheme| text.contains(scheme)) || text.starts_with("//")
}
