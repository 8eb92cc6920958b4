//! Which code runs only where nothing is lost: behind a question to the place, whether it is one for tests.

use oxc_ast::ast::{Argument, BinaryExpression, CallExpression, Expression, Program};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

use crate::format::script::fold::Folder;
use crate::format::script::js::constant::Constant;
use crate::format::script::sandbox::branches::branches;
use crate::format::script::sandbox::surroundings::{Surroundings, Told};
use crate::knowledge::words::Tag;
use crate::value::span::Span;
use crate::value::words::words;

/// Questions are taken apart up to this depth.
const DEPTH: u32 = 8;

/// Methods that ask whether one text is in another, or in a list.
pub const HOLDING: &[&str] = &["startsWith", "endsWith", "includes", "has", "test", "match", "equals"];

/// The code of a script that runs only where nothing is lost.
pub fn guarded<'a>(program: &Program<'a>, folder: &Folder<'_, 'a, '_>, around: &Surroundings<'_, '_, 'a, '_>) -> Vec<Span> {
    if !around.are_kept() {
        return Vec::new();
    }
    let guard = Guard { folder, around };
    branches(program, around, |test, outcome| guard.tells(test, outcome, DEPTH).then_some(())).into_iter().map(|(span, ())| span).collect()
}

struct Guard<'w, 'b, 'v, 'a, 's> {
    folder: &'w Folder<'v, 'a, 's>,
    around: &'w Surroundings<'b, 'v, 'a, 's>,
}

impl<'a> Guard<'_, '_, '_, 'a, '_> {
    /// Returns true if and only if a condition with this outcome says that the place is one for tests.
    fn tells(&self, test: &Expression<'a>, outcome: bool, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let tells = |part: &Expression<'a>, outcome: bool| self.tells(part, outcome, depth);
        match test.get_inner_expression() {
            Expression::UnaryExpression(not) if not.operator == UnaryOperator::LogicalNot => tells(&not.argument, !outcome),
            Expression::LogicalExpression(both) => match (both.operator, outcome) {
                (LogicalOperator::Or, false) | (LogicalOperator::And, true) => tells(&both.left, outcome) || tells(&both.right, outcome),
                (LogicalOperator::Or, true) | (LogicalOperator::And, false) => tells(&both.left, outcome) && tells(&both.right, outcome),
                (LogicalOperator::Coalesce, _) => false,
            },
            Expression::BinaryExpression(binary) => self.compares(binary, outcome),
            Expression::CallExpression(call) => self.asks(call, outcome),
            name => outcome && self.is_make_believe(name) || self.around.stands_for(name).is_some_and(|only| tells(only, outcome)),
        }
    }

    /// Returns true if and only if something is there only where things are made to be thrown away: `process.env.EMULATOR_HOST`.
    fn is_make_believe(&self, expression: &Expression<'a>) -> bool {
        let is_free = matches!(expression, Expression::Identifier(name)
            if self.around.is_free(name) && Tag::MakeBelieve.has_any(words(&name.name)));
        is_free
            || self
                .around
                .told(expression)
                .is_some_and(|told| told.otherwise.is_none_or(|text| text.is_empty()) && Tag::MakeBelieve.has_any(words(&told.name)))
    }

    fn compares(&self, binary: &BinaryExpression<'a>, outcome: bool) -> bool {
        let is_same = match binary.operator {
            BinaryOperator::Equality | BinaryOperator::StrictEquality => outcome,
            BinaryOperator::Inequality | BinaryOperator::StrictInequality => !outcome,
            _ => return false,
        };
        let (left, right) = (&binary.left, &binary.right);
        let says = |asked: &Expression<'a>, with: &Expression<'a>| {
            let (Some(told), Some(with)) = (self.around.told(asked), self.folder.fold(with)) else { return false };
            is_same && is_true(&with) && self.is_make_believe(asked) || is_said(&told, &with.to_text(), is_same)
        };
        says(left, right) || says(right, left)
    }

