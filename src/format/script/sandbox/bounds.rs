//! Which loops and recursions nothing ends, and which a number ends: so that calls in them are told apart.

use std::collections::HashSet;

use oxc_ast::ast::{
    ArrowFunctionExpression, AssignmentExpression, AssignmentTarget, AwaitExpression, BinaryExpression, CallExpression,
    ConditionalExpression, DoWhileStatement, Expression, ForOfStatement, ForStatement, Function, IdentifierReference, IfStatement,
    LogicalExpression, MemberExpression, Program, SimpleAssignmentTarget, Statement, WhileStatement,
};
use oxc_ast_visit::{VisitJs, walk_js};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator, UpdateOperator};
use oxc_syntax::scope::ScopeFlags;
use oxc_syntax::symbol::SymbolId;

use crate::format::script::collect::Collected;
use crate::format::script::completion::only_throws;
use crate::format::script::fold::{Budget, Folder};
use crate::format::script::js::constant::Constant;
use crate::format::script::sandbox::exits::Exits;
use crate::format::script::sandbox::functions::{Declared, Written};
use crate::format::script::sandbox::surroundings::Surroundings;
use crate::format::script::sandbox::{
    Place, Walker, appended, approved, asked, commanded, emitted, entitled, excluded, guard, reaction, unchanged,
};
use crate::format::script::span::span_of;
use crate::knowledge::words::Tag;
use crate::subject::bounds::Bounds;
use crate::value::span::Span;
use crate::value::words::words;

/// Loops are judged up to this depth, so that nesting costs no square of time.
const DEPTH: u32 = 32;

/// From so many milliseconds on, a pause spares whoever is called behind it.
const REST: f64 = 1000.0;

/// A function that calls itself twice down to this depth runs a thousand times.
const DEEP: f64 = 10.0;

/// What bounds the loops and recursions of a script.
pub fn bounds<'a>(program: &Program<'a>, collected: &Collected<'a, '_>, budget: &Budget) -> Bounds {
    let declared = Declared::of(program);
    let walker = Walker {
        bindings: &collected.bindings,
        folder: Folder::new(&collected.bindings, budget),
        declared: &declared,
        appended: appended::appended(program, &collected.bindings),
        caught: HashSet::new(),
        place: Place::Top,
        is_invoked: false,
        is_method: false,
        loops: Vec::new(),
        guards: Vec::new(),
        settled: HashSet::new(),
        told: (0, 0),
        hazards: Vec::new(),
    };
    let mut search = Search {
        walker: &walker,
        program,
        bounds: Bounds::default(),
        called: Vec::new(),
        pauses: Vec::new(),
        awaited: Vec::new(),
        asked_for: Vec::new(),
        depth: 0,
        stops_timers: program.source_text.contains("clearInterval"),
    };
    search.visit_program(program);
    let (mut found, mut called, pauses, awaited) = (search.bounds, search.called, search.pauses, search.awaited);
    // Where nothing else goes on without end, nobody asks for a next turn without end.
    let is_asked_for = |span: &Span| search.asked_for.contains(span);
    if program.source_text.contains(".next(") && found.endless.iter().all(is_asked_for) {
        found.endless.clear();
        called.clear();
    }
    found.paced = found.endless.iter().copied().filter(|span| waits(program.source_text, *span)).collect();
    let around = Surroundings::of(program, &collected.bindings, &walker.folder, &declared);
    found.guarded = guard::guarded(program, &walker.folder, &around);
    found.entitled = entitled::entitled(program, &walker.folder, &around);
    found.asks_rights = !found.entitled.is_empty() || entitled::asks_rights(program);
    (found.excluded, found.asks_only_whether_there) = excluded::excluded(program);
    found.spreading = reaction::spreading(&collected.bindings, &declared);
    found.reacting = reaction::reactions(program, &collected.bindings, &declared);
    found.commanded = commanded::commanded(program, &around);
    found.approved = approved::approved(program, &walker.folder, &around);
    found.asked = asked::asked(program, &collected.bindings, &walker.folder, &around);
    walker.endless_recursion(&mut found);
    walker.exploding_recursion(&mut found);
    let holds = |outer: &Span, inner: &Span| outer.start <= inner.start && inner.end <= outer.end;
    let rests = |span: &Span| {
        let mut pauses = pauses.iter().filter(|(pause, _)| holds(span, pause));
        pauses.any(|(pause, then)| pause == span || then.contains(span) || awaited.iter().any(|own| holds(own, pause)))
    };
    found.resting = found.endless.iter().copied().filter(rests).collect();
    // What an endless loop calls runs without end too, and as often as the one that rests the least.
    let (rested, restless): (Vec<_>, Vec<_>) = called.into_iter().partition(|(_, caller)| rests(caller));
    let (waiting, ceaseless): (Vec<_>, Vec<_>) = restless.into_iter().partition(|(_, caller)| found.paced.contains(caller));
    let mut seen: HashSet<Span> = HashSet::new();
    for (group, is_rested, is_paced) in [(ceaseless, false, false), (waiting, false, true), (rested, true, true)] {
        let mut pending: Vec<Written<'_>> = group.into_iter().map(|(function, _)| function).collect();
        while let Some(function) = pending.pop() {
            if !seen.insert(function.span()) {
                continue;
            }
            found.endless.push(function.span());
            found.resting.extend((is_rested || rests(&function.span())).then(|| function.span()));
            found.paced.extend((is_paced || waits(program.source_text, function.span())).then(|| function.span()));
            let mut names = Names { walker: &walker, called: Vec::new() };
            names.function(function);
            pending.extend(names.called);
        }
    }
    // What listens to an event that is emitted without end runs so, too.
    for (function, place) in emitted::listening(program, &found.endless) {
        let is_so = |spans: &[Span]| spans.contains(&place);
        found.resting.extend(is_so(&found.resting).then_some(function));
        found.paced.extend(is_so(&found.paced).then_some(function));
        found.endless.push(function);
    }
    found
}

