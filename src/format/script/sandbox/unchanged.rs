//! Conditions of loops that stay what they are, whatever is called in between: of names that are given one thing, and of lists that
//! nothing in the script makes longer or shorter.

use std::collections::HashSet;

use oxc_ast::ast::{
    Argument, ArrowFunctionExpression, AssignmentTarget, CallExpression, Expression, ForOfStatement, Function, IdentifierReference,
    MemberExpression, ObjectPropertyKind, Program, SpreadElement,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_span::Span;
use oxc_syntax::scope::ScopeFlags;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::{Bindings, Given};
use crate::format::script::interpret::TOOL_FUNCTIONS;

/// What is asked of a list to know whether something is in it.
const MEASURES: &[&str] = &["length", "size"];

/// Methods that read a list and give something else.
const READING: &[&str] = &[
    "map",
    "flatMap",
    "filter",
    "slice",
    "join",
    "forEach",
    "some",
    "every",
    "find",
    "findIndex",
    "includes",
    "indexOf",
    "reduce",
    "at",
    "entries",
    "keys",
    "values",
    "has",
    "get",
    "toString",
    "concat",
    "toSorted",
    "toReversed",
];

/// Those of them that give a list of their own.
const MAKING: &[&str] = &["map", "flatMap", "filter", "slice", "concat", "toSorted", "toReversed"];

/// What makes a list of what it is given.
const COPYING: &[&str] = &["Object", "Array"];

/// Methods that change a list and do not give it back.
const CHANGING: &[&str] = &["push", "unshift", "pop", "shift", "splice", "set", "add", "delete"];

/// Returns true if and only if the condition of a loop asks for nothing but names and lengths of lists that no line of a program changes
/// once the loop has begun.
pub fn is_unchanged<'a>(program: &Program<'a>, bindings: &Bindings<'a, '_>, test: &Expression<'a>, looped: Span) -> bool {
    let mut asked = Asked { bindings, lists: HashSet::new(), names: false, is_plain: true };
    asked.visit_expression(test);
    if !asked.is_plain || asked.lists.is_empty() && !asked.names {
        return false;
    }
    // What is given once, and not by what is called at every turn, stays the same list.
    let is_one = |symbol: &SymbolId| matches!(bindings.constant(*symbol), Some(Given::Expression(list)) if is_new(bindings, list));
    if !asked.lists.iter().all(is_one) {
        return false;
    }
    if asked.lists.is_empty() {
        return true;
    }
    let mut uses = Uses { bindings, lists: &asked.lists, looped, elsewhere: 0, may_change: false };
    uses.visit_program(program);
    !uses.may_change
}

/// Returns true if and only if nobody else holds a list: it is written out here, made out of another, or what a service answered.
fn is_new<'a>(bindings: &Bindings<'a, '_>, list: &Expression<'a>) -> bool {
    match list.get_inner_expression() {
        Expression::ArrayExpression(_) => true,
        Expression::AwaitExpression(awaited) => is_new(bindings, &awaited.argument),
        Expression::CallExpression(call) => {
            let is_global = |expression: &Expression<'a>, names: &[&str]| matches!(expression.get_inner_expression(), Expression::Identifier(name) if bindings.symbol(name).is_none() && names.contains(&name.name.as_str()));
            is_global(&call.callee, TOOL_FUNCTIONS)
                || call.callee.get_inner_expression().as_member_expression().is_some_and(|member| {
                    let makes = member.static_property_name().is_some_and(|name| MAKING.contains(&name));
                    makes || is_global(member.object(), COPYING)
                })
        }
        _ => false,
    }
}

/// What a condition is made of.
struct Asked<'b, 'a, 's> {
    bindings: &'b Bindings<'a, 's>,
    /// The lists whose length is asked for.
    lists: HashSet<SymbolId>,
    /// It asks for names that stand for one value all the time.
    names: bool,
    /// There is nothing else in it.
    is_plain: bool,
}

impl<'a> VisitJs<'a> for Asked<'_, 'a, '_> {
    fn visit_expression(&mut self, it: &Expression<'a>) {
        match it.get_inner_expression() {
            Expression::BinaryExpression(_) | Expression::LogicalExpression(_) | Expression::UnaryExpression(_) => {
                walk_js::walk_expression(self, it.get_inner_expression());
            }
            inner if inner.is_literal() => {}
            // `spent < limit`
            Expression::Identifier(name) if self.bindings.symbol(name).is_some_and(|symbol| self.bindings.is_fixed(symbol)) => {
                self.names = true;
            }
            inner => match inner.as_member_expression().map(|member| (member.object().get_inner_expression(), member)) {
                Some((Expression::Identifier(name), member))
                    if member.static_property_name().is_some_and(|name| MEASURES.contains(&name)) =>
                {
                    match self.bindings.symbol(name) {
                        Some(symbol) => self.lists.extend([symbol]),
                        None => self.is_plain = false,
                    }
                }
                _ => self.is_plain = false,
            },
        }
    }
}

