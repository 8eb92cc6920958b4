//! Calls of SDKs and platforms that are calls of tools by another name: what they are passed becomes the keys of one
//! argument, what came before them in a chain included.

use std::rc::Rc;

use crate::format::script::interpret::call::join_path;
use crate::format::script::interpret::entry::Handed;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::{Arguments, Invocation};
use crate::format::script::interpret::heap::{ObjectKind, derived};
use crate::format::script::interpret::property::elements::Elements;
use crate::format::script::interpret::record::ToolSite;
use crate::format::script::interpret::single::tells_of_many;
use crate::format::script::interpret::taint::{Change, Label};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::format::script::interpret::{Interpreter, TOOL_FUNCTIONS};
use crate::knowledge::command::list;
use crate::knowledge::form::{self, Form};
use crate::knowledge::named::named_sensitivity;
use crate::knowledge::requested::{mutation, procedure, requested};
use crate::knowledge::secret::is_secret_variable;
use crate::knowledge::tool::tool;
use crate::knowledge::{self, SinkKind};
use crate::subject::flow::{ASKS_FOR_ONE, ITSELF, Origin, OriginKind, Strength, WRITTEN_ACCOUNT};
use crate::subject::segment::HOLE;
use crate::value::span::Span;
use crate::value::words::words;

/// The name of a tool that stands for any other.
const ANY_TOOL: &str = "sendMessage";

/// The key of the name of a remote procedure.
const PROCEDURE: &str = "procedure";

/// What calls a method of a service that something else names.
const ANY_METHOD: &str = "service:call_method";

/// What waits for several calls.
const TOGETHER: &str = "Promise.all";

/// What a chain of calls works on so far.
#[derive(Clone, Copy)]
pub struct Chain {
    /// The tool call that it made last, which what follows says more of.
    action: Option<usize>,
}

impl<'a> Interpreter<'a> {
    /// Calls a path that is a tool by another name, if it is one.
    pub fn call_form(&mut self, path: &str, made_with: &Rc<[Val]>, invocation: Invocation<'_>) -> Option<Val> {
        let form = form::form(path)?;
        if !form.is_named && knowledge::api(path).is_some() {
            return None;
        }
        if form.is_via {
            return Some(self.call_via(path, invocation));
        }
        if form.is_connecting {
            self.connect_server(invocation.this, invocation.arguments.get(0));
            return None;
        }
        let Invocation { this, arguments, span } = invocation;
        let member = path.rsplit('.').next().unwrap_or(path).to_owned();
        if list("connecting-methods").contains(&member.as_str()) {
            self.connect_server(this, arguments.get(0));
        }
        let (keys, chain) = self.chain_keys(&form, this, made_with, span);
        let (tool, passed) = match &form.commands {
            Some(service) => {
                let first = arguments.get(0);
                let (class, input) = self.class_of(first)?;
                (form::command(service, &class), Arguments::of(input))
            }
            None if !form.is_named => (form.tool.clone(), self.without_clients_of(path, arguments)),
            None => (form.tool.clone(), arguments.clone()),
        };
        let account = self.field_of(keys, WRITTEN_ACCOUNT);
        self.name_arguments(keys, &form, &member, &passed);
        // No argument of the script's own says whose account it is.
        if account.is_some() || self.field_of(keys, WRITTEN_ACCOUNT).is_some() {
            self.set_key(keys, WRITTEN_ACCOUNT, account.unwrap_or(Val::UNDEFINED));
        }
        self.name_receiver(keys, &form, this);
        if form.tool.as_deref().is_some_and(tells_of_many) && self.asks_for_one(&member, &passed) {
            let yes = self.values.boolean(true);
            self.set_key(keys, ASKS_FOR_ONE, yes);
        }
        // `prisma.order.deleteMany()` says by its path of which records.
        if form.tool.as_deref().is_some_and(|tool| list("named-by-path").contains(&tool))
            && let Some(model) = path.rsplit('.').nth(1).filter(|model| !model.ends_with(')'))
        {
            let model = self.values.string(model);
            self.set_key(keys, "model", model);
        }
        // `remove(ref(database, '/'))`: what is acted on was named where it was made.
        if let Some(place) = passed.known.first().copied().and_then(|first| self.place_named(first)) {
            self.set_key(keys, "reference", place);
        }
        if form.tool.is_some() || form.commands.is_some() {
            self.add_put(keys, span);
        }
        let form = self.request_form(form, keys);
        let form = self.pressed_form(form, keys);
        let tool = if form.commands.is_some() { tool } else { form.tool.clone() };
        // What a program is started with later calls of its client are not passed.
        let is_setting = tool.as_deref().is_some_and(|tool| list("environment-takers").contains(&tool));
        let argument = self.values.object(keys);
        let mut result = self.values.object(keys);
        let mut action = chain.action;
        match (tool, action) {
            (Some(tool), _) => {
                let name = self.values.string(&tool);
                self.recorder.written(&tool, &mut self.values.texts);
                let index = self.record_tool(self.form_site(span, !form.is_agent), name, &Arguments::of(vec![argument]));
                if form.is_agent {
                    self.recorder.agent_calls += 1;
                }
                result = self.tool_result(index, &Arguments::of(vec![argument]));
                // What is put into an archive, by its path or itself, is in it from then on, wherever that is handed on to.
                if tool.starts_with(form::ADDING_TO_ARCHIVE) {
                    for put in self.field_of(keys, "content").into_iter().chain([result]) {
                        let put = self.carried(put);
                        self.fill_instance(this, made_with, put);
                    }
                }
                match chain.action {
                    None => self.note_columns(result, keys, path),
                    Some(_) => self.widen_columns(result, path),
                }
                action = Some(index);
            }
            (None, Some(index)) => {
                self.extend_tool(index, argument, span);
                let (mut taint, via) = self.carried(this);
                // Who goes along a listing by itself is given one element after the other.
                if member == "next" && arguments.known.is_empty() {
                    taint = self.values.changed(taint, Change::Element);
                }
                result = self.values.opaque(taint, via);
                self.widen_columns(result, path);
            }
            (None, None) => {
                let (mut taint, via) = self.carried(this);
                if member == "next" && arguments.known.is_empty() {
                    taint = self.values.changed(taint, Change::Element);
                }
                result = self.values.with_taint(result, taint).through(via);
            }
        }
        let (taint, via) = if action.is_some() { self.carried(result) } else { self.carried(this) };
        let carried = self.values.opaque(taint, via);
        self.hand_over(path, arguments, carried, span);
        if !is_setting {
            self.chains.insert(keys, Chain { action });
        }
        Some(self.instance(path, Rc::from([argument]), span, carried))
    }

