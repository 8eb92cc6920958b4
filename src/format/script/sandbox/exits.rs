//! How a loop may be left, and what it changes.

use std::collections::HashSet;

use oxc_ast::ast::{
    ArrowFunctionExpression, AssignmentTarget, AwaitExpression, BreakStatement, CallExpression, Class, DoWhileStatement, Expression,
    ForInStatement, ForOfStatement, ForStatement, Function, IdentifierReference, NewExpression, ReturnStatement, SimpleAssignmentTarget,
    Statement, SwitchStatement, ThrowStatement, TryStatement, UpdateExpression, WhileStatement, YieldExpression,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::scope::ScopeFlags;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::Bindings;

/// What stands in a piece of code, outside of the functions in it.
pub struct Exits<'b, 'a, 's> {
    bindings: &'b Bindings<'a, 's>,
    /// It leaves by `break`.
    pub breaks: bool,
    /// It leaves by `return` or `throw`.
    pub leaves: bool,
    /// It waits for something that takes time.
    pub waits: bool,
    /// It yields.
    pub yields: bool,
    /// It calls something.
    pub calls: bool,
    /// Names of collections into which it puts something, or out of which it takes something.
    pub filled: HashSet<SymbolId>,
    /// Names that it changes.
    pub changed: HashSet<SymbolId>,
    /// Names that it uses.
    pub used: HashSet<SymbolId>,
    /// It uses a property or a global.
    pub uses_others: bool,
    inner: u32,
    /// What is thrown here is caught, and the loop goes on.
    is_caught: bool,
}

/// Methods after which a collection is longer or shorter.
const FILLING: &[&str] = &["push", "unshift", "pop", "shift", "splice", "add", "set", "delete", "clear"];

impl<'b, 'a, 's> Exits<'b, 'a, 's> {
    /// Returns true if and only if a condition asks a part of a collection that is filled or emptied here.
    pub fn fills(&self, condition: &Self) -> bool {
        condition.uses_others && !condition.used.is_disjoint(&self.filled)
    }

    /// Looks for nothing yet.
    pub fn new(bindings: &'b Bindings<'a, 's>) -> Self {
        Self {
            bindings,
            breaks: false,
            leaves: false,
            waits: false,
            yields: false,
            calls: false,
            changed: HashSet::new(),
            used: HashSet::new(),
            uses_others: false,
            filled: HashSet::new(),
            inner: 0,
            is_caught: false,
        }
    }

    /// What stands in a statement.
    pub fn of(bindings: &'b Bindings<'a, 's>, statement: &Statement<'a>) -> Self {
        let mut exits = Self::new(bindings);
        exits.visit_statement(statement);
        exits
    }

    /// Returns true if and only if the loop whose body it is can end or rest.
    pub fn ends(&self) -> bool {
        self.breaks || self.leaves || self.waits
    }

    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        self.inner += 1;
        visit(self);
        self.inner -= 1;
    }

    fn change(&mut self, name: &IdentifierReference<'a>) {
        self.changed.extend(self.bindings.symbol(name));
    }
}

/// Returns true if and only if awaiting a value takes no time: a literal, or a promise that is resolved already.
fn is_instant(expression: &Expression<'_>) -> bool {
    match expression.get_inner_expression() {
        Expression::CallExpression(call) => call.callee.as_member_expression().is_some_and(|member| {
            let is_promise = matches!(member.object(), Expression::Identifier(name) if name.name == "Promise");
            is_promise && member.static_property_name() == Some("resolve")
        }),
        Expression::Identifier(name) => name.name == "undefined",
        inner => inner.is_literal(),
    }
}

impl<'a> VisitJs<'a> for Exits<'_, 'a, '_> {
    fn visit_break_statement(&mut self, it: &BreakStatement<'a>) {
        // A label can only lead further out than this loop's own body.
        self.breaks |= self.inner == 0 || it.label.is_some();
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        self.leaves = true;
        walk_js::walk_return_statement(self, it);
    }

    fn visit_throw_statement(&mut self, it: &ThrowStatement<'a>) {
        self.leaves |= !self.is_caught;
        walk_js::walk_throw_statement(self, it);
    }

    fn visit_try_statement(&mut self, it: &TryStatement<'a>) {
        let around = self.is_caught;
        self.is_caught |= it.handler.is_some();
        self.visit_block_statement(&it.block);
        self.is_caught = around;
        if let Some(handler) = &it.handler {
            self.visit_catch_clause(handler);
        }
        if let Some(last) = &it.finalizer {
            self.visit_block_statement(last);
        }
    }

    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        self.waits |= !is_instant(&it.argument);
        walk_js::walk_await_expression(self, it);
    }

    fn visit_yield_expression(&mut self, it: &YieldExpression<'a>) {
        self.yields = true;
        walk_js::walk_yield_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        self.calls = true;
        if let Some(member) = it.callee.get_inner_expression().as_member_expression()
            && member.static_property_name().is_some_and(|name| FILLING.contains(&name))
            && let Expression::Identifier(name) = member.object().get_inner_expression()
        {
            self.filled.extend(self.bindings.symbol(name));
        }
        walk_js::walk_call_expression(self, it);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        self.calls = true;
        walk_js::walk_new_expression(self, it);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        match self.bindings.symbol(it) {
            Some(symbol) => {
                self.used.insert(symbol);
            }
            None => self.uses_others = true,
        }
    }

    fn visit_member_expression(&mut self, it: &oxc_ast::ast::MemberExpression<'a>) {
        self.uses_others = true;
        walk_js::walk_member_expression(self, it);
    }

    fn visit_assignment_target(&mut self, it: &AssignmentTarget<'a>) {
        match it {
            AssignmentTarget::AssignmentTargetIdentifier(name) => self.change(name),
            // What a pattern changes is not told apart: it counts as a call, which may change anything.
            AssignmentTarget::ArrayAssignmentTarget(_) | AssignmentTarget::ObjectAssignmentTarget(_) => self.calls = true,
            _ => {}
        }
        walk_js::walk_assignment_target(self, it);
    }

    fn visit_update_expression(&mut self, it: &UpdateExpression<'a>) {
        if let SimpleAssignmentTarget::AssignmentTargetIdentifier(name) = &it.argument {
            self.change(name);
        }
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        self.within(|exits| walk_js::walk_for_statement(exits, it));
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.within(|exits| walk_js::walk_for_in_statement(exits, it));
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.waits |= it.r#await;
        self.within(|exits| walk_js::walk_for_of_statement(exits, it));
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        self.within(|exits| walk_js::walk_while_statement(exits, it));
    }

    fn visit_do_while_statement(&mut self, it: &DoWhileStatement<'a>) {
        self.within(|exits| walk_js::walk_do_while_statement(exits, it));
    }

    fn visit_switch_statement(&mut self, it: &SwitchStatement<'a>) {
        self.within(|exits| walk_js::walk_switch_statement(exits, it));
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}

    fn visit_class(&mut self, _: &Class<'a>) {}
}
