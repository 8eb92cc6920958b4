//! Loops: unrolled while that is cheap, else to a fixpoint.

use crate::format::script::completion::only_throws;
use crate::format::script::interpret::heap::Left;
use crate::format::script::interpret::statement::{Ends, cut};
use crate::format::script::interpret::taint::Taint;
use crate::format::script::interpret::value::Val;
use crate::format::script::interpret::{Interpreter, Loop};
use crate::subject::call::Repeat;
use oxc_ast::ast::{
    AssignmentExpression, AssignmentTarget, BinaryExpression, CallExpression, Expression, ForStatementLeft, IdentifierReference,
    MemberExpression, SimpleAssignmentTarget, Statement,
};
use oxc_ast_visit::Visit;
use oxc_ast_visit::walk::{walk_assignment_expression, walk_binary_expression, walk_call_expression, walk_member_expression};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, LogicalOperator, UpdateOperator};

/// How often a loop is run whose condition is known each time.
const UNROLLED: u32 = 400;
/// How often a loop is run until nothing changes any more.
const ROUNDS: u32 = 8;
/// The same once functions are followed for all their calls at once.
const THRIFTY_ROUNDS: u32 = 3;
/// From this round on constants that change are given up.
const WIDENING: u32 = 3;

impl<'a> Interpreter<'a> {
    /// A loop with a condition.
    pub fn repeat(
        &mut self,
        test: Option<&'a Expression<'a>>,
        update: Option<&'a Expression<'a>>,
        body: &'a Statement<'a>,
        is_tested_first: bool,
    ) -> Ends {
        if let Some(frame) = self.frames.last_mut() {
            frame.left.push(Vec::new());
        }
        self.loops.push(Loop { repeat: Repeat::Open, is_statement: true, over: Taint::NONE });
        let ends = self.within(Left::Loop, |inner| inner.repeat_inner(test, update, body, is_tested_first));
        self.loops.pop();
        self.leave_loop();
        ends
    }

    fn repeat_inner(
        &mut self,
        test: Option<&'a Expression<'a>>,
        update: Option<&'a Expression<'a>>,
        body: &'a Statement<'a>,
        is_tested_first: bool,
    ) -> Ends {
        let is_endless = match test {
            None => true,
            Some(test) => matches!(test.get_inner_expression(), Expression::BooleanLiteral(_) | Expression::NumericLiteral(_)),
        };
        let mut all = Ends::NOWHERE;
        let bound = if is_endless { None } else { self.bound(test) }.map(Repeat::Counted);
        // Who adds up how much was moved counts no turns.
        let bound = bound.map(|bound| if test.is_some_and(|test| adds_up(test, body)) { Repeat::Each } else { bound });
        let bound = bound.or_else(|| counter(update).and_then(|counter| self.left_at(body, counter)));
        let bound = bound.or_else(|| walked(test, update).filter(|list| !self.grows(body, list)).map(|_| Repeat::Each));
        if let (Some(bound), Some(innermost)) = (bound, self.loops.last_mut()) {
            innermost.repeat = bound;
        }
        let mut rounds = 0;
        let mut control = Taint::NONE;
        let mut is_first = !is_tested_first;
        while !is_endless && rounds < UNROLLED && !self.is_exhausted && self.inline_fuel < self.fuel {
            if !is_first {
                let Some(test) = test else { break };
                let value = self.evaluate(test);
                control = self.condition(value);
                match self.truth(value) {
                    Some(true) => {}
                    Some(false) => {
                        if let Some(innermost) = self.loops.last_mut() {
                            innermost.repeat = Repeat::Counted(rounds);
                        }
                        return all.without_loop().or(Ends::NEXT);
                    }
                    None => break,
                }
            }
            is_first = false;
            rounds += 1;
            let context = self.new_context();
            let ends = self.in_context(context, |interpreter| interpreter.round(body));
            all = all.or(ends);
            if !ends.goes_on() && ends != Ends::CONTINUE {
                // It leaves the loop for certain.
                let is_certain = ends == Ends::BREAK || ends == Ends::END;
                if is_certain {
                    return if ends.breaks() { all.without_loop().or(Ends::NEXT) } else { all };
                }
            }
            if ends.breaks() {
                break;
            }
            if let Some(update) = update {
                self.evaluate(update);
            }
        }
        // Not known how often: run it until nothing changes.
        let (rounds_left, widening) = self.rounds();
        for round in 0..rounds_left {
            let mark = self.heap.branch();
            if (round != 0 || is_tested_first || 0 < rounds)
                && let Some(test) = test
            {
                let value = self.evaluate(test);
                control = self.condition(value);
            }
            let ends = self.under(control, |interpreter| {
                let ends = interpreter.round(body);
                if let Some(update) = update {
                    interpreter.evaluate(update);
                }
                ends
            });
            all = all.or(ends);
            let writes = self.heap.undo(mark);
            let changed = self.heap.join(&writes, &mut self.values, widening <= round);
            if !changed || self.is_exhausted {
                break;
            }
        }
        // A loop without an end is left by `break` only.
        if is_endless && !all.breaks() && all.leaves_function() { Ends::END } else { all.without_loop().or(Ends::NEXT) }
    }

