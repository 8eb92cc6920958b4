//! Calls of functions of the script.

use std::rc::Rc;

use oxc_ast::ast::{ArrowFunctionBody, FormalParameters, FunctionBody};

use crate::format::script::interpret::exhaustion::Bound;
use crate::format::script::interpret::heap::derived;
use crate::format::script::interpret::heap::{Code, Left, ObjectKind, Place, Stretch, Writes};
use crate::format::script::interpret::statement::Ends;
use crate::format::script::interpret::taint::{Change, Taint};
use crate::format::script::interpret::text::{Slot, Text};
use crate::format::script::interpret::value::{Atom, Id, ObjectId, Val};
use crate::format::script::interpret::{Interpreter, Loop};
use crate::value::span::Span;

/// How many calls are followed into one another.
const FRAMES: usize = 32;
/// How often one function is followed for single calls.
const FOLLOWED: u32 = 2_000;
/// The same for calls that pass nothing that is known: one is as good as the other.
const FOLLOWED_BLINDLY: u32 = 16;
/// How often a function that is followed for all calls at once is followed again because these changed.
const ROUNDS: u32 = 3;
/// How often a function is followed for all calls at once before only new data is a reason to follow it again.
const FOLLOWED_ALWAYS: u32 = 2;
/// How often a function is followed for all calls at once.
const FOLLOWED_AT_MOST: u32 = 24;
/// How often it is followed beyond that, where each time only deeper fields of the same data came: it counts as passed all of it.
const OUTLINED_AT_MOST: u32 = 8;
/// How often a function is followed into itself.
const RECURSION: usize = 2;

/// What a call passes.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// The first arguments.
    pub known: Vec<Val>,
    /// Any further ones, if there may be some whose number is not known.
    pub rest: Option<Val>,
}

/// A call as it is made.
#[derive(Clone, Copy, Debug)]
pub struct Invocation<'p> {
    /// What it is made on.
    pub this: Val,
    /// What is passed.
    pub arguments: &'p Arguments,
    /// Where it is made.
    pub span: Span,
}

impl Arguments {
    /// Just these.
    pub fn of(known: Vec<Val>) -> Self {
        Self { known, rest: None }
    }

    /// The argument at a position; `undefined` where nothing is passed.
    pub fn get(&self, at: usize) -> Val {
        self.known.get(at).copied().or(self.rest).unwrap_or(Val::UNDEFINED)
    }

    /// All values that are passed.
    pub fn iter(&self) -> impl Iterator<Item = Val> {
        self.known.iter().copied().chain(self.rest)
    }

    /// The arguments without the first ones.
    #[must_use]
    pub fn skip(&self, count: usize) -> Self {
        Self { known: self.known.iter().skip(count).copied().collect(), rest: self.rest }
    }
}

/// One call that is being followed.
pub struct Frame {
    /// Where the function starts.
    pub start: u32,
    /// Its captured variables.
    pub environment: Option<ObjectId>,
    /// Its `this`.
    pub this: Val,
    /// All that was passed.
    pub arguments: Rc<Arguments>,
    /// All that it returned so far.
    pub returned: Val,
    /// What its branches wrote that returned or threw.
    pub ended: Writes,
    /// For each loop or switch that is being run, what its branches wrote that left it.
    pub left: Vec<Writes>,
    /// For each round of a loop that is being run, what its branches wrote that went on with the next one.
    pub skipped: Vec<Writes>,
    /// What of it can be left early, from the function itself inwards.
    pub stretches: Vec<(Left, Stretch)>,
    /// It is asynchronous: where it throws, whoever called it goes on.
    pub is_async: bool,
    /// How many statements that return were run.
    pub returns: u32,
    /// Where it is called.
    pub site: Span,
    /// The class that it is a member of.
    pub class: Option<ObjectId>,
    /// What it yields, if it is a generator.
    pub yields: Option<ObjectId>,
    /// The context in which it makes objects.
    pub context: u32,
    /// The object `arguments`, once it was asked for.
    pub listed: Option<Val>,
}

