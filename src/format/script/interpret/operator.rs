//! Operators.

use oxc_ast::ast::{BinaryExpression, Expression};
use oxc_syntax::operator::BinaryOperator;

use crate::format::script::constant::Constant;
use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::taint::Change;
use crate::format::script::interpret::value::{Atom, Val};

/// The most pairs of constants that are computed for one operation.
const PAIRS: usize = 16;

impl<'a> Interpreter<'a> {
    /// A binary expression. The operands of long chains are evaluated without recursion.
    pub fn binary(&mut self, binary: &'a BinaryExpression<'a>) -> Val {
        let mut operations = vec![(binary.operator, &binary.right)];
        let mut first = binary.left.get_inner_expression();
        while let Expression::BinaryExpression(left) = first {
            operations.push((left.operator, &left.right));
            first = left.left.get_inner_expression();
        }
        let mut value = self.evaluate(first);
        if operations.len() == 1 || operations.iter().any(|(operator, _)| *operator != BinaryOperator::Addition) {
            for (operator, operand) in operations.into_iter().rev() {
                let operand = self.evaluate(operand);
                value = self.operate(operator, value, operand);
            }
            return value;
        }
        // A sum of many parts, mostly a text: its known prefix must not be copied for each of them.
        let mut parts = vec![value];
        for (_, operand) in operations.into_iter().rev() {
            parts.push(self.evaluate(operand));
        }
        let is_text = parts.iter().any(|part| matches!(&*self.values.shape(part.id).atoms, [Atom::Text(_) | Atom::Partial(_)]));
        let starts_with_text =
            parts.iter().take(2).any(|part| matches!(&*self.values.shape(part.id).atoms, [Atom::Text(_) | Atom::Partial(_)]));
        if is_text && starts_with_text && parts.iter().all(|part| self.values.shape(part.id).atoms.len() <= 1) {
            return self.concatenate(&parts);
        }
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or(Val::UNKNOWN);
        parts.fold(first, |sum, part| self.operate(BinaryOperator::Addition, sum, part))
    }

    /// The result of an operator.
    pub fn operate(&mut self, operator: BinaryOperator, left: Val, right: Val) -> Val {
        let (one, other) = (self.carried(left), self.carried(right));
        let (mut taint, via) = self.both(one, other);
        if is_question(operator) {
            taint = self.values.changed(taint, Change::Bit);
        }
        // A constant that is added to data (`code + 1`) makes no sum of it, nor does what is added only once: it still tells the data.
        let is_constant = self.values.known(right.id).is_some();
        let adds_up = !self.loops.is_empty() && (self.is_number(left) || !is_constant && self.is_number(right));
        if operator == BinaryOperator::Addition && adds_up {
            taint = self.values.changed(taint, Change::Summed);
        }
        let result = self.computed(operator, left, right);
        self.values.with_taint(result, taint).through(via)
    }

    fn is_number(&self, value: Val) -> bool {
        let atoms = &self.values.shape(value.id).atoms;
        !atoms.is_empty() && atoms.iter().all(|atom| matches!(atom, Atom::Number(_)))
    }

    fn computed(&mut self, operator: BinaryOperator, left: Val, right: Val) -> Val {
        if let (Some(lefts), Some(rights)) = (self.values.all_known(left.id), self.values.all_known(right.id))
            && lefts.len() * rights.len() <= PAIRS
        {
            let mut result = Val::NEVER;
            for left in &lefts {
                for right in &rights {
                    let one = match compute(operator, left, right) {
                        Some(constant) => {
                            let value = self.values.constant(&constant).unwrap_or(Val::UNKNOWN);
                            if let (BinaryOperator::Addition, Constant::String(text)) = (operator, &constant) {
                                self.note_join(&left.to_text(), &right.to_text(), text);
                            }
                            value
                        }
                        None => Val::UNKNOWN,
                    };
                    result = self.values.join(result, one);
                }
            }
            return result;
        }
        if operator == BinaryOperator::Addition {
            let is_text = |value: Val| matches!(&*self.values.shape(value.id).atoms, [Atom::Text(_) | Atom::Partial(_)]);
            if is_text(left) || is_text(right) {
                let (left, right) = (self.values.without_taint(left), self.values.without_taint(right));
                let joined = self.concatenate(&[left, right]);
                return self.values.without_taint(joined);
            }
        }
        Val::UNKNOWN
    }