    /// Returns true if and only if the body of a loop may make a list longer: it names the list for more than to read of it, or calls a
    /// function of the script's own, which may put something into the list that it finds around it.
    fn grows(&mut self, body: &'a Statement<'a>, list: &str) -> bool {
        let (grows, called) = growth(body, list);
        grows
            || called.into_iter().any(|call| {
                let callee = self.evaluate(&call.callee);
                self.is_function(callee)
            })
    }

    /// How often loops are run until nothing changes, and from when on constants are given up: less once
    /// functions are no longer followed call by call.
    fn rounds(&self) -> (u32, u32) {
        match self.inline_fuel < self.fuel {
            true => (ROUNDS, WIDENING),
            false if self.only_looks() => (1, 0),
            false => (THRIFTY_ROUNDS, 1),
        }
    }

    /// The number that a condition compares with, if it is known: how often the loop runs at most, about.
    fn bound(&mut self, test: Option<&'a Expression<'a>>) -> Option<u32> {
        if let Some(Expression::LogicalExpression(logical)) = test.map(Expression::get_inner_expression) {
            let (left, right) = (self.bound(Some(&logical.left)), self.bound(Some(&logical.right)));
            return if logical.operator == LogicalOperator::And {
                left.or(right)
            } else {
                left.zip(right).map(|(left, right)| left.max(right))
            };
        }
        let Some(Expression::BinaryExpression(binary)) = test.map(Expression::get_inner_expression) else { return None };
        if !matches!(binary.operator, BinaryOperator::LessThan | BinaryOperator::LessEqualThan) {
            return None;
        }
        let Expression::NumericLiteral(limit) = binary.right.get_inner_expression() else { return None };
        (0.0 <= limit.value && limit.value < 1e9).then_some(limit.value as u32)
    }

    /// How often a loop runs at most whose body leaves it once it ran so often: `if (turn >= times) throw error`.
    fn left_at(&mut self, body: &'a Statement<'a>, counter: &str) -> Option<Repeat> {
        match body {
            Statement::BlockStatement(block) => block.body.iter().find_map(|inner| self.left_at(inner, counter)),
            Statement::TryStatement(attempt) => {
                let caught = attempt.handler.iter().flat_map(|handler| &handler.body.body);
                let tried = attempt.block.body.iter().filter(|inner| attempt.handler.is_none() || !only_throws(inner));
                tried.chain(caught).find_map(|inner| self.left_at(inner, counter))
            }
            Statement::IfStatement(choice) if leaves(&choice.consequent) => self.compared_with(&choice.test, counter),
            _ => None,
        }
    }

    /// With what a condition compares a counter; either side of an `||` is enough.
    fn compared_with(&mut self, test: &'a Expression<'a>, counter: &str) -> Option<Repeat> {
        match test.get_inner_expression() {
            Expression::LogicalExpression(both) if both.operator == LogicalOperator::Or => {
                self.compared_with(&both.left, counter).or_else(|| self.compared_with(&both.right, counter))
            }
            Expression::BinaryExpression(binary)
                if matches!(binary.operator, BinaryOperator::GreaterThan | BinaryOperator::GreaterEqualThan)
                    && matches!(binary.left.get_inner_expression(), Expression::Identifier(name) if name.name == counter) =>
            {
                let limit = self.evaluate(&binary.right);
                let limit = self.values.known(limit.id).map(|limit| limit.to_number());
                match limit {
                    Some(limit) if (0.0..1e9).contains(&limit) => Some(Repeat::Counted(limit as u32)),
                    Some(_) => None,
                    None => Some(Repeat::Each),
                }
            }
            _ => None,
        }
    }

