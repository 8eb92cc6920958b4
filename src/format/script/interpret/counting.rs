//! How often loops run, as far as numbers of the script say so: the number that a condition compares a counter with, the length of a
//! list, the number at which a loop is left or a function no longer calls itself.

mod looks;

use oxc_ast::ast::{AssignmentTarget, BinaryExpression, Expression, SimpleAssignmentTarget, Statement};
use oxc_ast_visit::Visit;
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, LogicalOperator};

use std::rc::Rc;

use crate::format::script::completion::only_throws;
use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::counting::looks::{
    Asked, Called, Comparisons, Growth, Moves, SPLICE, adds_up, counter, counter_of, ends_loop, growth, leaves, length_of, names_list,
    only_reads, path_of, turned, walked, walked_list,
};
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{Code, Object, ObjectKind};
use crate::format::script::interpret::taint::Taint;
use crate::format::script::interpret::text::Text;
use crate::format::script::interpret::value::{Atom, Val};
use crate::subject::call::Repeat;
use crate::value::span::Span;

/// Nobody counts further.
const MOST: f64 = 1e9;
/// A list that is emptied turn by turn counts from so many elements on: a shorter one may be one that what is found is put into.
const DRAINED: u32 = 100;

/// What is read or called of a list to see what is left in it.
const LEFT: &[&str] = &["length", "shift", "pop", SPLICE];
/// What is called of an iterator to see whether something is left.
const ITERATING: &[&str] = &["hasNext", "hasMoreElements", "moveNext"];

/// A comparison of something that a loop counts with a number.
struct Limit {
    /// What it holds before the first turn, if that is known.
    start: Option<f64>,
    /// What it is compared with.
    limit: f64,
    /// The loop runs as long as the variable is smaller, or as long as it is greater.
    goes_up: bool,
    /// It runs for the number itself, too.
    is_within: bool,
}

impl Limit {
    /// How often the loop runs that moves the variable by so much each time.
    fn turns(&self, step: f64) -> Option<u32> {
        let far = match self.start {
            Some(start) if self.goes_up => self.limit - start,
            Some(start) => start - self.limit,
            None if self.goes_up => self.limit,
            None => return None,
        };
        let turns = if self.is_within && self.start.is_some() { (far / step).floor() + 1.0 } else { (far / step).ceil() };
        (0.0..MOST).contains(&turns).then_some(turns as u32)
    }
}

/// Nobody tries the same thing again more often.
const TRIES: u32 = 10;

impl<'a> Interpreter<'a> {
    /// How often a loop runs at most, if its condition, the list along which it goes or what leaves it says so. Without a condition
    /// it is only left from within.
    pub fn turns(
        &mut self,
        test: Option<&'a Expression<'a>>,
        update: Option<&'a Expression<'a>>,
        body: &'a Statement<'a>,
    ) -> Option<Repeat> {
        if let Some(test) = test {
            if let Some(turns) = self.bound(test, update, body) {
                // Who adds up how much was moved counts no turns.
                return Some(if adds_up(test, body) { Repeat::Each } else { Repeat::Counted(turns) });
            }
            if let Some(turns) = self.drained(test, body) {
                return Some(Repeat::Counted(turns));
            }
            if self.is_filled(test, body) {
                return Some(Repeat::Each);
            }
        }
        if let Some(turns) = self.left_at(body, counter(update), body) {
            return Some(turns);
        }
        walked(test, update).filter(|list| !self.grows(body, list)).map(|_| Repeat::Each)
    }

    /// The data that a loop goes through element by element: by an iterator of a runtime, `while (files.hasNext())`, or by where they
    /// stand, `for (let at = 0; at < list.length; at++)`.
    pub fn walks(&mut self, test: Option<&'a Expression<'a>>, update: Option<&'a Expression<'a>>, body: &'a Statement<'a>) -> Taint {
        let is_walked = |list: &&'a Expression<'a>| counter(update).is_some() && only_reads(list) && names_list(body, list);
        if let Some(list) = walked_list(test, update).filter(is_walked) {
            let list = self.evaluate(list);
            return if self.elements(list).known.is_some() { Taint::NONE } else { self.carried(list).0 };
        }
        let mut look = Asked { names: ITERATING, object: None };
        test.iter().for_each(|test| look.visit_expression(test));
        match look.object.filter(|object| only_reads(object)) {
            Some(object) => {
                let iterator = self.evaluate(object);
                self.carried(iterator).0
            }
            None => Taint::NONE,
        }
    }

