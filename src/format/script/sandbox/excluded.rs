//! By what a script only leaves things out: `channel.type !== 'category'`, `if (sheet.getName() === own) continue`.
//!
//! Who leaves out the one thing that has a name takes all the others.

use std::collections::{BTreeSet, HashMap};

use oxc_ast::ast::{
    Argument, BinaryExpression, BindingPattern, CallExpression, Expression, IfStatement, Program, ReturnStatement, Statement,
    VariableDeclarator,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::operator::{LogicalOperator, UnaryOperator};

use crate::format::script::sandbox::functions::Written;
use crate::format::script::span::span_of;
use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::value::span::Span;
use crate::value::words::{joined, words};

/// Methods of lists that choose by a function.
const CHOOSING: &[&str] = &["filter", "find", "findLast"];

/// The properties, in one word and in lower case, that a script compares only to leave out what has one value; and whether of whole
/// things it only asks whether they are there.
pub fn excluded(program: &Program<'_>) -> (Vec<String>, bool) {
    let mut search = Search::default();
    search.visit_program(program);
    let only_there = !search.there.is_empty() && search.there.is_disjoint(&search.looked_at) && !search.takes_empty;
    (search.left_out.into_iter().filter(|name| !search.chosen.contains(name)).collect(), only_there)
}

#[derive(Default)]
struct Search<'a> {
    /// What names are given that conditions ask for: `const blank = row.every((cell) => cell === '')`.
    given: HashMap<String, &'a Expression<'a>>,
    /// It goes on with what is empty: `if (row[0] === '')`.
    takes_empty: bool,
    left_out: BTreeSet<String>,
    chosen: BTreeSet<String>,
    /// Names of which is asked whether they are there: `if (!channel) continue`.
    there: BTreeSet<String>,
    /// Names of which more is asked: `if (name === own)`, `name.startsWith('tmp')`.
    looked_at: BTreeSet<String>,
    /// Comparisons that were looked at as part of a condition.
    seen: BTreeSet<Span>,
}

impl<'a> Search<'a> {
    /// Looks at a condition that has to come out in one way.
    fn condition(&mut self, test: &Expression<'a>, outcome: bool) {
        match test.get_inner_expression() {
            Expression::UnaryExpression(not) if not.operator == UnaryOperator::LogicalNot => self.condition(&not.argument, !outcome),
            Expression::LogicalExpression(both) if both.operator != LogicalOperator::Coalesce => {
                self.condition(&both.left, outcome);
                self.condition(&both.right, outcome);
            }
            Expression::BinaryExpression(binary) if binary.operator.is_equality() => {
                self.seen.insert(span_of(&**binary));
                let is_same = outcome
                    == !matches!(
                        binary.operator,
                        oxc_syntax::operator::BinaryOperator::Inequality | oxc_syntax::operator::BinaryOperator::StrictInequality
                    );
                self.takes_empty |= is_same && [&binary.left, &binary.right].into_iter().any(is_empty_text);
                let is_left_out = !is_same && !names_production(binary);
                for name in [&binary.left, &binary.right].into_iter().filter_map(property) {
                    if is_left_out {
                        self.left_out.insert(name)
                    } else {
                        self.chosen.insert(name)
                    };
                }
            }
            Expression::Identifier(name) if self.given.contains_key(name.name.as_str()) => {
                if let Some(given) = self.given.remove(name.name.as_str()) {
                    self.condition(given, outcome);
                }
            }
            Expression::Identifier(name) => {
                // Who goes on only where it is there, or only where it is not, chooses by that.
                let names = if outcome { &mut self.there } else { &mut self.looked_at };
                names.insert(name.name.to_string());
            }
            // `if (KEPT.has(file.name)) continue`
            Expression::CallExpression(call) if holds(call) => {
                self.seen.insert(span_of(&**call));
                let names = call.arguments.first().and_then(Argument::as_expression).map(|asked| (property(asked), own_name(asked)));
                let (of_property, own) = names.unwrap_or_default();
                if outcome {
                    self.chosen.extend(of_property.into_iter().chain(own.clone()));
                } else {
                    self.left_out.extend(of_property.into_iter().chain(own.clone()));
                }
                self.looked_at.extend(own);
            }
            // `if (row.every((cell) => cell === ''))`
            Expression::CallExpression(call) if every(call).is_some() => {
                if let Some(test) = every(call) {
                    self.condition(test, outcome);
                }
            }
            // `if (isOld(file))`
            Expression::CallExpression(call) => {
                self.looked_at.extend(call.arguments.iter().filter_map(Argument::as_expression).filter_map(own_name));
            }
            _ => {}
        }
    }

    fn function(&mut self, function: Written<'a>) {
        if let Written::Arrow(arrow) = function
            && let Some(value) = arrow.get_expression()
        {
            self.condition(value, true);
        }
        for statement in function.statements() {
            if let Statement::ReturnStatement(returned) = statement {
                self.returned(returned);
            }
        }
    }

    fn returned(&mut self, returned: &ReturnStatement<'a>) {
        if let Some(value) = &returned.argument {
            self.condition(value, true);
        }
    }
}

