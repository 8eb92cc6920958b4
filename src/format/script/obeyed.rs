//! Texts of a script that an agent obeys: what a tool is said to do, what a schema says of a field, what a system prompt orders.

use oxc_ast::ast::{CallExpression, Expression, ObjectProperty, Program};
use oxc_ast_visit::VisitJs;
use oxc_ast_visit::walk_js;

use crate::format::script::span::span_of;
use crate::knowledge::words::Tag;
use crate::value::span::Span;
use crate::value::words::joined;

/// How many are kept of one script.
const KEPT: usize = 1_000;

/// Where such texts stand, in order of place.
pub(super) fn obeyed(program: &Program<'_>) -> Vec<Span> {
    let mut visitor = Obeyed { found: Vec::new() };
    visitor.visit_program(program);
    visitor.found.sort_unstable();
    visitor.found
}

struct Obeyed {
    found: Vec<Span>,
}

impl Obeyed {
    fn keep(&mut self, value: &Expression<'_>) {
        let is_text =
            !matches!(value, Expression::ObjectExpression(_) | Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_));
        if is_text && self.found.len() < KEPT {
            self.found.push(span_of(value));
        }
    }
}

impl<'a> VisitJs<'a> for Obeyed {
    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        if it.key.static_name().is_some_and(|name| Tag::ObeyedKey.has(&joined(&name))) {
            self.keep(&it.value);
        }
        walk_js::walk_object_property(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        let member = it.callee.get_inner_expression().as_member_expression();
        if member.and_then(|member| member.static_property_name()).is_some_and(|name| Tag::ObeyedKey.has(name))
            && let Some(text) = it.arguments.first().and_then(|first| first.as_expression())
        {
            self.keep(text);
        }
        walk_js::walk_call_expression(self, it);
    }
}
