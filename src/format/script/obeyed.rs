//! Texts of a script that an agent obeys: what a tool is said to do, what a schema says of a field, what a system prompt orders.

use oxc_ast::ast::{Argument, CallExpression, Expression, ObjectProperty, Program};
use oxc_ast_visit::VisitJs;
use oxc_ast_visit::walk_js;

use crate::format::script::interpret::TOOL_FUNCTIONS;
use crate::format::script::span::span_of;
use crate::knowledge::words::Tag;
use crate::value::span::Span;
use crate::value::words::{joined, words};

/// How many are kept of one script.
const KEPT: usize = 1_000;

/// Where such texts stand, and those that an agent is told to remember, each in order of place.
pub(super) fn obeyed(program: &Program<'_>) -> (Vec<Span>, Vec<Span>) {
    let mut visitor = Obeyed { found: Vec::new(), remembered: Vec::new() };
    visitor.visit_program(program);
    visitor.found.sort_unstable();
    visitor.remembered.sort_unstable();
    (visitor.found, visitor.remembered)
}

struct Obeyed {
    found: Vec<Span>,
    remembered: Vec<Span>,
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

impl Obeyed {
    /// Keeps the texts that an agent is told to remember.
    fn keep_texts(&mut self, argument: &Expression<'_>) {
        let Expression::ObjectExpression(object) = argument.get_inner_expression() else { return };
        let room = KEPT.saturating_sub(self.remembered.len());
        for property in object.properties.iter().filter_map(|property| property.as_property()).take(room) {
            if matches!(property.value.get_inner_expression(), Expression::StringLiteral(_) | Expression::TemplateLiteral(_)) {
                self.remembered.push(span_of(&property.value));
            }
        }
    }
}

/// Returns true if and only if a call keeps something in what an agent remembers: `memory.save(…)`, `callTool('memory:save', …)`.
fn keeps_for_later(call: &CallExpression<'_>) -> bool {
    let is_memory = |name: &str| Tag::KeepingRule.has_any(words(name));
    let member = call.callee.get_inner_expression().as_member_expression();
    let owner = member.and_then(|member| match member.object().get_inner_expression() {
        Expression::Identifier(name) => Some(name.name.as_str()),
        object => object.as_member_expression().and_then(|object| object.static_property_name()),
    });
    let method = member.and_then(|member| member.static_property_name());
    let named = match call.arguments.first().and_then(Argument::as_expression) {
        Some(Expression::StringLiteral(tool)) if call.callee_name().is_some_and(|name| TOOL_FUNCTIONS.contains(&name)) => {
            Some(tool.value.as_str())
        }
        _ => None,
    };
    [owner, method, named].into_iter().flatten().any(is_memory)
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
        if keeps_for_later(it) {
            it.arguments.iter().filter_map(Argument::as_expression).for_each(|argument| self.keep_texts(argument));
        }
        walk_js::walk_call_expression(self, it);
    }
}