impl<'a> VisitJs<'a> for Search<'a> {
    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if let (BindingPattern::BindingIdentifier(name), Some(init)) = (&it.id, &it.init)
            && matches!(init.get_inner_expression(), Expression::CallExpression(call) if every(call).is_some())
        {
            self.given.insert(name.name.to_string(), self.alloc(init));
        }
        walk_js::walk_variable_declarator(self, it);
    }

    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        let took = self.takes_empty;
        self.condition(&it.test, !leaves(&it.consequent));
        // What else is done is done with what is not empty.
        self.takes_empty &= took || it.alternate.is_none();
        walk_js::walk_if_statement(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Some(callee) = it.callee.get_inner_expression().as_member_expression() {
            // `file.name.startsWith('tmp-')`, `old.has(file.id)`
            self.chosen.extend(property(callee.object()));
            self.looked_at.extend(own_name(callee.object()).filter(|_| callee.static_property_name().is_none_or(is_of_text)));
            let method = callee.static_property_name();
            let is_list = holds(it) && self.seen.contains(&span_of(it));
            if !is_list && method.is_some_and(|method| list("holding-methods").contains(&method) || matches!(method, "test" | "match")) {
                self.chosen.extend(it.arguments.iter().filter_map(Argument::as_expression).filter_map(property));
                self.looked_at.extend(it.arguments.iter().filter_map(Argument::as_expression).filter_map(own_name));
            }
            if method.is_some_and(|method| CHOOSING.contains(&method)) {
                let function = it.arguments.first().and_then(Argument::as_expression).map(Expression::get_inner_expression);
                match function {
                    Some(Expression::ArrowFunctionExpression(arrow)) => {
                        let arrow: &'a _ = self.alloc(&**arrow);
                        self.function(Written::Arrow(arrow));
                    }
                    Some(Expression::FunctionExpression(function)) => {
                        let function: &'a _ = self.alloc(&**function);
                        self.function(Written::Function(function));
                    }
                    _ => {}
                }
            }
        }
        walk_js::walk_call_expression(self, it);
    }

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        let is_asked = it.operator.is_equality() || it.operator.is_compare() || it.operator.is_relational();
        if is_asked {
            self.looked_at.extend([&it.left, &it.right].into_iter().filter_map(own_name));
        }
        if is_asked && !self.seen.contains(&span_of(it)) {
            self.chosen.extend([&it.left, &it.right].into_iter().filter_map(property));
        }
        walk_js::walk_binary_expression(self, it);
    }
}

/// Returns true if and only if a call asks whether a list or set that the script has holds something: `KEPT.has(file.name)`.
fn holds(call: &CallExpression<'_>) -> bool {
    let Some(member) = call.callee.get_inner_expression().as_member_expression() else { return false };
    let is_own = matches!(member.object().get_inner_expression(), Expression::Identifier(_) | Expression::ArrayExpression(_));
    is_own && call.arguments.len() == 1 && matches!(member.static_property_name(), Some("has" | "includes"))
}

/// What is asked of each element: `cell === ''` of `row.every((cell) => cell === '')`.
fn every<'e, 'a>(call: &'e CallExpression<'a>) -> Option<&'e Expression<'a>> {
    let method = call.callee.get_inner_expression().as_member_expression()?.static_property_name()?;
    match call.arguments.first()?.as_expression()?.get_inner_expression() {
        Expression::ArrowFunctionExpression(arrow) if method == "every" => arrow.get_expression(),
        _ => None,
    }
}

fn is_empty_text(expression: &Expression<'_>) -> bool {
    matches!(expression.get_inner_expression(), Expression::StringLiteral(text) if text.value.is_empty())
}

/// The name that an expression is, of which the kind may be asked for: `typeof name`.
fn own_name(expression: &Expression<'_>) -> Option<String> {
    match expression.get_inner_expression() {
        Expression::Identifier(name) => Some(name.name.to_string()),
        Expression::UnaryExpression(kind) if kind.operator == UnaryOperator::Typeof => own_name(&kind.argument),
        _ => None,
    }
}

/// Returns true if and only if a method is one of texts, which tells something of them.
fn is_of_text(method: &str) -> bool {
    list("holding-methods").contains(&method)
        || matches!(method, "match" | "endsWith" | "startsWith" | "includes" | "indexOf" | "localeCompare")
}

/// The property that is asked for, by its name: `id` of `user.id`, `name` of `sheet.getName()`.
fn property(asked: &Expression<'_>) -> Option<String> {
    match asked.get_inner_expression() {
        Expression::StaticMemberExpression(member) => Some(joined(&member.property.name)),
        Expression::ChainExpression(chain) => {
            chain.expression.as_member_expression().and_then(|member| member.static_property_name()).map(joined)
        }
        Expression::CallExpression(call) if call.arguments.is_empty() => {
            let getter = call.callee.get_inner_expression().as_member_expression()?.static_property_name()?;
            getter.strip_prefix("get").map(joined)
        }
        _ => None,
    }
}

/// Returns true if and only if a comparison is with what names what people depend on: who leaves that out chooses.
fn names_production(binary: &BinaryExpression<'_>) -> bool {
    [&binary.left, &binary.right].into_iter().any(|side| match side.get_inner_expression() {
        Expression::StringLiteral(text) => Tag::Production.has_any(words(&text.value)),
        _ => false,
    })
}

/// Returns true if and only if nothing behind a statement runs after it.
fn leaves(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::BlockStatement(block) => block.body.last().is_some_and(leaves),
        Statement::ReturnStatement(_) | Statement::ContinueStatement(_) => true,
        _ => false,
    }
}
