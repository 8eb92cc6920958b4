//! Classes and what is made of them.

use std::rc::Rc;

use oxc_ast::ast::{Class, ClassElement, MethodDefinitionKind, NewExpression};

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{Code, ObjectKind, Place};
use crate::format::script::interpret::text::{Slot, Text};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::format::script::span::span_of;
use crate::knowledge::form;
use crate::value::span::Span;

/// What initializing an instance costs, in expressions.
const INITIALIZED: u64 = 20;
/// How often one class is initialized within its own initialization.
const CLASSES: usize = 4;
/// The field of a class under which what its instances inherit lies.
const PROTOTYPE: &str = "prototype";

impl<'a> Interpreter<'a> {
    /// A class that is declared or written as an expression.
    pub fn class(&mut self, class: &'a Class<'a>) -> Val {
        let parent = class.heritage.as_ref().map_or(Val::NEVER, |heritage| self.evaluate(&heritage.expression));
        let environment = self.frames.last().and_then(|frame| frame.environment);
        let object = self.allocate(class.span.start, ObjectKind::Class { class, environment, parent });
        let value = self.values.object(object);
        self.inherit_from(object, parent);
        if let Some(id) = &class.id
            && let Some(symbol) = id.symbol_id.get()
        {
            self.write(symbol, value, span_of(id));
        }
        let prototype = self.heap.allocate(class.span.start, object.0, 5, ObjectKind::Plain(None));
        self.heap.object_mut(prototype).prototype = self.prototype_of(parent);
        let key = self.values.texts.intern(PROTOTYPE);
        let prototype_value = self.values.object(prototype);
        self.heap.set(Place::Field(object, key), prototype_value);
        let constructor = self.values.texts.intern("constructor");
        self.heap.set(Place::Field(prototype, constructor), value);
        let around = self.frames.last_mut().and_then(|frame| frame.class.replace(object));
        for element in &class.body.body {
            match element {
                ClassElement::MethodDefinition(method) => {
                    let key = self.key(&method.key);
                    let function = self.closure(Code::Function(&method.value));
                    let (Some(name), Some(field)) = (key.name.clone(), self.field(&key)) else { continue };
                    self.recorder.names.entry(method.value.span.start).or_insert_with(|| name.clone());
                    let owner = if method.r#static { object } else { prototype };
                    match method.kind {
                        MethodDefinitionKind::Constructor => {
                            let key = self.values.texts.slot(Slot::Constructor, Text::EMPTY);
                            self.heap.set(Place::Field(object, key), function);
                        }
                        MethodDefinitionKind::Method => {
                            let function = self.decorated(&method.decorators, owner, &name, function);
                            self.heap.set(Place::Field(owner, field), function);
                            if !method.r#static
                                && let [Atom::Object(method)] = &*self.values.atoms(function.id)
                            {
                                self.owners.insert(*method, object);
                            }
                        }
                        MethodDefinitionKind::Get | MethodDefinitionKind::Set => {
                            let slot = if method.kind == MethodDefinitionKind::Get { Slot::Getter } else { Slot::Setter };
                            let function = self.decorated(&method.decorators, owner, &name, function);
                            self.set_accessor(owner, slot, &key, function);
                        }
                    }
                }
                ClassElement::PropertyDefinition(property) if property.r#static => {
                    let key = self.key(&property.key);
                    let value_of = self.with_this(value, |interpreter| {
                        property.value.as_ref().map_or(Val::UNDEFINED, |value| interpreter.evaluate(value))
                    });
                    self.set_property(value, key, value_of);
                }
                ClassElement::AccessorProperty(property) if property.r#static => {
                    let key = self.key(&property.key);
                    let value_of =
                        self.with_this(value, |interpreter| interpreter.accessor_value(property, key.name.as_deref().unwrap_or_default()));
                    self.set_property(value, key, value_of);
                }
                ClassElement::StaticBlock(block) => {
                    self.with_this(value, |interpreter| {
                        interpreter.hoist(&block.body);
                        interpreter.statements(&block.body);
                        Val::UNDEFINED
                    });
                }
                ClassElement::PropertyDefinition(_) | ClassElement::AccessorProperty(_) | ClassElement::TSIndexSignature(_) => {}
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.class = around;
        }
        self.call_extended(parent, prototype, span_of(class));
        let name = class.id.as_ref().map_or("", |id| id.name.as_str());
        let decorated = self.decorated_class(&class.decorators, name, value);
        if let Some(symbol) = class.id.as_ref().and_then(|id| id.symbol_id.get()).filter(|_| decorated.id != value.id) {
            self.write(symbol, decorated, span_of(class));
        }
        decorated
    }

    /// What a method that nothing calls is called on: an object of its class, made with what nobody knows.
    pub fn object_of(&mut self, method: ObjectId) -> Val {
        self.owners.get(&method).copied().map_or(Val::UNKNOWN, |class| self.object_of_class(class))
    }

    /// An object of a class that nobody knows who made, and with what.
    fn object_of_class(&mut self, class: ObjectId) -> Val {
        if let Some(made) = self.made.get(&class) {
            return *made;
        }
        // A constructor that calls one of the methods finds that nothing is known yet.
        self.made.insert(class, Val::UNKNOWN);
        let unknown = Arguments { known: Vec::new(), rest: Some(Val::UNKNOWN) };
        let made = self.construct_class(class, &unknown, Span::default());
        self.made.insert(class, made);
        made
    }

    /// Calls the methods by which a class extends one of a framework, as that does.
    fn call_extended(&mut self, parent: Val, prototype: ObjectId, span: Span) {
        let path = match &*self.values.atoms(parent.id) {
            [Atom::Native(path)] => {
                self.extended.insert(prototype, *path);
                format!("{}.extended", self.values.texts.get(*path))
            }
            _ => return,
        };
        let Some(entry) = form::entry(&path) else { return };
        let parameters = self.passed_to_entry(entry.parameters);
        let methods: Vec<Val> = self.heap.object(prototype).fields.values().copied().filter(|value| !self.is_class(*value)).collect();
        self.call_back(&Arguments::of(methods), &parameters, span);
    }

    /// What instances of a class have of one of a package which that extends: `this.onMessage` of one that extends `ActivityHandler`.
    pub fn inherited_of_package(&mut self, object: ObjectId, name: &str, span: Span) -> Option<Val> {
        let mut from = self.heap.object(object).prototype;
        for _ in 0..CLASSES {
            let prototype = from?;
            if let Some(path) = self.extended.get(&prototype) {
                let path = format!("{}()", self.values.texts.get(*path));
                return form::is_package(&path).then(|| self.native_property(&path, name, span));
            }
            from = self.heap.object(prototype).prototype;
        }
        None
    }

    /// What whoever is handed an object of a type of the script's own gets: frameworks make one and pass it.
    pub fn handed_object(&mut self, class: Val) -> Option<Val> {
        let [Atom::Object(object)] = *self.values.atoms(class.id) else { return None };
        self.is_class(class).then(|| self.object_of_class(object))
    }

    fn is_class(&self, value: Val) -> bool {
        matches!(&*self.values.atoms(value.id), [Atom::Object(object)] if matches!(self.heap.object(*object).kind, ObjectKind::Class { .. }))
    }

    /// What the instances of a class inherit.
    fn prototype_of(&mut self, class: Val) -> Option<ObjectId> {
        let key = self.values.texts.known(PROTOTYPE)?;
        self.values.atoms(class.id).iter().find_map(|atom| match atom {
            Atom::Object(class) => {
                let prototype = self.heap.get(Place::Field(*class, key))?;
                self.values.atoms(prototype.id).iter().find_map(|atom| match atom {
                    Atom::Object(prototype) => Some(*prototype),
                    _ => None,
                })
            }
            _ => None,
        })
    }

    fn with_this(&mut self, this: Val, run: impl FnOnce(&mut Self) -> Val) -> Val {
        let around = self.frames.last_mut().map(|frame| std::mem::replace(&mut frame.this, this));
        let value = run(self);
        if let (Some(frame), Some(around)) = (self.frames.last_mut(), around) {
            frame.this = around;
        }
        value
    }

    /// `new`.
    pub fn new_expression(&mut self, new: &'a NewExpression<'a>) -> Val {
        let callee = self.evaluate(&new.callee);
        let arguments = self.arguments(&new.arguments);
        let span = span_of(new);
        let mut result = Val::NEVER;
        for atom in self.values.atoms(callee.id).iter() {
            let one = match atom {
                Atom::Object(object) => match self.heap.object(*object).kind.clone() {
                    ObjectKind::Class { .. } => self.construct_class(*object, &arguments, span),
                    ObjectKind::Function { .. } => self.construct_function(*object, &arguments, span),
                    _ => {
                        let callee = self.values.object(*object);
                        self.call_value(callee, Val::UNDEFINED, &arguments, span)
                    }
                },
                Atom::Native(path) => {
                    let path = self.values.texts.get(*path).clone();
                    self.construct_native(&path, &arguments, span)
                }
                _ => continue,
            };
            result = self.values.join(result, one);
        }
        if result.id == Val::NEVER.id || self.values.shape(callee.id).is_open {
            let one = self.call_unknown(callee, Val::UNDEFINED, &arguments, span);
            result = self.values.join(result, one);
        }
        result
    }

    /// An instance of a class of the script.
    pub fn construct_class(&mut self, class: ObjectId, arguments: &Arguments, span: Span) -> Val {
        let context = self.frames.last().map_or(0, |frame| frame.context);
        // Where no `new` makes it, each class has an object of its own.
        let site = match &self.heap.object(class).kind {
            ObjectKind::Class { class: code, .. } if span == Span::default() => code.span.start,
            _ => span.start,
        };
        let instance = self.heap.allocate(site, context, 6, ObjectKind::Plain(None));
        let value = self.values.object(class);
        self.heap.object_mut(instance).prototype = self.prototype_of(value);
        let this = self.values.object(instance);
        self.initialize(class, this, arguments, span)
    }

    /// Runs the initializers and the constructor of a class on an instance, and tells what `new` gives.
    pub fn initialize(&mut self, class: ObjectId, this: Val, arguments: &Arguments, span: Span) -> Val {
        let ObjectKind::Class { class: code, environment, parent } = self.heap.object(class).kind.clone() else { return this };
        // A class that may extend itself has no end.
        if CLASSES < self.frames.iter().filter(|frame| frame.class == Some(class)).count() || super::CALL_DEPTH < self.depth {
            return this;
        }
        if !self.spend() || self.fuel < self.inline_fuel && CLASSES < self.frames.iter().filter(|frame| frame.class.is_some()).count() {
            return this;
        }
        self.fuel = self.fuel.saturating_sub(INITIALIZED);
        self.depth += 1;
        let made = self.initialize_from(class, code, environment, parent, this, arguments, span);
        self.depth -= 1;
        made
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a class are taken apart once")]
    fn initialize_from(
        &mut self,
        class: ObjectId,
        code: &'a Class<'a>,
        environment: Option<ObjectId>,
        parent: Val,
        mut this: Val,
        arguments: &Arguments,
        span: Span,
    ) -> Val {
        let key = self.values.texts.known_slot(Slot::Constructor, Text::EMPTY);
        let constructor = key.and_then(|key| self.heap.get(Place::Field(class, key)));
        let has_parent = parent.id != Val::NEVER.id;
        let has_constructor = constructor.is_some();
        // Initializers run before the constructor's body, or right behind its `super(…)`: either way first.
        let mut frame = super::function::Frame::program();
        frame.environment = environment;
        frame.this = this;
        frame.class = Some(class);
        frame.context = self.frames.last().map_or(0, |frame| frame.context);
        self.frames.push(frame);
        if !has_constructor && has_parent {
            this = self.super_call(parent, this, arguments, span);
            if let Some(frame) = self.frames.last_mut() {
                frame.this = this;
            }
        }
        for element in &code.body.body {
            if let ClassElement::PropertyDefinition(property) = element
                && !property.r#static
            {
                let key = self.key(&property.key);
                if let (Some(name), Some(value)) = (&key.name, &property.value) {
                    self.note_name(value, &name.clone());
                }
                let value = property.value.as_ref().map_or(Val::UNDEFINED, |value| self.evaluate(value));
                let value = self.initialized(&property.decorators, key.name.as_deref().unwrap_or_default(), value);
                if property.value.is_some() || key.name.is_some() {
                    self.set_property(this, key, value);
                }
            }
            if let ClassElement::AccessorProperty(property) = element
                && !property.r#static
            {
                let key = self.key(&property.key);
                let value = self.accessor_value(property, key.name.as_deref().unwrap_or_default());
                self.set_property(this, key, value);
            }
        }
        self.frames.pop();
        if let Some(constructor) = constructor {
            self.parameter_properties(code, this, arguments);
            let returned = self.call_value(constructor, this, arguments, span);
            let became = self.became.iter().rev().find(|(before, _)| before.id == this.id).map_or(this, |(_, made)| *made);
            this = self.made_or_returned(became, returned);
        }
        this
    }

    /// What a constructor gives: an object that it returns stands in the place of the one that it was called on.
    fn made_or_returned(&mut self, this: Val, returned: Val) -> Val {
        let is_object = self.values.atoms(returned.id).iter().any(|atom| matches!(atom, Atom::Object(_)));
        if is_object { self.values.join(this, returned) } else { this }
    }

    /// TypeScript's `constructor(private name: Type)`.
    fn parameter_properties(&mut self, class: &'a Class<'a>, this: Val, arguments: &Arguments) {
        for element in &class.body.body {
            let ClassElement::MethodDefinition(method) = element else { continue };
            if method.kind != MethodDefinitionKind::Constructor {
                continue;
            }
            for (at, parameter) in method.value.params.items.iter().enumerate() {
                if (parameter.accessibility.is_some() || parameter.readonly)
                    && let Some(name) = parameter.pattern.get_identifier_name()
                {
                    let key = Key::named(name.as_str());
                    let mut passed = arguments.get(at);
                    if let Some(initializer) = &parameter.initializer {
                        passed = self.or_default(passed, initializer);
                    }
                    let passed = match &parameter.type_annotation {
                        Some(annotation) => self.as_declared(passed, &annotation.type_annotation),
                        None => passed,
                    };
                    self.set_property(this, key, passed);
                }
            }
        }
    }

    /// `super(…)`: what `this` is from then on.
    pub fn super_call(&mut self, parent: Val, this: Val, arguments: &Arguments, span: Span) -> Val {
        let mut made = this;
        for atom in self.values.atoms(parent.id).iter() {
            match atom {
                Atom::Object(object) => match self.heap.object(*object).kind {
                    ObjectKind::Class { .. } => {
                        let one = self.initialize(*object, this, arguments, span);
                        made = self.values.join(made, one);
                    }
                    _ => {
                        let callee = self.values.object(*object);
                        let returned = self.call_value(callee, this, arguments, span);
                        made = self.made_or_returned(made, returned);
                    }
                },
                Atom::Native(path) => {
                    // A class of the runtime's: what it is given, its instances hold (`Error` its message).
                    let path = Rc::clone(self.values.texts.get(*path));
                    let is_error = path.ends_with("Error");
                    for atom in self.values.atoms(this.id).iter() {
                        let Atom::Object(object) = atom else { continue };
                        if self.extend_stream(&path, *object, arguments.get(0), span) {
                            continue;
                        }
                        if is_error {
                            let key = self.values.texts.intern("message");
                            self.heap.set(Place::Field(*object, key), arguments.get(0));
                            let cause = self.property(arguments.get(1), "cause", span);
                            let key = self.values.texts.intern("cause");
                            self.heap.set(Place::Field(*object, key), cause);
                        } else {
                            for argument in arguments.iter() {
                                let (taint, via) = self.carried(argument);
                                if !taint.is_none() {
                                    let carried = self.values.opaque(taint, via);
                                    self.add_rest(*object, carried);
                                }
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        made
    }

    /// `new` of a plain function.
    fn construct_function(&mut self, function: ObjectId, arguments: &Arguments, span: Span) -> Val {
        let context = self.frames.last().map_or(0, |frame| frame.context);
        let instance = self.heap.allocate(span.start, context, 7, ObjectKind::Plain(None));
        let callee = self.values.object(function);
        self.heap.object_mut(instance).prototype = self.function_prototype(function);
        let this = self.values.object(instance);
        let returned = self.call_value(callee, this, arguments, span);
        self.made_or_returned(this, returned)
    }

    /// The object under a function's `prototype`, made when it is first asked for.
    pub fn function_prototype(&mut self, function: ObjectId) -> Option<ObjectId> {
        let callee = self.values.object(function);
        if let Some(known) = self.prototype_of(callee) {
            return Some(known);
        }
        let prototype = self.heap.allocate(0x2000_0000, function.0, 8, ObjectKind::Plain(None));
        let key = self.values.texts.intern(PROTOTYPE);
        let value = self.values.object(prototype);
        self.heap.set(Place::Field(function, key), value);
        Some(prototype)
    }
}
