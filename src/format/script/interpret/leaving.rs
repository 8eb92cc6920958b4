//! Functions, loops and their rounds that are left early.

use oxc_ast::ast::ChainElement;

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::heap::{Left, Stretch, Writes};
use crate::format::script::interpret::statement::Ends;
use crate::format::script::interpret::value::Val;

impl<'a> Interpreter<'a> {
    /// Runs something that can be left early; what is written behind the places where that happens may not be written.
    pub fn within<R>(&mut self, what: Left, run: impl FnOnce(&mut Self) -> R) -> R {
        let stretch = self.heap.begin_stretch();
        if let Some(frame) = self.frames.last_mut() {
            frame.stretches.push((what, stretch));
        }
        let result = run(self);
        if let Some(frame) = self.frames.last_mut() {
            frame.stretches.pop();
        }
        self.heap.end_stretch(stretch, &mut self.values);
        result
    }

    /// Notes that a branch leaves what is around it, with what it wrote. A function that throws goes on nowhere.
    pub fn note_leaving(&mut self, ends: Ends, returns: bool, writes: &Writes) {
        let Some(frame) = self.frames.last() else { return };
        let is_named = ends.breaks() && ends.continues();
        let mut left: Vec<Stretch> = Vec::new();
        if is_named {
            left.extend(frame.stretches.iter().filter(|(what, _)| *what != Left::Function).map(|(_, stretch)| *stretch));
        } else if ends.leaves_loop() {
            let kind = if ends.breaks() { Left::Loop } else { Left::Round };
            left.extend(frame.stretches.iter().rfind(|(what, _)| *what == kind).map(|(_, stretch)| *stretch));
        }
        if ends.leaves_function() && (returns || frame.is_async) {
            left.extend(frame.stretches.iter().find(|(what, _)| *what == Left::Function).map(|(_, stretch)| *stretch));
        }
        left.into_iter().for_each(|stretch| self.heap.depart(stretch, writes));
    }

    /// What a chain with question marks is: `undefined` too, where one of them may have ended it. What stands behind that is run then,
    /// or not.
    pub fn chain(&mut self, chain: &'a ChainElement<'a>) -> Val {
        let stretch = self.heap.begin_stretch();
        let around = (std::mem::take(&mut self.may_end), self.chained.replace(stretch));
        let value = match chain {
            ChainElement::CallExpression(call) => self.call(call),
            ChainElement::TSNonNullExpression(inner) => self.evaluate(&inner.expression),
            element => element.as_member_expression().map_or(Val::UNKNOWN, |member| self.member(member)),
        };
        let may_end = std::mem::replace(&mut self.may_end, around.0);
        self.chained = around.1;
        self.heap.end_stretch(stretch, &mut self.values);
        if may_end { self.values.join(value, Val::UNDEFINED) } else { value }
    }

    /// Notes that the chain that is evaluated is known to end here sometimes, or may do so for all that anybody knows.
    pub fn note_end(&mut self, may_end: bool, is_open: bool) {
        self.may_end |= may_end;
        if let Some(stretch) = self.chained.filter(|_| may_end || is_open) {
            self.heap.depart(stretch, &Vec::new());
        }
    }
}