/// How the lists are used in a program.
struct Uses<'b, 'a, 's> {
    bindings: &'b Bindings<'a, 's>,
    lists: &'b HashSet<SymbolId>,
    /// Where the loop is.
    looped: Span,
    /// So many functions are around in which the loop is not: they may be called whenever it runs.
    elsewhere: usize,
    /// One of them may be changed.
    may_change: bool,
}

impl<'a> Uses<'_, 'a, '_> {
    fn is_list(&self, expression: &Expression<'a>) -> bool {
        let Expression::Identifier(name) = expression.get_inner_expression() else { return false };
        self.bindings.symbol(name).is_some_and(|symbol| self.lists.contains(&symbol))
    }

    /// Returns true if and only if what stands somewhere was run when the loop began, and is not run again while it runs.
    fn is_before(&self, span: Span) -> bool {
        self.elsewhere == 0 && span.end <= self.looped.start
    }

    /// What is handed to a service is read there.
    fn handed(&mut self, value: &Expression<'a>) {
        match value.get_inner_expression() {
            inner if self.is_list(inner) => {}
            Expression::ObjectExpression(object) => {
                for property in &object.properties {
                    match property {
                        ObjectPropertyKind::ObjectProperty(property) => self.handed(&property.value),
                        ObjectPropertyKind::SpreadProperty(spread) => self.visit_expression(&spread.argument),
                    }
                }
            }
            inner => self.visit_expression(inner),
        }
    }
}

impl<'a> VisitJs<'a> for Uses<'_, 'a, '_> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.may_change |= self.bindings.symbol(it).is_some_and(|symbol| self.lists.contains(&symbol));
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let callee = it.callee.get_inner_expression();
        match callee.as_member_expression() {
            Some(member) if self.is_list(member.object()) && member.static_property_name().is_some_and(|name| READING.contains(&name)) => {}
            // What is done to a list before the loop begins is done.
            Some(member)
                if self.is_list(member.object())
                    && self.is_before(it.span)
                    && member.static_property_name().is_some_and(|name| CHANGING.contains(&name)) => {}
            // Whatever else a list is asked to do may change it.
            Some(member) if self.is_list(member.object()) => self.may_change = true,
            _ => self.visit_expression(callee),
        }
        let is_tool = |name: &str| TOOL_FUNCTIONS.contains(&name);
        let is_elsewhere = matches!(callee, Expression::Identifier(name) if self.bindings.symbol(name).is_none() && is_tool(&name.name));
        for argument in &it.arguments {
            match argument {
                Argument::SpreadElement(spread) => self.visit_spread_element(spread),
                argument => match argument.as_expression() {
                    Some(value) if is_elsewhere => self.handed(value),
                    Some(value) => self.visit_expression(value),
                    None => {}
                },
            }
        }
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let is_elsewhere = !it.span.contains_inclusive(self.looped);
        self.elsewhere += usize::from(is_elsewhere);
        walk_js::walk_function(self, it, flags);
        self.elsewhere -= usize::from(is_elsewhere);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        let is_elsewhere = !it.span.contains_inclusive(self.looped);
        self.elsewhere += usize::from(is_elsewhere);
        walk_js::walk_arrow_function_expression(self, it);
        self.elsewhere -= usize::from(is_elsewhere);
    }

    fn visit_assignment_target(&mut self, it: &AssignmentTarget<'a>) {
        let member = it.as_member_expression();
        self.may_change |= member.is_some_and(|member| self.is_list(member.object()));
        walk_js::walk_assignment_target(self, it);
    }

    fn visit_member_expression(&mut self, it: &MemberExpression<'a>) {
        let is_read = it.static_property_name().is_some_and(|name| MEASURES.contains(&name));
        if !(is_read && self.is_list(it.object())) {
            walk_js::walk_member_expression(self, it);
        }
    }

    fn visit_spread_element(&mut self, it: &SpreadElement<'a>) {
        if !self.is_list(&it.argument) {
            walk_js::walk_spread_element(self, it);
        }
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.visit_for_statement_left(&it.left);
        if !self.is_list(&it.right) {
            self.visit_expression(&it.right);
        }
        self.visit_statement(&it.body);
    }
}
