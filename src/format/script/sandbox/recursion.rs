//! Functions that call themselves whatever happens.

use std::collections::HashMap;

use oxc_ast::ast::{
    Argument, ArrowFunctionExpression, AwaitExpression, CallExpression, Class, ConditionalExpression, Expression, Function,
    LogicalExpression, NewExpression, Statement,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::scope::ScopeFlags;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::{Bindings, Given};
use crate::format::script::fold::Folder;
use crate::format::script::sandbox::Walker;
use crate::format::script::sandbox::exits::Exits;
use crate::format::script::sandbox::functions::Written;
use crate::format::script::span::span_of;
use crate::subject::bounds::Bounds;
use crate::subject::hazard::{HazardKind, Strength};
use crate::value::span::Span;

/// Methods and functions that run what they are given before anything else gets a turn.
const AT_ONCE: &[&str] = &["then", "finally", "queueMicrotask", "nextTick"];

/// Methods and functions that run what they are given when something else has happened.
const LATER: &[&str] = &["setTimeout", "setImmediate", "requestAnimationFrame", "catch"];

/// Methods of lists that run what they are given for each element, at once.
const FOR_EACH: &[&str] = &["forEach", "map", "flatMap"];

/// From so many calls on, what a list was made from is not looked at.
const MADE: u32 = 8;

/// The calls that a function makes whenever it is called.
struct Certain<'b, 'a, 's> {
    bindings: &'b Bindings<'a, 's>,
    folder: &'b Folder<'b, 'a, 's>,
    calls: Vec<(SymbolId, Span)>,
    waits: bool,
    /// What runs later counts, too.
    later: bool,
    /// What runs for each element of a list counts, whatever stands in the list.
    any_list: bool,
}

impl Walker<'_, '_, '_> {
    /// Adds the functions that call themselves again and again, at once or later.
    pub fn endless_recursion(&self, found: &mut Bounds) {
        found.endless.extend(self.circling(false));
        found.branching = self.circling(true);
    }

    /// The functions that call themselves: whatever happens, or as long as lists hold something.
    fn circling(&self, any_list: bool) -> Vec<Span> {
        let calls = self.declared.order.iter().filter_map(|symbol| {
            let (bindings, folder) = (self.bindings, &self.folder);
            let mut certain = Certain { bindings, folder, calls: Vec::new(), waits: false, later: true, any_list };
            certain.function(*self.declared.functions.get(symbol)?);
            Some((*symbol, certain.calls))
        });
        let calls: HashMap<SymbolId, Vec<(SymbolId, Span)>> = calls.collect();
        let mut found = Vec::new();
        for (symbol, _) in circles(&self.declared.order, &calls) {
            found.extend(self.declared.functions.get(&symbol).map(|function| function.span()));
            let called = calls.get(&symbol).into_iter().flatten();
            found.extend(called.filter_map(|(called, _)| Some(self.declared.functions.get(called)?.span())));
        }
        found
    }

    /// Finds functions that reach themselves by calls that nothing prevents.
    pub fn recursion(&mut self) {
        let mut calls: HashMap<SymbolId, Vec<(SymbolId, Span)>> = HashMap::new();
        let mut waiting = std::collections::HashSet::new();
        for symbol in &self.declared.order {
            let Some(function) = self.declared.functions.get(symbol) else { continue };
            let (bindings, folder) = (self.bindings, &self.folder);
            let mut certain = Certain { bindings, folder, calls: Vec::new(), waits: false, later: false, any_list: false };
            certain.function(*function);
            if certain.waits {
                waiting.insert(*symbol);
            }
            calls.insert(*symbol, certain.calls);
        }
        for (symbol, span) in circles(&self.declared.order, &calls) {
            let strength = if waiting.contains(&symbol) { Strength::Probing } else { Strength::Clear };
            self.tell(HazardKind::Endless, strength, span, "nothing ends this recursion");
        }
    }
}

/// The calls that close a circle, found in one walk without recursion.
fn circles(order: &[SymbolId], calls: &HashMap<SymbolId, Vec<(SymbolId, Span)>>) -> Vec<(SymbolId, Span)> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Open,
        Done,
    }
    let mut states: HashMap<SymbolId, State> = HashMap::new();
    let mut found = Vec::new();
    for root in order {
        if states.contains_key(root) {
            continue;
        }
        states.insert(*root, State::Open);
        let mut stack = vec![(*root, 0)];
        while let Some((symbol, next)) = stack.pop() {
            let Some((target, span)) = calls.get(&symbol).and_then(|calls| calls.get(next)) else {
                states.insert(symbol, State::Done);
                continue;
            };
            stack.push((symbol, next + 1));
            match states.get(target) {
                Some(State::Open) => found.push((symbol, *span)),
                Some(State::Done) => {}
                None => {
                    states.insert(*target, State::Open);
                    stack.push((*target, 0));
                }
            }
        }
    }
    found
}

impl<'a> Certain<'_, 'a, '_> {
    fn function(&mut self, function: Written<'a>) {
        let is_generator = matches!(function, Written::Function(function) if function.generator);
        // A generator only runs when something asks it for a value.
        if is_generator {
            return;
        }
        match function.expression() {
            Some(expression) => self.visit_expression(expression),
            None => {
                self.statements(function.statements());
            }
        }
    }

