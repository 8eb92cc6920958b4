//! Calls: of functions of the script, and of what is not known.

use oxc_ast::ast::{Argument, Expression};
use oxc_syntax::scope::ScopeId;

use crate::format::script::cover::Cover;
use crate::format::script::cover::graph::{Edge, NATIVE, Node, OBJECT};
use crate::format::script::cover::runtime::{self, Method};
use crate::format::script::cover::sink::{self, Site, SiteKind};
use crate::knowledge::words::Tag;
use crate::subject::call::Value;
use crate::value::span::Span;
use crate::value::words::words;

/// What is called.
pub struct Callee {
    node: Node,
    /// What it is called on.
    this: Option<Node>,
    /// The last name by which it is called.
    name: Option<String>,
    /// Its whole name, where it is one of the runtime's.
    path: Option<String>,
    /// It is `super`.
    is_super: bool,
    /// What it is called on is a log.
    is_log: bool,
    /// The scope in which it is called by the name `eval`.
    scope: Option<ScopeId>,
}

impl Callee {
    /// Its whole name, where it is one of the runtime's.
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// The last name by which it is called.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// What it is called on.
    pub fn this(&self) -> Option<Node> {
        self.this
    }

    /// It is `super`.
    pub fn is_super(&self) -> bool {
        self.is_super
    }

    /// Whatever a node is.
    pub fn of(node: Node) -> Self {
        Self { node, this: None, name: None, path: None, is_super: false, is_log: false, scope: None }
    }
}

/// Something that is passed.
#[derive(Clone, Copy)]
pub struct Passed {
    /// What it is.
    pub node: Node,
    /// Its elements are passed, not itself.
    pub is_spread: bool,
}

/// A connection that depends on which functions a node may be.
pub struct CallSite {
    /// What it connects.
    pub kind: CallKind,
    /// The functions that it is connected with.
    pub connected: Vec<u32>,
    /// It is connected with all that something unknown may do.
    pub is_opened: bool,
    /// It is connected with the functions that are not told apart.
    pub is_many: bool,
}

/// What a connection is for.
pub enum CallKind {
    /// A call.
    Call(Box<Call>),
    /// A function stands in an object; true, where the object's methods are called by what is not the script's.
    Member(Node, Node, bool),
    /// Functions that the second may be are called with what the first yields, if that is not the script's; true, where what they
    /// return comes out of it.
    Back(Node, Node, bool),
    /// A member of this name leads out, if what it is read from is not the script's.
    Opens(Node, Node, String),
    /// The second is what a function that the first may be was passed last, or is one that calls it.
    Frame(Node, Node, Frame),
    /// The methods of an object are the ones of all objects: they hear of all data.
    HearsAll(Node),
    /// All methods of an object are called with what it holds and what is passed.
    Handlers(Node, Node),
}

/// What a function tells of how it is being called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// What it is passed: `f.arguments`.
    Arguments,
    /// What calls it: `f.caller`.
    Caller,
}

/// A call.
pub struct Call {
    /// What is called.
    pub callee: Node,
    /// What it is called on.
    pub this: Option<Node>,
    /// What is passed.
    pub passed: Vec<Passed>,
    /// What comes of it.
    pub result: Node,
    /// What the runtime does by that name.
    pub method: Method,
    /// It makes an instance.
    pub is_new: bool,
    /// The interpreter knows what it does; true, where what it is given comes out of it.
    pub known: Option<bool>,
    /// It is one of the runtime's own, by its name.
    pub is_native: bool,
    /// What it is called on, or given, is what it gives back a view of: `bind`, `new Proxy(…)`.
    pub is_view: bool,
    /// It puts what it is given behind what is there, and tells what it is given nothing: `push`.
    pub appends: bool,
    /// It is `JSON.stringify`.
    pub writes_json: bool,
    /// It stands in a `try`.
    pub tries: bool,
    /// Where it stands.
    pub span: Span,
    /// What `super(…)` passes on as `new.target`.
    pub target: Option<Node>,
    /// The answers on which it depends whether it is done, of one that is done again and again.
    pub under: Option<Node>,
    /// It is done again and again.
    pub is_repeated: bool,
    /// It is `then`, which gives what its function gives.
    pub is_then: bool,
    /// It is `catch`.
    pub is_catch: bool,
    /// Its first argument, where that is text that is written out.
    pub key: Option<String>,
    /// What stands under the name by which it is called, in any object of the script.
    pub named: Option<Node>,
}

