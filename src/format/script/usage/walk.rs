//! Where a text goes from its place in the tree.

use std::collections::HashSet;

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, CallExpression, Expression, NewExpression, ObjectPropertyKind, UnaryOperator};
use oxc_semantic::Semantic;
use oxc_span::GetSpan as _;
use oxc_syntax::node::NodeId;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::usage::callee::{From, origin};
use crate::knowledge::row::term::{Handling, Use};
use crate::knowledge::usage::of_method;

/// How many nodes are looked at for one text.
const STEPS: usize = 4_000;

/// How deep nodes are looked at for one text.
const DEPTH: usize = 200;

/// Follows one text.
pub struct Walk<'s, 'a> {
    pub(super) semantic: &'s Semantic<'a>,
    seen: HashSet<NodeId>,
    pub(super) symbols: HashSet<SymbolId>,
    depth: usize,
}

impl<'s, 'a> Walk<'s, 'a> {
    /// Nothing was looked at yet.
    pub fn new(semantic: &'s Semantic<'a>) -> Self {
        Self { semantic, seen: HashSet::new(), symbols: HashSet::new(), depth: 0 }
    }

    /// Returns true if and only if a script reads code, or what it is called with, by other ways than names.
    pub fn reads_code(&self) -> bool {
        let is_read = |name: &str| self.semantic.scoping().root_unresolved_references().keys().any(|free| free.as_str() == name);
        let has_with = self.semantic.nodes().iter().any(|node| matches!(node.kind(), AstKind::WithStatement(_)));
        is_read("eval") || is_read("arguments") || has_with
    }

    /// What the value of a node is used for.
    pub fn from(&mut self, node: NodeId) -> Use {
        if STEPS <= self.seen.len() || DEPTH <= self.depth {
            return Use::Live;
        }
        if !self.seen.insert(node) {
            return Use::Inert;
        }
        self.depth += 1;
        let used = self.step(node);
        self.depth -= 1;
        used
    }

