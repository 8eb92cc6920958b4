//! Calls: of functions, of methods, of tools, of what the runtime offers.

mod runtime;
pub mod tool;

use crate::format::script::interpret::call::tool::TOOL_FUNCTIONS;
use crate::format::script::interpret::exhaustion::Bound;
use crate::format::script::interpret::function::Invocation;
use std::rc::Rc;

use oxc_ast::ast::{Argument, CallExpression, Expression};

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::method::is_promise_method;
use crate::format::script::interpret::method::iteration::is_iteration;
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::span::span_of;
use crate::knowledge;
use crate::knowledge::command::list;
use crate::value::span::Span;

impl<'a> Interpreter<'a> {
    /// A call.
    pub fn call(&mut self, call: &'a CallExpression<'a>) -> Val {
        let span = span_of(call);
        let callee = call.callee.get_inner_expression();
        if let Expression::Super(_) = callee {
            return self.super_constructor(call, span);
        }
        let around = self.recorder.enter(call_site(call));
        let value = match callee.as_member_expression().or_else(|| chained(callee)) {
            Some(member) => {
                let is_super = matches!(member.object(), Expression::Super(_));
                let (object, key) = self.member_parts(member);
                if let Some(most) = self.cut(member.object()) {
                    self.cuts.insert(span, most);
                }
                if is_super {
                    self.super_method(object, &key, call, span)
                } else {
                    let is_optional = call.optional || member.optional();
                    let may_end = is_optional && self.may_be_missing(object) || call.optional && key.name.is_none();
                    self.note_end(may_end, is_optional && self.is_given(object).is_none());
                    let arguments = self.arguments(&call.arguments);
                    if is_optional && self.is_given(object) == Some(false) {
                        Val::UNDEFINED
                    } else {
                        let found = self.call_member(object, &key, &arguments, span);
                        let found = self.found_by_pattern(found, (object, &key), arguments.get(0), span);
                        self.parsed_by_schema(object, &key, arguments.get(0), span).unwrap_or(found)
                    }
                }
            }
            None => {
                let callee = self.evaluate(callee);
                let may_end = call.optional && self.may_be_missing(callee);
                self.note_end(may_end, call.optional && self.is_given(callee).is_none());
                let arguments = self.arguments(&call.arguments);
                self.recorder.is_next(call_site(call));
                self.call_value(callee, Val::UNDEFINED, &arguments, span)
            }
        };
        self.recorder.leave_to(around);
        value
    }

    fn super_constructor(&mut self, call: &'a CallExpression<'a>, span: Span) -> Val {
        let arguments = self.arguments(&call.arguments);
        let frame = self.frames.last();
        let (class, this) = (frame.and_then(|frame| frame.class), frame.map_or(Val::UNKNOWN, |frame| frame.this));
        if let Some(class) = class
            && let ObjectKind::Class { parent, .. } = self.heap.object(class).kind
        {
            let made = self.super_call(parent, this, &arguments, span);
            if made.id != this.id
                && let Some(frame) = self.frames.last_mut()
            {
                frame.this = made;
                self.became.push((this, made));
            }
        }
        Val::UNDEFINED
    }

    /// `super.method(…)`.
    fn super_method(&mut self, this: Val, key: &Key, call: &'a CallExpression<'a>, span: Span) -> Val {
        let arguments = self.arguments(&call.arguments);
        let class = self.frames.last().and_then(|frame| frame.class);
        let parent = class.and_then(|class| match self.heap.object(class).kind {
            ObjectKind::Class { parent, .. } => Some(parent),
            _ => None,
        });
        let Some(parent) = parent else { return self.call_member(this, key, &arguments, span) };
        let prototype = self.property(parent, "prototype", span);
        let method = self.get(prototype, key, span);
        self.call_value(method, this, &arguments, span)
    }

    /// A method of whatever an object can be.
    pub fn call_member(&mut self, object: Val, key: &Key, arguments: &Arguments, span: Span) -> Val {
        if super::DEPTH < self.depth || !self.spend() {
            self.exhaust(Bound::Depth);
            return Val::UNKNOWN;
        }
        self.depth += 1;
        let value = self.call_any_member(object, key, arguments, span);
        self.depth -= 1;
        value
    }

    fn call_any_member(&mut self, object: Val, key: &Key, arguments: &Arguments, span: Span) -> Val {
        let Some(name) = key.name.as_ref().filter(|_| !key.is_private) else {
            if let Some(answer) = self.call_unnamed_tool(object, key, arguments, span) {
                return answer;
            }
            let callee = self.get(object, key, span);
            return self.call_value(callee, object, arguments, span);
        };
        if self.values.time_of(object.id).is_some() {
            return self.opaque_method(object, name, arguments, span);
        }
        if let Some(date) = self.date_as(object, name) {
            return date;
        }
        if self.is_always_so(object, name, arguments) {
            return self.values.boolean(true);
        }
        self.provide_passed(object, arguments);
        if let Some(told) = self.told_by_part(object, name, arguments) {
            return self.values.boolean(told);
        }
        let shape = self.values.shape(object.id).clone();
        let choices = shape.atoms.len() + usize::from(shape.is_open);
        let mut result = Val::NEVER;
        for atom in shape.atoms.iter() {
            let this = self.values.atom(*atom);
            let this = self.values.with_taint(this, shape.taint).through(object.via);
            let atom = *atom;
            let one = if 1 < choices {
                self.maybe(|interpreter| interpreter.call_method(atom, name, Invocation { this, arguments, span }))
            } else {
                self.call_method(atom, name, Invocation { this, arguments, span })
            };
            result = self.values.join(result, one).through(self.steps.joined(result.via, one.via));
        }
        if shape.is_open || result.id == Val::NEVER.id {
            let this = self.values.opaque(shape.taint, object.via);
            let one = if TOOL_FUNCTIONS.contains(&name.as_str()) || self.is_named(name) {
                self.call_native(name, this, arguments, span)
            } else if let Some(gone) = self.call_of_listed(name, Invocation { this, arguments, span }) {
                gone
            } else {
                self.opaque_method(this, name, arguments, span)
            };
            result = self.values.join(result, one).through(self.steps.joined(result.via, one.via));
        }
        if let Some(provided) = self.provided_for(object, arguments) {
            result = self.values.join(result, provided);
        }
        if key.carried.0.is_none() { result } else { self.values.with_taint(result, key.carried.0).through(key.carried.1) }
    }

