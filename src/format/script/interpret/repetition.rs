//! Loops: unrolled while that is cheap, else to a fixpoint.

use crate::format::script::interpret::heap::Left;
use crate::format::script::interpret::statement::Ends;
use crate::format::script::interpret::taint::Taint;
use crate::format::script::interpret::value::Val;
use crate::format::script::interpret::{Interpreter, Loop};
use crate::subject::call::Repeat;
use oxc_ast::ast::{Expression, ForStatementLeft, Statement};

/// How often a loop is run whose condition is known each time.
const UNROLLED: u32 = 400;
/// How often a loop is run until nothing changes any more.
const ROUNDS: u32 = 5;
/// The same once functions are followed for all their calls at once.
const THRIFTY_ROUNDS: u32 = 3;
/// The same within another loop, which runs it again, and from when on constants are given up there.
const INNER_ROUNDS: (u32, u32) = (3, 2);
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
        let turns = self.turns(if is_endless { None } else { test }, update, body);
        let over = self.walks(test, update, body);
        if let Some(innermost) = self.loops.last_mut() {
            innermost.over = over;
            innermost.repeat = turns.unwrap_or(if over.is_none() { Repeat::Open } else { Repeat::Each });
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
        // What was to end long before goes on: nothing moves what the condition asks.
        if rounds == UNROLLED
            && let Some(innermost) = self.loops.last_mut()
            && matches!(innermost.repeat, Repeat::Counted(turns) if turns < UNROLLED)
        {
            innermost.repeat = Repeat::Open;
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

    /// How often loops are run until nothing changes, and from when on constants are given up: less once
    /// functions are no longer followed call by call.
    fn rounds(&self) -> (u32, u32) {
        match self.inline_fuel < self.fuel {
            true if 1 < self.loops.len() => INNER_ROUNDS,
            true => (ROUNDS, WIDENING),
            false if self.only_looks() => (1, 0),
            false => (THRIFTY_ROUNDS, 1),
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
            None => elements.count.or_else(|| self.cut(right)).map_or(Repeat::Each, Repeat::Counted),
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
