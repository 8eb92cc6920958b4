//! Loops that nothing ends.

use oxc_ast::ast::{
    AssignmentExpression, AssignmentTarget, BindingPattern, CallExpression, Expression, ForOfStatement, ForStatement, ForStatementInit,
    SimpleAssignmentTarget, Statement,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, UpdateOperator};
use oxc_syntax::symbol::SymbolId;

use crate::format::script::bindings::Given;
use crate::format::script::sandbox::Walker;
use crate::format::script::sandbox::exits::Exits;
use crate::format::script::sandbox::functions::Written;
use crate::format::script::span::span_of;
use crate::subject::hazard::{HazardKind, Strength};
use crate::value::span::Span;

/// A loop that turns this often takes longer than any script may.
const ENDLESS: f64 = 1e9;
/// Loops are judged up to this depth, so that nesting costs no square of time.
const DEPTH: usize = 64;

const NOTE: &str = "nothing ends this loop";

/// How a counter of a loop moves.
struct Counting {
    symbol: SymbolId,
    step: f64,
}

impl<'a> Walker<'_, 'a, '_> {
    /// A `while` or `do … while`.
    pub fn while_loop(&mut self, test: &'a Expression<'a>, body: &'a Statement<'a>, span: Span) {
        if DEPTH < self.loops.len() {
            return;
        }
        let exits = Exits::of(self.bindings, body);
        let is_endless = if self.always(test) { !exits.ends() && !exits.yields } else { self.never_changes(test, &exits) };
        if is_endless {
            self.tell(HazardKind::Endless, Strength::Clear, head(span), NOTE);
        } else if !exits.ends() && self.waits_for_the_clock(test) {
            self.tell(HazardKind::Endless, Strength::Probing, head(span), "this loop does nothing but watch the clock");
        }
    }

    /// A `for`; returns how often it runs, where that is known.
    pub fn for_loop(&mut self, statement: &'a ForStatement<'a>) -> Option<f64> {
        if DEPTH < self.loops.len() {
            return None;
        }
        let mut exits = Exits::of(self.bindings, &statement.body);
        if let Some(update) = &statement.update {
            exits.visit_expression(update);
        }
        let span = head(span_of(statement));
        let Some(test) = statement.test.as_ref().filter(|test| !self.always(test)) else {
            if !exits.ends() && !exits.yields {
                self.tell(HazardKind::Endless, Strength::Clear, span, NOTE);
            }
            return None;
        };
        if self.never_changes(test, &exits) {
            self.tell(HazardKind::Endless, Strength::Clear, span, NOTE);
            return None;
        }
        if !exits.ends() && self.waits_for_the_clock(test) {
            self.tell(HazardKind::Endless, Strength::Probing, span, "this loop does nothing but watch the clock");
        }
        let times = self.times(statement, test)?;
        let around: f64 = self.loops.iter().flatten().product();
        if ENDLESS <= times && !exits.ends() && !exits.yields {
            self.tell(HazardKind::Endless, Strength::Clear, span, NOTE);
        } else if 10.0 * ENDLESS <= times * around && !exits.ends() && !exits.yields {
            self.tell(HazardKind::Endless, Strength::Clear, span, "the loops around each other take far too long");
        }
        Some(times)
    }

    /// A `for … of` that feeds itself, or takes all that an endless generator yields.
    pub fn for_of_loop(&mut self, statement: &'a ForOfStatement<'a>) {
        if DEPTH < self.loops.len() {
            return;
        }
        let is_fed = self.feeds(&statement.right, &statement.body);
        if (is_fed || self.is_endless_generator(&statement.right)) && !Exits::of(self.bindings, &statement.body).ends() {
            self.tell(HazardKind::Endless, Strength::Clear, head(span_of(statement)), NOTE);
        }
    }

    /// A call of a generator that never ends, all of which is taken at once.
    pub fn taken_whole(&mut self, generator: &'a Expression<'a>, span: Span) {
        if self.is_endless_generator(generator) {
            self.tell(HazardKind::Endless, Strength::Clear, span, "all that an endless generator yields is taken at once");
        }
    }

    /// Returns true if and only if a generator that is called never ends.
    pub fn is_endless_generator(&self, expression: &'a Expression<'a>) -> bool {
        let Some(Expression::CallExpression(call)) = self.folder.written_out(expression) else { return false };
        let Some(Written::Function(function)) = self.function(&call.callee) else { return false };
        let is_endless = |statement: &'a Statement<'a>| match statement {
            Statement::WhileStatement(statement) => {
                let exits = Exits::of(self.bindings, &statement.body);
                self.always(&statement.test) && !exits.breaks && !exits.leaves
            }
            Statement::ForStatement(statement) => {
                let exits = Exits::of(self.bindings, &statement.body);
                statement.test.as_ref().is_none_or(|test| self.always(test)) && !exits.breaks && !exits.leaves
            }
            _ => false,
        };
        function.generator && self.folder.spend(span_of(function)) && Written::Function(function).statements().iter().any(is_endless)
    }

