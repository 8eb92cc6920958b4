//! Which code runs only for whoever may do much already: behind a question whether the caller is an administrator.

use oxc_ast::ast::{Argument, BinaryExpression, Expression, MemberExpression, Program};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

use crate::format::script::sandbox::branches::branches;
use crate::format::script::sandbox::surroundings::Surroundings;
use crate::knowledge::command::list;
use crate::value::span::Span;
use crate::value::words::{joined, words};

/// Questions are taken apart up to this depth.
const DEPTH: u32 = 8;

/// The code of a script that runs only for administrators.
pub fn entitled<'a>(program: &Program<'a>, around: &Surroundings<'_, '_, 'a, '_>) -> Vec<Span> {
    branches(program, around, |test, outcome| tells(test, outcome, DEPTH).then_some(())).into_iter().map(|(span, ())| span).collect()
}

/// Returns true if and only if a condition with this outcome says that whoever calls is an administrator.
fn tells(test: &Expression<'_>, outcome: bool, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match test.get_inner_expression() {
        Expression::UnaryExpression(not) if not.operator == UnaryOperator::LogicalNot => tells(&not.argument, !outcome, depth),
        Expression::LogicalExpression(both) => match (both.operator, outcome) {
            (LogicalOperator::Or, false) | (LogicalOperator::And, true) => {
                tells(&both.left, outcome, depth) || tells(&both.right, outcome, depth)
            }
            (LogicalOperator::Or, true) | (LogicalOperator::And, false) => {
                tells(&both.left, outcome, depth) && tells(&both.right, outcome, depth)
            }
            (LogicalOperator::Coalesce, _) => false,
        },
        Expression::BinaryExpression(binary) => compares(binary, outcome),
        // `user.roles.includes('admin')`, `hasRole(user, 'admin')`
        Expression::CallExpression(call) => {
            let texts = call.arguments.iter().filter_map(Argument::as_expression);
            let names_ruler = texts.into_iter().any(is_ruler);
            let asks = match call.callee.get_inner_expression() {
                Expression::Identifier(name) => list("asking-for-role").contains(&joined(&name.name).as_str()),
                callee => callee.as_member_expression().is_some_and(|member| {
                    let is_asked = |name: &str| name == "includes" || list("asking-for-role").contains(&joined(name).as_str());
                    member.static_property_name().is_some_and(is_asked) && is_of_caller(member.object())
                }),
            };
            outcome && names_ruler && asks
        }
        Expression::ChainExpression(chain) => chain.expression.as_member_expression().is_some_and(|member| outcome && is_switch(member)),
        other => other.as_member_expression().is_some_and(|member| outcome && is_switch(member)),
    }
}

fn compares(binary: &BinaryExpression<'_>, outcome: bool) -> bool {
    let is_same = match binary.operator {
        BinaryOperator::Equality | BinaryOperator::StrictEquality => outcome,
        BinaryOperator::Inequality | BinaryOperator::StrictInequality => !outcome,
        _ => return false,
    };
    let says = |asked: &Expression<'_>, with: &Expression<'_>| {
        let is_yes = matches!(with.get_inner_expression(), Expression::BooleanLiteral(yes) if yes.value);
        let asked = asked.get_inner_expression();
        is_yes && tells(asked, true, 1) || is_ruler(with) && is_role(asked) && is_of_caller(asked)
    };
    is_same && (says(&binary.left, &binary.right) || says(&binary.right, &binary.left))
}

/// Returns true if and only if a text names a role that may do much.
fn is_ruler(text: &Expression<'_>) -> bool {
    matches!(text.get_inner_expression(), Expression::StringLiteral(text) if list("roles-of-rulers").contains(&&*text.value.to_lowercase()))
}

/// Returns true if and only if a field says that the caller may do much: `request.auth.token.admin`.
fn is_switch(member: &MemberExpression<'_>) -> bool {
    let is_named = member.static_property_name().is_some_and(|name| {
        let name = joined(name);
        list("ruling-switches").contains(&&*name) || list("roles-of-rulers").contains(&&*name)
    });
    is_named && is_of_caller(member.object())
}

fn is_role(asked: &Expression<'_>) -> bool {
    path(asked).last().is_some_and(|last| list("role-fields").contains(&joined(last).as_str()))
}

/// Returns true if and only if something is read off what a server knows of its caller: `req.user`, `context.auth.token`, `session`.
fn is_of_caller(expression: &Expression<'_>) -> bool {
    path(expression).iter().flat_map(|name| words(name)).any(|word| list("callers").contains(&word.as_str()))
}

/// The names of a path of members, the outermost first.
fn path<'e>(expression: &'e Expression<'_>) -> Vec<&'e str> {
    let mut names = Vec::new();
    let mut rest = Some(expression);
    while let Some(expression) = rest.take() {
        let inner = match expression.get_inner_expression() {
            Expression::ChainExpression(chain) => chain.expression.as_member_expression(),
            Expression::Identifier(name) => {
                names.push(name.name.as_str());
                None
            }
            other => other.as_member_expression(),
        };
        if let Some(member) = inner {
            names.extend(member.static_property_name());
            rest = Some(member.object());
        }
    }
    names.reverse();
    names
}