    /// How often a loop runs at most by what its condition compares.
    fn bound(&mut self, test: &'a Expression<'a>, update: Option<&'a Expression<'a>>, body: &'a Statement<'a>) -> Option<u32> {
        match test.get_inner_expression() {
            Expression::LogicalExpression(logical) => {
                let (left, right) = (self.bound(&logical.left, update, body), self.bound(&logical.right, update, body));
                if logical.operator == LogicalOperator::And {
                    left.into_iter().chain(right).min()
                } else {
                    left.zip(right).map(|(left, right)| left.max(right))
                }
            }
            Expression::BinaryExpression(binary) => {
                let (own, limit) = self.limit(binary, body)?;
                let mut moves = Moves::of(&own);
                moves.visit_expression(test);
                moves.visit_statement(body);
                update.iter().for_each(|update| moves.visit_expression(update));
                let step = update.and_then(|update| self.step(update, &own)).unwrap_or(1.0);
                let is_moved = moves.towards(limit.goes_up) || moves.is_still() && self.calls_own(body);
                if is_moved { limit.turns(step) } else { None }
            }
            _ => None,
        }
    }

    /// The variable that a comparison counts, and how far.
    fn limit(&mut self, binary: &'a BinaryExpression<'a>, body: &'a Statement<'a>) -> Option<(String, Limit)> {
        let (left, right) = (binary.left.get_inner_expression(), binary.right.get_inner_expression());
        let sides = [(left, right, binary.operator), (right, left, turned(binary.operator))];
        sides.into_iter().find_map(|(own, other, operator)| {
            let own = counter_of(own)?;
            if let Some(list) = length_of(other)
                && self.grows(body, list)
            {
                return None;
            }
            let limit = self.number_of(other)?;
            let start = self.number_of(own);
            let goes_up = match operator {
                BinaryOperator::LessThan | BinaryOperator::LessEqualThan => true,
                BinaryOperator::GreaterThan | BinaryOperator::GreaterEqualThan => false,
                BinaryOperator::StrictInequality | BinaryOperator::Inequality => start? < limit,
                _ => return None,
            };
            let is_within = matches!(operator, BinaryOperator::LessEqualThan | BinaryOperator::GreaterEqualThan);
            Some((path_of(own)?, Limit { start, limit, goes_up, is_within }))
        })
    }

    /// Returns true if and only if a body calls a function of the script, which may count.
    fn calls_own(&mut self, body: &'a Statement<'a>) -> bool {
        let mut look = Called { called: Vec::new() };
        look.visit_statement(body);
        look.called.into_iter().any(|callee| {
            let callee = self.evaluate(callee);
            self.is_function(callee)
        })
    }

    /// By how much an update moves a counter: `at += 20`.
    fn step(&mut self, update: &'a Expression<'a>, counter: &str) -> Option<f64> {
        let Expression::AssignmentExpression(assigned) = update.get_inner_expression() else { return None };
        let AssignmentTarget::AssignmentTargetIdentifier(name) = &assigned.left else { return None };
        let adds = matches!(assigned.operator, AssignmentOperator::Addition | AssignmentOperator::Subtraction);
        if !adds || name.name.as_str() != counter {
            return None;
        }
        self.number_of(assigned.right.get_inner_expression()).filter(|step| 1.0 <= *step)
    }

    /// The number that an expression is which does nothing but to be read.
    fn number_of(&mut self, expression: &'a Expression<'a>) -> Option<f64> {
        if let Expression::UpdateExpression(update) = expression {
            return match &update.argument {
                SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => {
                    let symbol = name.reference_id.get().and_then(|reference| self.scoping.get_reference(reference).symbol_id())?;
                    let value = self.read(symbol);
                    Some(self.values.known(value.id)?.to_number())
                }
                _ => None,
            };
        }
        if let Some(list) = length_of(expression).and_then(|_| expression.as_member_expression()) {
            let list = self.evaluate(list.object());
            if let Some(count) = self.elements(list).count {
                return Some(f64::from(count));
            }
        }
        if !only_reads(expression) {
            return None;
        }
        let value = self.evaluate(expression);
        let number = self.values.known(value.id)?.to_number();
        (!number.is_nan()).then_some(number)
    }

    /// Returns true if and only if a loop runs until a list is long enough: `while (rows.length < 500)`.
    fn is_filled(&mut self, test: &'a Expression<'a>, body: &'a Statement<'a>) -> bool {
        match test.get_inner_expression() {
            Expression::LogicalExpression(logical) if logical.operator == LogicalOperator::And => {
                self.is_filled(&logical.left, body) || self.is_filled(&logical.right, body)
            }
            Expression::BinaryExpression(binary) => {
                let is_less = matches!(binary.operator, BinaryOperator::LessThan | BinaryOperator::LessEqualThan);
                let list = length_of(binary.left.get_inner_expression()).filter(|_| is_less);
                list.is_some_and(|list| growth(body, list).0) && self.number_of(binary.right.get_inner_expression()).is_some()
            }
            _ => false,
        }
    }