impl Call {
    /// A call of something with this, of which nothing else is known.
    pub fn of(callee: Node, passed: Vec<Passed>, result: Node, span: Span) -> Self {
        Self {
            callee,
            this: None,
            passed,
            result,
            method: Method::Unknown,
            is_new: false,
            known: None,
            is_native: false,
            is_view: false,
            appends: false,
            writes_json: false,
            tries: false,
            span,
            target: None,
            under: None,
            is_repeated: false,
            is_then: false,
            is_catch: false,
            key: None,
            named: None,
        }
    }
}

impl Cover<'_> {
    /// What is called, from how it is written. What is given nothing is told nothing: `client.domains(id).fetch()` is no request.
    pub fn callee(&mut self, callee: &Expression<'_>, is_given: bool) -> Callee {
        let inner = callee.get_inner_expression();
        let chained = match inner {
            Expression::ChainExpression(chain) => chain.expression.as_member_expression(),
            _ => None,
        };
        match inner.as_member_expression().or(chained) {
            Some(member) => {
                let this = self.value(member.object());
                let node = self.member_of(this, member, is_given);
                let name = member.static_property_name().map(str::to_owned);
                let is_log = last_name(member.object()).is_some_and(is_log);
                Callee { node, this: Some(this), name, path: self.path(inner), is_super: false, is_log, scope: None }
            }
            None => {
                let is_super = matches!(inner, Expression::Super(_));
                let node = if is_super { self.parent().unwrap_or_else(|| self.foreign()) } else { self.value(inner) };
                let scope = match callee {
                    Expression::Identifier(name) if name.name == "eval" => {
                        name.reference_id.get().map(|id| self.scoping.get_reference(id).scope_id())
                    }
                    _ => None,
                };
                Callee { node, this: None, name: None, path: self.path(inner), is_super, is_log: false, scope }
            }
        }
    }

    /// The name of something of the runtime's: `JSON.stringify`.
    pub fn path(&self, expression: &Expression<'_>) -> Option<String> {
        match expression.get_inner_expression() {
            Expression::Identifier(name) => {
                let symbol = name.reference_id.get().and_then(|id| self.scoping.get_reference(id).symbol_id());
                symbol.is_none().then(|| name.name.to_string())
            }
            Expression::NewExpression(new) => Some(format!("{}()", self.path(&new.callee)?)),
            other => {
                let member = other.as_member_expression()?;
                Some(format!("{}.{}", self.path(member.object())?, member.static_property_name()?))
            }
        }
    }

    /// What is passed.
    pub fn passed(&mut self, arguments: &[Argument<'_>]) -> Vec<Passed> {
        arguments
            .iter()
            .map(|argument| match argument {
                Argument::SpreadElement(spread) => Passed { node: self.value(&spread.argument), is_spread: true },
                argument => match argument.as_expression() {
                    Some(expression) if is_function(expression) => {
                        // It may be called for each of many.
                        self.laps += 1;
                        let node = self.value(expression);
                        self.laps -= 1;
                        Passed { node, is_spread: false }
                    }
                    Some(expression) => Passed { node: self.value(expression), is_spread: false },
                    None => Passed { node: self.foreign(), is_spread: false },
                },
            })
            .collect()
    }

    /// A call; what comes of it.
    #[expect(clippy::too_many_arguments, reason = "a call is what its parts are")]
    pub fn call(&mut self, callee: Callee, passed: Vec<Passed>, span: Span, arguments: &[Argument<'_>], is_new: bool) -> Node {
        let result = self.graph.node();
        let method = runtime::method(callee.path.as_deref(), callee.name.as_deref());
        if is_new {
            self.graph.mark(result, OBJECT);
        }
        let known = self.known.get(&span).copied();
        if method == Method::Nothing || callee.name.as_deref().is_some_and(runtime::compares) {
            let is_varied = !arguments.is_empty()
                && arguments.iter().filter_map(Argument::as_expression).all(|argument| self.key_text(argument).is_none());
            let is_spelled = passed.iter().any(|passed| self.spelled.contains(&passed.node));
            if is_varied || is_spelled {
                self.spelled.insert(result);
            }
        }
        let computes = method != Method::Unknown || runtime::only_computes(callee.path().unwrap_or_default());
        let is_given_anything = arguments.iter().filter_map(Argument::as_expression).any(|argument| self.key_text(argument).is_none());
        if callee.this.is_some() && is_given_anything && callee.name.as_deref().is_some_and(runtime::is_cut) {
            self.cut.insert(result);
        }
        if method == Method::Makes && passed.iter().any(|passed| self.spelled.contains(&passed.node)) {
            self.spelled.insert(result);
        }
        let kind = match () {
            () if computes => SiteKind::Computing,
            () if is_new => SiteKind::New,
            () => SiteKind::Call,
        };
        self.sites.push(Site {
            span,
            callee: Some(callee.node),
            name: callee.name.clone(),
            this: callee.this,
            passed: passed.clone(),
            texts: sink::texts(arguments),
            kind,
        });
        let this = if callee.is_super { Some(self.this()) } else { callee.this };
        let is_native = callee.path.is_some();
        let path = callee.path().unwrap_or_default();
        let is_view = callee.name.as_deref() == Some("bind") || is_new && is_native && !runtime::is_written_anew(path);
        if runtime::makes_data(path) {
            self.graph.mark(result, NATIVE);
            if is_new && !runtime::has_plain_fields(path) {
                self.graph.edge(result, Edge::Mixes(result));
            }
        }
        if is_new && matches!(path, "Proxy" | "WeakRef") {
            for passed in &passed {
                self.graph.edge(result, Edge::SameObject(passed.node));
            }
        }
        self.runtime_effects(&callee, &passed, arguments, result);
        self.runs_code(span, callee.scope, result);
        self.file(span, &passed, arguments, result);
        if let Some(this) = callee.this.filter(|_| method == Method::Unknown) {
            self.told(this);
            for passed in &passed {
                self.tells_itself(passed.node, this);
            }
        }
        if method == Method::Copies
            && let Some(parts) = passed.first().and_then(|first| self.parts.get(&first.node)).cloned()
        {
            self.parts.insert(result, parts);
        }
        if let Some(copied) = self.copied_as_json(&callee, &passed, result) {
            self.graph.edge(copied, Edge::Same(result));
            return result;
        }
        let of_size = |argument: &Argument<'_>| matches!(argument, Argument::ObjectExpression(_));
        if callee.path() == Some("Array.from") && arguments.first().is_some_and(of_size) {
            self.sized(&passed, result);
        }
        if is_new && is_native && !runtime::is_collection(callee.path().unwrap_or_default()) {
            self.sized(&passed, result);
        }
        // What a log is told comes out of it for nobody.
        let is_logging = method == Method::Unknown && callee.is_log && callee.name().is_some_and(|name| Tag::LoggingMethod.has(name));
        let method = if is_logging { Method::Nothing } else { method };
        let named = callee.this.and(callee.name()).map(str::to_owned).map(|name| self.named(&name));
        let call = Call {
            this,
            method,
            named,
            is_new: is_new || callee.is_super,
            known,
            is_native,
            is_view,
            appends: callee.name().is_some_and(runtime::appends),
            writes_json: callee.path() == Some("JSON.stringify") && passed.len() == 1,
            tries: 0 < self.tries,
            target: if callee.is_super { self.innermost().target } else { None },
            under: self.answers_around(),
            is_repeated: 0 < self.laps,
            is_catch: callee.name.as_deref() == Some("catch"),
            is_then: callee.name.as_deref() == Some("then"),
            key: arguments.first().and_then(Argument::as_expression).and_then(|key| self.key_text(key)),
            ..Call::of(callee.node, passed, result, span)
        };
        self.add_call(CallKind::Call(Box::new(call)), &[callee.node]);
        result
    }

    /// What `JSON.parse(JSON.stringify(value))` copies.
    fn copied_as_json(&mut self, callee: &Callee, passed: &[Passed], result: Node) -> Option<Node> {
        match (callee.path(), passed) {
            (Some("JSON.stringify"), [only]) => {
                self.written_as_json.insert(result, only.node);
                None
            }
            (Some("JSON.parse"), [only]) => self.written_as_json.get(&only.node).copied(),
            _ => None,
        }
    }

    /// `super(…)` of a class without a constructor of its own.
    pub fn super_call(&mut self, parent: Node, instance: Node, passed: Vec<Passed>) {
        let call = Call { this: Some(instance), is_new: true, ..Call::of(parent, passed, instance, Span::default()) };
        self.add_call(CallKind::Call(Box::new(call)), &[parent]);
    }

    /// A function stands in an object: it may be called on it by what takes the object.
    pub fn member_function(&mut self, object: Node, function: Node, is_foreign: bool) {
        self.add_call(CallKind::Member(object, function, is_foreign), &[function]);
    }

    /// A member tells how a function is being called, if what it is read from is one.
    pub fn frame_member(&mut self, node: Node, base: Node, name: &str) {
        let frame = match name {
            "arguments" => Frame::Arguments,
            "caller" => Frame::Caller,
            _ => return,
        };
        self.add_call(CallKind::Frame(base, node, frame), &[base]);
    }

    /// A member of this name leads out, if what it is read from is not the script's.
    pub fn opens(&mut self, node: Node, base: Node, name: &str) {
        self.add_call(CallKind::Opens(base, node, name.to_owned()), &[base]);
    }

    /// What is put into a prototype of the runtime's stands in all objects.
    pub fn put_into_common(&mut self, value: Node) {
        let common = self.common;
        self.graph.edge(value, Edge::Field(common));
        self.add_call(CallKind::HearsAll(value), &[value]);
        self.add_call(CallKind::HearsAll(common), &[common]);
    }

    /// The methods of an object hear of a value: `value in proxy`, `value instanceof Class`.
    pub fn asks(&mut self, value: Node, object: Node) {
        self.add_call(CallKind::Handlers(value, object), &[object]);
    }

    /// What is printed is passed to what stands in the place of a function that prints.
    pub fn hears_what_is_printed(&mut self, function: Node) {
        let printed = self.printed;
        self.add_call(CallKind::Back(printed, function, false), &[function]);
    }

    /// What errors are made with is passed to what writes down where they happened.
    pub fn hears_of_errors(&mut self, function: Node) {
        let errors = self.errors;
        self.add_call(CallKind::Back(errors, function, false), &[function]);
    }

    /// What is assigned to a field of something that is not the script's may be called by it.
    pub fn handler(&mut self, base: Node, value: Node) {
        self.add_call(CallKind::Back(base, value, false), &[value, base]);
    }

    /// A method is called by a name that is not known.
    pub fn called_by_any_name(&mut self, base: Node, into: Node) {
        self.graph.edge(base, Edge::Methods(into));
    }

    pub fn add_call(&mut self, kind: CallKind, watched: &[Node]) {
        let number = self.calls.len() as u32;
        self.calls.push(CallSite { kind, connected: Vec::new(), is_opened: false, is_many: false });
        for node in watched {
            self.graph.edge(*node, Edge::Call(number));
        }
    }

    /// An assignment to a member, which may do something: `image.src = …`.
    #[expect(clippy::too_many_arguments, reason = "an assignment is what its parts are")]
    pub fn assignment_site(&mut self, span: Span, base: Node, value: Node, text: Option<Value>, name: Option<String>) {
        let passed = vec![Passed { node: value, is_spread: false }];
        self.sites.push(Site {
            span,
            callee: None,
            name,
            this: Some(base),
            passed,
            texts: text.into_iter().collect(),
            kind: SiteKind::Assignment,
        });
    }

    /// An attribute of an element of a page, which may load what its text names.
    pub fn loading_site(&mut self, span: Span, value: Node, text: Option<Value>) {
        let page = self.global("document");
        self.assignment_site(span, page, value, text, None);
    }
}

/// The last name of what is named: `logger` of `functions.logger`.
fn last_name<'e>(expression: &'e Expression<'_>) -> Option<&'e str> {
    match expression.get_inner_expression() {
        Expression::Identifier(name) => Some(name.name.as_str()),
        other => other.as_member_expression().and_then(|member| member.static_property_name()),
    }
}

/// Returns true if and only if a name is that of a log: `logger`, `requestLogger`.
fn is_log(name: &str) -> bool {
    words(name).last().is_some_and(|last| Tag::LogObject.has(last))
}

fn is_function(expression: &Expression<'_>) -> bool {
    matches!(expression.get_inner_expression(), Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_))
}