    /// Runs something in which objects are made anew.
    fn in_context<R>(&mut self, context: u32, run: impl FnOnce(&mut Self) -> R) -> R {
        let around = self.frames.last_mut().map(|frame| std::mem::replace(&mut frame.context, context));
        let result = run(self);
        if let (Some(frame), Some(around)) = (self.frames.last_mut(), around) {
            frame.context = around;
        }
        result
    }

    /// One round of a loop.
    fn round(&mut self, body: &'a Statement<'a>) -> Ends {
        if let Some(frame) = self.frames.last_mut() {
            frame.skipped.push(Vec::new());
        }
        let ends = self.within(Left::Round, |inner| inner.statement(body));
        if let Some(writes) = self.frames.last_mut().and_then(|frame| frame.skipped.pop()) {
            self.heap.join(&writes, &mut self.values, false);
        }
        ends
    }

    /// `for … of` and `for … in`.
    pub fn for_each(&mut self, left: &'a ForStatementLeft<'a>, right: &'a Expression<'a>, body: &'a Statement<'a>, is_of: bool) -> Ends {
        let iterated = self.evaluate(right);
        let elements = if is_of { self.elements(iterated) } else { self.keys(iterated) };
        // Elements that are written out one by one are no listing, whatever each of them is.
        let over = if elements.known.is_some() { Taint::NONE } else { self.carried(iterated).0 };
        if let Some(frame) = self.frames.last_mut() {
            frame.left.push(Vec::new());
        }
        let repeat = match &elements.known {
            Some(known) => Repeat::Counted(u32::try_from(known.len()).unwrap_or(u32::MAX)),
            None => elements.count.or_else(|| cut(right)).map_or(Repeat::Each, Repeat::Counted),
        };
        self.loops.push(Loop { repeat, is_statement: true, over });
        let all = self.within(Left::Loop, |inner| inner.rounds_over(left, body, elements.known, elements.any));
        self.loops.pop();
        self.leave_loop();
        if all == Ends::END { all } else { all.without_loop().or(Ends::NEXT) }
    }

    /// The rounds of a loop over these elements, or over any number of such.
    fn rounds_over(&mut self, left: &'a ForStatementLeft<'a>, body: &'a Statement<'a>, known: Option<Vec<Val>>, any: Val) -> Ends {
        let mut all = Ends::NEXT;
        let known = known.filter(|known| known.len() <= UNROLLED as usize && self.inline_fuel < self.fuel);
        match known {
            Some(known) => {
                for element in known {
                    let context = self.new_context();
                    let ends = self.in_context(context, |interpreter| {
                        interpreter.each(left, element);
                        interpreter.round(body)
                    });
                    all = all.or(ends);
                    if ends == Ends::BREAK || ends == Ends::END || self.is_exhausted {
                        if ends == Ends::END {
                            all = Ends::END;
                        }
                        break;
                    }
                }
            }
            None => {
                let (rounds, widening) = self.rounds();
                for round in 0..rounds {
                    let mark = self.heap.branch();
                    self.each(left, any);
                    all = all.or(self.round(body));
                    let writes = self.heap.undo(mark);
                    let changed = self.heap.join(&writes, &mut self.values, widening <= round);
                    if !changed || self.is_exhausted {
                        break;
                    }
                }
            }
        }
        all
    }

    fn each(&mut self, left: &'a ForStatementLeft<'a>, element: Val) {
        match left {
            ForStatementLeft::VariableDeclaration(declaration) => {
                for declarator in &declaration.declarations {
                    self.declare(&declarator.id, element);
                }
            }
            left => {
                if let Some(target) = left.as_assignment_target() {
                    self.assign(target, element);
                }
            }
        }
    }
}

/// The variable that an update counts up: `turn++`.
fn counter<'a>(update: Option<&'a Expression<'a>>) -> Option<&'a str> {
    match update?.get_inner_expression() {
        Expression::UpdateExpression(update) if update.operator == UpdateOperator::Increment => match &update.argument {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => Some(name.name.as_str()),
            _ => None,
        },
        _ => None,
    }
}

/// The list along which a loop goes: `for (let at = 0; at < list.length; at += 20)`.
fn walked<'a>(test: Option<&'a Expression<'a>>, update: Option<&'a Expression<'a>>) -> Option<&'a str> {
    let counter = counter(update).or_else(|| stepped(update))?;
    let Expression::BinaryExpression(test) = test?.get_inner_expression() else { return None };
    let Expression::Identifier(left) = test.left.get_inner_expression() else { return None };
    let length = test.right.get_inner_expression().as_member_expression()?;
    let Expression::Identifier(list) = length.object().get_inner_expression() else { return None };
    let is_along = test.operator == BinaryOperator::LessThan && left.name == counter && length.static_property_name() == Some("length");
    is_along.then(|| list.name.as_str())
}