    /// How many turns empty a list: `while (queue.length)`, `while ((id = ids.pop()) !== undefined)`.
    fn drained(&mut self, test: &'a Expression<'a>, body: &'a Statement<'a>) -> Option<u32> {
        let mut look = Asked { names: LEFT, object: None };
        look.visit_expression(test);
        let list = look.object?;
        let Expression::Identifier(name) = list else { return None };
        let mut growth = Growth { list: name.name.as_str(), grows: false, called: Vec::new(), takes: true };
        growth.visit_statement(body);
        if growth.grows {
            return None;
        }
        let list = self.evaluate(list);
        self.elements(list).count.filter(|count| DRAINED <= *count)
    }

    /// How many elements `list.slice(0, 5)`, `list.slice(at, at + 5)` and `list.splice(0, 5)` give at most.
    pub fn cut(&mut self, expression: &'a Expression<'a>) -> Option<u32> {
        let Expression::CallExpression(call) = expression.get_inner_expression() else { return None };
        let method = call.callee.as_member_expression()?.static_property_name()?;
        let (first, second) = (call.arguments.first()?.as_expression()?, call.arguments.get(1)?.as_expression()?.get_inner_expression());
        let count = match (method, second) {
            ("splice", second) => self.number_of(second)?,
            ("slice", Expression::BinaryExpression(sum))
                if sum.operator == BinaryOperator::Addition && path_of(first).is_some() && path_of(first) == path_of(&sum.left) =>
            {
                self.number_of(sum.right.get_inner_expression())?
            }
            ("slice", second) => self.number_of(second)? - self.number_of(first.get_inner_expression())?,
            _ => return None,
        };
        (0.0..1e6).contains(&count).then_some(count as u32)
    }

    /// Runs what may surely leave the innermost loop once it was run: what it calls is called once at most for all turns.
    pub fn leaving<R>(&mut self, statement: &'a Statement<'a>, run: impl FnOnce(&mut Self) -> R) -> R {
        let at = self.loops.len().checked_sub(1);
        // A `break` within a `switch` leaves that alone, and the loops of other functions are not left.
        let is_of_loop = self.frames.last().is_some_and(|frame| !frame.skipped.is_empty() && frame.skipped.len() == frame.left.len());
        let leaves = is_of_loop && ends_loop(statement);
        let around = at.and_then(|at| self.loops.get_mut(at)).filter(|around| around.is_statement && leaves);
        let before = around.map(|around| std::mem::replace(&mut around.repeat, Repeat::Counted(1)));
        let result = run(self);
        if let (Some(before), Some(around)) = (before, at.and_then(|at| self.loops.get_mut(at))) {
            around.repeat = before;
        }
        result
    }

    /// How often what a function does is done that is called from within itself; nothing where it is known that it is as often as at the
    /// call around.
    pub fn recursion(&mut self, code: Code<'a>, arguments: &Arguments, site: Span) -> Option<Repeat> {
        let known = self.recursions.get(&code.start()).copied();
        let deeper = self.frames.iter().filter(|frame| frame.start == code.start()).count();
        if known == Some(site) && 1 < deeper {
            return None;
        }
        let repeat = if known.is_none_or(|known| known == site) { self.depth_of(code, arguments) } else { Repeat::Open };
        if repeat != Repeat::Open {
            self.recursions.insert(code.start(), site);
        }
        // What is only tried again, a few times, with what was passed before, is done once.
        let is_again = matches!(repeat, Repeat::Counted(turns) if turns <= TRIES) && self.is_passed_again(code, arguments);
        (!is_again).then_some(repeat)
    }

    /// Returns true if and only if a function that calls itself passes on all that it was passed, but numbers.
    pub fn is_passed_again(&self, code: Code<'a>, arguments: &Arguments) -> bool {
        let Some(before) = self.frames.iter().rev().find(|frame| frame.start == code.start()).map(|frame| &frame.arguments) else {
            return false;
        };
        let is_same = |(at, value): (usize, &Val)| self.is_same_or_number(before.get(at), *value, true);
        arguments.rest.is_none() && before.rest.is_none() && arguments.known.iter().enumerate().all(is_same)
    }

    /// Returns true if and only if what is passed is what was passed before, or a number; or options that are.
    fn is_same_or_number(&self, before: Val, value: Val, may_be_options: bool) -> bool {
        if before.id == value.id || self.finite(value).is_some() {
            return true;
        }
        let options = |value: Val| match *self.values.atoms(value.id) {
            [Atom::Object(object)] => Some(self.heap.object(object)).filter(|object| {
                matches!(object.kind, ObjectKind::Plain(_)) && object.rest.id == Val::NEVER.id && object.prototype.is_none()
            }),
            _ => None,
        };
        let (Some(before), Some(own)) = (options(before), options(value)) else { return false };
        let at = |fields: &Object<'a>, key: &Text| fields.fields.get(key).copied().unwrap_or(Val::UNDEFINED);
        may_be_options
            && own.fields.iter().all(|(key, value)| self.is_same_or_number(at(before, key), *value, false))
            && before.fields.keys().all(|key| own.fields.contains_key(key))
    }