/// Returns true if and only if something in a place is named as what waits.
fn waits(text: &str, place: Span) -> bool {
    let text = text.get(place.start as usize..place.end as usize).unwrap_or_default();
    let mut names = text.split(|character: char| !character.is_alphanumeric() && character != '_' && character != '$');
    names.any(|name| matches!(name, "setTimeout" | "setInterval") || Tag::Waiting.has_any(words(name)))
}

struct Search<'w, 'v, 'a, 's> {
    walker: &'w Walker<'v, 'a, 's>,
    program: &'w Program<'a>,
    bounds: Bounds,
    /// Functions that are called in endless loops, and which loop that is.
    called: Vec<(Written<'a>, Span)>,
    /// Calls that wait a while that is not known to be short, and the functions that they call behind it.
    pauses: Vec<(Span, Vec<Span>)>,
    /// What is waited for.
    awaited: Vec<Span>,
    /// Loops of generators: each turn is made when somebody asks for it.
    asked_for: Vec<Span>,
    depth: u32,
    /// The script stops a timer somewhere.
    stops_timers: bool,
}

impl<'a> Search<'_, '_, 'a, '_> {
    fn repeated(&mut self, test: Option<&'a Expression<'a>>, body: &'a Statement<'a>, update: Option<&'a Expression<'a>>, span: Span) {
        let exits = Exits::of(self.walker.bindings, body);
        let is_filled = |test: &'a Expression<'a>| {
            let mut asked = Exits::new(self.walker.bindings);
            asked.visit_expression(test);
            exits.fills(&asked)
        };
        let runs_away = || test.zip(update).is_some_and(|(test, update)| self.walker.runs_away(test, update));
        let is_open = test.is_none_or(|test| self.walker.always(test) && !is_filled(test)) || runs_away();
        let leaves = exits.breaks || exits.leaves;
        let never_changes = || {
            let mut names = Exits::new(self.walker.bindings);
            test.into_iter().for_each(|test| names.visit_expression(test));
            let mut changed = exits.changed.clone();
            if let Some(update) = update {
                let mut own = Exits::new(self.walker.bindings);
                own.visit_expression(update);
                changed.extend(own.changed);
            }
            !names.calls && !names.uses_others && names.changed.is_empty() && !names.used.is_empty() && names.used.is_disjoint(&changed)
        };
        let is_kept = || !exits.calls || test.is_some_and(|test| self.walker.folder.fold(test).is_some());
        let counter = update.and_then(|update| self.walker.counted_up(update));
        let counts = test.is_some_and(|test| self.walker.ends_by_count(test)) || self.walker.leaves_by_count(body, counter);
        let looped = oxc_span::Span::new(span.start, span.end);
        let is_unchanged = || test.is_some_and(|test| unchanged::is_unchanged(self.program, self.walker.bindings, test, looped));
        if !leaves && (is_open || never_changes() && is_kept() || is_unchanged()) {
            if exits.yields {
                self.asked_for.push(span);
            }
            self.endless(body, span);
        } else if counts {
            self.bounds.counted.push(span);
        } else if !leaves && test.is_some_and(|test| self.walker.hopes(test, body)) && !waits(self.program.source_text, span) {
            self.bounds.hoping.push(span);
        }
    }