    /// Returns true if and only if a condition holds whatever happens.
    pub fn always(&self, test: &'a Expression<'a>) -> bool {
        match test.get_inner_expression() {
            Expression::ArrayExpression(_) | Expression::ObjectExpression(_) | Expression::NewExpression(_) => true,
            Expression::CallExpression(call) => {
                let member = call.callee.get_inner_expression().as_member_expression();
                member.is_some_and(|member| member.static_property_name() == Some("push")) && !call.arguments.is_empty()
            }
            // `while (slot)` of a date that each turn puts in the place of the one before.
            Expression::Identifier(name) if self.is_always_made(name) => true,
            test => self.folder.fold(test).is_some_and(|value| value.is_truthy()),
        }
    }

    /// Returns true if and only if a variable is given nothing but what is made new.
    fn is_always_made(&self, name: &oxc_ast::ast::IdentifierReference<'a>) -> bool {
        let Some(symbol) = self.bindings.symbol(name) else { return false };
        let is_new = |given: Given<'a>| matches!(given, Given::Expression(value) if matches!(value.get_inner_expression(), Expression::NewExpression(_)));
        let mut given = self.bindings.given(symbol).peekable();
        given.peek().is_some() && given.all(is_new)
    }

    /// Returns true if and only if a condition is made of names that the loop never changes, and of nothing else.
    fn never_changes(&self, test: &'a Expression<'a>, body: &Exits<'_, 'a, '_>) -> bool {
        let mut names = Exits::new(self.bindings);
        names.visit_expression(test);
        let is_plain = !names.calls && !names.uses_others && !names.waits && names.changed.is_empty() && !names.used.is_empty();
        let is_false = || self.folder.fold(test).is_some_and(|value| !value.is_truthy());
        is_plain && !body.ends() && !body.yields && !body.calls && names.used.is_disjoint(&body.changed) && !is_false()
    }

    /// `while (Date.now() < end) {}`.
    fn waits_for_the_clock(&self, test: &'a Expression<'a>) -> bool {
        let Expression::BinaryExpression(binary) = test.get_inner_expression() else { return false };
        [&binary.left, &binary.right].into_iter().any(|side| self.asks_the_clock(side, 8))
    }

    fn asks_the_clock(&self, expression: &Expression<'a>, depth: u32) -> bool {
        match expression.get_inner_expression() {
            Expression::CallExpression(call) => call.callee.as_member_expression().is_some_and(|member| {
                matches!(self.global(member.object()), Some("Date" | "performance")) && member.static_property_name() == Some("now")
            }),
            Expression::BinaryExpression(binary) if 0 < depth => {
                self.asks_the_clock(&binary.left, depth - 1) || self.asks_the_clock(&binary.right, depth - 1)
            }
            _ => false,
        }
    }

    /// How often a loop runs that counts to a known number.
    fn times(&self, statement: &'a ForStatement<'a>, test: &'a Expression<'a>) -> Option<f64> {
        let counting = self.counting(statement.update.as_ref()?)?;
        let Some(ForStatementInit::VariableDeclaration(declaration)) = &statement.init else { return None };
        let start = declaration.declarations.iter().find_map(|declarator| match &declarator.id {
            BindingPattern::BindingIdentifier(name) if name.symbol_id.get() == Some(counting.symbol) => declarator.init.as_ref(),
            _ => None,
        })?;
        let start = self.folder.fold(start)?.to_number();
        let Expression::BinaryExpression(test) = test.get_inner_expression() else { return None };
        let is_counter =
            |side: &Expression<'a>| matches!(side, Expression::Identifier(name) if self.bindings.symbol(name) == Some(counting.symbol));
        let (bound, operator) = if is_counter(&test.left) {
            (&test.right, test.operator)
        } else if is_counter(&test.right) {
            (&test.left, mirrored(test.operator))
        } else {
            return None;
        };
        let bound = self.folder.fold(bound)?.to_number();
        let way = match operator {
            BinaryOperator::LessThan | BinaryOperator::LessEqualThan => bound - start,
            BinaryOperator::GreaterThan | BinaryOperator::GreaterEqualThan => start - bound,
            _ => return None,
        };
        let step = match operator {
            BinaryOperator::LessThan | BinaryOperator::LessEqualThan => counting.step,
            _ => -counting.step,
        };
        if way < 0.0 {
            return Some(0.0);
        }
        Some(if step <= 0.0 { f64::INFINITY } else { way / step })
    }

