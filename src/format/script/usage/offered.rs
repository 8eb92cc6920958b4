//! Texts that a class of a library makes for whoever uses it: what they say of, the caller names.

use oxc_ast::AstKind;
use oxc_ast::ast::{Class, Expression, Function};
use oxc_semantic::{AstNodes, Semantic};
use oxc_span::GetSpan as _;
use oxc_syntax::node::NodeId;
use oxc_syntax::operator::BinaryOperator;

use crate::format::script::usage::callee::{From, origin};

/// Returns true if and only if a text is put together, of parts that are not known, by a method with parameters of a class that the script
/// itself makes no object of, and of which no framework does.
pub fn is_offered(semantic: &Semantic<'_>, node: NodeId) -> bool {
    let nodes = semantic.nodes();
    let Some(method) = has_hole(nodes, node).then(|| method_around(nodes, node)).flatten() else { return false };
    let class = nodes.ancestors(method).find_map(|ancestor| match ancestor.kind() {
        AstKind::Class(class) => Some(class),
        _ => None,
    });
    class.is_some_and(|class| !is_framework(semantic, class) && !is_made(semantic, class))
}

/// Returns true if and only if the text in a node is one of several parts that make one, some of which are not written out.
fn has_hole(nodes: &AstNodes<'_>, node: NodeId) -> bool {
    let is_open = |kind: AstKind<'_>| match kind {
        AstKind::TemplateLiteral(template) => !template.expressions.is_empty(),
        AstKind::BinaryExpression(sum) if sum.operator == BinaryOperator::Addition => {
            !sum.left.get_inner_expression().is_literal() || !sum.right.get_inner_expression().is_literal()
        }
        _ => false,
    };
    let is_part = |kind: &AstKind<'_>| {
        matches!(
            kind,
            AstKind::TemplateLiteral(_) | AstKind::BinaryExpression(_) | AstKind::ParenthesizedExpression(_) | AstKind::TemplateElement(_)
        )
    };
    is_open(nodes.kind(node)) || nodes.ancestor_kinds(node).take_while(is_part).any(is_open)
}

/// The method that a node stands in, if it takes parameters: functions inside it are its own.
fn method_around(nodes: &AstNodes<'_>, node: NodeId) -> Option<NodeId> {
    let takes = |function: &Function<'_>| !function.params.items.is_empty() || function.params.rest.is_some();
    nodes
        .ancestors(node)
        .find_map(|ancestor| match ancestor.kind() {
            AstKind::MethodDefinition(method) => Some((ancestor.id(), takes(&method.value) && !method.r#static)),
            _ => None,
        })
        .filter(|(_, takes)| *takes)
        .map(|(id, _)| id)
}

/// Returns true if and only if a framework may make objects of a class: it is decorated, or extends what is no module of the program.
fn is_framework(semantic: &Semantic<'_>, class: &Class<'_>) -> bool {
    let is_foreign = |parent: &Expression<'_>| match origin(semantic, parent.get_inner_expression()) {
        from @ From::Module(..) => !from.is_own_module(),
        From::Host(_) => true,
        From::Script(_) => false,
    };
    !class.decorators.is_empty() || class.heritage.as_ref().is_some_and(|heritage| is_foreign(&heritage.expression))
}

/// Returns true if and only if the script itself may make objects of a class.
fn is_made(semantic: &Semantic<'_>, class: &Class<'_>) -> bool {
    let Some(symbol) = class.id.as_ref().and_then(|id| id.symbol_id.get()) else { return false };
    let nodes = semantic.nodes();
    semantic.scoping().get_resolved_references(symbol).any(|reference| {
        let named = nodes.kind(reference.node_id()).span();
        let within = nodes.ancestor_kinds(reference.node_id()).take(2);
        within.into_iter().any(|kind| matches!(kind, AstKind::NewExpression(made) if made.callee.span().contains_inclusive(named)))
    })
}
