//! What a script hands to its host or to a framework, which calls it: with what, rows say.

use oxc_ast::ast::{BindingIdentifier, BindingPattern, Decorator, FormalParameters, ObjectPattern};

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{Code, ObjectKind, Place};
use crate::format::script::interpret::taint::Label;
use crate::format::script::interpret::text::{Slot, Text};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::knowledge::form;
use crate::subject::flow::OriginKind;
use crate::value::span::Span;

/// How many exports of one script are followed.
const EXPORTS: usize = 500;
/// How many classes of one script that extend one of a framework are followed.
const HEIRS: usize = 200;
/// In how many things a function may be wrapped that is handed over: options, a list, another function.
const WRAPPED: usize = 6;

/// Which of the objects that stand for a function is the one that a host calls.
const HANDED: u8 = 41;

/// How a host calls what it was handed.
#[derive(Clone, Copy)]
pub struct Handed<'p> {
    /// What it passes.
    pub parameters: &'p Arguments,
    /// What it adds to the object on which it calls a method.
    pub this: Val,
    /// What it shares with others that are handed over.
    pub state: Option<ObjectId>,
    /// Where it was handed over.
    pub span: Span,
    /// What it gets back goes to whoever asked.
    pub answers: bool,
}

/// The path of what a module exports as its own value.
const DEFAULT: &str = "export.default";

impl<'a> Interpreter<'a> {
    /// Notes that a value is exported: `default`, or by a name.
    pub fn export(&mut self, name: &str, value: Val) {
        if self.exports.len() < EXPORTS {
            self.exports.push((format!("export.{name}"), value));
        }
    }

    /// Notes that a variable is exported by its own name.
    pub fn export_variable(&mut self, identifier: &BindingIdentifier<'a>) {
        if let Some(symbol) = identifier.symbol_id.get() {
            let value = self.read(symbol);
            self.export(identifier.name.as_str(), value);
        }
    }

    /// Notes that a class extends something that a framework offers.
    pub fn inherit_from(&mut self, class: ObjectId, parent: Val) {
        if let [Atom::Native(path)] = &*self.values.atoms(parent.id)
            && self.heirs.len() < HEIRS
        {
            let path = self.values.texts.get(*path).to_string();
            self.heirs.push((class, path));
        }
    }

    /// Calls what was exported, as its host does, and the methods of classes that frameworks make objects of.
    pub fn call_exported(&mut self) {
        for (path, value) in std::mem::take(&mut self.exports) {
            self.call_entry(&path, value, Val::NEVER);
            let [Atom::Object(object)] = &*self.values.atoms(value.id) else { continue };
            match self.heap.object(*object).kind {
                ObjectKind::Plain(_) => {
                    for (name, field) in self.fields_of(*object) {
                        self.call_entry(&format!("{path}.{name}"), field, value);
                    }
                }
                ObjectKind::Class { .. } => self.call_methods(*object, &path, path == DEFAULT),
                _ => {}
            }
        }
        for (class, path) in std::mem::take(&mut self.heirs) {
            self.call_methods(class, &path, false);
            self.construct_heir(class, &path);
        }
    }

    /// The fields of an object by name.
    fn fields_of(&self, object: ObjectId) -> Vec<(String, Val)> {
        self.heap.object(object).fields.iter().map(|(key, value)| (self.values.texts.get(*key).to_string(), *value)).collect()
    }

    /// Makes an instance of a class that extends one of a package, as the host does: its constructor says which of its functions are
    /// called.
    fn construct_heir(&mut self, class: ObjectId, path: &str) {
        let constructor = self.values.texts.known_slot(Slot::Constructor, Text::EMPTY);
        let has_constructor = constructor.is_some_and(|key| self.heap.get(Place::Field(class, key)).is_some());
        if has_constructor && form::is_package(&format!("{path}()")) {
            self.construct_class(class, &Arguments::default(), Span::default());
        }
    }

    /// Calls the methods of a class that rows name behind a path, on one object of it. Of the class that a module exports as its own
    /// value a host makes no object: there the names of parameters must tell that one calls it.
    fn call_methods(&mut self, class: ObjectId, path: &str, is_default: bool) {
        let Some(prototype) = self.values.texts.known("prototype").and_then(|key| self.heap.get(Place::Field(class, key))) else { return };
        let [Atom::Object(prototype)] = &*self.values.atoms(prototype.id) else { return };
        let is_meant = |entry: &form::Entry| !is_default || !entry.named.is_empty();
        let named = |(name, method): (String, Val)| {
            Some((format!("{path}.{name}"), method)).filter(|(path, _)| form::entry(path).is_some_and(is_meant))
        };
        let methods: Vec<(String, Val)> = self.fields_of(*prototype).into_iter().filter_map(named).collect();
        if methods.is_empty() {
            return;
        }
        let made_with = form::entry(&format!("{path}.constructor")).map(|entry| self.passed_to_entry(entry.parameters));
        let object = self.construct_class(class, &made_with.unwrap_or_default(), Span::default());
        for (path, method) in methods.into_iter().filter(|(path, _)| !path.ends_with(".constructor")) {
            self.call_entry(&path, method, object);
        }
    }