impl Frame {
    /// The frame of the program itself.
    pub fn program() -> Self {
        Self {
            start: u32::MAX,
            environment: None,
            this: Val::UNKNOWN,
            arguments: Rc::default(),
            returned: Val::NEVER,
            ended: Vec::new(),
            left: Vec::new(),
            skipped: Vec::new(),
            stretches: Vec::new(),
            is_async: false,
            returns: 0,
            site: Span::default(),
            class: None,
            yields: None,
            context: 0,
            listed: None,
        }
    }
}

/// What is known of a function that is followed once for all calls.
#[derive(Clone, Default)]
pub struct Summary {
    this: Option<Id>,
    arguments: Vec<Val>,
    rest: Option<Val>,
    returned: Option<Val>,
    /// The data that its calls bring.
    taint: Taint,
    /// The data of which it counts as passed all.
    outlined: Taint,
    /// How often it was followed.
    followed: u32,
    is_running: bool,
    is_stale: bool,
}

impl<'a> Interpreter<'a> {
    /// The function object of code that stands here.
    pub fn closure(&mut self, code: Code<'a>) -> Val {
        let frame = self.frames.last();
        let environment = frame.and_then(|frame| frame.environment);
        let this = match code {
            Code::Arrow(_) => Some(frame.map_or(Val::UNKNOWN, |frame| frame.this)),
            Code::Function(_) => None,
        };
        let class = frame.and_then(|frame| frame.class);
        let function = self.allocate(code.start(), ObjectKind::Function { code, environment, this, class });
        self.functions.push(function);
        self.values.object(function)
    }

    /// Calls whatever a value can be.
    pub fn call_value(&mut self, callee: Val, this: Val, arguments: &Arguments, site: Span) -> Val {
        if callee.id == Val::NEVER.id {
            return Val::NEVER;
        }
        if super::DEPTH < self.depth {
            self.exhaust(Bound::Depth);
            return Val::UNKNOWN;
        }
        self.depth += 1;
        let value = self.call_any(callee, this, arguments, site);
        self.depth -= 1;
        value
    }

    fn call_any(&mut self, callee: Val, this: Val, arguments: &Arguments, site: Span) -> Val {
        let atoms = self.values.atoms(callee.id);
        let is_open = self.values.shape(callee.id).is_open;
        let choices = atoms.len() + usize::from(is_open);
        let mut result = Val::NEVER;
        for atom in atoms.iter() {
            let one = match atom {
                Atom::Object(function) => {
                    let function = *function;
                    if 1 < choices {
                        self.maybe(|interpreter| interpreter.call_object(function, this, arguments, site))
                    } else {
                        self.call_object(function, this, arguments, site)
                    }
                }
                Atom::Native(path) => {
                    let path = Rc::clone(self.values.texts.get(*path));
                    self.call_native(&path, this, arguments, site)
                }
                Atom::Undefined
                | Atom::Null
                | Atom::Boolean(_)
                | Atom::Number(_)
                | Atom::BigInt(_)
                | Atom::Text(_)
                | Atom::Partial(_)
                | Atom::Time(_) => {
                    continue;
                }
            };
            result = self.values.join(result, one);
        }
        if is_open || result.id == Val::NEVER.id {
            let one = self.call_unknown(callee, this, arguments, site);
            result = self.values.join(result, one);
        }
        let taint = self.values.taint(callee.id);
        self.values.with_taint(result, taint)
    }