    fn endless(&mut self, body: &'a Statement<'a>, span: Span) {
        self.bounds.endless.push(span);
        let mut names = Names { walker: self.walker, called: Vec::new() };
        names.visit_statement(body);
        self.called.extend(names.called.into_iter().map(|function| (function, span)));
    }

    /// Returns true if and only if a call waits, and not for a short time that is known.
    fn is_pause(&self, call: &'a CallExpression<'a>) -> bool {
        let name = match call.callee.get_inner_expression() {
            Expression::Identifier(name) => Some(name.name.as_str()),
            callee => callee.as_member_expression().and_then(MemberExpression::static_property_name),
        };
        let waits = name.is_some_and(|name| matches!(name, "setTimeout" | "setInterval") || Tag::Waiting.has_any(words(name)));
        let times = call.arguments.iter().filter_map(|argument| argument.as_expression());
        let longest = times.filter_map(|time| self.walker.folder.fold(time)).map(|time| time.to_number()).reduce(f64::max);
        // A timer without a time waits for nothing; one whose time is worked out waits as somebody says.
        let is_timed = !matches!(name, Some("setTimeout" | "setInterval")) || 1 < call.arguments.len() || longest.is_some();
        waits && is_timed && !call.arguments.is_empty() && longest.is_none_or(|time| REST <= time)
    }

    fn inside(&mut self, visit: impl FnOnce(&mut Self)) {
        if DEPTH <= self.depth {
            return;
        }
        self.depth += 1;
        visit(self);
        self.depth -= 1;
    }
}

