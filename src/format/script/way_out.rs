//! What leads outside a script wherever it stands: names, and attributes of elements.

use oxc_ast::ast::{JSXAttribute, JSXAttributeName, JSXAttributeValue};

/// Attributes of elements by which a page loads an address.
pub const LOADING: &[&str] =
    &["src", "srcSet", "href", "action", "formAction", "poster", "data", "style", "background", "ping", "dangerouslySetInnerHTML"];

/// Returns true if and only if an attribute gives an element an address that is computed.
pub fn loads_computed(attribute: &JSXAttribute<'_>) -> bool {
    let JSXAttributeName::Identifier(name) = &attribute.name else { return false };
    let is_computed = match &attribute.value {
        Some(JSXAttributeValue::ExpressionContainer(container)) => {
            container.expression.as_expression().is_some_and(|value| !value.is_literal())
        }
        _ => false,
    };
    is_computed && LOADING.contains(&name.name.as_str())
}

/// Returns true if and only if a name is one of a function that reaches outside, whatever it is read from.
pub fn is_way_out(name: &str) -> bool {
    matches!(
        name,
        "fetch" | "eval" | "XMLHttpRequest" | "WebSocket" | "EventSource" | "importScripts" | "sendBeacon" | "execScript" | "mainModule"
    )
}