    /// What a function of a package is passed, but for what the same package made: what that signs in with it has from the start.
    fn without_clients_of(&mut self, path: &str, arguments: &Arguments) -> Arguments {
        let package = package_of(path).to_owned();
        let is_client = |interpreter: &Self, value: Val| match &*interpreter.values.atoms(value.id) {
            [Atom::Object(object)] => match &interpreter.heap.object(*object).kind {
                ObjectKind::Instance { path, .. } => {
                    let path = interpreter.values.texts.get(*path);
                    // What a client gave is none.
                    path.matches("()").count() == 1 && package_of(path) == package
                }
                _ => false,
            },
            _ => false,
        };
        let known = arguments.known.iter().map(|value| if is_client(self, *value) { Val::UNKNOWN } else { *value }).collect();
        Arguments { known, rest: arguments.rest }
    }

    /// Calls a method of something of which only the words of the method tell what it does.
    pub fn call_tool_of_service(&mut self, tool: &str, member: &str, invocation: Invocation<'_>) -> Val {
        let Invocation { arguments, span, .. } = invocation;
        let keys = self.allocate(derived(span, 5) ^ span.end, ObjectKind::Plain(None));
        self.name_arguments(keys, &Form::of_words(tool), member, arguments);
        let argument = self.values.object(keys);
        let name = self.values.string(tool);
        self.recorder.written(tool, &mut self.values.texts);
        let passed = Arguments::of(vec![argument]);
        let index = self.record_tool(self.form_site(span, true), name, &passed);
        self.tool_result(index, &passed)
    }