    fn finite(&self, value: Val) -> Option<f64> {
        self.values.known(value.id).map(|number| number.to_number()).filter(|number| number.is_finite())
    }

    /// How often a function calls itself, if a number of the script says so with which it compares what it is passed: `if (n > 100) return`.
    fn depth_of(&mut self, code: Code<'a>, arguments: &Arguments) -> Repeat {
        let Some(frame) = self.frames.iter().rev().find(|frame| frame.start == code.start()) else { return Repeat::Open };
        let before = Rc::clone(&frame.arguments);
        let mut look = Comparisons { found: Vec::new() };
        let parameters = match code {
            Code::Arrow(arrow) => {
                look.visit_arrow_function_expression(arrow);
                &arrow.params
            }
            Code::Function(function) => {
                function.body.iter().for_each(|body| look.visit_function_body(body));
                &function.params
            }
        };
        let counted = parameters.items.iter().enumerate().find_map(|(at, parameter)| {
            let name = parameter.pattern.get_identifier_name()?;
            // `tries = 3`: who calls first says nothing of it.
            let first = match &parameter.initializer {
                Some(initializer) if before.get(at).id == Val::UNDEFINED.id => self.number_of(initializer.get_inner_expression()),
                _ => self.finite(before.get(at)),
            }?;
            let next = self.finite(arguments.get(at))?;
            let compared: Vec<&'a BinaryExpression<'a>> = look.found.clone();
            let limit = compared.into_iter().find_map(|binary| {
                let (left, right) = (binary.left.get_inner_expression(), binary.right.get_inner_expression());
                let is_own = |side: &Expression<'a>| matches!(side, Expression::Identifier(own) if own.name == name);
                if is_own(left) {
                    self.number_of(right)
                } else if is_own(right) {
                    self.number_of(left)
                } else {
                    None
                }
            })?;
            let turns = (limit - first) / (next - first);
            (0.0..MOST).contains(&turns).then(|| Repeat::Counted(turns.ceil() as u32))
        });
        counted.unwrap_or(Repeat::Open)
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

    /// How often a loop runs at most whose body leaves it once it ran so often: `if (turn >= times) throw error`.
    fn left_at(&mut self, part: &'a Statement<'a>, counter: Option<&'a str>, body: &'a Statement<'a>) -> Option<Repeat> {
        match part {
            Statement::BlockStatement(block) => block.body.iter().find_map(|inner| self.left_at(inner, counter, body)),
            Statement::TryStatement(attempt) => {
                let caught = attempt.handler.iter().flat_map(|handler| &handler.body.body);
                let tried = attempt.block.body.iter().filter(|inner| attempt.handler.is_none() || !only_throws(inner));
                tried.chain(caught).find_map(|inner| self.left_at(inner, counter, body))
            }
            Statement::IfStatement(choice) if leaves(&choice.consequent) => self.compared_with(&choice.test, counter, body),
            _ => None,
        }
    }

    /// With what a condition compares a counter that leaves a loop; either side of an `||` is enough.
    fn compared_with(&mut self, test: &'a Expression<'a>, counter: Option<&'a str>, body: &'a Statement<'a>) -> Option<Repeat> {
        match test.get_inner_expression() {
            Expression::LogicalExpression(both) if both.operator == LogicalOperator::Or => {
                self.compared_with(&both.left, counter, body).or_else(|| self.compared_with(&both.right, counter, body))
            }
            Expression::BinaryExpression(binary) => {
                let own = path_of(counter_of(binary.left.get_inner_expression())?)?;
                let goes_up = match binary.operator {
                    BinaryOperator::GreaterThan | BinaryOperator::GreaterEqualThan => true,
                    BinaryOperator::LessThan | BinaryOperator::LessEqualThan => false,
                    _ => return None,
                };
                let is_updated = counter == Some(own.as_str());
                let mut moves = Moves::of(&own);
                moves.visit_statement(body);
                if !(moves.towards(goes_up) || is_updated && goes_up && !moves.resets) {
                    return None;
                }
                let start = counter_of(binary.left.get_inner_expression()).and_then(|own| self.number_of(own));
                match self.number_of(binary.right.get_inner_expression()) {
                    Some(limit) => Limit { start, limit, goes_up, is_within: false }.turns(1.0).map(Repeat::Counted),
                    None => goes_up.then_some(Repeat::Each),
                }
            }
            _ => None,
        }
    }
}