    fn call_object(&mut self, function: ObjectId, this: Val, arguments: &Arguments, site: Span) -> Val {
        match self.heap.object(function).kind.clone() {
            ObjectKind::Function { .. } => self.call_function(function, this, arguments, site),
            ObjectKind::Bound { target, this, arguments: first } => {
                let known = first.iter().chain(&arguments.known).copied().collect();
                self.call_value(target, this, &Arguments { known, rest: arguments.rest }, site)
            }
            ObjectKind::Settler(kept) => {
                self.settle(kept, arguments.get(0), site);
                Val::UNDEFINED
            }
            ObjectKind::Class { .. } => self.construct_class(function, arguments, site),
            ObjectKind::Instance { path, made_with } => {
                let path = Rc::clone(self.values.texts.get(path));
                self.call_native_of(&path, &made_with, Invocation { this, arguments, span: site })
            }
            ObjectKind::Plain(_) => {
                let list = self.array(derived(site, 6), &arguments.known, arguments.rest);
                match self.proxied(function, "apply", &Arguments::of(vec![this, list]), site) {
                    Some(value) => value,
                    None => {
                        let callee = self.values.object(function);
                        self.call_unknown(callee, this, arguments, site)
                    }
                }
            }
            ObjectKind::Array
            | ObjectKind::Collection
            | ObjectKind::Encoded(_)
            | ObjectKind::Promise(_)
            | ObjectKind::Environment { .. } => {
                let callee = self.values.object(function);
                self.call_unknown(callee, this, arguments, site)
            }
        }
    }

    /// Calls something that is not known: it may call the functions that it is passed, and its result may
    /// hold all that it is passed.
    pub fn call_unknown(&mut self, callee: Val, this: Val, arguments: &Arguments, site: Span) -> Val {
        arguments.iter().for_each(|argument| self.forget_members(argument));
        let mut carried = self.carried(this);
        let own = self.carried(callee);
        carried = self.both(carried, own);
        for argument in arguments.iter() {
            let one = self.carried(argument);
            carried = self.both(carried, one);
        }
        let taint = self.values.changed(carried.0, Change::Rewritten);
        let passed = self.values.opaque(taint, carried.1);
        let returned = self.call_back(arguments, &Arguments { known: Vec::new(), rest: Some(passed) }, site);
        let (taint, via) = self.carried(returned);
        if taint.is_none() { passed } else { self.values.with_taint(passed, taint).through(via) }
    }

    /// Calls the functions among some arguments, which may happen or not; gives what they return.
    pub fn call_back(&mut self, functions: &Arguments, passed: &Arguments, site: Span) -> Val {
        self.call_back_for(functions, passed, site, false)
    }

    /// The same, where what they return may go to whoever asked.
    pub fn call_back_for(&mut self, functions: &Arguments, passed: &Arguments, site: Span, is_answer: bool) -> Val {
        let mut returned = Val::NEVER;
        for argument in functions.iter() {
            if self.only_looks() && self.was_followed(argument) {
                continue;
            }
            if self.is_function(argument) {
                let result = self.maybe(|interpreter| {
                    let result = interpreter.call_value(argument, Val::UNKNOWN, passed, site);
                    if is_answer {
                        interpreter.answer_with(result, argument, site);
                    }
                    result
                });
                self.provide_fields(result);
                returned = self.joined_with_way(returned, result);
                let known = if passed.known.is_empty() { vec![passed.rest.unwrap_or(Val::UNKNOWN); 3] } else { passed.known.clone() };
                if !self.deferred.add(argument, known, &mut self.values) {
                    self.exhaust(Bound::Later);
                }
            }
        }
        returned
    }

    /// Returns true if and only if all functions that a value can be were followed.
    pub fn was_followed(&self, value: Val) -> bool {
        self.values.shape(value.id).atoms.iter().all(|atom| match atom {
            Atom::Object(object) => match self.heap.object(*object).kind {
                ObjectKind::Function { code, .. } => self.followed.contains_key(&code.start()),
                ObjectKind::Bound { .. } | ObjectKind::Settler(Some(_)) => false,
                _ => true,
            },
            _ => true,
        })
    }

    /// Returns true if and only if a value can be a function of the script.
    pub fn is_function(&self, value: Val) -> bool {
        self.values.shape(value.id).atoms.iter().any(|atom| match atom {
            Atom::Object(object) => {
                matches!(self.heap.object(*object).kind, ObjectKind::Function { .. } | ObjectKind::Bound { .. } | ObjectKind::Settler(_))
            }
            _ => false,
        })
    }

