//! Where a node of the syntax tree stands.

use crate::value::span::Span;

/// The span of a node.
pub fn span_of(node: &impl oxc_span::GetSpan) -> Span {
    let span = node.span();
    Span::new(span.start, span.end)
}
