//! Tells what a script is written for.

use oxc_ast::ast::{Argument, AssignmentTarget, Expression, Program, Statement};

use crate::format::script::collect::Collected;
use crate::subject::dialect::Dialect;

/// What a script is written for: an agent script calls tools, and imports and exports nothing.
pub fn dialect(is_module: bool, calls_tools: bool) -> Dialect {
    if calls_tools && !is_module { Dialect::AgentScript } else { Dialect::Node }
}

/// Returns true if and only if a script imports or exports. What is imported while it runs does not count, because that is a
/// way out and not a way to write a module.
pub fn is_module(program: &Program<'_>, collected: &Collected<'_, '_>) -> bool {
    program.body.iter().any(is_module_statement)
        || collected.calls.iter().any(|site| requires(&site.call.callee, &site.call.arguments, collected))
}

fn is_module_statement(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ExpressionStatement(statement) => match statement.expression.get_inner_expression() {
            Expression::AssignmentExpression(assignment) => is_export_target(&assignment.left),
            _ => false,
        },
        statement => statement.is_module_declaration(),
    }
}

/// `module.exports` and `exports.name`.
fn is_export_target(target: &AssignmentTarget<'_>) -> bool {
    let Some(member) = target.as_member_expression() else { return false };
    let is_named = |expression: &Expression<'_>, name: &str| matches!(expression, Expression::Identifier(found) if found.name == name);
    is_named(member.object(), "exports")
        || is_named(member.object(), "module") && member.static_property_name() == Some("exports")
        || member
            .object()
            .as_member_expression()
            .is_some_and(|inner| is_named(inner.object(), "module") && inner.static_property_name() == Some("exports"))
}

/// `require('name')`, as a module writes it.
fn requires<'a>(callee: &Expression<'a>, arguments: &[Argument<'a>], collected: &Collected<'a, '_>) -> bool {
    let is_require = matches!(callee, Expression::Identifier(name) if name.name == "require" && collected.bindings.symbol(name).is_none());
    is_require && matches!(arguments, [Argument::StringLiteral(_)])
}