    /// Calls a function of the script.
    fn call_function(&mut self, function: ObjectId, this: Val, arguments: &Arguments, site: Span) -> Val {
        let ObjectKind::Function { code, .. } = self.heap.object(function).kind else { return Val::UNKNOWN };
        let start = code.start();
        let active = self.frames.iter().filter(|frame| frame.start == start).count();
        let followed = self.followed.entry(start).or_insert(0);
        *followed += 1;
        let followed = *followed;
        let is_single = active < RECURSION
            && self.frames.len() < FRAMES
            && (followed < FOLLOWED_BLINDLY || followed < FOLLOWED && self.tells(arguments))
            && self.depth < super::CALL_DEPTH
            && (self.inline_fuel < self.fuel || self.acting.follows(code));
        if is_single {
            let repeat = if 0 < active { self.recursion(code, arguments, site) } else { None };
            if let Some(repeat) = repeat {
                self.loops.push(Loop { repeat, is_statement: false, over: Taint::NONE });
            }
            let context = self.new_context();
            let result = self.follow(function, Invocation { this, arguments, span: site }, context);
            if repeat.is_some() {
                self.loops.pop();
            }
            return result;
        }
        // Who calls himself twice with what he was passed does the same a third time, and gives what he gives otherwise.
        if RECURSION <= active && !arguments.known.is_empty() && self.is_passed_again(code, arguments) {
            return Val::UNDEFINED;
        }
        self.call_summary(function, start, Invocation { this, arguments, span: site })
    }

    /// Returns true if and only if something that is passed is known, if only in part.
    fn tells(&self, arguments: &Arguments) -> bool {
        arguments.known.iter().any(|argument| !self.values.atoms(argument.id).is_empty())
    }

    /// Calls a function with all that it is ever passed.
    fn call_summary(&mut self, function: ObjectId, start: u32, invocation: Invocation<'_>) -> Val {
        let Invocation { this, arguments, span: site } = invocation;
        let mut summary = self.summaries.remove(&start).unwrap_or_default();
        let mut changed = summary.returned.is_none();
        // What it was followed for was one text or number, and now is any.
        let mut opens = false;
        for (at, argument) in arguments.known.iter().enumerate() {
            match summary.arguments.get_mut(at) {
                Some(known) => {
                    let joined = self.values.join(*known, *argument);
                    if joined.id != known.id {
                        let before = known.id;
                        *known = joined.through(joined.via);
                        known.id = self.values.widened(joined.id);
                        changed = true;
                        opens |= self.values.widened(before) != before;
                    }
                }
                None => {
                    summary.arguments.push(*argument);
                    changed = true;
                }
            }
        }
        if let Some(rest) = arguments.rest {
            let joined = self.values.join(summary.rest.unwrap_or(Val::NEVER), rest);
            changed |= summary.rest.map(|rest| rest.id) != Some(joined.id);
            summary.rest = Some(joined);
        }
        let own = self.values.join_ids(summary.this.unwrap_or(Val::NEVER.id), this.id);
        changed |= summary.this != Some(own);
        summary.this = Some(own);
        let known = summary.returned.unwrap_or(Val::NEVER);
        let always = if self.inline_fuel < self.fuel { FOLLOWED_ALWAYS } else { 1 };
        if changed && always <= summary.followed {
            let (mut taint, _) = self.carried(this);
            for argument in arguments.iter() {
                let one = self.carried(argument).0;
                taint = self.values.taints.union(taint, one);
            }
            let all = self.values.taints.union(summary.taint, taint);
            let mut brings = all != summary.taint;
            let mut most = FOLLOWED_AT_MOST;
            if brings && FOLLOWED_AT_MOST <= summary.followed {
                let wholes = self.values.taints.wholes(all, &mut self.values.texts);
                let wholes = self.values.taints.union(summary.outlined, wholes);
                brings = wholes != summary.outlined;
                most += OUTLINED_AT_MOST;
                if brings && (most <= summary.followed || self.is_large && self.fuel < self.inline_fuel) {
                    self.exhaust(Bound::Rounds);
                } else if brings {
                    self.outline(&mut summary, wholes);
                }
            }
            let calls = arguments.iter().any(|argument| self.is_function(argument));
            changed = summary.followed < most && (opens || (brings || calls) && !self.only_looks());
            summary.taint = all;
        }
        let cannot = summary.is_running || FRAMES * 2 < self.frames.len() || super::CALL_DEPTH < self.depth;
        if !changed || cannot {
            // What is known so far; a function that is being followed is followed again once more is.
            summary.is_stale |= summary.is_running;
            let is_running = summary.is_running;
            if changed && !is_running {
                self.postpone(function, this, arguments);
                // What it is passed counts as new when it is followed.
                summary.returned = None;
            }
            self.summaries.insert(start, summary);
            if known.id == Val::NEVER.id && !is_running {
                return self.call_unknown(Val::UNKNOWN, this, arguments, site);
            }
            // Who calls himself gets what he gives otherwise, which the next round knows: nothing is made here of all that he was passed.
            return if known.id == Val::NEVER.id { Val::UNDEFINED } else { known };
        }
        summary.is_running = true;
        for _ in 0..ROUNDS {
            summary.is_stale = false;
            summary.followed += 1;
            let passed = Arguments { known: summary.arguments.clone(), rest: summary.rest };
            let this = Val { id: own, via: this.via };
            self.summaries.insert(start, summary);
            let returned = self
                .maybe(|interpreter| interpreter.follow(function, Invocation { this, arguments: &passed, span: site }, start | 1 << 31));
            summary = self.summaries.remove(&start).unwrap_or_default();
            let joined = self.values.join(summary.returned.unwrap_or(Val::NEVER), returned);
            let is_settled = summary.returned.map(|known| known.id) == Some(joined.id);
            summary.returned = Some(joined);
            if (!summary.is_stale || is_settled) && summary.arguments.len() == passed_count(&passed, &summary) || self.is_exhausted {
                break;
            }
        }
        summary.is_running = false;
        let returned = summary.returned.unwrap_or(Val::UNDEFINED);
        self.summaries.insert(start, summary);
        returned
    }

