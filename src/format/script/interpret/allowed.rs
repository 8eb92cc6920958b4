//! Allow-lists of single values: behind a question that only texts of the script pass, a variable is one of those texts.
//!
//! Only what it can be is narrowed. The data that it carries stays, since which of the texts it is still tells of it.

use oxc_ast::ast::{Argument, Expression, IdentifierReference};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::js::constant::Constant;
use crate::format::script::span::span_of;

/// The most texts that a variable is told to be.
const TEXTS: usize = 64;

/// How deep conditions are looked into.
const DEPTH: u32 = 8;

impl<'a> Interpreter<'a> {
    /// Narrows the variables of which a condition says which texts they can be, where it has this outcome.
    pub fn narrow(&mut self, test: &'a Expression<'a>, outcome: bool) {
        self.narrow_at(test, outcome, DEPTH);
    }

    fn narrow_at(&mut self, test: &'a Expression<'a>, outcome: bool, depth: u32) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match test.get_inner_expression() {
            Expression::UnaryExpression(not) if not.operator == UnaryOperator::LogicalNot => {
                self.narrow_at(&not.argument, !outcome, depth);
            }
            Expression::LogicalExpression(both) if says_both(both.operator, outcome) => {
                self.narrow_at(&both.left, outcome, depth);
                self.narrow_at(&both.right, outcome, depth);
            }
            _ => {
                if let Some((name, texts)) = self.texts_of(test, outcome, depth).filter(|(_, texts)| !texts.is_empty()) {
                    self.narrow_to(name, &texts);
                }
            }
        }
    }

    /// The variable of which a condition says that it is one of these texts, where it has this outcome.
    fn texts_of(&mut self, test: &'a Expression<'a>, outcome: bool, depth: u32) -> Option<(&'a IdentifierReference<'a>, Vec<String>)> {
        let depth = depth.checked_sub(1)?;
        match test.get_inner_expression() {
            Expression::UnaryExpression(not) if not.operator == UnaryOperator::LogicalNot => self.texts_of(&not.argument, !outcome, depth),
            // `a !== 'x' && a !== 'y'` does not hold: it is one or the other.
            Expression::LogicalExpression(either) if says_both(either.operator, !outcome) => {
                let (name, mut texts) = self.texts_of(&either.left, outcome, depth)?;
                let (other, more) = self.texts_of(&either.right, outcome, depth)?;
                texts.extend(more);
                (self.symbol_of(name)? == self.symbol_of(other)? && texts.len() <= TEXTS).then_some((name, texts))
            }
            Expression::BinaryExpression(same) => {
                let is_same = match same.operator {
                    BinaryOperator::StrictEquality => outcome,
                    BinaryOperator::StrictInequality => !outcome,
                    _ => false,
                };
                let (name, text) = compared(&same.left, &same.right).or_else(|| compared(&same.right, &same.left)).filter(|_| is_same)?;
                Some((name, vec![text.to_owned()]))
            }
            Expression::CallExpression(call) if outcome => {
                let member = call.callee.get_inner_expression().as_member_expression()?;
                let method = member.static_property_name().filter(|name| matches!(*name, "has" | "includes"))?;
                let [Argument::Identifier(name)] = call.arguments.as_slice() else { return None };
                let list = self.evaluate(member.object());
                if !self.is_plain_list(list, method) {
                    return None;
                }
                let elements = self.elements(list);
                let known = self.values.all_known(elements.any.id).filter(|known| known.len() <= TEXTS)?;
                let texts = known.into_iter().filter(|one| *one != Constant::Undefined).map(text_of).collect::<Option<_>>()?;
                Some((name, texts))
            }
            _ => None,
        }
    }

    /// Has a variable of which nothing is known be one of these texts, with the data that it carries.
    fn narrow_to(&mut self, name: &'a IdentifierReference<'a>, texts: &[String]) {
        let Some(symbol) = self.symbol_of(name) else { return };
        let before = self.read(symbol);
        let shape = self.values.shape(before.id);
        let is_known = !shape.is_open && shape.atoms.iter().all(|atom| matches!(atom, Atom::Text(_) | Atom::Number(_) | Atom::Boolean(_)));
        if is_known {
            return;
        }
        let (taint, via) = self.carried(before);
        let mut narrowed = Val::NEVER;
        for text in texts {
            let text = self.values.string(text);
            narrowed = self.values.join(narrowed, text);
        }
        let narrowed = self.values.with_taint(narrowed, taint).through(via);
        self.write(symbol, narrowed, span_of(name));
    }
}

/// Returns true if and only if both sides have this outcome, where the whole has it.
fn says_both(operator: LogicalOperator, outcome: bool) -> bool {
    match operator {
        LogicalOperator::And => outcome,
        LogicalOperator::Or => !outcome,
        LogicalOperator::Coalesce => false,
    }
}

/// A variable and the text that it is compared with.
fn compared<'a>(one: &'a Expression<'a>, other: &'a Expression<'a>) -> Option<(&'a IdentifierReference<'a>, &'a str)> {
    match (one.get_inner_expression(), other.get_inner_expression()) {
        (Expression::Identifier(name), Expression::StringLiteral(text)) => Some((name, text.value.as_str())),
        _ => None,
    }
}

fn text_of(constant: Constant) -> Option<String> {
    match constant {
        Constant::String(text) => Some(text.to_string()),
        _ => None,
    }
}