impl<'a> VisitJs<'a> for Search<'_, '_, 'a, '_> {
    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        let own: &'a WhileStatement<'a> = self.alloc(it);
        if self.walker.feeds_itself(&own.test, &own.body) {
            self.endless(&own.body, span_of(own));
        }
        self.repeated(Some(&own.test), &own.body, None, span_of(own));
        self.inside(|search| walk_js::walk_while_statement(search, own));
    }

    fn visit_do_while_statement(&mut self, it: &DoWhileStatement<'a>) {
        let own: &'a DoWhileStatement<'a> = self.alloc(it);
        self.repeated(Some(&own.test), &own.body, None, span_of(own));
        self.inside(|search| walk_js::walk_do_while_statement(search, own));
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        let own: &'a ForStatement<'a> = self.alloc(it);
        self.repeated(own.test.as_ref(), &own.body, own.update.as_ref(), span_of(own));
        self.inside(|search| walk_js::walk_for_statement(search, own));
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        let own: &'a ForOfStatement<'a> = self.alloc(it);
        let exits = Exits::of(self.walker.bindings, &own.body);
        if self.walker.is_endless_generator(&own.right) && !exits.breaks && !exits.leaves {
            self.endless(&own.body, span_of(own));
        }
        self.inside(|search| walk_js::walk_for_of_statement(search, own));
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let own: &'a CallExpression<'a> = self.alloc(it);
        let is_interval = matches!(self.walker.global(&own.callee), Some("setInterval"));
        if is_interval && !self.stops_timers {
            self.bounds.endless.push(span_of(own));
            let mut names = Names { walker: self.walker, called: Vec::new() };
            own.arguments.iter().for_each(|argument| names.visit_argument(argument));
            self.called.extend(names.called.into_iter().map(|function| (function, span_of(own))));
        }
        if self.is_pause(own) {
            let mut names = Names { walker: self.walker, called: Vec::new() };
            own.arguments.iter().for_each(|argument| names.visit_argument(argument));
            self.pauses.push((span_of(own), names.called.into_iter().map(Written::span).collect()));
        }
        walk_js::walk_call_expression(self, own);
    }

    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        self.awaited.push(span_of(it));
        walk_js::walk_await_expression(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let own: &'a Function<'a> = self.alloc(it);
        self.bounds.counted.extend(self.walker.is_counted(Written::Function(own)).then(|| span_of(own)));
        self.inside(|search| walk_js::walk_function(search, own, flags));
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        let own: &'a ArrowFunctionExpression<'a> = self.alloc(it);
        self.bounds.counted.extend(self.walker.is_counted(Written::Arrow(own)).then(|| span_of(own)));
        self.inside(|search| walk_js::walk_arrow_function_expression(search, own));
    }
}

/// Whether what a condition asks for is set to what is not written out.
struct Learnt<'w, 'v, 'a, 's> {
    walker: &'w Walker<'v, 'a, 's>,
    asked: &'w HashSet<SymbolId>,
    is_learnt: bool,
}

impl<'a> VisitJs<'a> for Learnt<'_, '_, 'a, '_> {
    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        let own: &'a AssignmentExpression<'a> = self.alloc(it);
        if let AssignmentTarget::AssignmentTargetIdentifier(name) = &own.left {
            let is_asked = self.walker.bindings.symbol(name).is_some_and(|symbol| self.asked.contains(&symbol));
            self.is_learnt |= is_asked && self.walker.folder.fold(&own.right).is_none();
        }
        walk_js::walk_assignment_expression(self, own);
    }
}

impl<'a> Walker<'_, 'a, '_> {
    /// Adds the functions that call themselves more than once, as deep as a number says that is not small.
    fn exploding_recursion(&self, found: &mut Bounds) {
        for function in self.declared.functions.values() {
            let mut names = Names { walker: self, called: Vec::new() };
            names.function(*function);
            let calls = names.called.iter().filter(|called| called.span() == function.span()).count();
            let mut tests = Tests { walker: self, deepest: 0.0, is_counted: false };
            tests.function(*function);
            if 1 < calls && DEEP <= tests.deepest {
                found.exploding.push(function.span());
            }
        }
        found.exploding.sort_unstable_by_key(|span| (span.start, span.end));
    }

    /// Returns true if and only if a loop goes on until something is in a state that its body learns of: `while (state !== 'read')`.
    fn hopes(&self, test: &'a Expression<'a>, body: &'a Statement<'a>) -> bool {
        let mut asked = Exits::new(self.bindings);
        asked.visit_expression(test);
        let mut learnt = Learnt { walker: self, asked: &asked.used, is_learnt: false };
        learnt.visit_statement(body);
        learnt.is_learnt && self.asks_for_state(test)
    }

    fn asks_for_state(&self, test: &'a Expression<'a>) -> bool {
        let is_text = |side: &'a Expression<'a>| matches!(self.folder.fold(side), Some(Constant::String(_)));
        match test.get_inner_expression() {
            Expression::LogicalExpression(both) => self.asks_for_state(&both.left) || self.asks_for_state(&both.right),
            Expression::BinaryExpression(binary) => binary.operator.is_equality() && (is_text(&binary.left) != is_text(&binary.right)),
            Expression::UnaryExpression(not) => not.operator == UnaryOperator::LogicalNot,
            _ => false,
        }
    }

