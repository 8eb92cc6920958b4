//! What stands in the tree where names are written to: constants, functions, and what changes objects.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_semantic::Semantic;
use oxc_syntax::operator::BinaryOperator;

use crate::format::script::usage::callee::{From, origin, origin_of_name};
use crate::knowledge::row::term::Handling;
use crate::knowledge::usage::of_function;

/// The objects of the language that change what others hold.
const CHANGING: &[&str] = &["Object", "Reflect"];

/// Returns true if and only if a function of the host changes what objects hold.
pub fn is_changing(path: &str) -> bool {
    path.split_once('.').is_some_and(|(object, function)| {
        CHANGING.contains(&object) && of_function(None, path) != Some(Handling::Passes) || function == "assign" && object == "Object"
    })
}

/// Returns true if and only if a name is declared as a function or a class.
pub fn is_function(declaration: AstKind<'_>) -> bool {
    match declaration {
        AstKind::Function(_) | AstKind::Class(_) => true,
        AstKind::VariableDeclarator(declarator) => matches!(
            declarator.init.as_ref().map(Expression::get_inner_expression),
            Some(Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_) | Expression::ClassExpression(_))
        ),
        _ => false,
    }
}

/// Returns true if and only if an object is a class or a function of the script.
pub fn is_own_class(semantic: &Semantic<'_>, object: &Expression<'_>) -> bool {
    let Expression::Identifier(name) = object.get_inner_expression() else { return matches!(object, Expression::ThisExpression(_)) };
    name.reference_id.get().is_some_and(|id| semantic.scoping().get_reference(id).symbol_id().is_some())
}

/// Returns true if and only if an expression may be a function.
pub fn may_be_function(semantic: &Semantic<'_>, expression: &Expression<'_>) -> bool {
    match expression.get_inner_expression() {
        Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_) | Expression::ClassExpression(_) => true,
        Expression::Identifier(name) => match origin_of_name(semantic, name) {
            From::Module(..) => true,
            From::Host(name) => name != "undefined",
            From::Script(_) => {
                let scoping = semantic.scoping();
                let symbol = name.reference_id.get().and_then(|id| scoping.get_reference(id).symbol_id());
                symbol.is_none_or(|symbol| is_function(semantic.nodes().kind(scoping.symbol_declaration(symbol))))
            }
        },
        Expression::StaticMemberExpression(_) | Expression::ComputedMemberExpression(_) => {
            matches!(origin(semantic, expression), From::Module(..))
        }
        Expression::ConditionalExpression(choice) => {
            may_be_function(semantic, &choice.consequent) || may_be_function(semantic, &choice.alternate)
        }
        Expression::LogicalExpression(choice) => may_be_function(semantic, &choice.left) || may_be_function(semantic, &choice.right),
        Expression::AssignmentExpression(assigned) => may_be_function(semantic, &assigned.right),
        Expression::CallExpression(call) => {
            call.callee.as_member_expression().is_some_and(|member| member.static_property_name() == Some("bind"))
        }
        _ => false,
    }
}

/// A text that is written out, or put together from such.
pub fn constant(expression: &Expression<'_>) -> Option<String> {
    match expression.get_inner_expression() {
        Expression::StringLiteral(text) => Some(text.value.to_string()),
        Expression::NumericLiteral(number) => Some(number.value.to_string()),
        Expression::TemplateLiteral(text) if text.expressions.is_empty() => Some(text.quasis.first()?.value.raw.to_string()),
        Expression::BinaryExpression(sum) if sum.operator == BinaryOperator::Addition => {
            Some(constant(&sum.left)? + &constant(&sum.right)?)
        }
        _ => None,
    }
}