    pub(super) fn kind(&self, node: NodeId) -> AstKind<'a> {
        self.semantic.nodes().kind(node)
    }

    pub(super) fn parent(&self, node: NodeId) -> NodeId {
        self.semantic.nodes().parent_id(node)
    }

    pub(super) fn step(&mut self, node: NodeId) -> Use {
        let parent = self.parent(node);
        let own = self.kind(node).span();
        match self.kind(parent) {
            AstKind::ParenthesizedExpression(_)
            | AstKind::TSAsExpression(_)
            | AstKind::TSSatisfiesExpression(_)
            | AstKind::TSNonNullExpression(_)
            | AstKind::TSTypeAssertion(_)
            | AstKind::ChainExpression(_)
            | AstKind::AwaitExpression(_)
            | AstKind::LogicalExpression(_)
            | AstKind::SequenceExpression(_)
            | AstKind::SpreadElement(_)
            | AstKind::TemplateLiteral(_)
            | AstKind::ArrayExpression(_)
            | AstKind::ObjectProperty(_) => self.from(parent),
            AstKind::ObjectExpression(object) => {
                let is_method = |property: &ObjectPropertyKind<'_>| matches!(property, ObjectPropertyKind::ObjectProperty(own) if matches!(own.value, Expression::FunctionExpression(_)));
                // A method reaches what lies beside it without naming the object.
                if object.properties.iter().any(is_method) { Use::Live } else { self.from(parent) }
            }
            AstKind::ConditionalExpression(choice) if choice.test.span() == own => Use::Compared,
            AstKind::ConditionalExpression(_) => self.from(parent),
            AstKind::BinaryExpression(sum) if sum.operator == oxc_syntax::operator::BinaryOperator::Addition => self.from(parent),
            AstKind::BinaryExpression(_) | AstKind::SwitchCase(_) | AstKind::SwitchStatement(_) => Use::Compared,
            AstKind::IfStatement(_) | AstKind::WhileStatement(_) | AstKind::DoWhileStatement(_) | AstKind::ForStatement(_) => Use::Compared,
            AstKind::UnaryExpression(unary) if unary.operator != UnaryOperator::Delete => Use::Compared,
            AstKind::ExpressionStatement(_) | AstKind::Directive(_) | AstKind::TSLiteralType(_) | AstKind::TSTypeQuery(_) => Use::Inert,
            AstKind::VariableDeclarator(declarator) if declarator.init.as_ref().is_some_and(|init| init.span() == own) => {
                self.by_pattern(&declarator.id)
            }
            AstKind::AssignmentPattern(pattern) => self.by_pattern(&pattern.left),
            AstKind::FormalParameter(parameter) => self.by_pattern(&parameter.pattern),
            AstKind::AssignmentExpression(assigned) if assigned.right.span() == own => {
                let target = self.by_target(&assigned.left);
                target.max(self.from(parent))
            }
            AstKind::ForOfStatement(each) if each.right.span() == own => self.by_each(&each.left),
            AstKind::ForInStatement(each) if each.right.span() == own => self.by_each(&each.left),
            AstKind::StaticMemberExpression(member) => self.through_member(parent, member.property.name.as_str()),
            AstKind::ComputedMemberExpression(member) if member.expression.span() == own => Use::Compared,
            AstKind::ComputedMemberExpression(_) if self.is_called(parent) => Use::Live,
            AstKind::ComputedMemberExpression(_) => self.from(parent),
            AstKind::CallExpression(call) => self.by_call(node, parent, call),
            AstKind::NewExpression(made) => self.by_new(parent, made),
            AstKind::TaggedTemplateExpression(tagged) => match origin(self.semantic, &tagged.tag).handling() {
                Some(Handling::Passes) => self.from(parent),
                _ => Use::Live,
            },
            AstKind::ThrowStatement(_) => self.thrown(parent),
            AstKind::ReturnStatement(_) => self.returned(parent),
            AstKind::ArrowFunctionExpression(_) => self.given_back(parent),
            AstKind::JSXElement(_) | AstKind::JSXFragment(_) => Use::Printed,
            AstKind::JSXExpressionContainer(_) => match self.kind(self.parent(parent)) {
                AstKind::JSXElement(_) | AstKind::JSXFragment(_) => Use::Printed,
                _ => Use::Live,
            },
            _ => Use::Live,
        }
    }

    /// The value of a member of what is followed: a part of it, or a method that is called on it.
    pub(super) fn through_member(&mut self, member: NodeId, name: &str) -> Use {
        if matches!(name, "length" | "size") {
            return Use::Inert;
        }
        let parent = self.parent(member);
        let is_target = |target: &AssignmentTarget<'_>| target.span() == self.kind(member).span();
        match self.kind(parent) {
            AstKind::AssignmentExpression(assigned) if is_target(&assigned.left) => Use::Inert,
            AstKind::CallExpression(call) if self.is_called(member) => match of_method(name) {
                Some(Handling::Compares) => Use::Compared,
                Some(Handling::Visits) => self.by_callback(call).max(Use::Compared),
                Some(Handling::Maps) => self.by_callback(call).max(self.from(parent)),
                Some(Handling::Passes | Handling::Keeps) => self.from(parent),
                _ => Use::Live,
            },
            _ => self.from(member),
        }
    }

    /// Returns true if and only if a node is what its parent calls.
    pub(super) fn is_called(&self, node: NodeId) -> bool {
        let span = self.kind(node).span();
        let is_callee = |callee: &Expression<'_>| callee.get_inner_expression().span() == span || callee.span() == span;
        match self.kind(self.parent(node)) {
            AstKind::CallExpression(call) => is_callee(&call.callee),
            AstKind::NewExpression(made) => is_callee(&made.callee),
            _ => false,
        }
    }

    fn by_new(&mut self, made: NodeId, new: &NewExpression<'a>) -> Use {
        match origin(self.semantic, &new.callee).handling() {
            Some(Handling::Passes) => self.from(made),
            _ => Use::Live,
        }
    }

    pub(super) fn by_call(&mut self, node: NodeId, call_node: NodeId, call: &CallExpression<'a>) -> Use {
        let own = self.kind(node).span();
        let Some(at) = call.arguments.iter().position(|argument| argument.span() == own) else {
            // What is called is itself the value.
            return Use::Live;
        };
        let callee = call.callee.get_inner_expression();
        if let Some(parameters) = self.parameters_of(callee) {
            return self.by_parameter(parameters, at);
        }
        let from = origin(self.semantic, callee);
        let method = callee.as_member_expression().and_then(|member| member.static_property_name());
        match from.handling() {
            Some(Handling::Prints) => Use::Printed,
            Some(Handling::Asserts) => Use::Compared,
            Some(Handling::Passes) => self.from(call_node),
            Some(Handling::Tests) if from.is_each() => self.by_outer(call_node),
            Some(Handling::Tests) if at == 0 => Use::Inert,
            _ => match method.and_then(of_method) {
                Some(Handling::Compares) => Use::Compared,
                Some(Handling::Keeps) => self.by_kept(callee).max(self.from(call_node)),
                Some(Handling::Passes) => self.from(call_node),
                _ => self.by_tested(call_node, callee, &from),
            },
        }
    }

    /// The call of a function of which nothing is known.
    fn by_tested(&mut self, call: NodeId, callee: &Expression<'a>, from: &From) -> Use {
        if !self.is_in_test(call) {
            return Use::Live;
        }
        if self.is_of_test(callee) && from.may_be_tested() {
            return Use::Compared;
        }
        if from.may_be_tested() { self.from(call).max(Use::Tested) } else { Use::Live }
    }

    /// Returns true if and only if a node stands in a test, or in what a test asserts.
    fn is_in_test(&self, node: NodeId) -> bool {
        self.semantic.nodes().ancestor_kinds(node).any(|kind| match kind {
            AstKind::CallExpression(call) => self.is_frame(call),
            _ => false,
        })
    }

    fn is_frame(&self, call: &CallExpression<'a>) -> bool {
        matches!(origin(self.semantic, &call.callee).handling(), Some(Handling::Tests | Handling::Asserts))
    }

    /// Returns true if and only if a method is one of what a test gives its function to assert with.
    fn is_of_test(&self, callee: &Expression<'a>) -> bool {
        let Some(member) = callee.as_member_expression() else { return false };
        let Expression::Identifier(name) = member.object() else { return false };
        let scoping = self.semantic.scoping();
        let Some(symbol) = name.reference_id.get().and_then(|id| scoping.get_reference(id).symbol_id()) else { return false };
        let declaration = scoping.symbol_declaration(symbol);
        let ancestors: Vec<AstKind<'a>> = self.semantic.nodes().ancestor_kinds(declaration).take(3).collect();
        matches!(self.kind(declaration), AstKind::FormalParameter(_))
            && ancestors.iter().any(|kind| matches!(kind, AstKind::CallExpression(call) if self.is_frame(call)))
    }

    /// The elements of a table that a test is made for each of.
    pub(super) fn by_outer(&mut self, inner: NodeId) -> Use {
        match self.kind(self.parent(inner)) {
            AstKind::CallExpression(outer) if self.is_called(inner) => self.by_callback(outer),
            _ => Use::Live,
        }
    }

    /// What the functions do that a call is passed, with whatever they are passed.
    pub(super) fn by_callback(&mut self, call: &CallExpression<'a>) -> Use {
        let mut worst = Use::Inert;
        for argument in call.arguments.iter().filter_map(|argument| argument.as_expression()) {
            let used = match argument.get_inner_expression() {
                Expression::StringLiteral(_) | Expression::TemplateLiteral(_) | Expression::NumericLiteral(_) => Use::Inert,
                function => match self.parameters_of(function) {
                    Some(parameters) => self.by_parameters(parameters),
                    None => Use::Live,
                },
            };
            worst = worst.max(used);
        }
        worst
    }
}