    fn note_join(&mut self, left: &str, right: &str, text: &str) {
        self.recorder.put_together(left, right, &mut self.values.texts);
        if self.recorder.take_split() {
            let id = self.values.texts.intern(text);
            self.recorder.disguise(id, false);
        }
    }
}

/// Operators that answer yes or no.
fn is_question(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Equality
            | BinaryOperator::Inequality
            | BinaryOperator::StrictEquality
            | BinaryOperator::StrictInequality
            | BinaryOperator::LessThan
            | BinaryOperator::LessEqualThan
            | BinaryOperator::GreaterThan
            | BinaryOperator::GreaterEqualThan
            | BinaryOperator::In
            | BinaryOperator::Instanceof
    )
}

/// A number as the bit operators see it.
pub fn to_int(number: f64) -> i32 {
    if !number.is_finite() {
        return 0;
    }
    let wrapped = number.trunc().rem_euclid(4_294_967_296.0);
    (wrapped as u32).cast_signed()
}

fn compute(operator: BinaryOperator, left: &Constant, right: &Constant) -> Option<Constant> {
    let number = |value: f64| Some(Constant::Number(value));
    let (one, other) = (left.to_number(), right.to_number());
    let bits = |apply: fn(i32, i32) -> i32| Some(Constant::Number(f64::from(apply(to_int(one), to_int(other)))));
    let shift = (to_int(other) & 31).cast_unsigned();
    match operator {
        BinaryOperator::Addition => match (left, right) {
            (Constant::String(left), right) => Some(Constant::String(format!("{left}{}", right.to_text()))),
            (left, Constant::String(right)) => Some(Constant::String(format!("{}{right}", left.to_text()))),
            _ => number(one + other),
        },
        BinaryOperator::Subtraction => number(one - other),
        BinaryOperator::Multiplication => number(one * other),
        BinaryOperator::Division => number(one / other),
        BinaryOperator::Remainder => number(one % other),
        BinaryOperator::Exponential => number(one.powf(other)),
        BinaryOperator::BitwiseAnd => bits(|left, right| left & right),
        BinaryOperator::BitwiseOR => bits(|left, right| left | right),
        BinaryOperator::BitwiseXOR => bits(|left, right| left ^ right),
        BinaryOperator::ShiftLeft => number(f64::from(to_int(one).wrapping_shl(shift))),
        BinaryOperator::ShiftRight => number(f64::from(to_int(one).wrapping_shr(shift))),
        BinaryOperator::ShiftRightZeroFill => number(f64::from(to_int(one).cast_unsigned().wrapping_shr(shift))),
        BinaryOperator::StrictEquality => Some(Constant::Boolean(left == right)),
        BinaryOperator::StrictInequality => Some(Constant::Boolean(left != right)),
        BinaryOperator::Equality => Some(Constant::Boolean(is_equal(left, right))),
        BinaryOperator::Inequality => Some(Constant::Boolean(!is_equal(left, right))),
        BinaryOperator::LessThan => compare(left, right, |ordering| ordering.is_lt()),
        BinaryOperator::LessEqualThan => compare(left, right, |ordering| ordering.is_le()),
        BinaryOperator::GreaterThan => compare(left, right, |ordering| ordering.is_gt()),
        BinaryOperator::GreaterEqualThan => compare(left, right, |ordering| ordering.is_ge()),
        BinaryOperator::In | BinaryOperator::Instanceof => None,
    }
}

fn compare(left: &Constant, right: &Constant, holds: fn(std::cmp::Ordering) -> bool) -> Option<Constant> {
    let ordering = match (left, right) {
        (Constant::String(left), Constant::String(right)) => Some(left.encode_utf16().cmp(right.encode_utf16())),
        _ => left.to_number().partial_cmp(&right.to_number()),
    };
    Some(Constant::Boolean(ordering.is_some_and(holds)))
}

fn is_equal(left: &Constant, right: &Constant) -> bool {
    match (left, right) {
        (Constant::Null | Constant::Undefined, Constant::Null | Constant::Undefined) => true,
        (Constant::Null | Constant::Undefined, _) | (_, Constant::Null | Constant::Undefined) => false,
        (Constant::String(left), Constant::String(right)) => left == right,
        _ => left.to_number() == right.to_number(),
    }
}