    /// The number with which a condition compares; 0 where there is none.
    fn compared(&self, test: &'a Expression<'a>) -> f64 {
        match test.get_inner_expression() {
            Expression::LogicalExpression(both) => self.compared(&both.left).max(self.compared(&both.right)),
            Expression::BinaryExpression(binary) if self.compares_with_number(binary) => {
                let number =
                    |side: &'a Expression<'a>| self.folder.fold(side).map(|value| value.to_number()).filter(|number| number.is_finite());
                number(&binary.left).or_else(|| number(&binary.right)).unwrap_or_default()
            }
            _ => 0.0,
        }
    }

    /// Returns true if and only if a condition compares with a number that is known.
    fn counts(&self, test: &'a Expression<'a>) -> bool {
        match test.get_inner_expression() {
            Expression::LogicalExpression(both) => self.counts(&both.left) || self.counts(&both.right),
            Expression::BinaryExpression(binary) => self.compares_with_number(binary),
            _ => false,
        }
    }

    /// Returns true if and only if a loop ends once something reaches a number, as its condition says.
    fn ends_by_count(&self, test: &'a Expression<'a>) -> bool {
        match test.get_inner_expression() {
            Expression::LogicalExpression(both) => {
                let (left, right) = (self.ends_by_count(&both.left), self.ends_by_count(&both.right));
                if both.operator == LogicalOperator::And { left || right } else { left && right }
            }
            test => self.counts(test),
        }
    }

    /// Returns true if and only if a loop counts away from the number at which it would end: `for (let i = 9; i > 0; i++)`.
    fn runs_away(&self, test: &'a Expression<'a>, update: &'a Expression<'a>) -> bool {
        let (Expression::BinaryExpression(binary), Expression::UpdateExpression(step)) =
            (test.get_inner_expression(), update.get_inner_expression())
        else {
            return false;
        };
        let is_counter = |side: &'a Expression<'a>| matches!(side.get_inner_expression(), Expression::Identifier(name) if self.bindings.symbol(name) == self.counted_up(update));
        let goes_on_above = match binary.operator {
            BinaryOperator::GreaterThan | BinaryOperator::GreaterEqualThan if is_counter(&binary.left) => true,
            BinaryOperator::LessThan | BinaryOperator::LessEqualThan if is_counter(&binary.right) => true,
            BinaryOperator::LessThan | BinaryOperator::LessEqualThan if is_counter(&binary.left) => false,
            BinaryOperator::GreaterThan | BinaryOperator::GreaterEqualThan if is_counter(&binary.right) => false,
            _ => return false,
        };
        self.compares_with_number(binary) && goes_on_above == (step.operator == UpdateOperator::Increment)
    }

    fn compares_with_number(&self, binary: &'a BinaryExpression<'a>) -> bool {
        let is_number = |side: &'a Expression<'a>| self.folder.fold(side).is_some_and(|value| value.to_number().is_finite());
        binary.operator.is_compare() && (is_number(&binary.left) != is_number(&binary.right))
    }