    /// Who is passed ever deeper fields of something is passed all of it.
    fn outline(&mut self, summary: &mut Summary, wholes: Taint) {
        summary.outlined = wholes;
        self.has_outlined = true;
        for argument in summary.arguments.iter_mut().chain(&mut summary.rest) {
            let (taint, via) = self.carried(*argument);
            let whole = self.values.taints.wholes(taint, &mut self.values.texts);
            *argument = self.values.with_taint(*argument, whole).through(via);
        }
    }

    /// Runs a function's body.
    pub fn follow(&mut self, function: ObjectId, invocation: Invocation<'_>, context: u32) -> Val {
        let Invocation { this, arguments, span: site } = invocation;
        let ObjectKind::Function { code, environment, this: bound, class } = self.heap.object(function).kind.clone() else {
            return Val::UNKNOWN;
        };
        let (parameters, scope, is_generator): (&'a FormalParameters<'a>, _, _) = match code {
            Code::Arrow(function) => (&function.params, function.scope_id.get(), false),
            Code::Function(function) => (&function.params, function.scope_id.get(), function.generator),
        };
        // Outside of classes, a function that is called on nothing is called on all globals.
        let this = if this.id == Val::UNDEFINED.id && class.is_none() { self.values.native("globalThis") } else { this };
        let scope = scope.map_or(0, |scope| u32::try_from(scope.index()).unwrap_or(0));
        let own = self.heap.allocate(code.start(), context, 1, ObjectKind::Environment { scope, parent: environment });
        let yields = is_generator.then(|| self.heap.allocate(code.start(), context, 2, ObjectKind::Array));
        if let Some(yields) = yields {
            if self.length(yields).is_none() || !self.generators.contains_key(&yields) {
                self.set_length(yields, Some(0));
            }
            self.generators.insert(yields, (function, this, arguments.clone()));
        }
        self.charge();
        self.frames.push(Frame {
            start: code.start(),
            environment: Some(own),
            this: bound.unwrap_or(this),
            arguments: Rc::new(arguments.clone()),
            returned: Val::NEVER,
            ended: Vec::new(),
            left: Vec::new(),
            skipped: Vec::new(),
            stretches: Vec::new(),
            is_async: code.is_async(),
            returns: 0,
            site,
            class,
            yields,
            context,
            listed: None,
        });
        self.parameters(parameters, arguments);
        let result = match code {
            Code::Arrow(function) => match &function.body {
                ArrowFunctionBody::FunctionBody(body) => self.within(Left::Function, |inner| inner.body(body)),
                body => body.as_expression().map_or(Val::UNDEFINED, |expression| self.evaluate(expression)),
            },
            Code::Function(function) => {
                function.body.as_ref().map_or(Val::UNKNOWN, |body| self.within(Left::Function, |inner| inner.body(body)))
            }
        };
        self.charge();
        let Some(frame) = self.frames.pop() else { return result };
        self.heap.join(&frame.ended, &mut self.values, false);
        let result = match frame.yields {
            Some(yields) => {
                let key = self.values.texts.slot(Slot::Settled, Text::EMPTY);
                self.heap.set(Place::Field(yields, key), result);
                self.values.object(yields)
            }
            None => result,
        };
        self.redacted(code, result)
    }