    /// A thing that a service lists deletes itself there: `record.destroy()`, `thread.moveToTrash()`.
    pub fn call_of_listed(&mut self, member: &str, invocation: Invocation<'_>) -> Option<Val> {
        let Invocation { this, arguments, span } = invocation;
        if self.values.taint(this.id).is_none() {
            return None;
        }
        let is_destroying = list("deleting-itself").contains(&member)
            || words(member).first().is_some_and(|verb| list("deleting-itself").contains(&verb.as_str()));
        // `items.delete(id)` is told which one goes; options say how.
        let is_options = |value: Val| self.values.atoms(value.id).iter().any(|atom| matches!(atom, Atom::Object(_)));
        let is_told = arguments.iter().any(|argument| !is_options(argument) || self.is_function(argument));
        if !is_destroying || 1 < arguments.known.len() || is_told {
            return None;
        }
        let labels = self.values.taints.labels(self.values.taint(this.id));
        let is_listed = |label: &&Label| label.strength == Strength::Whole && self.values.texts.get(label.field).contains("[]");
        let owner = labels.iter().filter(is_listed).find_map(|label| {
            let origin = self.recorder.origin(label.origin).filter(|origin| origin.kind == OriginKind::Tool)?;
            origin.name.split_once(':').map(|(owner, _)| owner.to_owned())
        })?;
        let tool = format!("{owner}:{}", words(member).join("_"));
        Some(self.call_tool_of_service(&tool, member, Invocation { this, arguments: &Arguments::of(vec![this]), span }))
    }

    /// Calls the tool of an agent's own object whose name is not known: `codemode[step.tool](step.args)`.
    pub fn call_unnamed_tool(&mut self, object: Val, key: &Key, arguments: &Arguments, span: Span) -> Option<Val> {
        let is_of_agent = |atom: &Atom| match atom {
            Atom::Native(path) => form::form(&join_path(self.values.texts.get(*path), ANY_TOOL)).is_some_and(|form| form.is_agent),
            _ => false,
        };
        let atoms = self.values.atoms(object.id);
        if key.is_private || atoms.is_empty() || !atoms.iter().all(is_of_agent) {
            return None;
        }
        let name = self.values.opaque(key.carried.0, key.carried.1);
        let index = self.record_tool(self.form_site(span, false), name, arguments);
        self.recorder.agent_calls += 1;
        Some(self.tool_result(index, arguments))
    }

    /// The keys of a chain: those of what came before it, or of what its object was made with.
    fn chain_keys(&mut self, form: &Form, this: Val, made_with: &Rc<[Val]>, span: Span) -> (ObjectId, Chain) {
        let keys = self.allocate(derived(span, 5) ^ span.end, ObjectKind::Plain(None));
        let before = made_with.first().and_then(|first| match &*self.values.atoms(first.id) {
            [Atom::Object(object)] => self.chains.get(object).map(|chain| (*first, *chain)),
            _ => None,
        });
        if let Some((before, chain)) = before {
            self.copy_fields(keys, before);
            return (keys, chain);
        }
        for (key, value) in form.made.iter().zip(made_with.iter()).filter(|(key, _)| **key != "_") {
            self.set_key(keys, key, *value);
        }
        self.name_server(keys, this, made_with);
        self.name_account(keys, made_with);
        (keys, Chain { action: None })
    }

    /// Gives the arguments of a call their keys: those that a row says; an object's are its own.
    fn name_arguments(&mut self, keys: ObjectId, form: &Form, member: &str, arguments: &Arguments) {
        for (at, value) in arguments.known.iter().enumerate() {
            let is_object = match &*self.values.atoms(value.id) {
                [Atom::Object(object)] => matches!(self.heap.object(*object).kind, ObjectKind::Plain(_)),
                _ => false,
            };
            if self.is_function(*value) {
                continue;
            }
            let value = &self.constant_of(*value);
            match form.arguments.get(at).copied() {
                Some("_") => {}
                Some("{0}") => {
                    let named = self.values.text(arguments.get(0).id).map_or_else(|| member.to_owned(), |text| text.to_string());
                    self.set_key(keys, &named, *value);
                }
                Some(key) if is_object && key.ends_with("...") => self.copy_fields(keys, *value),
                Some("...") => self.copy_fields(keys, *value),
                Some(key) if form.tool.is_none() && list("keys-of-conditions").contains(&key) => {
                    let key = self.free_key(keys, key);
                    self.set_key(keys, &key, *value);
                }
                Some(key) => self.set_key(keys, key.trim_end_matches("..."), *value),
                None if is_object => self.copy_fields(keys, *value),
                None if at == 0 => self.set_key(keys, member, *value),
                None => self.set_key(keys, &format!("{member}{at}"), *value),
            }
        }
        // `single(limit=1)`: what a method says though it is passed nothing.
        for (key, said) in form.arguments.iter().filter_map(|key| key.split_once('=')) {
            let said = if let Ok(number) = said.parse() { self.values.number(number) } else { self.values.string(said) };
            self.set_key(keys, key, said);
        }
        if let Some(rest) = arguments.rest {
            self.add_rest(keys, rest);
        }
    }

