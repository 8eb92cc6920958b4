//! Which code of a script runs only if a condition comes out in one way.

use oxc_ast::ast::{
    BlockStatement, ConditionalExpression, Declaration, Expression, FunctionBody, IfStatement, LogicalExpression, Program, Statement,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_span::GetSpan;
use oxc_syntax::operator::LogicalOperator;

use crate::format::script::sandbox::surroundings::Surroundings;
use crate::format::script::span::span_of;
use crate::value::span::Span;

/// How often functions that only such code calls are looked for again.
const ROUNDS: usize = 4;

/// Code that runs only if conditions come out so that `says` tells something of it, with what it tells.
pub fn branches<'a, T: Clone>(
    program: &Program<'a>,
    around: &Surroundings<'_, '_, 'a, '_>,
    says: impl Fn(&Expression<'a>, bool) -> Option<T>,
) -> Vec<(Span, T)> {
    let mut search = Search { around, says, found: Vec::new() };
    search.visit_program(program);
    let mut found = Vec::new();
    for (mut regions, told) in search.found {
        call_within(around, &mut regions);
        found.extend(regions.into_iter().map(|span| (span, told.clone())));
    }
    found
}

/// Adds the functions that nothing but code in these regions names: they run only where it does.
fn call_within(around: &Surroundings<'_, '_, '_, '_>, regions: &mut Vec<Span>) {
    for _ in 0..ROUNDS {
        let is_within = |at: u32| regions.iter().any(|span| span.start <= at && at < span.end);
        let is_new = |span: &Span| !regions.iter().any(|region| region.start <= span.start && span.end <= region.end);
        let is_only_here =
            |span: &Span, used: &[u32]| !used.is_empty() && used.iter().all(|at| is_within(*at) || span.start <= *at && *at < span.end);
        let only_here = around.functions().filter(|(span, used)| is_only_here(span, used)).map(|(span, _)| span);
        let new: Vec<Span> = only_here.filter(is_new).collect();
        if new.is_empty() {
            break;
        }
        regions.extend(new);
    }
}

struct Search<'w, 'b, 'v, 'a, 's, F, T> {
    around: &'w Surroundings<'b, 'v, 'a, 's>,
    says: F,
    found: Vec<(Vec<Span>, T)>,
}

impl<'a, T: Clone, F: Fn(&Expression<'a>, bool) -> Option<T>> Search<'_, '_, '_, 'a, '_, F, T> {
    /// What stands behind a question that leaves unless the answer is one.
    fn rest(&mut self, statements: &[Statement<'a>]) {
        for (at, statement) in statements.iter().enumerate() {
            let Statement::IfStatement(choice) = statement else { continue };
            if !leaves(&choice.consequent, self.around) {
                continue;
            }
            let Some(told) = (self.says)(&choice.test, false) else { continue };
            // What is declared as a function is there before the question, too.
            let behind = statements.iter().skip(at + 1).filter(|statement| !is_function(statement));
            self.found.push((behind.map(span_of).collect(), told));
        }
    }

    fn branch(&mut self, test: &Expression<'a>, outcome: bool, branch: &impl GetSpan) {
        if let Some(told) = (self.says)(test, outcome) {
            self.found.push((vec![span_of(branch)], told));
        }
    }
}

fn is_function(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::FunctionDeclaration(_) => true,
        Statement::ExportDeclaration(export) => matches!(export.declaration, Declaration::FunctionDeclaration(_)),
        Statement::ExportDefaultDeclaration(_) => true,
        _ => false,
    }
}

/// Returns true if and only if nothing behind a statement runs after it.
fn leaves<'a>(statement: &Statement<'a>, around: &Surroundings<'_, '_, 'a, '_>) -> bool {
    match statement {
        Statement::BlockStatement(block) => block.body.last().is_some_and(|last| leaves(last, around)),
        Statement::ThrowStatement(_)
        | Statement::ReturnStatement(_)
        | Statement::ContinueStatement(_)
        // Whatever it leaves, the rest of the statements beside it is within.
        | Statement::BreakStatement(_) => true,
        Statement::ExpressionStatement(only) => match only.expression.get_inner_expression() {
            Expression::CallExpression(call) => around.ends_program(&call.callee),
            _ => false,
        },
        _ => false,
    }
}

impl<'a, T: Clone, F: Fn(&Expression<'a>, bool) -> Option<T>> VisitJs<'a> for Search<'_, '_, '_, 'a, '_, F, T> {
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
        self.branch(&it.test, true, &it.consequent);
        if let Some(other) = &it.alternate {
            self.branch(&it.test, false, other);
        }
        walk_js::walk_if_statement(self, it);
    }

    fn visit_conditional_expression(&mut self, it: &ConditionalExpression<'a>) {
        self.branch(&it.test, true, &it.consequent);
        self.branch(&it.test, false, &it.alternate);
        walk_js::walk_conditional_expression(self, it);
    }

    fn visit_logical_expression(&mut self, it: &LogicalExpression<'a>) {
        match it.operator {
            LogicalOperator::And => self.branch(&it.left, true, &it.right),
            LogicalOperator::Or => self.branch(&it.left, false, &it.right),
            LogicalOperator::Coalesce => {}
        }
        walk_js::walk_logical_expression(self, it);
    }
}