    fn call_method(&mut self, atom: Atom, name: &str, invocation: Invocation<'_>) -> Val {
        let Invocation { this, arguments, span } = invocation;
        match atom {
            Atom::Object(object) => {
                if let Some(method) = self.own_or_inherited(object, name) {
                    let this = self.ways.components.get(&object).copied().unwrap_or(this);
                    return self.call_value(method, this, arguments, span);
                }
                if let Some(method) = self.inherited_of_package(object, name, span) {
                    return self.call_value(method, this, arguments, span);
                }
                self.object_method(object, name, invocation)
            }
            Atom::Native(path) => {
                let path = Rc::clone(self.values.texts.get(path));
                match name {
                    "call" | "apply" | "bind" if !is_namespace(&path) => self.function_method(this, name, arguments, span),
                    _ => {
                        let method = join_path(&path, name);
                        if let Some(key) = self.values.texts.known(&method)
                            && let Some(own) = self.heap.get(super::heap::Place::Field(self.globals, key))
                        {
                            return self.call_value(own, this, arguments, span);
                        }
                        let is_generic = is_promise_method(name) || is_iteration(name) && self.is_callable(arguments.get(0));
                        if is_generic
                            && path.chars().next().is_none_or(|first| !first.is_uppercase())
                            && knowledge::api(&method).is_none()
                            && !puts_together(&path)
                            && !Self::is_form(&path, name)
                        {
                            let (taint, via) = self.carried(this);
                            let opaque = self.values.opaque(taint, via);
                            return self.opaque_method(opaque, name, arguments, span);
                        }
                        if &*path == "globalThis" {
                            let callee = self.global(name);
                            return self.call_value(callee, this, arguments, span);
                        }
                        self.call_native(&method, this, arguments, span)
                    }
                }
            }
            Atom::Text(_) | Atom::Partial(_) | Atom::Number(_) | Atom::BigInt(_) | Atom::Boolean(_) => {
                self.constant_method(this, name, arguments, span)
            }
            Atom::Time(_) => self.opaque_method(this, name, arguments, span),
            Atom::Undefined | Atom::Null => Val::NEVER,
        }
    }

    /// `call`, `apply` and `bind`.
    pub fn function_method(&mut self, function: Val, name: &str, arguments: &Arguments, span: Span) -> Val {
        match name {
            "call" => self.call_value(function, arguments.get(0), &arguments.skip(1), span),
            "apply" => {
                let passed = self.listed(arguments.get(1));
                self.call_value(function, arguments.get(0), &passed, span)
            }
            "bind" => {
                let bound = ObjectKind::Bound {
                    target: function,
                    this: arguments.get(0),
                    arguments: arguments.known.iter().skip(1).copied().collect(),
                };
                let context = self.frames.last().map_or(0, |frame| frame.context);
                let object = self.heap.allocate(span.start, context, 9, bound);
                self.values.object(object)
            }
            _ => Val::UNKNOWN,
        }
    }

    /// The elements of a list, as arguments.
    pub fn listed(&mut self, list: Val) -> Arguments {
        let elements = self.elements(list);
        match elements.known {
            Some(known) => Arguments::of(known),
            None => Arguments { known: Vec::new(), rest: Some(elements.any) },
        }
    }
}

/// What is known of a call from how it is written.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The whole call.
    pub span: Span,
    /// Its first argument, which names the tool if it is a tool call.
    pub tool_span: Span,
    /// The first argument is a literal.
    pub names_its_tool: bool,
}

fn call_site<'a>(call: &'a CallExpression<'a>) -> Site {
    let first = call.arguments.first();
    let expression = first.and_then(Argument::as_expression).map(Expression::get_inner_expression);
    let names_its_tool = match expression {
        Some(Expression::StringLiteral(_)) => true,
        Some(Expression::TemplateLiteral(template)) => template.expressions.is_empty(),
        _ => false,
    };
    Site { span: span_of(call), tool_span: first.map_or_else(|| span_of(&call.callee), span_of), names_its_tool }
}

fn chained<'a, 'b>(callee: &'b Expression<'a>) -> Option<&'b oxc_ast::ast::MemberExpression<'a>> {
    match callee {
        Expression::ChainExpression(chain) => chain.expression.as_member_expression(),
        _ => None,
    }
}

/// Returns true if and only if a path is one of something that has a method `call` or `apply` of its own.
fn is_namespace(path: &str) -> bool {
    path == "Reflect"
}

/// Returns true if and only if the functions of a package are put together, or take the data last.
pub fn puts_together(package: &str) -> bool {
    list("value-packages").contains(&package) || list("composing-packages").contains(&package)
}

/// The path of a member.
pub fn join_path(path: &str, name: &str) -> String {
    match path {
        "globalThis" => name.to_owned(),
        _ => format!("{path}.{name}"),
    }
}
