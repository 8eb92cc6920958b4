//! Turns the tool calls of a script into plain data.

use oxc_ast::ast::{ArrayExpressionElement, Expression, ObjectPropertyKind, PropertyKey};

use crate::format::script::callee::{Callees, ToolCall};
use crate::format::script::collect::{CallSite, Collected, Context, span_of};
use crate::format::script::constant::Constant;
use crate::format::script::fold::{Budget, Folder};
use crate::subject::call::{Call, Disguise, Property, Repeat, Tool, Value};
use crate::value::span::Span;

/// How deep values are read.
const DEPTH: u32 = 64;
/// How many parts of one call's argument are read.
const PARTS: u32 = 10_000;

/// A tool call with the number of its site in `Collected::calls`.
pub struct FoundCall {
    /// The call as plain data.
    pub call: Call,
    /// Which site it is.
    pub site: usize,
}

/// Returns true if and only if the script calls a tool.
pub fn calls_tools<'a>(collected: &Collected<'a, '_>, named: &[String], budget: &Budget) -> bool {
    let folder = Folder::new(&collected.bindings, budget);
    let callees = Callees::new(&collected.bindings, &folder, named);
    collected.calls.iter().any(|site| callees.tool_call(site.call).is_some())
}

/// All tool calls of a script, in order of place, at most `limit`.
///
/// # Errors
///
/// The calls up to the limit, when there are more.
pub fn tool_calls<'a>(
    collected: &Collected<'a, '_>,
    named: &[String],
    budget: &Budget,
    limit: u32,
) -> Result<Vec<FoundCall>, Vec<FoundCall>> {
    let folder = Folder::new(&collected.bindings, budget);
    let callees = Callees::new(&collected.bindings, &folder, named);
    let repeated = repeated_functions(collected);
    let mut found: Vec<FoundCall> = Vec::new();
    for (site, call_site) in collected.calls.iter().enumerate() {
        let Some(tool_call) = callees.tool_call(call_site.call) else { continue };
        found.push(FoundCall { call: plain_call(call_site, &tool_call, &folder, &repeated), site });
    }
    found.sort_by_key(|found| (found.call.span.start, found.call.span.end));
    let is_over = (limit as usize) < found.len();
    found.truncate(limit as usize);
    for (nth, found) in found.iter_mut().enumerate() {
        found.call.nth = u32::try_from(nth).unwrap_or(u32::MAX);
    }
    if is_over { Err(found) } else { Ok(found) }
}

fn plain_call<'a>(site: &CallSite<'a>, tool_call: &ToolCall<'a>, folder: &Folder<'_, 'a, '_>, repeated: &[bool]) -> Call {
    let in_repeated = site.context.function.and_then(|function| repeated.get(function)).copied().unwrap_or(false);
    Call {
        tool: tool_call.tool.map_or(Tool::Dynamic, |tool| tool_name(tool, folder)),
        disguise: Disguise::None,
        argument: tool_call.argument.map_or(Value::Missing, |argument| Reader { folder, parts: PARTS }.value(argument, DEPTH)),
        loop_depth: site.context.loop_depth,
        repeated: site.context.repeated || in_repeated,
        repeat: Repeat::Once,
        over: Vec::new(),
        nth: 0,
        span: span_of(site.call),
        tool_span: tool_call.tool.map_or_else(|| span_of(&site.call.callee), span_of),
    }
}

fn tool_name<'a>(tool: &Expression<'a>, folder: &Folder<'_, 'a, '_>) -> Tool {
    match tool.get_inner_expression() {
        Expression::StringLiteral(literal) => Tool::Named(literal.value.to_string()),
        Expression::TemplateLiteral(template) if template.is_no_substitution_template() => {
            template.single_quasi().map_or(Tool::Dynamic, |name| Tool::Named(name.to_string()))
        }
        tool => folder.fold_string(tool).map_or(Tool::Dynamic, Tool::Folded),
    }
}

struct Reader<'f, 'b, 'a, 's> {
    folder: &'f Folder<'b, 'a, 's>,
    parts: u32,
}

