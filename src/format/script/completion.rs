//! How a statement ends.

use oxc_ast::ast::Statement;

/// Returns true if and only if a statement ends in an error, under whatever condition: a `try` around it goes on behind it.
pub fn only_throws(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::IfStatement(choice) => only_throws(&choice.consequent),
        Statement::BlockStatement(block) => block.body.last().is_some_and(only_throws),
        Statement::ThrowStatement(_) => true,
        _ => false,
    }
}