    /// What sends itself is sent: `message.forward(address)`; what deletes itself is deleted: `thread.moveToTrash()`.
    fn name_receiver(&mut self, keys: ObjectId, form: &Form, this: Val) {
        let is_about_itself = |name: &str| form.is_named && tool(name).outgoing().is_some() || deletes(name);
        let sends = form.tool.as_deref().is_some_and(is_about_itself);
        let (taint, via) = self.carried(this);
        if sends && !taint.is_none() {
            let itself = self.values.opaque(taint, via);
            self.set_key(keys, ITSELF, itself);
        }
    }

    /// The path by which a part of a database was named, if a value is one.
    fn place_named(&self, value: Val) -> Option<Val> {
        let atoms = self.values.atoms(value.id);
        let [Atom::Object(object)] = &*atoms else { return None };
        match &self.heap.object(*object).kind {
            ObjectKind::Instance { path, made_with } if list("named-where-made").contains(&&**self.values.texts.get(*path)) => {
                made_with.get(1).copied()
            }
            _ => None,
        }
    }

    /// A call that names a method and a path (`DELETE /users/{id}`) is the tool that does so.
    fn request_form(&mut self, form: Form, keys: ObjectId) -> Form {
        let Some(tool) = form.tool.as_deref().filter(|_| form.commands.is_none()) else { return form };
        if let Some(named) = self.field_of(keys, PROCEDURE).and_then(|name| self.values.text(name.id)) {
            let tool = procedure(tool, &named).unwrap_or_else(|| tool.to_owned());
            return Form { tool: Some(tool), ..form };
        }
        let document = self.field_of(keys, "query").and_then(|query| self.values.text(query.id));
        if let Some(named) = document.and_then(|document| mutation(tool, &document)) {
            return Form { tool: Some(named), ..form };
        }
        let found = ["path", "route", "url"].iter().find_map(|key| self.field_of(keys, key).map(|path| (key, path)));
        let Some((key, path)) = found else { return form };
        let Some(text) = self.values.text(path.id) else { return form };
        // The method may stand before a whole address: `request('POST https://…')`.
        if let Some((method, address)) = text.split_once(' ').filter(|(_, address)| address.contains("://") && !address.contains(' ')) {
            let (taint, _) = self.carried(path);
            let (method, address) = (self.values.string(method), self.values.partial(address));
            let address = self.values.with_taint(address, taint);
            self.set_key(keys, "method", method);
            self.set_key(keys, key, address);
            return form;
        }
        // A whole address is no path of a service: the request is read as one, with its method.
        if text.contains("://") && self.field_of(keys, "method").is_some() {
            return form;
        }
        // The method may stand beside the path: `apiRequest({ method, path })`.
        let method = self.field_of(keys, "method").and_then(|method| self.values.text(method.id));
        let text = match method.filter(|_| !text.contains(' ')) {
            Some(method) => format!("{method} {text}"),
            None => text.to_string(),
        };
        let Some((tool, is_one)) = requested(tool, &text) else { return form };
        if is_one && self.field_of(keys, "id").is_none() {
            self.set_key(keys, "id", path);
        }
        Form { tool: Some(tool), ..form }
    }

