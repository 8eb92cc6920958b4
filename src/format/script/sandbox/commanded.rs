//! Which code runs because somebody wrote so below something: `if (!/^\/ship/.test(comment.body)) return`.

use oxc_ast::ast::{Argument, Expression, Program};
use oxc_syntax::operator::UnaryOperator;

use crate::format::script::sandbox::branches::branches;
use crate::format::script::sandbox::entitled::path;
use crate::format::script::sandbox::surroundings::{SAME, Surroundings};
use crate::value::span::Span;
use crate::value::words::words;

/// Conditions are taken apart up to this depth.
const DEPTH: u32 = 8;

/// Methods that ask what a text says.
const ASKING: &[&str] = &["test", "exec", "match", "startsWith", "includes", "endsWith", "trim", "split"];

/// The code of a script that runs only if a comment says so.
pub fn commanded<'a>(program: &Program<'a>, around: &Surroundings<'_, '_, 'a, '_>) -> Vec<Span> {
    if !program.source_text.contains("comment") {
        return Vec::new();
    }
    branches(program, around, |test, _| asks(test, around, DEPTH).then_some(())).into_iter().map(|(span, ())| span).collect()
}

/// Returns true if and only if a condition asks what a comment says.
fn asks<'a>(test: &Expression<'a>, around: &Surroundings<'_, '_, 'a, '_>, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let asks = |part: &Expression<'a>| asks(part, around, depth);
    match test.get_inner_expression() {
        Expression::UnaryExpression(not) if not.operator == UnaryOperator::LogicalNot => asks(&not.argument),
        Expression::LogicalExpression(both) => asks(&both.left) || asks(&both.right),
        Expression::BinaryExpression(both) => asks(&both.left) || asks(&both.right),
        Expression::CallExpression(call) => {
            let Some(member) = call.callee.get_inner_expression().as_member_expression() else { return false };
            let is_asking = member.static_property_name().is_some_and(|name| ASKING.contains(&name) || SAME.contains(&name));
            let mut given = call.arguments.iter().filter_map(Argument::as_expression);
            is_asking && (asks(member.object()) || given.any(asks))
        }
        Expression::Identifier(_) => around.stands_for(test).is_some_and(|only| says(only) || asks(only)),
        other => says(other),
    }
}

/// Returns true if and only if something is the text of a comment.
fn says(expression: &Expression<'_>) -> bool {
    let names = path(expression);
    let is_text = names.last().is_some_and(|last| matches!(*last, "body" | "text"));
    is_text && names.iter().any(|name| words(name).iter().any(|word| word == "comment"))
}