    fn call_entry(&mut self, path: &str, value: Val, this: Val) {
        let Some(entry) = form::entries(path).into_iter().find(|entry| self.has_names(value, entry.named)) else { return };
        let parameters = self.passed_to_entry(entry.parameters);
        let added = entry.this.map_or(Val::NEVER, |this| self.host_value(this));
        let this = if entry.this.is_some() { self.with_methods(this, added) } else { this };
        self.enter_of(
            value,
            this,
            &Handed { parameters: &parameters, this: added, state: None, span: Span::default(), answers: entry.answers },
            WRAPPED,
        );
    }

    /// What a function is passed that nothing calls: what its host passes, where the names of its parameters tell that one calls it.
    pub fn passed_by_host(&mut self, function: Val) -> Option<Arguments> {
        let own = self.declared_name(function).map(|name| format!("{UNCALLED}.{name}"));
        let paths = own.as_deref().into_iter().chain(std::iter::once(UNCALLED));
        let entry = paths.flat_map(form::entries).find(|entry| self.has_names(function, entry.named))?;
        Some(self.passed_to_entry(entry.parameters))
    }

    /// The name under which a function is declared.
    fn declared_name(&self, function: Val) -> Option<String> {
        let [Atom::Object(object)] = &*self.values.atoms(function.id) else { return None };
        match &self.heap.object(*object).kind {
            ObjectKind::Function { code: Code::Function(function), .. } => function.id.as_ref().map(|id| id.name.to_string()),
            _ => None,
        }
    }

    /// Returns true if and only if the first parameters of a function have such names, or none are asked for.
    fn has_names(&self, function: Val, names: &[&[&str]]) -> bool {
        if names.is_empty() {
            return true;
        }
        let [Atom::Object(object)] = &*self.values.atoms(function.id) else { return false };
        let ObjectKind::Function { code, .. } = &self.heap.object(*object).kind else { return false };
        let parameters = match code {
            Code::Arrow(arrow) => &arrow.params,
            Code::Function(function) => &function.params,
        };
        are_named(parameters, names)
    }

    /// Calls the functions that a value is, holds or wraps.
    pub fn enter(&mut self, value: Val, handed: &Handed<'_>) {
        self.enter_of(value, handed.this, handed, WRAPPED);
    }

    /// Calls the methods of an object of a class of the script that rows name behind the path to which it is handed.
    pub fn enter_methods(&mut self, path: &str, value: Val, span: Span) {
        let [Atom::Object(object)] = &*self.values.atoms(value.id) else { return };
        let Some(prototype) = self.heap.object(*object).prototype else { return };
        for (name, method) in self.fields_of(prototype) {
            let Some(entry) = form::entry(&format!("{path}.{name}")).filter(|_| self.is_function(method)) else { continue };
            let parameters = self.passed_to_entry(entry.parameters);
            self.enter_of(method, value, &Handed { parameters: &parameters, this: value, state: None, span, answers: entry.answers }, 1);
        }
    }

    /// Calls the functions that a value is, on an object, and those that it holds or wraps.
    fn enter_of(&mut self, value: Val, this: Val, handed: &Handed<'_>, depth: usize) {
        if self.is_function(value) {
            let function = self.called_on(value, this, handed.span);
            if let Some(state) = handed.state {
                return self.call_with_state(function, handed, state);
            }
            let own = self.of_own_page(value, handed.parameters);
            let passed = own.as_ref().unwrap_or(handed.parameters);
            self.call_back_for(&Arguments::of(vec![function]), passed, handed.span, handed.answers);
            return;
        }
        let Some(depth) = depth.checked_sub(1) else { return };
        for atom in self.values.atoms(value.id).iter() {
            let Atom::Object(object) = atom else { continue };
            let inner: Vec<Val> = match &self.heap.object(*object).kind {
                ObjectKind::Plain(_) | ObjectKind::Array => {
                    // What stands in `methods` of a component its `run` calls, not its host.
                    let runs = self.field_of(*object, RUN).is_some();
                    let is_own = |key: &Text| runs && &**self.values.texts.get(*key) == METHODS;
                    let fields = self.heap.object(*object).fields.iter();
                    fields.filter(|(key, _)| !is_own(key)).map(|(_, value)| *value).collect()
                }
                ObjectKind::Instance { made_with, .. } => made_with.to_vec(),
                _ => continue,
            };
            let own = if matches!(self.heap.object(*object).kind, ObjectKind::Plain(_)) {
                let own = self.values.object(*object);
                self.with_methods(own, handed.this)
            } else {
                handed.this
            };
            for value in inner {
                self.enter_of(value, own, handed, depth);
            }
        }
    }

