//! Calls: of functions, of methods, of tools, of what the runtime offers.

use crate::format::script::interpret::exhaustion::Bound;
use crate::format::script::interpret::function::Invocation;
use crate::subject::flow::Origin;
use std::rc::Rc;

use oxc_ast::ast::{Argument, CallExpression, Expression};

use crate::format::script::collect::span_of;
use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::method::{is_iteration, is_promise_method};
use crate::format::script::interpret::record::{HostSite, ToolSite};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::knowledge;
use crate::knowledge::form;
use crate::value::span::Span;

/// The functions by which agent scripts call tools.
pub const TOOL_FUNCTIONS: &[&str] = &["callTool", "__safe_callTool"];

/// How many callers tell one call of a wrapper from another.
const CALLERS: usize = 3;

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
                self.cut = super::statement::cut(member.object());
                if is_super {
                    self.super_method(object, &key, call, span)
                } else {
                    let arguments = self.arguments(&call.arguments);
                    let is_optional = call.optional || member.optional();
                    if is_optional && self.is_given(object) == Some(false) {
                        Val::UNDEFINED
                    } else {
                        self.call_member(object, &key, &arguments, span)
                    }
                }
            }
            None => {
                let callee = self.evaluate(callee);
                let arguments = self.arguments(&call.arguments);
                self.recorder.leave(call_site(call));
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
            self.super_call(parent, this, &arguments, span);
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
        let Some(name) = &key.name else {
            let callee = self.get(object, key, span);
            return self.call_value(callee, object, arguments, span);
        };
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
            } else {
                self.opaque_method(this, name, arguments, span)
            };
            result = self.values.join(result, one).through(self.steps.joined(result.via, one.via));
        }
        if key.carried.0.is_none() { result } else { self.values.with_taint(result, key.carried.0).through(key.carried.1) }
    }

    fn call_method(&mut self, atom: Atom, name: &str, invocation: Invocation<'_>) -> Val {
        let Invocation { this, arguments, span } = invocation;
        match atom {
            Atom::Object(object) => {
                if let Some(method) = self.own_or_inherited(object, name) {
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
            Atom::Text(_) | Atom::Partial(_) | Atom::Number(_) | Atom::Boolean(_) => self.constant_method(this, name, arguments, span),
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

    fn is_named(&self, name: &str) -> bool {
        self.named.whole.contains(name)
    }

    /// Returns true if and only if a path is that of a function that calls tools.
    pub fn is_tool_function(&self, path: &str) -> bool {
        let last = path.rsplit('.').next().unwrap_or(path);
        TOOL_FUNCTIONS.contains(&last) || self.named.ends(path)
    }

    /// Calls a tool: notes it, and returns its result.
    pub fn call_tool(&mut self, arguments: &Arguments, span: Span) -> Val {
        self.recorder.agent_calls += 1;
        let (mut tool, mut passed) = (arguments.get(0), arguments.skip(1));
        if arguments.known.len() == 1
            && arguments.rest.is_none()
            && let [Atom::Object(object)] = &*self.values.atoms(tool.id)
        {
            // As in SDKs: `client.callTool({ name, arguments })`.
            let object = *object;
            let named = ["name", "tool", "toolName"].iter().find_map(|key| self.own_or_inherited(object, key));
            if let Some(named) = named {
                let argument = ["arguments", "args", "input", "params"].iter().find_map(|key| self.own_or_inherited(object, key));
                tool = named;
                passed = Arguments::of(argument.into_iter().collect());
            }
        }
        let site = self.tool_site(span);
        let shape = self.values.shape(tool.id).clone();
        let mut result = Val::NEVER;
        for atom in shape.atoms.iter().filter(|atom| matches!(atom, Atom::Text(_))) {
            let one = self.values.atom(*atom);
            let one = self.values.with_taint(one, shape.taint).through(tool.via);
            let index = self.record_tool(site, one, &passed);
            let one = self.tool_result(index, &passed);
            result = self.joined_with_way(result, one);
        }
        let is_known = !shape.is_open && !shape.atoms.is_empty() && shape.atoms.iter().all(|atom| matches!(atom, Atom::Text(_)));
        if !is_known {
            let unknown = self.values.opaque(shape.taint, tool.via);
            let index = self.record_tool(site, unknown, &passed);
            let one = self.tool_result(index, &passed);
            result = self.joined_with_way(result, one);
        }
        result
    }

    /// Which call it is: a wrapper's call is told apart by who calls the wrapper.
    pub fn tool_site(&self, span: Span) -> ToolSite {
        let own = self.recorder.site();
        let is_passed = own.is_none_or(|site| !site.names_its_tool);
        let mut callers = [0; CALLERS];
        let mut shown = own.map_or(span, |site| site.span);
        if 1 < self.frames.len() {
            // A function that calls itself is one caller, however deep.
            let mut sites: Vec<(u32, u32)> = Vec::new();
            for frame in self.frames.iter().filter(|frame| frame.start != u32::MAX) {
                if !sites.iter().any(|(start, _)| *start == frame.start) {
                    sites.push((frame.start, frame.site.start));
                }
            }
            for (caller, (_, site)) in callers.iter_mut().zip(sites.into_iter().rev()) {
                *caller = site;
            }
            // The tool is named where the wrapper is called.
            if is_passed
                && let Some(site) = own
                && let Some(frame) = self.frames.last()
                && frame.site != Span::default()
                && site.tool_symbol.is_none_or(|symbol| self.is_parameter(symbol, frame.parameters))
            {
                shown = frame.site;
            }
        }
        let start = own.map_or(span.start, |site| site.span.start);
        ToolSite { start, callers, span: shown, tool_span: own.map_or(span, |site| site.tool_span), is_literal: !is_passed }
    }

    fn is_parameter(&self, symbol: oxc_syntax::symbol::SymbolId, parameters: Span) -> bool {
        let span = self.scoping.symbol_span(symbol);
        parameters.start <= span.start && span.end <= parameters.end
    }

    /// Calls something that the runtime offers.
    pub fn call_native(&mut self, path: &str, this: Val, arguments: &Arguments, span: Span) -> Val {
        self.call_native_of(path, &Rc::from([]), Invocation { this, arguments, span })
    }

    /// Calls something that the runtime offers, on something that it made.
    pub fn call_native_of(&mut self, path: &str, made_with: &Rc<[Val]>, invocation: Invocation<'_>) -> Val {
        let Invocation { this, arguments, span } = invocation;
        if self.is_tool_function(path) {
            return self.call_tool(arguments, span);
        }
        if let Some(value) = self.builtin(path, this, arguments, span) {
            return value;
        }
        if let Some(value) = self.call_form(path, made_with, invocation) {
            return value;
        }
        let (mut carried, via) = self.carried(this);
        let mut via = via;
        let mut host = None;
        if let Some(api) = knowledge::api(path) {
            let site = HostSite { api: path.to_owned(), span };
            host = Some((api, self.record_host(site, api, arguments, made_with)));
        }
        if let Some((api, call)) = host
            && let Some(kind) = api.origin
        {
            let detail = api.reads.and_then(|at| self.argument_text(arguments, made_with, at));
            let read = self.origin(Origin { kind, name: path.to_owned(), detail, call: Some(call), span });
            carried = read.0;
            via = read.1;
        } else {
            for argument in arguments.iter() {
                let one = self.carried(argument);
                (carried, via) = self.both((carried, via), one);
            }
        }
        if host.is_none() {
            self.fill_instance(this, made_with, (carried, via));
        }
        let passed = self.values.opaque(carried, via);
        let callbacks = callback_arguments(path, passed);
        if form::entry(path).is_some() {
            self.hand_over(path, arguments, passed, span);
        } else {
            self.call_back(arguments, &callbacks, span);
        }
        // What an object is made with to sign in is not what its methods return.
        let is_made = host.is_none() && form::is_made(path);
        if is_made {
            self.recorder.close(span);
        }
        let passed = if is_made { Val::UNKNOWN } else { passed };
        let made: Rc<[Val]> = if made_with.is_empty() { arguments.known.iter().copied().take(4).collect() } else { Rc::clone(made_with) };
        self.instance(path, made, span, passed)
    }

    /// Something that the runtime made is given data: from then on it carries it, and so does what it was made with.
    fn fill_instance(
        &mut self,
        this: Val,
        made_with: &Rc<[Val]>,
        carried: (crate::format::script::interpret::taint::Taint, crate::format::script::interpret::steps::StepId),
    ) {
        if carried.0.is_none() {
            return;
        }
        for value in std::iter::once(this).chain(made_with.iter().copied()) {
            for atom in self.values.atoms(value.id).iter() {
                if let Atom::Object(object) = atom
                    && let ObjectKind::Instance { .. } = self.heap.object(*object).kind
                {
                    let data = self.values.opaque(carried.0, carried.1);
                    self.add_rest(*object, data);
                }
            }
        }
    }

    /// What a call of the runtime returns: known by its path, so that its methods are known, too.
    pub fn instance(&mut self, path: &str, made_with: Rc<[Val]>, span: Span, carried: Val) -> Val {
        if path.len() > 200 {
            return carried;
        }
        let path = self.values.texts.intern(&format!("{path}()"));
        let context = self.frames.last().map_or(0, |frame| frame.context);
        let object: ObjectId = self.heap.allocate(span.start, context, 10, ObjectKind::Instance { path, made_with });
        let value = self.values.object(object);
        let taint = self.values.taint(carried.id);
        self.values.with_taint(value, taint).through(carried.via)
    }

    /// `import(…)` and `require(…)`.
    pub fn import_call(&mut self, source: Val, span: Span) -> Val {
        match self.values.known(source.id) {
            Some(crate::format::script::constant::Constant::String(name)) => self.module(&name),
            _ => {
                let arguments = Arguments::of(vec![source]);
                if let Some(api) = knowledge::api("import") {
                    let site = HostSite { api: "import".to_owned(), span };
                    self.record_host(site, api, &arguments, &Rc::from([]));
                }
                let (taint, via) = self.carried(source);
                self.values.opaque(taint, via)
            }
        }
    }

    /// A module of the runtime's, by its name.
    pub fn module(&mut self, name: &str) -> Val {
        if let Some(wrapper) = self.wrapper(name) {
            return wrapper;
        }
        let name = name.strip_prefix("node:").unwrap_or(name);
        let path = name.replace('/', ".");
        self.values.native(&path)
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
    /// The variable that the first argument is.
    pub tool_symbol: Option<oxc_syntax::symbol::SymbolId>,
}

fn call_site<'a>(call: &'a CallExpression<'a>) -> Site {
    let first = call.arguments.first();
    let expression = first.and_then(Argument::as_expression).map(Expression::get_inner_expression);
    let names_its_tool = match expression {
        Some(Expression::StringLiteral(_)) => true,
        Some(Expression::TemplateLiteral(template)) => template.expressions.is_empty(),
        _ => false,
    };
    Site { span: span_of(call), tool_span: first.map_or_else(|| span_of(&call.callee), span_of), names_its_tool, tool_symbol: None }
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

/// The path of a member.
pub fn join_path(path: &str, name: &str) -> String {
    match path {
        "globalThis" => name.to_owned(),
        _ => format!("{path}.{name}"),
    }
}

/// What a callback of the runtime is passed: in Node's first an error, which carries nothing.
fn callback_arguments(path: &str, passed: Val) -> Arguments {
    const ERROR_FIRST: &[&str] = &["fs.", "child_process.", "dns.", "crypto.", "zlib.", "glob", "request", "exec", "keytar"];
    let last = path.rsplit('.').next().unwrap_or(path);
    let is_event = matches!(last, "on" | "once" | "addListener" | "addEventListener" | "then" | "get" | "request" | "forEach" | "map");
    if !is_event && ERROR_FIRST.iter().any(|start| path.starts_with(start)) {
        return Arguments { known: vec![Val::UNKNOWN, passed, passed], rest: None };
    }
    Arguments { known: Vec::new(), rest: Some(passed) }
}