    /// A constant of a platform (`DriveApp.Access.PRIVATE`) by its name.
    fn constant_of(&mut self, value: Val) -> Val {
        let name = match &*self.values.atoms(value.id) {
            [Atom::Native(path)] => self.values.texts.get(*path).rsplit('.').next().map(str::to_owned),
            _ => None,
        };
        let is_constant =
            |name: &String| name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'0'..=b'9'));
        name.filter(is_constant).map_or(value, |name| self.values.string(&name))
    }

    /// Sets a key of an argument.
    pub fn set_key(&mut self, object: ObjectId, key: &str, value: Val) {
        let object = self.values.object(object);
        self.set_property(object, Key::named(key), value);
    }

    /// The class that an object of the runtime's is of, with what it was made with.
    fn class_of(&self, value: Val) -> Option<(String, Vec<Val>)> {
        match &*self.values.atoms(value.id) {
            [Atom::Object(object)] => match &self.heap.object(*object).kind {
                ObjectKind::Instance { path, made_with } => Some((self.values.texts.get(*path).to_string(), made_with.to_vec())),
                _ => None,
            },
            _ => None,
        }
    }

    /// `octokit.paginate(octokit.repos.list, { … })`: the method that is passed is called.
    fn call_via(&mut self, path: &str, invocation: Invocation<'_>) -> Val {
        let Invocation { this, arguments, span } = invocation;
        let mut method = arguments.get(0);
        // Some name the method, by the way that leads to it: `apiCall('users.list', …)`.
        if let Some(name) = self.values.text(method.id).filter(|name| !name.contains([' ', '/', HOLE])) {
            method = name.split('.').fold(this, |value, part| self.property(value, part, span));
        } else if path.rsplit('.').next().is_some_and(|last| list("calling-by-name").contains(&last))
            && !self.is_callable(method)
            && !self.carried(method).0.is_none()
        {
            return self.call_tool_of_service(ANY_METHOD, "call_method", invocation);
        }
        self.call_value(method, this, &arguments.skip(1), span)
    }

    /// Which call it is; it is named by its method, not by an argument.
    pub fn form_site(&self, span: Span, is_method: bool) -> ToolSite {
        let own = self.recorder.site().map_or(span, |site| site.span);
        ToolSite { span: own, tool_span: own, is_literal: false, is_method, ..self.tool_site(span) }
    }

    /// Calls the functions that a framework is handed, with what it passes to them.
    pub fn hand_over(&mut self, path: &str, arguments: &Arguments, passed: Val, span: Span) {
        for argument in arguments.iter() {
            self.enter_methods(path, argument, span);
        }
        let Some(entry) = form::entry(path) else {
            // What runs a command hands over the stream to which its lines are written.
            let is_stream = Self::is_form(&format!("{path}()"), "write");
            let stream = if is_stream { self.passed_after_error(path, arguments, passed, span) } else { None };
            let passed = stream.or_else(|| page_parameters(path, arguments)).unwrap_or(Arguments { known: Vec::new(), rest: Some(passed) });
            self.call_back(arguments, &passed, span);
            return;
        };
        if entry.answers {
            self.recorder.answer(span);
        }
        let state = form::entries(path).into_iter().find_map(|entry| self.state_of(entry));
        let mut parameters = self.passed_to_entry(entry.parameters);
        if let Some(first) = parameters.known.first_mut() {
            *first = self.narrowed_by_schema(*first, arguments, span);
        }
        let this = entry.this.map_or(Val::NEVER, |this| self.host_value(this));
        for argument in arguments.iter() {
            if let Some(state) = state {
                self.maybe(|interpreter| interpreter.put_into_state(state, argument));
            }
            let beside = self.arguments_beside(argument, path);
            self.enter(argument, &Handed { parameters: beside.as_ref().unwrap_or(&parameters), this, state, span, answers: entry.answers });
        }
    }

    /// Calls the function that a call is handed which returns what that returns: `client.transaction(async (inner) => …)`. A list is the
    /// calls themselves, which are made together.
    pub fn call_scope(&mut self, path: &str, arguments: &Arguments, span: Span) -> Option<Val> {
        let entry = form::entry(path).filter(|entry| entry.returns)?;
        if let Some(function) = arguments.iter().find(|argument| self.is_function(*argument)) {
            let parameters = self.passed_to_entry(entry.parameters);
            return Some(self.call_value(function, Val::UNKNOWN, &parameters, span));
        }
        let first = arguments.get(0);
        self.elements(first).known.is_some().then(|| self.call_native(TOGETHER, Val::UNKNOWN, &Arguments::of(vec![first]), span))
    }

    /// What stands beside a function that is handed over in an object, as what it is to be called with.
    fn arguments_beside(&mut self, object: Val, path: &str) -> Option<Arguments> {
        let key = form::entry(path)?.parameters.first()?.strip_prefix("beside.")?;
        let passed = match &*self.values.atoms(object.id) {
            [Atom::Object(object)] => self.field_of(*object, key)?,
            _ => return None,
        };
        Some(self.listed(passed))
    }

    /// What a host or a framework passes.
    pub fn passed_to_entry(&mut self, paths: &[&str]) -> Arguments {
        Arguments { known: paths.iter().map(|path| self.host_value(path)).collect(), rest: Some(Val::UNKNOWN) }
    }

    /// What a host passes that a row names: a value of a type, or one of which nothing is known.
    pub fn host_value(&mut self, path: &str) -> Val {
        match path {
            "_" => Val::UNKNOWN,
            path if path.starts_with("beside.") => Val::UNKNOWN,
            path if let Some(state) = self.state_parameter(path) => state,
            path if let Some(handed) = self.handed_on(path) => handed,
            path => self.held(path, Span::default()).unwrap_or_else(|| self.values.native(path)),
        }
    }

    /// What is read of a path whose type holds what comes from outside.
    pub fn held(&mut self, path: &str, span: Span) -> Option<Val> {
        let (kind, name) = form::held(path)?;
        // An agent's script runs in its own host, whatever it calls its own data.
        if kind == OriginKind::Tool && !path.starts_with('<') && self.is_of_agent() {
            return None;
        }
        let origin = Origin { kind, name: name.to_owned(), detail: None, call: None, span };
        let (taint, via) = self.origin(origin);
        if matches!(kind, OriginKind::Page) {
            return Some(self.values.opaque(taint, via));
        }
        let value = self.values.native(path);
        Some(self.values.with_taint(value, taint).through(via))
    }

    /// Returns true if and only if a script calls tools as only agents do, by a function that its host gives it.
    fn is_of_agent(&self) -> bool {
        let given = self.scoping.root_unresolved_references();
        TOOL_FUNCTIONS.iter().any(|name| given.contains_key(*name))
    }

    /// What is read of a part of a page: the text that chose the part says what it is.
    pub fn held_of(&mut self, path: &str, made_with: &[Val], span: Span) -> Option<Val> {
        let (kind, name) = form::held(path).filter(|(kind, _)| *kind == OriginKind::Page)?;
        let detail = made_with.iter().find_map(|value| self.values.text(value.id)).map(|text| text.to_string());
        let (taint, via) = self.origin(Origin { kind, name: name.to_owned(), detail, call: None, span });
        Some(self.values.opaque(taint, via))
    }

    /// Calls a function that is put where a host calls it: in the place of its own, or as a listener.
    pub fn call_assigned(&mut self, path: &str, function: Val, span: Span) {
        let stands_for = match *self.values.atoms(function.id) {
            [Atom::Object(object)] => self.proxy_target(object),
            _ => None,
        };
        if !self.is_function(function) && stands_for.is_none() {
            return;
        }
        if let Some(entry) = form::entry(&format!("{path}.assigned")) {
            let parameters = self.passed_to_entry(entry.parameters);
            match stands_for {
                Some(_) => {
                    self.call_value(function, Val::UNDEFINED, &parameters, span);
                    self.deferred.add(function, parameters.known.clone(), &mut self.values);
                }
                None => {
                    self.call_back(&Arguments::of(vec![function]), &parameters, span);
                }
            }
        }
    }

    /// Reads what a function of another module of the program returns, if its name says what that is.
    pub fn read_of_program(&mut self, path: &str, span: Span) -> Option<Val> {
        let own = path.trim_start_matches(['.', '~', '@', '#']);
        if own.len() == path.len() || path.starts_with('@') && !path.starts_with("@.") || path.contains("()") {
            return None;
        }
        let mut parts = own.rsplit('.');
        let (method, owner) = (parts.next()?, parts.next().unwrap_or_default());
        let name = format!("{owner}.{method}");
        named_sensitivity(&name)?;
        let profile = tool(&format!("{owner}:{}", words(method).join("_")));
        if profile.writes || !profile.sinks.is_empty() {
            return None;
        }
        let (taint, via) = self.origin(Origin { kind: OriginKind::Program, name, detail: None, call: None, span });
        Some(self.values.opaque(taint, via))
    }

    /// One variable of an environment that a host passes.
    pub fn held_part(&mut self, path: &str, name: &str, span: Span) -> Option<Val> {
        let (kind, called) = form::held(path)?;
        // Steps of a workflow are handed their secrets among the fields of their records.
        if kind != OriginKind::Environment && !(kind == OriginKind::Tool && !called.ends_with("_record") && is_secret_variable(Some(name)))
        {
            return None;
        }
        let kind = OriginKind::Environment;
        // `<pipedream-self>.google.$auth`: whose credential it is stands before it.
        let owner = path.split_once(">.").and_then(|(_, rest)| rest.rsplit_once('.'));
        let detail = owner.map_or_else(|| name.to_owned(), |(owner, _)| format!("{owner}.{name}"));
        let origin = Origin { kind, name: format!("{called}.{name}"), detail: Some(detail), call: None, span };
        let (taint, via) = self.origin(origin);
        let value = self.values.native(&join_path(path, name));
        Some(self.values.with_taint(value, taint).through(via))
    }

    /// The elements of what a tool of this form returns, where they act themselves.
    pub fn acting_elements(&self, object: ObjectId, made_with: &[Val]) -> Option<Elements> {
        let is_chain = made_with.iter().flat_map(|value| self.values.atoms(value.id).to_vec()).any(|atom| match atom {
            Atom::Object(keys) => self.chains.contains_key(&keys),
            _ => false,
        });
        let ObjectKind::Instance { path, .. } = &self.heap.object(object).kind else { return None };
        let path = self.values.texts.get(*path);
        let acts = is_chain && form::has_objects(path) || form::is_listed(path);
        acts.then_some(Elements { known: None, any: Val::NEVER, count: None })
    }

    /// A module by the name under which it is imported, if it stands for a server.
    pub fn wrapper(&mut self, name: &str) -> Option<Val> {
        let path = form::module(name)?;
        Some(self.values.native(&path))
    }

    /// The client of a service that a module of one's own offers, by the name that everybody gives it: `import { stripe } from '@/lib/stripe'`.
    pub fn own_client(&mut self, source: &str, name: &str, span: Span) -> Option<Val> {
        let is_own = source.starts_with(['.', '#']) || source.starts_with("@/") || source.starts_with("~/") || source.starts_with("$lib/");
        let path = |name: &str| {
            let mut clients = list("own-clients").iter().filter_map(|client| client.split_once('='));
            clients.find(|(own, _)| is_own && *own == name).map(|(_, path)| path)
        };
        // `import { client } from './redis.js'`
        let file = source.rsplit('/').next().and_then(|last| last.split('.').next()).unwrap_or_default();
        let path = path(name).or_else(|| path(file).filter(|_| matches!(name, "db" | "client" | "connection")))?;
        Some(self.instance(&path.trim_end_matches("()").replace('/', "."), Rc::from([]), span, Val::UNKNOWN))
    }

    /// The path of a method of something that the runtime offers.
    pub fn is_form(path: &str, name: &str) -> bool {
        form::form(&join_path(path, name)).is_some()
    }
}