    /// The variable that an update counts up or down: `turn++`.
    fn counted_up(&self, update: &'a Expression<'a>) -> Option<SymbolId> {
        match update.get_inner_expression() {
            Expression::UpdateExpression(update) => match &update.argument {
                SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => self.bindings.symbol(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns true if and only if a condition compares how often a loop ran with something.
    fn compares_counter(&self, test: &'a Expression<'a>, counter: SymbolId) -> bool {
        let is_counter = |side: &'a Expression<'a>| matches!(side.get_inner_expression(), Expression::Identifier(name) if self.bindings.symbol(name) == Some(counter));
        match test.get_inner_expression() {
            Expression::LogicalExpression(both) => {
                let (left, right) = (self.compares_counter(&both.left, counter), self.compares_counter(&both.right, counter));
                if both.operator == LogicalOperator::Or { left || right } else { left && right }
            }
            Expression::BinaryExpression(binary) => binary.operator.is_compare() && is_counter(&binary.left) != is_counter(&binary.right),
            _ => false,
        }
    }

    /// Returns true if and only if a body is left when something reaches a number, or when it ran so often.
    fn leaves_by_count(&self, body: &'a Statement<'a>, counter: Option<SymbolId>) -> bool {
        let statements = match body {
            Statement::BlockStatement(block) => block.body.as_slice(),
            statement => std::slice::from_ref(statement),
        };
        statements.iter().any(|statement| match statement {
            Statement::IfStatement(choice) => {
                let exits = Exits::of(self.bindings, &choice.consequent);
                let counts = || self.counts(&choice.test) || counter.is_some_and(|counter| self.compares_counter(&choice.test, counter));
                (exits.breaks || exits.leaves) && counts()
            }
            Statement::TryStatement(attempt) => {
                let caught = attempt.handler.iter().flat_map(|handler| &handler.body.body);
                let is_caught = attempt.handler.is_some();
                let tried = attempt.block.body.iter().filter(|inner| !is_caught || !only_throws(inner));
                tried.chain(caught).any(|inner| self.leaves_by_count(inner, counter))
            }
            _ => false,
        })
    }

    /// Returns true if and only if a number decides what a function does.
    fn is_counted(&self, function: Written<'a>) -> bool {
        let mut tests = Tests { walker: self, deepest: 0.0, is_counted: false };
        tests.function(function);
        tests.is_counted
    }
}

/// Finds the conditions of a function, outside of those in it.
struct Tests<'w, 'v, 'a, 's> {
    walker: &'w Walker<'v, 'a, 's>,
    /// The greatest number with which one compares.
    deepest: f64,
    is_counted: bool,
}

impl<'a> Tests<'_, '_, 'a, '_> {
    fn function(&mut self, function: Written<'a>) {
        match function.expression() {
            Some(expression) => self.visit_expression(expression),
            None => function.statements().iter().for_each(|statement| self.visit_statement(statement)),
        }
    }
}

impl<'a> VisitJs<'a> for Tests<'_, '_, 'a, '_> {
    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        let own: &'a IfStatement<'a> = self.alloc(it);
        self.is_counted |= self.walker.counts(&own.test);
        self.deepest = self.deepest.max(self.walker.compared(&own.test));
        walk_js::walk_if_statement(self, own);
    }

    fn visit_conditional_expression(&mut self, it: &ConditionalExpression<'a>) {
        let own: &'a ConditionalExpression<'a> = self.alloc(it);
        self.is_counted |= self.walker.counts(&own.test);
        self.deepest = self.deepest.max(self.walker.compared(&own.test));
        walk_js::walk_conditional_expression(self, own);
    }

    fn visit_logical_expression(&mut self, it: &LogicalExpression<'a>) {
        let own: &'a LogicalExpression<'a> = self.alloc(it);
        self.is_counted |= self.walker.counts(&own.left);
        self.deepest = self.deepest.max(self.walker.compared(&own.left));
        walk_js::walk_logical_expression(self, own);
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}
}

/// The functions that a piece of code names.
struct Names<'w, 'v, 'a, 's> {
    walker: &'w Walker<'v, 'a, 's>,
    called: Vec<Written<'a>>,
}

impl<'a> Names<'_, '_, 'a, '_> {
    fn function(&mut self, function: Written<'a>) {
        match function.expression() {
            Some(expression) => self.visit_expression(expression),
            None => function.statements().iter().for_each(|statement| self.visit_statement(statement)),
        }
    }
}

impl<'a> VisitJs<'a> for Names<'_, '_, 'a, '_> {
    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.called.extend(self.walker.bindings.symbol(it).and_then(|symbol| self.walker.declared.functions.get(&symbol)));
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let name = it.callee.get_inner_expression().as_member_expression().and_then(MemberExpression::static_property_name);
        self.called.extend(name.and_then(|name| self.walker.declared.method(name)));
        walk_js::walk_call_expression(self, it);
    }
}