    /// Goes through statements as long as nothing can leave; returns false where something can.
    fn statements(&mut self, statements: &[Statement<'a>]) -> bool {
        statements.iter().all(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement<'a>) -> bool {
        match statement {
            Statement::BlockStatement(block) => self.statements(&block.body),
            Statement::TryStatement(attempt) => {
                let goes_on = self.statements(&attempt.block.body);
                let caught = attempt.handler.as_ref().filter(|_| self.later);
                goes_on & caught.is_none_or(|handler| self.statements(&handler.body.body))
            }
            Statement::ReturnStatement(_) | Statement::ThrowStatement(_) => {
                self.visit_statement(statement);
                false
            }
            Statement::ExpressionStatement(_) | Statement::VariableDeclaration(_) => {
                self.visit_statement(statement);
                true
            }
            Statement::FunctionDeclaration(_) | Statement::ClassDeclaration(_) | Statement::EmptyStatement(_) => true,
            Statement::IfStatement(choice) if self.folder.fold(&choice.test).is_some_and(|test| test.is_truthy()) => {
                self.statement(&choice.consequent)
            }
            statement => {
                // The first turn is made in any case.
                if let Statement::ForOfStatement(turns) = statement
                    && self.has_elements(&turns.right, MADE)
                {
                    self.statement(&turns.body);
                }
                let exits = Exits::of(self.bindings, statement);
                !exits.leaves && !exits.breaks
            }
        }
    }

    /// Returns true if and only if something is a list that is not empty: one that is written out, or made of such a one element by
    /// element.
    fn has_elements(&self, list: &Expression<'a>, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match list.get_inner_expression() {
            _ if self.any_list => true,
            Expression::ArrayExpression(list) => list.elements.iter().any(|element| element.is_expression()),
            Expression::AwaitExpression(awaited) => self.has_elements(&awaited.argument, depth),
            Expression::Identifier(name) => {
                let mut given = self.bindings.symbol(name).into_iter().flat_map(|symbol| self.bindings.given(symbol));
                let first = given.next();
                given.next().is_none() && matches!(first, Some(Given::Expression(given)) if self.has_elements(given, depth))
            }
            Expression::CallExpression(call) => {
                let Some(member) = call.callee.get_inner_expression().as_member_expression() else { return false };
                match member.static_property_name() {
                    Some("map") => self.has_elements(member.object(), depth),
                    Some("all" | "allSettled") => {
                        call.arguments.first().and_then(Argument::as_expression).is_some_and(|all| self.has_elements(all, depth))
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Returns true if and only if a name stands for one function from first to last.
    fn is_always_itself(&self, symbol: SymbolId) -> bool {
        let mut given = self.bindings.given(symbol);
        let is_function = match given.next() {
            Some(Given::Expression(given)) => Written::of(given).is_some(),
            Some(Given::Property(..) | Given::Unknown) => false,
            None => true,
        };
        is_function && given.next().is_none()
    }

    fn call_of(&mut self, expression: &Expression<'a>, span: Span) {
        if let Expression::Identifier(name) = expression.get_inner_expression()
            && let Some(symbol) = self.bindings.symbol(name)
            && self.is_always_itself(symbol)
        {
            self.calls.push((symbol, span));
        }
    }
}

impl<'a> VisitJs<'a> for Certain<'_, 'a, '_> {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let callee = it.callee.get_inner_expression();
        self.call_of(callee, span_of(it));
        let name = match callee {
            Expression::Identifier(name) => Some(name.name.as_str()),
            callee => callee.as_member_expression().and_then(|member| member.static_property_name()),
        };
        if let Some(member) = callee.as_member_expression()
            && matches!(name, Some("call" | "apply"))
        {
            self.call_of(member.object(), span_of(it));
        }
        let is_for_each = name.is_some_and(|name| self.later && FOR_EACH.contains(&name))
            && callee.as_member_expression().is_some_and(|member| self.has_elements(member.object(), MADE));
        if (is_for_each || name.is_some_and(|name| AT_ONCE.contains(&name) || self.later && LATER.contains(&name)))
            && let Some(callback) = it.arguments.first().and_then(Argument::as_expression)
        {
            self.call_of(callback, span_of(it));
            if let Expression::ArrowFunctionExpression(function) = callback.get_inner_expression() {
                let function: &'a ArrowFunctionExpression<'a> = self.alloc(function);
                match function.body.as_expression() {
                    Some(body) => self.visit_expression(body),
                    None if self.later => {
                        self.statements(Written::Arrow(function).statements());
                    }
                    None => {}
                }
            }
        }
        walk_js::walk_call_expression(self, it);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        self.call_of(&it.callee, span_of(it));
        walk_js::walk_new_expression(self, it);
    }

    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        // What waits for another function's call waits for a tool, or for time to pass.
        self.waits |= matches!(it.argument.get_inner_expression(), Expression::CallExpression(call) if matches!(&call.callee, Expression::Identifier(name) if self.bindings.symbol(name).is_none()));
        walk_js::walk_await_expression(self, it);
    }

    fn visit_conditional_expression(&mut self, it: &ConditionalExpression<'a>) {
        self.visit_expression(&it.test);
    }

    fn visit_logical_expression(&mut self, it: &LogicalExpression<'a>) {
        self.visit_expression(&it.left);
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}

    fn visit_class(&mut self, _: &Class<'a>) {}
}