/// The variable that a loop counts up by more than one: `at += 20`.
fn stepped<'a>(update: Option<&'a Expression<'a>>) -> Option<&'a str> {
    let Expression::AssignmentExpression(assigned) = update?.get_inner_expression() else { return None };
    match &assigned.left {
        AssignmentTarget::AssignmentTargetIdentifier(name) if assigned.operator == AssignmentOperator::Addition => Some(name.name.as_str()),
        _ => None,
    }
}

/// Returns true if and only if the body of a loop may make a list longer: it names the list for more than to read of it.
/// Functions that it calls may do so, too.
fn growth<'a>(body: &'a Statement<'a>, list: &str) -> (bool, Vec<&'a CallExpression<'a>>) {
    let mut look = Growth { list, grows: false, called: Vec::new() };
    look.visit_statement(body);
    (look.grows, look.called)
}

/// Returns true if and only if a loop adds what is not written out to what its condition compares: `moved += batch.length`.
fn adds_up(test: &Expression<'_>, body: &Statement<'_>) -> bool {
    let mut names = Compared { names: Vec::new() };
    names.visit_expression(test);
    let mut look = Sums { names: names.names, adds_up: false };
    look.visit_statement(body);
    look.adds_up
}

/// The names that a condition compares with what they may reach.
struct Compared {
    names: Vec<String>,
}

impl<'a> Visit<'a> for Compared {
    fn visit_binary_expression(&mut self, binary: &BinaryExpression<'a>) {
        if let (true, Expression::Identifier(name)) = (binary.operator.is_compare(), binary.left.get_inner_expression()) {
            self.names.push(name.name.to_string());
        }
        walk_binary_expression(self, binary);
    }
}

/// Looks for sums of what is not written out.
struct Sums {
    names: Vec<String>,
    adds_up: bool,
}

impl<'a> Visit<'a> for Sums {
    fn visit_assignment_expression(&mut self, assigned: &AssignmentExpression<'a>) {
        let is_named = matches!(&assigned.left, AssignmentTarget::AssignmentTargetIdentifier(name) if self.names.iter().any(|own| own.as_str() == name.name.as_str()));
        let is_number = matches!(assigned.right.get_inner_expression(), Expression::NumericLiteral(_) | Expression::Identifier(_));
        self.adds_up |= is_named && assigned.operator == AssignmentOperator::Addition && !is_number;
        walk_assignment_expression(self, assigned);
    }
}

/// Looks for uses of a list by which it may grow.
struct Growth<'n, 'a> {
    list: &'n str,
    grows: bool,
    /// Calls of functions by their names.
    called: Vec<&'a CallExpression<'a>>,
}

/// Methods that leave a list as long as it is.
const READING: &[&str] = &["slice", "at", "length", "map", "filter", "indexOf", "includes", "join", "find", "some", "every"];

impl<'a> Visit<'a> for Growth<'_, 'a> {
    fn visit_member_expression(&mut self, member: &MemberExpression<'a>) {
        let is_list = matches!(member.object().get_inner_expression(), Expression::Identifier(name) if name.name == self.list);
        let is_read = match member {
            MemberExpression::ComputedMemberExpression(_) => true,
            _ => member.static_property_name().is_some_and(|name| READING.contains(&name)),
        };
        if is_list && is_read {
            if let MemberExpression::ComputedMemberExpression(computed) = member {
                self.visit_expression(&computed.expression);
            }
            return;
        }
        walk_member_expression(self, member);
    }

    fn visit_assignment_expression(&mut self, assigned: &AssignmentExpression<'a>) {
        let target = assigned.left.as_member_expression().map(|member| member.object().get_inner_expression());
        self.grows |= matches!(target, Some(Expression::Identifier(name)) if name.name == self.list);
        walk_assignment_expression(self, assigned);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let own: &'a CallExpression<'a> = self.alloc(call);
        if matches!(call.callee.get_inner_expression(), Expression::Identifier(_)) {
            self.called.push(own);
        }
        walk_call_expression(self, call);
    }

    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        self.grows |= name.name == self.list;
    }
}

/// Returns true if and only if a statement leaves the loop in which it stands.
fn leaves(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::BlockStatement(block) => block.body.last().is_some_and(leaves),
        Statement::BreakStatement(_) | Statement::ReturnStatement(_) | Statement::ThrowStatement(_) => true,
        _ => false,
    }
}