    fn counting(&self, update: &'a Expression<'a>) -> Option<Counting> {
        match update.get_inner_expression() {
            Expression::UpdateExpression(update) => {
                let SimpleAssignmentTarget::AssignmentTargetIdentifier(name) = &update.argument else { return None };
                let step = match update.operator {
                    UpdateOperator::Increment => 1.0,
                    UpdateOperator::Decrement => -1.0,
                };
                Some(Counting { symbol: self.bindings.symbol(name)?, step })
            }
            Expression::AssignmentExpression(assignment) => {
                let AssignmentTarget::AssignmentTargetIdentifier(name) = &assignment.left else { return None };
                let step = self.folder.fold(&assignment.right)?.to_number();
                let step = match assignment.operator {
                    AssignmentOperator::Addition => step,
                    AssignmentOperator::Subtraction => -step,
                    _ => return None,
                };
                Some(Counting { symbol: self.bindings.symbol(name)?, step })
            }
            _ => None,
        }
    }

    /// Returns true if and only if a loop works a queue off and puts back in each turn what it takes out: `while (queue.length)`.
    pub fn feeds_itself(&self, test: &'a Expression<'a>, body: &'a Statement<'a>) -> bool {
        let length = match test.get_inner_expression() {
            Expression::BinaryExpression(binary)
                if matches!(
                    binary.operator,
                    BinaryOperator::GreaterThan | BinaryOperator::StrictInequality | BinaryOperator::Inequality
                ) && matches!(binary.right.get_inner_expression(), Expression::NumericLiteral(none) if none.value == 0.0) =>
            {
                binary.left.get_inner_expression()
            }
            length => length,
        };
        let Some(member) = length.as_member_expression().filter(|member| member.static_property_name() == Some("length")) else {
            return false;
        };
        if !self.feeds(member.object(), body) {
            return false;
        }
        let exits = Exits::of(self.bindings, body);
        let Expression::Identifier(queue) = member.object().get_inner_expression() else { return false };
        let mut taken = Taken { walker: self, queue: self.bindings.symbol(queue), times: 0 };
        taken.visit_statement(body);
        taken.times <= 1 && !exits.breaks && !exits.leaves
    }

    /// Returns true if and only if each turn adds an element to what the loop goes over.
    fn feeds(&self, over: &'a Expression<'a>, body: &'a Statement<'a>) -> bool {
        let Expression::Identifier(over) = over.get_inner_expression() else { return false };
        let symbol = self.bindings.symbol(over);
        let statements = match body {
            Statement::BlockStatement(block) => block.body.as_slice(),
            statement => std::slice::from_ref(statement),
        };
        statements.iter().any(|statement| {
            let Statement::ExpressionStatement(statement) = statement else { return false };
            let Expression::CallExpression(call) = statement.expression.get_inner_expression() else { return false };
            let Some(member) = call.callee.get_inner_expression().as_member_expression() else { return false };
            let is_same =
                matches!(member.object(), Expression::Identifier(name) if name.name == over.name && self.bindings.symbol(name) == symbol);
            let adds = !call.arguments.is_empty() && call.arguments.iter().all(|argument| argument.is_expression());
            is_same && adds && member.static_property_name() == Some("push")
        })
    }
}

/// How often something is taken out of a list, as it is written.
struct Taken<'w, 'b, 'a, 's> {
    walker: &'w Walker<'b, 'a, 's>,
    queue: Option<SymbolId>,
    times: u32,
}

impl<'a> VisitJs<'a> for Taken<'_, '_, 'a, '_> {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        if let Some(member) = call.callee.get_inner_expression().as_member_expression()
            && let Expression::Identifier(name) = member.object().get_inner_expression()
            && self.walker.bindings.symbol(name) == self.queue
        {
            // What takes out several, or all at once, may empty it.
            self.times += match member.static_property_name() {
                Some("shift" | "pop") => 1,
                Some("push" | "unshift") => 0,
                _ => 2,
            };
        }
        walk_js::walk_call_expression(self, call);
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        if let AssignmentTarget::AssignmentTargetIdentifier(name) = &assignment.left
            && self.walker.bindings.symbol(name) == self.queue
        {
            self.times += 2;
        }
        walk_js::walk_assignment_expression(self, assignment);
    }
}

fn mirrored(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::LessThan => BinaryOperator::GreaterThan,
        BinaryOperator::LessEqualThan => BinaryOperator::GreaterEqualThan,
        BinaryOperator::GreaterThan => BinaryOperator::LessThan,
        BinaryOperator::GreaterEqualThan => BinaryOperator::LessEqualThan,
        operator => operator,
    }
}

/// The word that opens a loop.
fn head(span: Span) -> Span {
    Span::new(span.start, span.end.min(span.start + 5))
}
