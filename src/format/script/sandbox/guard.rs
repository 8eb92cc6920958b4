//! Which code runs only where nothing is lost: behind a question to the place, whether it is one for tests.

use oxc_ast::ast::{Argument, BlockStatement, CallExpression, Expression, FunctionBody, IfStatement, Program, Statement};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_span::GetSpan;
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

use crate::format::script::fold::Folder;
use crate::format::script::js::constant::Constant;
use crate::format::script::span::span_of;
use crate::knowledge::words::Tag;
use crate::value::span::Span;
use crate::value::words::words;

/// Questions are taken apart up to this depth.
const DEPTH: u32 = 8;

/// Methods that ask whether one text is in another, or in a list.
const HOLDING: &[&str] = &["startsWith", "endsWith", "includes", "has", "test", "match", "equals"];

/// The code of a script that runs only where nothing is lost.
pub fn guarded<'a>(program: &Program<'a>, folder: &Folder<'_, 'a, '_>) -> Vec<Span> {
    let mut search = Search { folder, guarded: Vec::new() };
    search.visit_program(program);
    search.guarded
}

struct Search<'w, 'v, 'a, 's> {
    folder: &'w Folder<'v, 'a, 's>,
    guarded: Vec<Span>,
}

impl<'a> Search<'_, '_, 'a, '_> {
    /// What stands behind a question that leaves unless the place is one for tests.
    fn rest(&mut self, statements: &[Statement<'a>]) {
        let Some(end) = statements.last().map(|last| last.span().end) else { return };
        for statement in statements {
            let Statement::IfStatement(choice) = statement else { continue };
            if leaves(&choice.consequent) && self.tells(&choice.test, false, DEPTH) {
                self.guarded.push(Span::new(choice.span.end, end));
            }
        }
    }

    /// Returns true if and only if a condition with this outcome says that the place is one for tests.
    fn tells(&self, test: &Expression<'a>, outcome: bool, depth: u32) -> bool {
        if depth == 0 {
            return false;
        }
        let tells = |part: &Expression<'a>, outcome: bool| self.tells(part, outcome, depth - 1);
        match test.get_inner_expression() {
            Expression::UnaryExpression(not) if not.operator == UnaryOperator::LogicalNot => tells(&not.argument, !outcome),
            Expression::LogicalExpression(both) => match (both.operator, outcome) {
                (LogicalOperator::Or, false) | (LogicalOperator::And, true) => tells(&both.left, outcome) || tells(&both.right, outcome),
                (LogicalOperator::Or, true) | (LogicalOperator::And, false) => tells(&both.left, outcome) && tells(&both.right, outcome),
                (LogicalOperator::Coalesce, _) => false,
            },
            Expression::BinaryExpression(binary) => match binary.operator {
                BinaryOperator::Equality | BinaryOperator::StrictEquality => {
                    self.names(&binary.left, outcome) || self.names(&binary.right, outcome)
                }
                BinaryOperator::Inequality | BinaryOperator::StrictInequality => {
                    self.names(&binary.left, !outcome) || self.names(&binary.right, !outcome)
                }
                _ => false,
            },
            Expression::CallExpression(call) => self.asks(call, outcome),
            // `process.env.EMULATOR_HOST` is there where the emulator is.
            name => outcome && last_name(name).is_some_and(|name| Tag::MakeBelieve.has_any(words(name))),
        }
    }

    /// Returns true if and only if being in, or beginning with, what a call is given says so.
    fn asks(&self, call: &CallExpression<'a>, outcome: bool) -> bool {
        let Some(member) = call.callee.as_member_expression() else { return false };
        let is_held = member.static_property_name().is_some_and(|name| HOLDING.contains(&name));
        let given = || call.arguments.first().and_then(Argument::as_expression).is_some_and(|given| self.names(given, outcome));
        is_held && (self.names(member.object(), outcome) || given())
    }

    /// Returns true if and only if being what an expression is, or not being it, is being a place for tests.
    fn names(&self, expression: &Expression<'a>, outcome: bool) -> bool {
        let fits = |text: &str| if outcome { is_for_tests(text) } else { Tag::Production.has_any(words(text)) };
        match expression.get_inner_expression() {
            Expression::RegExpLiteral(pattern) => fits(pattern.regex.pattern.text.as_str()),
            Expression::NewExpression(set) if !set.arguments.is_empty() => {
                set.arguments.first().and_then(Argument::as_expression).is_some_and(|list| self.names(list, outcome))
            }
            inner => match self.folder.fold(inner) {
                Some(Constant::String(text)) => fits(&text),
                Some(Constant::Array(texts)) => !texts.is_empty() && texts.iter().all(|text| fits(&text.to_text())),
                _ => false,
            },
        }
    }
}

/// Returns true if and only if a name is one of what is made to be thrown away, and of nothing that people depend on.
fn is_for_tests(name: &str) -> bool {
    let words = words(name);
    Tag::Ephemeral.has_any(words.iter()) && !Tag::Production.has_any(words.iter())
}

/// The last name of what is asked: `EMULATOR_HOST` of `process.env.EMULATOR_HOST`.
fn last_name<'e>(expression: &'e Expression<'_>) -> Option<&'e str> {
    match expression {
        Expression::Identifier(name) => Some(name.name.as_str()),
        other => other.as_member_expression()?.static_property_name(),
    }
}

/// Returns true if and only if nothing behind a statement runs after it.
fn leaves(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::BlockStatement(block) => block.body.last().is_some_and(leaves),
        Statement::ThrowStatement(_) | Statement::ReturnStatement(_) | Statement::ContinueStatement(_) => true,
        Statement::ExpressionStatement(only) => match only.expression.get_inner_expression() {
            Expression::CallExpression(call) => last_name(call.callee.get_inner_expression()) == Some("exit"),
            _ => false,
        },
        _ => false,
    }
}

impl<'a> VisitJs<'a> for Search<'_, '_, 'a, '_> {
    fn visit_program(&mut self, it: &Program<'a>) {
        self.rest(&it.body);
        walk_js::walk_program(self, it);
    }

    fn visit_function_body(&mut self, it: &FunctionBody<'a>) {
        self.rest(&it.statements);
        walk_js::walk_function_body(self, it);
    }

    fn visit_block_statement(&mut self, it: &BlockStatement<'a>) {
        self.rest(&it.body);
        walk_js::walk_block_statement(self, it);
    }

    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        if self.tells(&it.test, true, DEPTH) {
            self.guarded.push(span_of(&it.consequent));
        }
        if let Some(other) = it.alternate.as_ref().filter(|_| self.tells(&it.test, false, DEPTH)) {
            self.guarded.push(span_of(other));
        }
        walk_js::walk_if_statement(self, it);
    }
}
