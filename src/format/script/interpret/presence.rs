//! Conditions that only ask whether a secret or something that was sent in is given at all, `if (!API_KEY) process.exit(1)`, or whether somebody outside knows it:
//! `if (header !== SECRET) return new Response('', { status: 401 })`.

use oxc_ast::ast::Expression;
use oxc_syntax::operator::{LogicalOperator, UnaryOperator};

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::taint::{Altered, Change, Label, Taint};
use crate::format::script::interpret::value::Val;
use crate::subject::flow::{OriginKind, Strength};

/// Conditions are taken apart up to this depth.
const DEPTH: u32 = 6;

impl<'a> Interpreter<'a> {
    /// The data on which a branch depends. Whether a secret is there tells nothing of what it is; in a loop, what is asked may be
    /// another part of it each time.
    pub fn decided_by(&mut self, test: &'a Expression<'a>, value: Val) -> Taint {
        let all = self.condition(value);
        let mut asked = Asked::default();
        if all.is_none() || !asks_for_presence(test, DEPTH, &mut asked) || !self.loops.is_empty() && !asked.equal.is_empty() {
            return all;
        }
        let mut told = Vec::new();
        for one in asked.there {
            let labels = self.labels_of(one);
            // Whether something was sent in at all chooses nothing of what was.
            told.extend(labels.into_iter().filter(|label| !self.is_of_kind(label.origin, OriginKind::Incoming)));
        }
        for (left, right) in asked.equal {
            let sides = [self.labels_of(left), self.labels_of(right)];
            let is_brought =
                |side: &Vec<Label>| !side.is_empty() && side.iter().all(|label| self.is_of_kind(label.origin, OriginKind::Incoming));
            if !sides.iter().any(is_brought) {
                return all;
            }
            told.extend(sides.into_iter().flatten());
        }
        told.retain(|label| !self.is_whole_secret(label));
        let told = self.values.taints.set(told);
        self.values.changed(told, Change::Bit)
    }

    /// The data of an answer about each of several, but for secrets of which it only asks whether they are there.
    pub fn told_by_answer(&mut self, answer: Option<&'a Expression<'a>>, taint: Taint) -> Taint {
        let mut asked = Asked::default();
        let is_presence = answer.is_some_and(|answer| asks_for_presence(answer, DEPTH, &mut asked)) && asked.equal.is_empty();
        if taint.is_none() || !is_presence {
            return taint;
        }
        let labels = self.values.taints.labels(taint).to_vec();
        let told = labels.into_iter().filter(|label| !self.is_whole_secret(label)).collect();
        self.values.taints.set(told)
    }

    fn labels_of(&mut self, expression: &'a Expression<'a>) -> Vec<Label> {
        let value = self.evaluate(expression);
        let taint = self.carried(value).0;
        self.values.taints.labels(taint).to_vec()
    }

    /// Returns true if and only if data is one secret, as it was read.
    fn is_whole_secret(&self, label: &Label) -> bool {
        // A number that was made of it may be one of its characters, or some of its bits.
        if label.is_plain {
            return false;
        }
        let is_part = self.values.texts.get(label.field).contains("[]");
        if self.is_variable(label) {
            return label.strength == Strength::Whole && label.altered == Altered::No;
        }
        !is_part && label.strength == Strength::Whole && label.altered == Altered::No && self.is_one_secret(label.origin)
    }
}

/// What a condition asks for.
#[derive(Default)]
struct Asked<'a> {
    /// Whether they are there.
    there: Vec<&'a Expression<'a>>,
    /// Whether they are equal.
    equal: Vec<(&'a Expression<'a>, &'a Expression<'a>)>,
}

/// Returns true if and only if a condition asks of names and fields whether they are there, or equal, and of nothing else. Notes
/// which.
fn asks_for_presence<'a>(test: &'a Expression<'a>, depth: u32, asked: &mut Asked<'a>) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let test = test.get_inner_expression();
    match test {
        Expression::Identifier(_) => {
            asked.there.push(test);
            true
        }
        Expression::StaticMemberExpression(member) if is_chain(&member.object) => {
            asked.there.push(test);
            true
        }
        Expression::UnaryExpression(not) if not.operator == UnaryOperator::LogicalNot => asks_for_presence(&not.argument, depth, asked),
        Expression::LogicalExpression(both) if both.operator != LogicalOperator::Coalesce => {
            asks_for_presence(&both.left, depth, asked) && asks_for_presence(&both.right, depth, asked)
        }
        Expression::BinaryExpression(binary) if binary.operator.is_equality() && is_nothing(&binary.right) => {
            asks_for_presence(&binary.left, depth, asked)
        }
        Expression::BinaryExpression(binary) if binary.operator.is_equality() && is_told(&binary.left) && is_told(&binary.right) => {
            asked.equal.push((&binary.left, &binary.right));
            true
        }
        _ => false,
    }
}

fn is_chain(object: &Expression<'_>) -> bool {
    match object.get_inner_expression() {
        Expression::Identifier(_) | Expression::ThisExpression(_) => true,
        Expression::StaticMemberExpression(member) => is_chain(&member.object),
        _ => false,
    }
}

/// Returns true if and only if an expression only tells a name or field, alone or in a text: evaluating it again does nothing.
fn is_told(side: &Expression<'_>) -> bool {
    match side.get_inner_expression() {
        Expression::TemplateLiteral(text) => text.expressions.iter().all(is_told),
        side => is_chain(side),
    }
}

fn is_nothing(value: &Expression<'_>) -> bool {
    match value.get_inner_expression() {
        Expression::NullLiteral(_) => true,
        Expression::Identifier(name) => name.name == "undefined",
        Expression::StringLiteral(text) => text.value.is_empty(),
        _ => false,
    }
}
