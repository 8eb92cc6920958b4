//! Where a text goes from its place in the tree.

use std::collections::HashSet;

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, CallExpression, Expression, NewExpression, ObjectProperty, ObjectPropertyKind, UnaryOperator};
use oxc_semantic::Semantic;
use oxc_span::GetSpan as _;
use oxc_syntax::node::NodeId;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::usage::callee::{From, origin};
use crate::format::script::usage::trust::Trust;
use crate::format::script::usage::written::may_be_function;
use crate::knowledge::row::term::{Handling, Use};
use crate::knowledge::usage::{function_hands_on, hands_on, is_of_any, of_method};

/// How many nodes are looked at for one text.
const STEPS: usize = 4_000;

/// How deep nodes are looked at for one text.
const DEPTH: usize = 200;

/// What the language itself calls of an object.
const IMPLIED: &[&str] = &["toString", "valueOf", "toJSON", "then"];

/// Follows one text.
pub struct Walk<'s, 'a> {
    pub(super) semantic: &'s Semantic<'a>,
    pub(super) trust: &'s Trust,
    seen: HashSet<NodeId>,
    pub(super) symbols: HashSet<SymbolId>,
    depth: usize,
}

impl<'s, 'a> Walk<'s, 'a> {
    /// Nothing was looked at yet.
    pub fn new(semantic: &'s Semantic<'a>, trust: &'s Trust) -> Self {
        Self { semantic, trust, seen: HashSet::new(), symbols: HashSet::new(), depth: 0 }
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
                let is_method =
                    |property: &ObjectPropertyKind<'a>| matches!(property, ObjectPropertyKind::ObjectProperty(own) if self.is_method(own));
                // A method reaches what lies beside it without naming the object.
                if object.properties.iter().any(is_method) { Use::Live } else { self.from(parent) }
            }
            AstKind::ConditionalExpression(choice) if choice.test.span() == own => Use::Compared,
            AstKind::ConditionalExpression(_) => self.from(parent),
            AstKind::BinaryExpression(sum) if sum.operator == oxc_syntax::operator::BinaryOperator::Addition => self.from(parent),
            // What an object of others is asked for a name, it may hear.
            AstKind::BinaryExpression(asked)
                if asked.operator.is_relational() && asked.left.span() == own && asked.operator.is_keyword() =>
            {
                if self.may_be_foreign(&asked.right) { Use::Live } else { Use::Compared }
            }
            AstKind::BinaryExpression(_) | AstKind::SwitchCase(_) | AstKind::SwitchStatement(_) => Use::Compared,
            AstKind::IfStatement(_) | AstKind::WhileStatement(_) | AstKind::DoWhileStatement(_) | AstKind::ForStatement(_) => Use::Compared,
            AstKind::UnaryExpression(unary) if unary.operator != UnaryOperator::Delete => Use::Compared,
            // A function can be read as the text that it is, and a text that does nothing in it stands there for that.
            AstKind::ExpressionStatement(_) | AstKind::Directive(_) if self.is_text(node) && self.is_in_function(parent) => Use::Live,
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
            AstKind::ComputedMemberExpression(member) if member.expression.span() == own => {
                if self.may_be_foreign(&member.object) {
                    Use::Live
                } else {
                    Use::Compared
                }
            }
            AstKind::ComputedMemberExpression(_) if self.is_called(parent) => Use::Live,
            AstKind::ComputedMemberExpression(_) => self.from(parent),
            AstKind::CallExpression(call) => self.by_call(node, parent, call),
            AstKind::NewExpression(made) => self.by_new(parent, made),
            AstKind::TaggedTemplateExpression(tagged) => match self.handling(&tagged.tag) {
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
            AstKind::AssignmentExpression(assigned) if is_target(&assigned.left) => {
                if IMPLIED.contains(&name) {
                    Use::Live
                } else {
                    Use::Inert
                }
            }
            AstKind::CallExpression(_) if self.is_called(member) && self.trust.is_defined(name) => Use::Live,
            AstKind::CallExpression(call) if self.is_called(member) => match of_method(name) {
                Some(_) if hands_on(name) && self.by_beside(&call.arguments, None) == Use::Live => Use::Live,
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
        match self.handling(&new.callee) {
            Some(Handling::Passes) => self.from(made),
            _ => Use::Live,
        }
    }

    pub(super) fn by_call(&mut self, node: NodeId, call_node: NodeId, call: &'a CallExpression<'a>) -> Use {
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
        match self.trust.handling(&from) {
            Some(Handling::Prints) if matches!(from, From::Module(..)) => self.by_logger(callee).max(Use::Printed),
            Some(Handling::Prints) => Use::Printed,
            Some(Handling::Compares) => Use::Compared,
            Some(Handling::Asserts) => self.by_asserted(call_node, &call.arguments, own),
            Some(Handling::Passes) => {
                let is_handed_on = matches!(&from, From::Host(path) if function_hands_on(path));
                let beside = if is_handed_on { self.by_beside(&call.arguments, Some(own)) } else { Use::Inert };
                beside.max(self.from(call_node))
            }
            Some(Handling::Merges) => {
                let into = call.arguments.first().and_then(|first| first.as_expression());
                let into = if at == 0 { Use::Inert } else { into.map_or(Use::Live, |into| self.by_kept_in(into)) };
                into.max(self.from(call_node))
            }
            Some(Handling::Tests) if from.is_each() => self.by_outer(call_node),
            Some(Handling::Tests) if at == 0 => Use::Inert,
            _ => self.by_method(node, call_node, call, &from),
        }
    }

    /// A text that a method is passed: what it is called on must be known to have no method of its own of that name.
    fn by_method(&mut self, node: NodeId, call_node: NodeId, call: &'a CallExpression<'a>, from: &From) -> Use {
        let callee = call.callee.get_inner_expression();
        let known = callee.as_member_expression().and_then(|member| Some((member.object(), member.static_property_name()?)));
        let Some((object, name)) = known else { return self.by_tested(call_node, callee, from) };
        let is_pattern = matches!(self.kind(node), AstKind::RegExpLiteral(_));
        let is_made = || !self.trust.is_replaced(name) && self.is_made_here(object);
        let is_text = || (is_of_any(name) || is_pattern) && !self.trust.is_defined(name) && !self.may_be_foreign(object);
        match of_method(name) {
            Some(Handling::Compares) if is_made() || is_text() => Use::Compared,
            Some(Handling::Passes) if is_made() || is_text() => self.from(call_node),
            Some(Handling::Keeps) if !self.trust.is_replaced(name) => self.by_kept(callee).max(self.from(call_node)),
            _ => self.by_tested(call_node, callee, from),
        }
    }

    /// What a function does with a text, if that is known.
    pub(super) fn handling(&self, callee: &Expression<'a>) -> Option<Handling> {
        self.trust.handling(&origin(self.semantic, callee))
    }

    /// Returns true if and only if a property may be called with what lies beside it: as a method, or by the language itself.
    fn is_method(&self, property: &ObjectProperty<'a>) -> bool {
        let is_data = matches!(property.value.get_inner_expression(), value if value.is_literal() || matches!(value, Expression::ArrayExpression(_) | Expression::ObjectExpression(_)));
        let is_implied = match property.key.static_name() {
            Some(name) => IMPLIED.contains(&name.as_ref()),
            None => may_be_function(self.semantic, &property.value),
        };
        matches!(property.value, Expression::FunctionExpression(_)) || is_implied && !is_data
    }

    fn is_text(&self, node: NodeId) -> bool {
        matches!(
            self.kind(node),
            AstKind::StringLiteral(_) | AstKind::TemplateLiteral(_) | AstKind::RegExpLiteral(_) | AstKind::Directive(_)
        )
    }

    fn is_in_function(&self, node: NodeId) -> bool {
        self.semantic
            .nodes()
            .ancestor_kinds(node)
            .any(|kind| matches!(kind, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) | AstKind::Class(_)))
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

    /// Returns true if and only if a node stands in a test.
    pub(super) fn is_in_test(&self, node: NodeId) -> bool {
        self.semantic.nodes().ancestor_kinds(node).any(|kind| match kind {
            AstKind::CallExpression(call) => self.handling(&call.callee) == Some(Handling::Tests),
            _ => false,
        })
    }

    fn is_frame(&self, call: &'a CallExpression<'a>) -> bool {
        matches!(self.handling(&call.callee), Some(Handling::Tests | Handling::Asserts))
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
    pub(super) fn by_callback(&mut self, call: &'a CallExpression<'a>) -> Use {
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
