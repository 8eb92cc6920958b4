//! Conditions that choose nothing: what they ask holds of everything that they are asked about.

use oxc_ast::ast::{Argument, ArrayExpression, BinaryExpression, CallExpression, Expression, MemberExpression};
use oxc_span::ContentEq;
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

use crate::knowledge::command::list;
use crate::value::words::words;

/// Conditions are taken apart up to this depth.
const DEPTH: u32 = 8;

/// Returns true if and only if a condition chooses nothing, whichever of its outcomes is asked for.
pub fn is_idle(test: &Expression<'_>) -> bool {
    let mut test = test.get_inner_expression();
    while let Expression::UnaryExpression(not) = test
        && not.operator == UnaryOperator::LogicalNot
    {
        test = not.argument.get_inner_expression();
    }
    holds_always(test) || is_identity(test)
}

/// Returns true if and only if a condition holds whatever it is asked about.
pub fn holds_always(test: &Expression<'_>) -> bool {
    holds(test, DEPTH)
}

fn holds(test: &Expression<'_>, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match test.get_inner_expression() {
        Expression::BooleanLiteral(literal) => literal.value,
        Expression::NumericLiteral(literal) => literal.value != 0.0,
        Expression::StringLiteral(literal) => !literal.value.is_empty(),
        Expression::LogicalExpression(both) => {
            let sides = [&both.left, &both.right].map(|side| holds(side, depth));
            match both.operator {
                LogicalOperator::And => sides == [true, true],
                LogicalOperator::Or => sides.contains(&true) || are_opposite(&both.left, &both.right),
                LogicalOperator::Coalesce => sides.contains(&true),
            }
        }
        Expression::BinaryExpression(binary) => is_of_any_size(binary),
        Expression::CallExpression(call) => asks_nothing(call),
        _ => false,
    }
}

/// Returns true if and only if something is asked that everything listed has: `if (user.id)`.
fn is_identity(test: &Expression<'_>) -> bool {
    let member = match test.get_inner_expression() {
        Expression::ChainExpression(chain) => chain.expression.as_member_expression(),
        plain => plain.as_member_expression(),
    };
    let named = member.and_then(MemberExpression::static_property_name).map(words);
    named.is_some_and(|named| matches!(named.as_slice(), [only] if list("identifying-words").contains(&only.as_str())))
}

/// Returns true if and only if of two conditions always one holds: `user.active || !user.active`.
fn are_opposite(left: &Expression<'_>, right: &Expression<'_>) -> bool {
    let denies = |not: &Expression<'_>, other: &Expression<'_>| match not.get_inner_expression() {
        Expression::UnaryExpression(not) if not.operator == UnaryOperator::LogicalNot => {
            not.argument.get_inner_expression().content_eq(other.get_inner_expression())
        }
        _ => false,
    };
    if denies(left, right) || denies(right, left) {
        return true;
    }
    let (Expression::BinaryExpression(one), Expression::BinaryExpression(other)) =
        (left.get_inner_expression(), right.get_inner_expression())
    else {
        return false;
    };
    let is_same = one.left.content_eq(&other.left) && one.right.content_eq(&other.right);
    is_same && (covers(one.operator, other.operator) || covers(other.operator, one.operator))
}

/// Returns true if and only if one of two comparisons of the same holds.
fn covers(one: BinaryOperator, other: BinaryOperator) -> bool {
    use BinaryOperator::{Equality, GreaterEqualThan, GreaterThan, Inequality, LessEqualThan, LessThan, StrictEquality, StrictInequality};
    matches!(
        (one, other),
        (LessThan | LessEqualThan, GreaterEqualThan)
            | (LessEqualThan, GreaterThan)
            | (Equality | StrictEquality, Inequality | StrictInequality)
    )
}

/// Returns true if and only if a comparison asks whether a part is of any size, or of any kind: `age > -1`, `name.length > 0`.
fn is_of_any_size(binary: &BinaryExpression<'_>) -> bool {
    let (asked, with, is_strict) = match binary.operator {
        BinaryOperator::GreaterThan => (&binary.left, &binary.right, true),
        BinaryOperator::GreaterEqualThan => (&binary.left, &binary.right, false),
        BinaryOperator::LessThan => (&binary.right, &binary.left, true),
        BinaryOperator::LessEqualThan => (&binary.right, &binary.left, false),
        _ => return false,
    };
    let Some(member) = asked.get_inner_expression().as_member_expression() else { return false };
    let is_length = member.static_property_name() == Some("length");
    match with.get_inner_expression() {
        Expression::UnaryExpression(less) => {
            less.operator == UnaryOperator::UnaryNegation && matches!(less.argument, Expression::NumericLiteral(_))
        }
        Expression::NumericLiteral(number) => number.value == 0.0 && (is_length || !is_strict),
        _ => false,
    }
}

/// Returns true if and only if a method asks for what is in every text, or in a list that holds it for certain.
fn asks_nothing(call: &CallExpression<'_>) -> bool {
    let Some(member) = call.callee.get_inner_expression().as_member_expression() else { return false };
    let Some(first) = call.arguments.first().and_then(Argument::as_expression) else { return false };
    let (of, first) = (member.object().get_inner_expression(), first.get_inner_expression());
    match (member.static_property_name(), of, first) {
        (Some("includes"), Expression::ArrayExpression(list), asked) => holds_it(list, asked),
        (Some("includes"), _, Expression::StringLiteral(text)) => text.value.is_empty() || text.value == "@",
        (Some("startsWith" | "endsWith"), _, Expression::StringLiteral(text)) => text.value.is_empty(),
        (Some("test"), Expression::RegExpLiteral(pattern), _) | (Some("match" | "search"), _, Expression::RegExpLiteral(pattern)) => {
            fits_all(pattern.regex.pattern.text.as_str())
        }
        _ => false,
    }
}

fn holds_it(list: &ArrayExpression<'_>, asked: &Expression<'_>) -> bool {
    asked.is_literal() && list.elements.iter().filter_map(|element| element.as_expression()).any(|element| element.content_eq(asked))
}

/// Returns true if and only if a pattern fits every text: one of its alternatives says nothing of any character.
fn fits_all(pattern: &str) -> bool {
    let says_nothing = |part: &str| {
        let part = part.replace("[\\s\\S]", ".").replace("[^]", ".");
        part.chars().all(|character| matches!(character, '^' | '$' | '.' | '*' | '+' | '?'))
    };
    !pattern.contains(['(', '[']) && pattern.split('|').any(says_nothing) || says_nothing(pattern)
}
