//! Operators.

use oxc_ast::ast::{BinaryExpression, Expression};
use oxc_syntax::operator::BinaryOperator;

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::taint::{Change, Label};
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::js::constant::Constant;
use crate::format::script::js::operator;
use crate::knowledge::command::list;
use crate::subject::flow::{OriginKind, Strength};

/// The most pairs of constants that are computed for one operation.
const PAIRS: usize = 16;

impl<'a> Interpreter<'a> {
    /// Returns true if and only if a value is a sum of a file of the project, by the name of its field: `tool.sha256` of a lock.
    fn is_kept_sum(&self, value: Val) -> bool {
        let labels = self.values.taints.labels(self.values.taint(value.id));
        let is_sum = |label: &Label| {
            let field = self.values.texts.get(label.field);
            let last = field.rsplit('.').find(|part| *part != "[]" && !part.is_empty()).unwrap_or_default().to_lowercase();
            let is_kept = self.recorder.origin(label.origin).is_some_and(|origin| origin.kind == OriginKind::File);
            is_kept && label.strength == Strength::Whole && list("fields-of-sums").contains(&last.as_str())
        };
        !labels.is_empty() && labels.iter().all(is_sum)
    }

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
            return self.concatenate_each(&parts);
        }
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or(Val::UNKNOWN);
        parts.fold(first, |sum, part| self.operate(BinaryOperator::Addition, sum, part))
    }

    /// The result of an operator.
    pub fn operate(&mut self, operator: BinaryOperator, left: Val, right: Val) -> Val {
        if let Some(outcome) = self.time_compared(operator, left, right) {
            return self.values.boolean(outcome);
        }
        let (one, other) = (self.carried(left), self.carried(right));
        let (mut taint, via) = self.both(one, other);
        if let Some(time) = self.time_reckoned(operator, left, right) {
            return self.values.time(time, taint, via);
        }
        if is_question(operator) {
            taint = self.values.changed(taint, Change::Bit);
        }
        // A constant that is added to data (`code + 1`) makes no sum of it, nor does what is added only once: it still tells the data.
        let is_constant = self.values.known(right.id).is_some();
        let adds_up = !self.loops.is_empty() && (self.is_number(left) || !is_constant && self.is_number(right));
        if operator == BinaryOperator::Addition && adds_up {
            taint = self.values.changed(taint, Change::Summed);
        }
        if is_arithmetic(operator) {
            taint = self.values.changed(taint, Change::Plain);
        }
        if is_comparison(operator) {
            let is_sum = |value: Val| self.values.text(value.id).is_some_and(|text| is_sum(&text));
            self.recorder.compares_sum |= is_sum(left) || is_sum(right) || self.is_kept_sum(left) || self.is_kept_sum(right);
        }
        let result = self.computed(operator, left, right);
        self.values.with_taint(result, taint).through(via)
    }

    fn is_number(&self, value: Val) -> bool {
        let atoms = &self.values.shape(value.id).atoms;
        !atoms.is_empty() && atoms.iter().all(|atom| matches!(atom, Atom::Number(_)))
    }

    fn computed(&mut self, operator: BinaryOperator, left: Val, right: Val) -> Val {
        if let (Some(lefts), Some(rights)) = (self.constants(left), self.constants(right))
            && lefts.len() * rights.len() <= PAIRS
        {
            let mut result = Val::NEVER;
            for left in &lefts {
                for right in &rights {
                    let one = match operator::binary(operator, left, right) {
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
                let joined = self.concatenate_each(&[left, right]);
                return self.values.without_taint(joined);
            }
        }
        Val::UNKNOWN
    }

    /// All constants that a value can be, if it can be nothing else; a list of constants is one.
    fn constants(&mut self, value: Val) -> Option<Vec<Constant>> {
        self.values.all_known(value.id).or_else(|| if self.is_array(value) { Some(vec![self.constant_value(value)?]) } else { None })
    }

    fn note_join(&mut self, left: &str, right: &str, text: &str) {
        self.recorder.put_together(left, right, &mut self.values.texts);
        if self.recorder.take_split() {
            let id = self.values.texts.intern(text);
            self.recorder.disguise(id, false);
        }
    }
}

/// Operators that answer whether two values are the same.
fn is_comparison(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Equality | BinaryOperator::Inequality | BinaryOperator::StrictEquality | BinaryOperator::StrictInequality
    )
}

/// Returns true if and only if a text is written like a checksum: SHA-1, SHA-256, SHA-384 or SHA-512, in hexadecimal or base64.
fn is_sum(text: &str) -> bool {
    let is_hex = matches!(text.len(), 40 | 64 | 96 | 128) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_base64 = |text: &str| {
        matches!(text.len(), 44 | 64 | 88) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
    };
    let named = ["sha256-", "sha384-", "sha512-"].iter().find_map(|start| text.strip_prefix(start));
    is_hex || named.map_or(text.ends_with('=') && is_base64(text), is_base64)
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

/// Returns true if and only if what an operator makes is a number, whatever it is made of.
fn is_arithmetic(operator: BinaryOperator) -> bool {
    operator.is_bitwise() || operator.is_arithmetic() && operator != BinaryOperator::Addition
}