/// Returns true if and only if a tool deletes what it is called on, by its row or by its words.
fn deletes(name: &str) -> bool {
    tool(name).does(SinkKind::Delete) || words(name).iter().any(|word| list("deleting-itself").contains(&word.as_str()))
}

/// What a function gets that a page is told to run: what stands behind it, `page.evaluate((to) => …, address)`.
pub fn page_parameters(path: &str, arguments: &Arguments) -> Option<Arguments> {
    let is_run_there = list("page-functions").contains(&path.rsplit('.').next().unwrap_or(path));
    (is_run_there && 1 < arguments.known.len()).then(|| arguments.skip(1))
}

/// The package of a path, without its folders: `grammy` of `grammy/web.webhookCallback`, `@scope/name` of `@scope/name/sub.make()`.
fn package_of(path: &str) -> &str {
    let parts = if path.starts_with('@') { 2 } else { 1 };
    let end = path.match_indices('/').nth(parts - 1).map_or(path.len(), |(at, _)| at);
    let name = path.get(..end).unwrap_or(path);
    name.split(['.', '(']).next().filter(|_| !name.starts_with('@')).unwrap_or_else(|| {
        let inner = name.find('/').unwrap_or_default();
        let end = name.get(inner..).and_then(|rest| rest.find(['.', '('])).map_or(name.len(), |at| inner + at);
        name.get(..end).unwrap_or(name)
    })
}