    /// An object as its host calls methods on it: with those of its field `methods`, and what the host adds.
    fn with_methods(&mut self, object: Val, added: Val) -> Val {
        let methods = match &*self.values.atoms(object.id) {
            [Atom::Object(own)] => self.field_of(*own, METHODS),
            _ => None,
        };
        let joined = methods.map_or(object, |methods| self.values.join(object, methods));
        let all = self.values.join(joined, added);
        // Its methods are called on all of it.
        if let Some(methods) = methods
            && let [Atom::Object(methods)] = *self.values.atoms(methods.id)
        {
            self.ways.components.insert(methods, all);
        }
        all
    }

    /// A function that is called on an object.
    fn called_on(&mut self, function: Val, this: Val, span: Span) -> Val {
        let [Atom::Object(own)] = &*self.values.atoms(function.id) else { return function };
        if this.id == Val::NEVER.id {
            return function;
        }
        let bound = ObjectKind::Bound { target: function, this, arguments: Vec::new().into() };
        let object = self.heap.allocate(own.0, span.start, HANDED, bound);
        self.values.object(object)
    }

    /// A text that a tag of a runtime or of a database's client is given: what somebody sends in is bound or quoted there.
    pub fn bound_by_tag(&mut self, text: Val) -> Val {
        // What is quoted for one shell is a line for the next one.
        if self.values.text(text.id).is_some_and(|text| text.contains("sh -c ")) {
            return text;
        }
        let taint = self.values.taint(text.id);
        let is_own = |origin: u32| self.recorder.origin(origin).is_none_or(|origin| origin.kind != OriginKind::Incoming);
        let labels = self.values.taints.labels(taint);
        let kept: Vec<Label> = labels.iter().filter(|label| is_own(label.origin)).copied().collect();
        if kept.len() == labels.len() {
            return text;
        }
        let taint = self.values.taints.set(kept);
        let bare = self.values.without_taint(text);
        self.values.with_taint(bare, taint).through(text.via)
    }

    /// What a parameter is that a framework fills by its decorator: `@Body() order`.
    pub fn of_decorators(&mut self, decorators: &'a [Decorator<'a>]) -> Option<Val> {
        decorators.iter().find_map(|decorator| {
            let value = self.evaluate(&decorator.expression);
            let path = match &*self.values.atoms(value.id) {
                [Atom::Object(object)] => match &self.heap.object(*object).kind {
                    ObjectKind::Instance { path, .. } => self.values.texts.get(*path).to_string(),
                    _ => return None,
                },
                _ => return None,
            };
            self.held(&path, Span::default())
        })
    }
}

/// Returns true if and only if the first parameters of a function have such names.
pub fn are_named(parameters: &FormalParameters<'_>, names: &[&[&str]]) -> bool {
    let named = |(at, names): (usize, &&[&str])| match parameters.items.get(at).map(|parameter| &parameter.pattern) {
        Some(BindingPattern::ObjectPattern(taken)) => takes_apart(taken, names),
        Some(pattern) => pattern.get_binding_identifier().is_some_and(|identifier| names.contains(&identifier.name.as_str())),
        None => false,
    };
    names.iter().enumerate().all(named)
}

/// Returns true if and only if what is passed is taken apart into fields, all of whose names stand in `names` as `.name`.
fn takes_apart(taken: &ObjectPattern<'_>, names: &[&str]) -> bool {
    let is_named = |name: &str| names.iter().any(|own| own.strip_prefix('.') == Some(name));
    let mut fields = taken.properties.iter().map(|property| property.key.static_name());
    !taken.properties.is_empty() && fields.all(|name| name.is_some_and(|name| is_named(&name)))
}

/// The path of functions that nothing in the script calls.
const UNCALLED: &str = "uncalled";
/// The field of a component's options in which its further methods stand.
const METHODS: &str = "methods";
/// The field in which what a component does stands.
const RUN: &str = "run";
