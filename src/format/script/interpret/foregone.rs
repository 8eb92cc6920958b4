//! Questions of which one knows the answer before they are asked: whether a file was changed before now, whether a text holds the empty
//! text.
//!
//! Who chooses among what is listed by such a question takes all of it.

use std::rc::Rc;

use oxc_syntax::operator::BinaryOperator;

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::steps::StepId;
use crate::format::script::interpret::taint::Taint;
use crate::format::script::interpret::value::{Atom, Time, Val};
use crate::format::script::js::constant::Constant;
use crate::knowledge::command::list;
use crate::subject::flow::Strength;
use crate::subject::segment::HOLE;
use crate::value::words::words;

/// Methods and functions that give a time back in another form.
const FORMS: &[&str] =
    &["getTime", "valueOf", "toISOString", "toJSON", "toString", "toUTCString", "Number", "String", "Date", "Date.parse"];

/// Functions that give back a number near the one they get, never one below zero of one that is not.
const ROUNDED: &[&str] = &["Math.floor", "Math.ceil", "Math.round", "Math.trunc", "Math.abs"];

/// More than any number of milliseconds or bytes, and any record's number, is in use.
const BEYOND: f64 = 1e15;

/// No date that is in use is later.
const LAST_YEAR: u32 = 2199;

/// Patterns that are found in every text.
const EVERYWHERE: &[&str] = &["", "(?:)", "^", "$", ".*", "^.*", ".*$", "^.*$", ".*?", ".?", "[\\s\\S]*", "^[\\s\\S]*$"];