    /// Returns true if and only if being in, or beginning with, what a call is given says so.
    fn asks(&self, call: &CallExpression<'a>, outcome: bool) -> bool {
        let Some(member) = call.callee.get_inner_expression().as_member_expression() else { return false };
        let Some(method) = member.static_property_name().filter(|name| HOLDING.contains(name)) else { return false };
        let Some(given) = call.arguments.first().and_then(Argument::as_expression) else { return false };
        let (of, given) = (member.object(), given.get_inner_expression());
        if self.around.is_list(of) {
            return outcome && method == "includes" && self.folder.fold_string(given).is_some_and(|text| is_for_tests(&text));
        }
        if let Some(texts) = texts(self.folder, of) {
            return self.around.told(given).is_some_and(|told| is_one_of(&told, &texts, outcome));
        }
        let Some(told) = self.around.told(of).filter(Told::names_place) else { return false };
        texts(self.folder, given).is_some_and(|texts| is_one_of(&told, &texts, outcome))
    }
}

/// Returns true if and only if being one of several, or none of them, is being a place for tests.
fn is_one_of(told: &Told, texts: &[String], outcome: bool) -> bool {
    let says = |text: &String| is_said(told, text, outcome);
    !texts.is_empty() && if outcome { texts.iter().all(says) } else { texts.iter().any(says) }
}

/// The texts that a text, a list, a set or a pattern holds: all that it can hold.
pub fn texts<'a>(folder: &Folder<'_, 'a, '_>, expression: &Expression<'a>) -> Option<Vec<String>> {
    match expression.get_inner_expression() {
        Expression::RegExpLiteral(pattern) => alternatives(pattern.regex.pattern.text.as_str()),
        Expression::NewExpression(set) => texts(folder, set.arguments.first().and_then(Argument::as_expression)?),
        inner => match folder.fold(inner)? {
            Constant::String(text) => Some(vec![text.to_string()]),
            Constant::Array(all) => Some(all.iter().map(Constant::to_text).collect()),
            _ => None,
        },
    }
}

/// The texts of a pattern that holds nothing but texts: `^(dev|test)$`.
fn alternatives(pattern: &str) -> Option<Vec<String>> {
    let plain = pattern.replace("(?:", "(").replace("\\b", "");
    let is_text = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '|' | '^' | '$' | '(' | ')');
    if !plain.chars().all(is_text) {
        return ending(&plain).map(|end| vec![end]);
    }
    let all: Vec<String> = plain.split('|').map(|part| part.trim_matches(['^', '$', '(', ')']).to_owned()).collect();
    all.iter().all(|text| !text.is_empty() && !text.contains(['(', ')', '^', '$'])).then_some(all)
}

/// The text with which all ends that a pattern lets through, whatever it begins with: `^[a-z]+_test$`.
fn ending(pattern: &str) -> Option<String> {
    let inner = pattern.strip_suffix('$').filter(|inner| !inner.contains('|'))?;
    let is_text = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let end = inner.rsplit(|character| !is_text(character)).next().unwrap_or_default();
    // What stands behind a backslash is a class of characters.
    let is_class = inner.get(..inner.len() - end.len()).is_some_and(|before| before.ends_with('\\'));
    (!end.is_empty() && !is_class).then(|| end.to_owned())
}

fn is_true(constant: &Constant) -> bool {
    !matches!(constant.to_text().as_str(), "" | "0" | "false" | "null" | "undefined" | "NaN")
}

/// Returns true if and only if what is told, being a text or not being it, says that the place is one for tests. Where nothing is
/// set it must not say so.
fn is_said(told: &Told, text: &str, is_same: bool) -> bool {
    if is_same {
        return is_for_tests(text) && !told.otherwise.as_ref().is_some_and(|otherwise| is_for_tests(otherwise));
    }
    let words = words(text);
    let is_production = !words.is_empty() && words.iter().all(|word| Tag::Production.has(word));
    is_production && told.otherwise.as_deref() == Some(text)
}

/// Returns true if and only if a name is one of what is made to be thrown away, and of nothing that people depend on.
fn is_for_tests(name: &str) -> bool {
    let words = words(name);
    Tag::Ephemeral.has_any(words.iter()) && !Tag::Production.has_any(words.iter())
}
