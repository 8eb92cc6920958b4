//! Texts of a script that an agent obeys: what a tool is said to do, what a schema says of a field, what a system prompt orders.

use oxc_ast::ast::{Argument, CallExpression, Expression, ObjectExpression, ObjectProperty, Program};
use oxc_ast_visit::VisitJs;
use oxc_ast_visit::walk_js;

use crate::format::script::interpret::TOOL_FUNCTIONS;
use crate::format::script::span::span_of;
use crate::knowledge::words::Tag;
use crate::value::span::Span;
use crate::value::words::{joined, split_owner, words};

/// Methods by which a server of the Model Context Protocol declares what it offers: `tool(name, description, …)`.
const DECLARING: [&str; 2] = ["tool", "prompt"];
/// Methods by which one says what such a server answers.
const ANSWERING: [&str; 4] = ["registerTool", "registerPrompt", "registerResource", "addTool"];
/// How many are kept of one script.
const KEPT: usize = 1_000;

/// Where such texts stand, and those that an agent is told to remember, each in order of place.
pub(super) fn obeyed(program: &Program<'_>) -> (Vec<Span>, Vec<Span>) {
    let mut visitor = Obeyed { found: Vec::new(), remembered: Vec::new(), instructs: false, answers: false };
    visitor.visit_program(program);
    // What an agent will be told may be put together of any text of the script.
    if visitor.instructs {
        visitor.remembered.push(span_of(program));
    }
    if visitor.answers {
        visitor.found.push(span_of(program));
    }
    visitor.found.sort_unstable();
    visitor.remembered.sort_unstable();
    (visitor.found, visitor.remembered)
}

struct Obeyed {
    found: Vec<Span>,
    remembered: Vec<Span>,
    /// It calls a tool by which others are told what to do: `registry_update_tool`.
    instructs: bool,
    /// It says what a server for agents answers.
    answers: bool,
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
        if let Expression::ObjectExpression(object) = argument.get_inner_expression() {
            self.keep_properties(object, |_| true);
        }
    }

    /// Keeps the texts under some of an object's keys.
    fn keep_properties(&mut self, object: &ObjectExpression<'_>, is_kept: impl Fn(&str) -> bool) {
        let named = |property: &ObjectProperty<'_>| property.key.static_name().is_some_and(|key| is_kept(&joined(&key)));
        let room = KEPT.saturating_sub(self.remembered.len());
        for property in object.properties.iter().filter_map(|property| property.as_property()).filter(|property| named(property)).take(room)
        {
            if matches!(property.value.get_inner_expression(), Expression::StringLiteral(_) | Expression::TemplateLiteral(_)) {
                self.remembered.push(span_of(&property.value));
            }
        }
    }
}

/// Returns true if and only if a tool or a method whose name, or whose owner's, is one of these is called: `memory.save(…)`,
/// `callTool('memory:save', …)`.
fn names_tool(call: &CallExpression<'_>, is_one: impl Fn(&str) -> bool) -> bool {
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
    [owner, method, named].into_iter().flatten().any(is_one)
}

/// Returns true if and only if the name of a tool or method says that it changes what agents are told: their tools' descriptions, their
/// prompts.
fn instructs(name: &str) -> bool {
    let (owner, method) = split_owner(name);
    let named = words(method);
    let changes =
        named.iter().any(|word| Tag::ChangingRecord.has(word) || matches!(word.as_str(), "register" | "publish" | "create" | "set"));
    let last = named.last().map_or("", String::as_str);
    let is_told = matches!(last, "tool" | "prompt" | "prompts" | "instructions" | "skill" | "persona");
    // `agents:registry_update`: what is registered with agents is told to them.
    let is_for_agents = Tag::Acting.has_any(words(owner)) || owner == "mcp";
    let is_registry = is_for_agents && named.iter().any(|word| matches!(word.as_str(), "registry" | "manifest" | "tool" | "tools"));
    changes && (2 < named.len() && is_told || is_registry)
}

/// Returns true if and only if an object says when something is done again: `{ cron: '0 * * * *', prompt: '…' }`.
fn is_scheduled(object: &ObjectExpression<'_>) -> bool {
    let mut keys = object.properties.iter().filter_map(|property| property.as_property()?.key.static_name());
    keys.any(|key| Tag::ScheduleKey.has(&joined(&key)))
}

impl<'a> VisitJs<'a> for Obeyed {
    fn visit_object_expression(&mut self, it: &ObjectExpression<'a>) {
        if is_scheduled(it) {
            self.keep_properties(it, |key| Tag::TaskKey.has(key));
        }
        walk_js::walk_object_expression(self, it);
    }

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
        if member.and_then(|member| member.static_property_name()).is_some_and(|name| DECLARING.contains(&name))
            && let [Some(Expression::StringLiteral(_)), Some(said), ..] =
                it.arguments.iter().map(Argument::as_expression).collect::<Vec<_>>().as_slice()
        {
            self.keep(said);
        }
        // What its tools answer may be put together of any text of the script.
        self.answers |= member
            .and_then(|member| member.static_property_name())
            .is_some_and(|name| DECLARING.contains(&name) && 1 < it.arguments.len() || ANSWERING.contains(&name));
        self.instructs |= names_tool(it, instructs);
        if names_tool(it, |name| Tag::Acting.has_any(words(name))) {
            let arguments = it.arguments.iter().filter_map(Argument::as_expression).map(Expression::get_inner_expression);
            for argument in arguments {
                if let Expression::ObjectExpression(object) = argument {
                    self.keep_properties(object, |key| Tag::TaskKey.has(key));
                }
            }
        }
        if names_tool(it, |name| Tag::KeepingRule.has_any(words(name))) {
            it.arguments.iter().filter_map(Argument::as_expression).for_each(|argument| self.keep_texts(argument));
        }
        walk_js::walk_call_expression(self, it);
    }
}