impl Interpreter<'_> {
    /// Returns true if and only if a method asks what is so of every text.
    pub fn is_always_so(&self, object: Val, name: &str, arguments: &Arguments) -> bool {
        match name {
            "includes" | "startsWith" | "endsWith" => {
                self.values.shape(object.id).atoms.is_empty() && self.values.text(arguments.get(0).id).is_some_and(|text| text.is_empty())
            }
            "test" => self.regex_source(object).is_some_and(|source| EVERYWHERE.contains(&&*source)),
            _ => false,
        }
    }

    /// The answer to a question about how a text begins or ends, or what stands in it, of which that much is known: whether
    /// `/users/…` starts with `http`.
    pub fn told_by_part(&self, object: Val, name: &str, arguments: &Arguments) -> Option<bool> {
        let (text, asked) = match name {
            "startsWith" | "endsWith" | "includes" if arguments.known.len() == 1 => (object, self.values.text(arguments.get(0).id)?),
            "test" => (arguments.get(0), Rc::from(begins_with(&self.regex_source(object)?)?)),
            _ => return None,
        };
        let shape = self.values.shape(text.id);
        let [Atom::Partial(part)] = *shape.atoms else { return None };
        let part = self.values.texts.get(part);
        let is_closed = !shape.is_open && !asked.is_empty() && !asked.contains(HOLE);
        let known = if name == "endsWith" { part.rsplit(HOLE).next() } else { part.split(HOLE).next() }.filter(|_| is_closed)?;
        match name {
            "includes" => part.split(HOLE).any(|piece| piece.contains(&*asked)).then_some(true),
            "endsWith" if asked.len() <= known.len() => Some(known.ends_with(&*asked)),
            "endsWith" => (!asked.ends_with(known)).then_some(false),
            "test" if known.starts_with(&*asked) => None,
            _ if asked.len() <= known.len() => Some(known.starts_with(&*asked)),
            _ => (!asked.starts_with(known)).then_some(false),
        }
    }

    /// A time in another form, if a value is one and a function or method gives it back so.
    pub fn time_as(&mut self, value: Val, function: &str) -> Option<Val> {
        let time = self.values.time_of(value.id)?;
        let is_form = FORMS.contains(&function) || time == Time::Age && ROUNDED.contains(&function);
        is_form.then_some(value)
    }

    /// What is made of times by reckoning, if that is a time that is known again.
    pub fn time_reckoned(&mut self, operator: BinaryOperator, left: Val, right: Val) -> Option<Time> {
        let number = |interpreter: &Self, value: Val| interpreter.values.known(value.id).map(|constant| constant.to_number());
        match (self.values.time_of(left.id), self.values.time_of(right.id)) {
            (Some(Time::Now), None) => match operator {
                BinaryOperator::Subtraction if number(self, right).is_some_and(|number| number <= 0.0) => Some(Time::Now),
                BinaryOperator::Addition if number(self, right).is_some_and(|number| 0.0 <= number) => Some(Time::Now),
                BinaryOperator::Subtraction if self.tells_the_past(right) => Some(Time::Age),
                _ => None,
            },
            (Some(Time::Age), None) => {
                let is_kept = matches!(operator, BinaryOperator::Division | BinaryOperator::Multiplication | BinaryOperator::Addition);
                (is_kept && number(self, right).is_some_and(|number| 0.0 < number)).then_some(Time::Age)
            }
            _ => None,
        }
    }

    /// The outcome of a comparison, where it is the same whatever was read.
    pub fn time_compared(&mut self, operator: BinaryOperator, left: Val, right: Val) -> Option<bool> {
        let (is_later, is_earlier) = match operator {
            BinaryOperator::GreaterThan | BinaryOperator::GreaterEqualThan => (true, false),
            BinaryOperator::LessThan | BinaryOperator::LessEqualThan => (false, true),
            _ => return None,
        };
        if self.is_never_before(left, right)
            || self.is_beyond(left, right, false)
            || self.is_beyond(right, left, true)
            || matches!(operator, BinaryOperator::GreaterEqualThan | BinaryOperator::LessThan) && self.is_never_below(left, right)
        {
            return Some(is_later);
        }
        let is_below = matches!(operator, BinaryOperator::LessEqualThan | BinaryOperator::GreaterThan) && self.is_never_below(right, left);
        let is_beyond = self.is_beyond(right, left, false) || self.is_beyond(left, right, true);
        (is_below || is_beyond || self.is_never_before(right, left)).then_some(is_earlier)
    }

    /// Returns true if and only if a constant is more than all that a number, time or date can be which was read, or less, if that is asked.
    fn is_beyond(&self, constant: Val, read: Val, less: bool) -> bool {
        let is_read = self.values.shape(read.id).atoms.is_empty() && !self.values.taint(read.id).is_none();
        let bound = self.values.known(constant.id).filter(|_| is_read);
        bound.is_some_and(|bound| match &bound {
            Constant::Number(number) if less => *number <= -BEYOND,
            Constant::Number(number) => BEYOND <= *number,
            // `9999-12-31`
            Constant::String(text) if !less => {
                let year = text.split('-').next().filter(|year| year.len() == 4 && year.len() < text.len());
                year.and_then(|year| year.parse::<u32>().ok()).is_some_and(|year| LAST_YEAR < year)
            }
            _ => false,
        })
    }

    /// Returns true if and only if one value is never less than another, and nearly always more.
    fn is_never_before(&mut self, one: Val, other: Val) -> bool {
        let limit = self.values.known(other.id).map(|constant| constant.to_number());
        match self.values.time_of(one.id) {
            Some(Time::Now) => self.tells_the_past(other),
            Some(Time::Age) => limit.is_some_and(|limit| limit <= 0.0),
            None => limit.is_some_and(|limit| limit <= 0.0) && self.tells_the_past(one),
        }
    }

    /// Returns true if and only if one value is a size, which is never less than the other, a number.
    fn is_never_below(&mut self, size: Val, number: Val) -> bool {
        self.values.known(number.id).is_some_and(|number| number.to_number() <= 0.0) && self.tells_a_size(size)
    }

    /// Returns true if and only if a value is a time that something read tells, at which something happened to it: `file.modifiedAt`.
    fn tells_the_past(&mut self, value: Val) -> bool {
        self.tells_only(value, |word| list("past-words").contains(&word))
    }

    /// Returns true if and only if a value is a size or number of what is read, which is never below zero.
    fn tells_a_size(&mut self, value: Val) -> bool {
        self.tells_only(value, |word| list("size-words").contains(&word))
    }

    /// Returns true if and only if a value is not known, and all of its data are fields whose names hold such a word.
    fn tells_only(&mut self, value: Val, is_told: impl Fn(&str) -> bool) -> bool {
        if !self.values.shape(value.id).atoms.is_empty() && !self.is_date(value) {
            return false;
        }
        let (taint, _) = self.carried(value);
        let labels = self.values.taints.labels(taint);
        let is_told = |field: &str| words(field.rsplit('.').next().unwrap_or_default()).iter().any(|word| is_told(word));
        // Whether it was read at all, another answer decided: the next page.
        let mut told = labels.iter().filter(|label| Strength::Bit < label.strength).peekable();
        told.peek().is_some() && told.all(|label| is_told(self.values.texts.get(label.field)))
    }

    /// Returns true if and only if a value is a date that the script made: `new Date(file.changed)`.
    fn is_date(&self, value: Val) -> bool {
        let [Atom::Object(object)] = *self.values.shape(value.id).atoms else { return false };
        match self.heap.object(object).kind {
            ObjectKind::Instance { path, .. } => &**self.values.texts.get(path) == "Date()",
            _ => false,
        }
    }

    /// What a date that the script made gives back in another form.
    pub fn date_as(&mut self, value: Val, method: &str) -> Option<Val> {
        let is_form = FORMS.contains(&method) && self.is_date(value);
        is_form.then(|| {
            let (taint, via) = self.carried(value);
            self.values.opaque(taint, via)
        })
    }

    /// Now.
    pub fn now(&mut self) -> Val {
        self.values.time(Time::Now, Taint::NONE, StepId::NONE)
    }
}

/// The letters with which each text begins in which a pattern is found: `http` of `^https?://`.
fn begins_with(source: &str) -> Option<&str> {
    let rest = source.strip_prefix('^').filter(|_| !source.contains('|'))?;
    let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b':' | b'-' | b'_')).count();
    // What may be there or not, or many times, is not always there.
    let is_loose = rest.get(length..).is_some_and(|behind| behind.starts_with(['?', '*', '{']));
    rest.get(..length - usize::from(is_loose && 0 < length)).filter(|letters| !letters.is_empty())
}