    /// What a function that says that it redacts gives back, redacted where something was altered.
    fn redacted(&mut self, code: Code<'a>, result: Val) -> Val {
        let name = match code {
            Code::Function(function) => function.id.as_ref().map(|id| id.name.to_string()),
            Code::Arrow(_) => None,
        };
        let name = name.or_else(|| self.name_of(code.start()));
        self.redacted_by(name.as_deref(), result)
    }

    fn body(&mut self, body: &'a FunctionBody<'a>) -> Val {
        self.hoist(&body.statements);
        let ends = self.statements(&body.statements);
        let returned = self.frames.last().map_or(Val::NEVER, |frame| frame.returned);
        if ends.goes_on() { self.values.join(returned, Val::UNDEFINED) } else { returned }
    }

    fn parameters(&mut self, parameters: &'a FormalParameters<'a>, arguments: &Arguments) {
        for (at, parameter) in parameters.items.iter().enumerate() {
            let mut passed = arguments.get(at);
            // A list of which nobody knows how long it is may end before.
            if arguments.known.len() <= at && arguments.rest.is_some() && !self.values.shape(passed.id).is_open {
                passed = self.values.join(passed, Val::UNDEFINED);
            }
            if let Some(initializer) = &parameter.initializer {
                passed = self.or_default(passed, initializer);
            }
            if let Some(annotation) = &parameter.type_annotation {
                passed = self.as_declared(passed, &annotation.type_annotation);
            }
            if passed.id == Val::UNKNOWN.id
                && let Some(own) = self.of_decorators(&parameter.decorators)
            {
                passed = own;
            }
            self.declare(&parameter.pattern, passed);
        }
        if let Some(rest) = &parameters.rest {
            let more = arguments.skip(parameters.items.len());
            let array = self.array(rest.span.start, &more.known, more.rest);
            self.declare(&rest.rest.argument, array);
        }
    }

    /// A branch that returned or threw: its writes hold only where the function has ended.
    pub fn end(&mut self, ends: Ends, writes: Writes) {
        if ends.leaves_function()
            && let Some(tried) = self.tried.last_mut()
        {
            tried.extend(writes.iter().copied());
        }
        let Some(frame) = self.frames.last_mut() else { return };
        let (breaks, continues) = (ends.breaks().then_some(&mut frame.left), ends.continues().then_some(&mut frame.skipped));
        for left in [breaks, continues].into_iter().flatten().filter_map(|left| left.last_mut()) {
            left.extend(writes.iter().copied());
        }
        if ends.leaves_function() {
            frame.ended.extend(writes);
        }
    }

    /// The name that a function was given where it stands.
    fn name_of(&self, start: u32) -> Option<String> {
        self.recorder.names.get(&start).cloned()
    }
}

/// How many arguments a summary has, if they are those that were followed; else none.
fn passed_count(passed: &Arguments, summary: &Summary) -> usize {
    let same = passed.known.len() == summary.arguments.len()
        && passed.known.iter().zip(&summary.arguments).all(|(one, other)| one.id == other.id)
        && passed.rest.map(|rest| rest.id) == summary.rest.map(|rest| rest.id);
    if same { summary.arguments.len() } else { usize::MAX }
}