impl<'a> Reader<'_, '_, 'a, '_> {
    fn value(&mut self, expression: &Expression<'a>, depth: u32) -> Value {
        let span = span_of(expression);
        let (Some(depth), Some(parts)) = (depth.checked_sub(1), self.parts.checked_sub(1)) else {
            return Value::Dynamic(span);
        };
        self.parts = parts;
        match expression.get_inner_expression() {
            Expression::ArrayExpression(array) => {
                let elements = array.elements.iter().map(|element| match element {
                    ArrayExpressionElement::SpreadElement(spread) => Value::Dynamic(span_of(&**spread)),
                    ArrayExpressionElement::Elision(elision) => Value::Null(span_of(&**elision)),
                    element => element.as_expression().map_or(Value::Missing, |element| self.value(element, depth)),
                });
                Value::Array(elements.collect(), span)
            }
            Expression::ObjectExpression(object) => {
                let properties = object.properties.iter().map(|property| match property {
                    ObjectPropertyKind::ObjectProperty(property) => Property {
                        key: self.key(&property.key),
                        key_span: span_of(&property.key),
                        value: self.value(&property.value, depth),
                    },
                    ObjectPropertyKind::SpreadProperty(spread) => {
                        Property { key: "...".to_owned(), key_span: span_of(&**spread), value: Value::Dynamic(span_of(&spread.argument)) }
                    }
                });
                Value::Object(properties.collect(), span)
            }
            Expression::Identifier(_) => match self.folder.written_out(expression) {
                Some(written @ (Expression::ObjectExpression(_) | Expression::ArrayExpression(_))) => self.value(written, depth),
                Some(_) | None => self.folder.fold(expression).map_or(Value::Dynamic(span), |constant| plain(constant, span)),
            },
            inner => self.folder.fold(inner).map_or(Value::Dynamic(span), |constant| plain(constant, span)),
        }
    }

    fn key(&self, key: &PropertyKey<'a>) -> String {
        key.static_name().map(|name| name.into_owned()).unwrap_or_else(|| {
            key.as_expression().and_then(|key| self.folder.fold(key)).map_or_else(|| "[]".to_owned(), |key| key.to_text())
        })
    }
}

fn plain(constant: Constant, span: Span) -> Value {
    match constant {
        Constant::String(text) => Value::String(text, span),
        Constant::Number(number) => Value::Number(number, span),
        Constant::Boolean(value) => Value::Boolean(value, span),
        Constant::Null | Constant::Undefined => Value::Null(span),
        Constant::Array(elements) => Value::Array(elements.into_iter().map(|element| plain(element, span)).collect(), span),
        Constant::Bytes(bytes) => Value::String(String::from_utf8_lossy(&bytes).into_owned(), span),
    }
}

/// For each function, whether it runs many times: called in a loop or by an iteration method, by a
/// function that runs many times, or by itself.
fn repeated_functions(collected: &Collected<'_, '_>) -> Vec<bool> {
    let mut repeated = vec![false; collected.functions.len()];
    let mut pending: Vec<usize> = Vec::new();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); collected.functions.len()];
    let mut by_symbol = std::collections::HashMap::new();
    for (index, function) in collected.functions.iter().enumerate() {
        if let Some(symbol) = function.symbol {
            by_symbol.insert(symbol, index);
        }
        if let Some(parent) = function.parent {
            // What stands in a function that runs many times does too.
            callers[parent].push(index);
        }
    }
    for invocation in &collected.invocations {
        let Some(&callee) = by_symbol.get(&invocation.symbol) else { continue };
        let Context { loop_depth, repeated, function } = invocation.context;
        if repeated || 0 < loop_depth || is_within(collected, function, callee) {
            pending.push(callee);
        } else if let Some(caller) = function {
            callers[caller].push(callee);
        }
    }
    while let Some(function) = pending.pop() {
        if !std::mem::replace(&mut repeated[function], true) {
            pending.extend(&callers[function]);
        }
    }
    repeated
}

/// Returns true if and only if a place in `inner` lies within `outer`.
fn is_within(collected: &Collected<'_, '_>, inner: Option<usize>, outer: usize) -> bool {
    let mut function = inner;
    while let Some(index) = function {
        if index == outer {
            return true;
        }
        function = collected.functions.get(index).and_then(|function| function.parent);
    }
    false
}
