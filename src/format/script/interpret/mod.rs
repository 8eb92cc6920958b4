//! Follows a script as it would run, with values of which only parts are known.
//!
//! This is an abstract interpreter. It computes what each expression can be ([`value`]), keeps the state of
//! variables and objects ([`heap`]), follows calls into functions, and notes each call of a tool or of a host
//! API with what is passed to it and which data of which origin that carries ([`taint`], [`record`]).
//! Conditions that are not known are run both ways and joined; loops are run until nothing changes.
//! Nothing is executed: what the runtime offers is known by its path and by `knowledge`.
//!
//! Invariant: the work is bounded by fuel, counted in expressions. What was found before it ran out stands.

mod account;
mod acting;
mod adapted;
mod address;
mod allowed;
mod answer;
mod call;
mod captures;
mod channel;
mod class;
mod collection;
mod columns;
mod composed;
mod construct;
mod counting;
mod decorated;
mod deferred;
mod effort;
pub mod entry;
mod exhaustion;
mod expression;
mod foregone;
mod function;
mod grouped;
mod heap;
mod idle;
mod json;
mod leaving;
mod literal;
mod method;
mod native;
mod native_object;
mod operator;
mod pattern;
mod plain;
mod posted;
mod presence;
mod pressed;
mod promise;
mod property;
mod provided;
mod put;
mod record;
mod redacted;
mod rendered;
mod repetition;
mod runnable;
mod schema;
mod sender;
mod server;
mod service;
mod shared;
mod single;
mod standing;
mod statement;
mod steps;
mod stream;
mod taint;
mod text;
mod text_method;
mod unpacked;
mod value;
mod variables;
mod written;

pub use crate::format::script::interpret::call::tool::TOOL_FUNCTIONS;
pub use crate::format::script::interpret::effort::Effort;
pub use crate::format::script::interpret::exhaustion::{Bound, Exhaustion};
use std::rc::Rc;

#[cfg(test)]
use oxc_ast::ast::Expression;
use oxc_ast::ast::Program;
use oxc_semantic::Scoping;
use oxc_syntax::symbol::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::format::script::interpret::captures::{captured, homes};
use crate::format::script::interpret::exhaustion::Spending;
use crate::format::script::interpret::function::Frame;
use crate::format::script::interpret::heap::{Heap, ObjectKind, Place};
use crate::format::script::interpret::record::Recorder;
use crate::format::script::interpret::steps::{StepKind, Steps};
use crate::format::script::interpret::taint::Taint;
use crate::format::script::interpret::value::{ObjectId, Val, Values};
#[cfg(test)]
use crate::format::script::js::constant::Constant;
use crate::subject::call::{Call, HostCall, Repeat};
use crate::subject::flow::{CallRef, Flow, Origin};
use crate::value::span::Span;

/// How deep expressions and calls are followed into one another.
const DEPTH: u32 = 1_200;
/// From this depth on calls are not followed any more; functions that nothing else calls are followed later.
const CALL_DEPTH: u32 = 500;
/// How many calls are followed later because they are too deep where they stand.
const POSTPONED: usize = 20_000;

/// What an interpretation found.
#[derive(Default)]
pub struct Interpretation {
    /// Tool calls, in order of place.
    pub calls: Vec<Call>,
    /// Calls of host APIs, in order of place.
    pub host_calls: Vec<HostCall>,
    /// Where data is read.
    pub origins: Vec<Origin>,
    /// Data that reaches calls.
    pub flows: Vec<Flow>,
    /// Constant text that is run as code.
    pub code: Vec<CodeText>,
    /// Where the calls stand: one that is made by a wrapper both there and where that is called.
    pub places: Vec<(Span, CallRef)>,
    /// The places of all calls that were noted, and whether what comes of them holds what they are passed.
    pub noted: FxHashMap<Span, bool>,
    /// The places of calls that are handed functions whose answers go to whoever asked.
    pub answered: FxHashSet<Span>,
    /// How many calls are made as only agents make them.
    pub agent_calls: usize,
    /// A checksum is made, and one is compared with a text that is written out.
    pub checks_sum: bool,
    /// Why not all of it could be followed, if it could not.
    pub exhaustion: Option<Exhaustion>,
}

/// Constant text that a script runs as code.
#[derive(Clone, Debug)]
pub struct CodeText {
    /// The text.
    pub text: String,
    /// Where it is run.
    pub span: Span,
    /// What the names that it may use stand for.
    pub names: Vec<OuterName>,
    /// Names of functions that call tools in it.
    pub tools: Vec<String>,
}

/// A name of the script around an embedded one.
#[derive(Clone, Debug)]
pub struct OuterName {
    /// The name.
    pub name: String,
    /// The data that it carries: index of the origin, field, strength.
    pub labels: Vec<(u32, String, crate::subject::flow::Strength)>,
    /// Its text, if it is known.
    pub text: Option<String>,
}

/// Follows a script. `named` are further functions that call tools.
///
/// An embedded script is given the origins and names of the one around it.
pub fn interpret<'a>(
    program: &'a Program<'a>,
    scoping: &'a Scoping,
    named: &'a [String],
    effort: Effort,
    outer: Option<(&[Origin], &[OuterName])>,
) -> Interpretation {
    let mut interpreter = Interpreter::new(scoping, named, effort);
    if let Some((origins, names)) = outer {
        interpreter.inherit(origins, names);
    }
    interpreter.program(program);
    interpreter.finish()
}

/// The constant that an expression is, if it is known.
#[cfg(test)]
pub fn constant_of<'a>(expression: &'a Expression<'a>, scoping: &'a Scoping) -> Option<Constant> {
    let mut interpreter = Interpreter::new(scoping, &[], Effort::of(true, 1_000, 100_000));
    let this = interpreter.values.native("globalThis");
    interpreter.frames.push(Frame { this, ..Frame::program() });
    let value = interpreter.evaluate(expression);
    interpreter.constant_value(value)
}

/// Further functions that call tools.
struct Named<'a> {
    /// As they are written.
    whole: FxHashSet<&'a str>,
    /// Without `this`.
    paths: FxHashSet<&'a str>,
}

impl<'a> Named<'a> {
    fn of(names: &'a [String]) -> Self {
        let whole: FxHashSet<&str> = names.iter().map(String::as_str).collect();
        let paths = whole.iter().map(|name| name.strip_prefix("this.").unwrap_or(name)).collect();
        Self { whole, paths }
    }

    /// Returns true if and only if a path is one of them, or ends with one behind a dot.
    fn ends(&self, path: &str) -> bool {
        let mut behind = path.match_indices('.').filter_map(|(at, _)| path.get(at + 1..));
        !self.paths.is_empty() && (self.paths.contains(path) || behind.any(|end| self.paths.contains(end)))
    }
}

/// A loop or iteration around what is being evaluated.
#[derive(Clone, Copy)]
struct Loop {
    repeat: Repeat,
    /// It is a statement, not the callback of a method.
    is_statement: bool,
    /// The data over whose elements it runs.
    over: Taint,
}

struct Interpreter<'a> {
    scoping: &'a Scoping,
    named: Named<'a>,
    values: Values,
    heap: Heap<'a>,
    steps: Steps,
    recorder: Recorder,
    frames: Vec<Frame>,
    loops: Vec<Loop>,
    /// The variables of files for which the branches ask that are being run.
    asked: Vec<Rc<str>>,
    /// The data on which depends whether what is being evaluated happens.
    control: Taint,
    fuel: u64,
    inline_fuel: u64,
    looks_fuel: u64,
    /// A function counts as passed all of what it is passed ever deeper fields of.
    has_outlined: bool,
    /// A large script has many such functions: were each followed to its end, fuel would end first.
    is_large: bool,
    /// What is led where.
    ways: stream::Ways,
    /// What the script did to pages that it drives.
    driven: pressed::Driven,
    depth: u32,
    is_exhausted: bool,
    /// The bound that was reached first, of those that end it.
    exhausted_by: Option<Bound>,
    /// The bound that was reached first, of those that only lose sight of data.
    lost_by: Option<Bound>,
    /// Where the fuel went.
    spending: Spending,
    /// How many entries of objects were asked for.
    pairs: usize,
    /// How many parts of arguments are kept.
    plain_parts: u32,
    /// By the start of an object that is written, the places of its fields.
    field_places: FxHashMap<u32, Rc<plain::FieldPlaces<'a>>>,
    /// The innermost function scope of each variable.
    homes: Vec<u32>,
    /// Variables that a function inside their own uses.
    captured: Vec<bool>,
    /// Global variables that the script itself makes.
    globals: ObjectId,
    /// Some part of what was sent in is one of several texts, because a condition says so.
    narrows: bool,
    /// What was thrown anywhere.
    thrown: Val,
    /// For each `try` around, what the branches in it wrote that left it.
    tried: Vec<heap::Writes>,
    /// By the calls of methods of lists that are cut to a number: how many elements these have at most.
    cuts: FxHashMap<Span, u32>,
    /// By the starts of functions that call themselves as often as a number says: where they do.
    recursions: FxHashMap<u32, Span>,
    /// By objects: what was copied into them of something whose fields are not known.
    copied: FxHashMap<ObjectId, Val>,
    /// The entries that were put into maps under names that are not known.
    map_pairs: FxHashSet<ObjectId>,
    /// The collections that are sets, whose elements are no pairs; with their members, where these are constants and stay the same.
    sets: FxHashMap<ObjectId, Option<FxHashSet<value::Id>>>,
    /// The objects of which something was written without a name that says which field.
    blurred: FxHashSet<ObjectId>,
    /// A question mark of the chain that is evaluated may have ended it.
    may_end: bool,
    /// That chain.
    chained: Option<heap::Stretch>,
    /// How many proxies are being asked.
    proxies: u32,
    /// Numbers searches through objects, so that each object is looked at once.
    stamp: u32,
    /// Numbers contexts in which objects are made.
    contexts: u32,
    /// What is known of functions that are followed once for all calls.
    summaries: FxHashMap<u32, function::Summary>,
    /// How often each function was followed.
    followed: FxHashMap<u32, u32>,
    /// For each generator that was made, the call that makes it.
    generators: FxHashMap<ObjectId, (ObjectId, Val, function::Arguments)>,
    /// Functions in order of appearance, of which those that nothing calls are followed at the end.
    functions: Vec<ObjectId>,
    /// Functions that run later: handlers and timers.
    deferred: deferred::Deferred,
    /// The columns of what statements answer, by origin; none of an origin whose rows are not known.
    columns: FxHashMap<u32, Option<columns::Columns>>,
    /// How much text regular expressions have run over, in bytes.
    matched: usize,
    /// What the script wrote into files, by their paths.
    files: FxHashMap<Rc<str>, Val>,
    /// How many calls of what packages keep are being followed.
    kept_calls: u32,
    /// By what a package made: what it was made by, `workbook` of `workbook.addWorksheet()`.
    makers: FxHashMap<ObjectId, ObjectId>,
    /// Small functions that act.
    acting: acting::Acting,
    /// What `this` of a constructor is from its `super(…)` on, where that is something else.
    became: Vec<(Val, Val)>,
    /// Calls that were too deep to be followed where they stand; they are followed at the end.
    postponed: Vec<(ObjectId, Val, function::Arguments)>,
    /// Functions that are followed at the end because nothing called them.
    late: rustc_hash::FxHashSet<u32>,
    /// The class of each method.
    owners: rustc_hash::FxHashMap<ObjectId, ObjectId>,
    /// Of each class with methods that nothing calls, an object.
    made: rustc_hash::FxHashMap<ObjectId, Val>,
    /// The keys of chains of calls, by the object that holds them.
    chains: FxHashMap<ObjectId, service::Chain>,
    /// What the functions of graphs share, by what whoever starts them may put there.
    states: FxHashMap<text::Text, ObjectId>,
    /// What is put into what was only read, by its origin.
    put: FxHashMap<u32, Vec<put::Put>>,
    /// The data that is put under a name into its elements.
    put_fields: FxHashMap<(u32, text::Text), Val>,
    /// What stands in addresses that texts were put together of.
    in_addresses: FxHashMap<String, (taint::Taint, steps::StepId)>,
    /// The classes of packages that classes of the script extend, by what instances of these inherit.
    extended: FxHashMap<ObjectId, text::Text>,
    /// The addresses of servers, by the client that was connected to them.
    servers: FxHashMap<ObjectId, Val>,
    /// The packages that the script imports, as the beginnings of their paths.
    packages: Vec<String>,
    /// The paths of all modules that it imports: what one exports by default is the module itself.
    modules: FxHashSet<text::Text>,
    /// What it sends to its workers, and they to it, and what they are made with: they run the same script in another branch of it,
    /// so that no branch takes it back.
    sent_to_workers: Val,
    made_workers_with: Val,
    /// Functions are being followed that a package was handed together.
    handed_between: bool,
    /// The clients that it gives to frameworks, by the names under which it gets them back.
    provided: FxHashMap<Rc<str>, Val>,
    /// The lists of keys and entries of objects whose fields are not known.
    key_lists: FxHashMap<ObjectId, method::pick::KeyList>,
    /// What is exported.
    exports: Vec<(String, Val)>,
    /// Classes that extend something that a framework offers, with its path.
    heirs: Vec<(ObjectId, String)>,
}

impl<'a> Interpreter<'a> {
    fn new(scoping: &'a Scoping, named: &'a [String], effort: Effort) -> Self {
        let mut heap = Heap::new(scoping.symbols_len());
        let globals = heap.allocate(u32::MAX, 0, 0, ObjectKind::Plain(None));
        let homes = homes(scoping);
        Self {
            captured: captured(scoping, &homes),
            scoping,
            named: Named::of(named),
            values: Values::new(),
            heap,
            steps: Steps::new(),
            recorder: Recorder::default(),
            frames: Vec::new(),
            loops: Vec::new(),
            asked: Vec::new(),
            control: Taint::NONE,
            fuel: effort.fuel,
            inline_fuel: effort.fuel.saturating_sub(effort.inline),
            looks_fuel: effort.looks,
            has_outlined: false,
            is_large: effort.is_for_large,
            ways: stream::Ways::default(),
            driven: pressed::Driven::default(),
            depth: 0,
            is_exhausted: false,
            exhausted_by: None,
            lost_by: None,
            spending: Spending::of(effort.fuel),
            pairs: 0,
            plain_parts: 0,
            field_places: FxHashMap::default(),
            homes,
            globals,
            narrows: false,
            thrown: Val::NEVER,
            tried: Vec::new(),
            cuts: FxHashMap::default(),
            recursions: FxHashMap::default(),
            copied: FxHashMap::default(),
            map_pairs: FxHashSet::default(),
            sets: FxHashMap::default(),
            blurred: FxHashSet::default(),
            may_end: false,
            chained: None,
            proxies: 0,
            stamp: 0,
            contexts: 0,
            summaries: FxHashMap::default(),
            followed: FxHashMap::default(),
            generators: FxHashMap::default(),
            functions: Vec::new(),
            deferred: deferred::Deferred::default(),
            columns: FxHashMap::default(),
            makers: FxHashMap::default(),
            kept_calls: 0,
            files: FxHashMap::default(),
            matched: 0,
            acting: acting::Acting::default(),
            became: Vec::new(),
            postponed: Vec::new(),
            late: rustc_hash::FxHashSet::default(),
            owners: rustc_hash::FxHashMap::default(),
            made: rustc_hash::FxHashMap::default(),
            chains: FxHashMap::default(),
            states: FxHashMap::default(),
            put: FxHashMap::default(),
            put_fields: FxHashMap::default(),
            in_addresses: FxHashMap::default(),
            extended: FxHashMap::default(),
            servers: FxHashMap::default(),
            packages: Vec::new(),
            modules: FxHashSet::default(),
            sent_to_workers: Val::NEVER,
            made_workers_with: Val::NEVER,
            handed_between: false,
            provided: FxHashMap::default(),
            key_lists: FxHashMap::default(),
            exports: Vec::new(),
            heirs: Vec::new(),
        }
    }

    fn program(&mut self, program: &'a Program<'a>) {
        let this = self.values.native("globalThis");
        self.frames.push(Frame { this, ..Frame::program() });
        self.hoist(&program.body);
        self.statements(&program.body);
        self.call_exported();
        self.catch_up();
        // Handlers may set what others use, so they run twice.
        let rounds = if self.inline_fuel < self.fuel { 2 } else { 1 };
        for _ in 0..rounds {
            let deferred = self.deferred.calls().to_vec();
            for (function, arguments) in deferred {
                if self.only_looks() && self.was_followed(function) {
                    continue;
                }
                self.maybe(|interpreter| {
                    interpreter.call_value(function, Val::UNDEFINED, &function::Arguments::of(arguments), Span::default());
                });
            }
            self.uncalled();
            self.catch_up();
        }
    }

    /// Follows the calls that were postponed, and those that are postponed meanwhile.
    fn catch_up(&mut self) {
        let mut next = 0;
        while let Some((function, this, arguments)) = self.postponed.get(next).cloned() {
            next += 1;
            self.maybe(|interpreter| {
                let callee = interpreter.values.object(function);
                interpreter.call_value(callee, this, &arguments, Span::default());
            });
            if self.is_exhausted {
                break;
            }
        }
        self.postponed.clear();
    }

    /// Postpones a call that is too deep.
    fn postpone(&mut self, function: ObjectId, this: Val, arguments: &function::Arguments) {
        if POSTPONED <= self.postponed.len() {
            self.exhaust(Bound::Later);
            return;
        }
        self.postponed.push((function, this, arguments.clone()));
    }

    /// Follows the functions that nothing called: what they are passed is not known.
    fn uncalled(&mut self) {
        let (mut next, known) = (0, self.functions.len());
        while let Some(&function) = self.functions.get(next) {
            next += 1;
            let ObjectKind::Function { code, .. } = self.heap.object(function).kind else { continue };
            // One that is made anew while others are followed again is the same as before.
            if known < next && self.late.contains(&code.start()) {
                continue;
            }
            if self.followed.contains_key(&code.start()) && !self.late.contains(&code.start()) {
                continue;
            }
            self.late.insert(code.start());
            let this = self.object_of(function);
            self.maybe(|interpreter| {
                let unknown = function::Arguments { known: Vec::new(), rest: Some(Val::UNKNOWN) };
                let value = interpreter.values.object(function);
                let passed = interpreter.passed_by_host(value).unwrap_or(unknown);
                interpreter.call_value(value, this, &passed, Span::default());
            });
        }
    }

    fn finish(mut self) -> Interpretation {
        let exhaustion = self.exhaustion();
        let mut found = self.recorder.finish(&self.values, &self.steps, self.scoping, exhaustion);
        // A function that is followed for all its calls at once is known by the first of them alone.
        if !self.summaries.is_empty() {
            found.host_calls.iter_mut().for_each(|call| call.callers.clear());
        }
        found
    }

    /// Takes one expression's fuel; false where none is left.
    fn spend(&mut self) -> bool {
        if self.fuel == 0 {
            self.exhaust(Bound::Fuel);
            return false;
        }
        self.fuel -= 1;
        let looks_from_here = self.fuel == self.looks_fuel && 0 < self.fuel;
        if looks_from_here || self.has_outlined && self.is_large && self.fuel == self.inline_fuel {
            self.exhaust(Bound::Rounds);
        }
        true
    }

    /// Runs something that may or may not happen.
    fn maybe<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> R {
        let mark = self.heap.branch();
        let result = run(self);
        let writes = self.heap.undo(mark);
        self.heap.join(&writes, &mut self.values, false);
        result
    }

    /// Runs something with data on which its happening depends.
    fn under<R>(&mut self, control: Taint, run: impl FnOnce(&mut Self) -> R) -> R {
        let around = self.control;
        self.control = self.values.taints.union(around, control);
        let result = run(self);
        self.control = around;
        result
    }

    /// A number for the context in which objects are made, so that two runs of one place make two objects.
    fn new_context(&mut self) -> u32 {
        self.contexts += 1;
        self.contexts
    }

    /// Makes an object at a place.
    fn allocate(&mut self, site: u32, kind: ObjectKind<'a>) -> ObjectId {
        let context = self.frames.last().map_or(0, |frame| frame.context);
        self.heap.allocate(site, context, 0, kind)
    }

    /// What a variable holds.
    fn read(&mut self, symbol: SymbolId) -> Val {
        let place = self.place(symbol);
        match self.heap.get(place) {
            Some(value) if value.id != Val::NEVER.id => value,
            _ => Val::UNKNOWN,
        }
    }

    /// Where a variable lies: captured ones of functions in the environment of their function's call.
    fn place(&self, symbol: SymbolId) -> Place {
        if self.captured.get(symbol.index()).copied().unwrap_or(false) {
            let home = self.homes.get(symbol.index()).copied().unwrap_or(0);
            let mut environment = self.frames.last().and_then(|frame| frame.environment);
            while let Some(id) = environment {
                let ObjectKind::Environment { scope, parent } = self.heap.object(id).kind else { break };
                if scope == home {
                    return Place::Field(id, text::Text::of_name(symbol.index()));
                }
                environment = parent;
            }
        }
        Place::Variable(symbol)
    }

    /// Gives a variable a value, as a step of the value's data.
    fn write(&mut self, symbol: SymbolId, value: Val, span: Span) {
        let place = self.place(symbol);
        self.store(place, value, Some((symbol, span)));
    }

    /// Gives a place a value; a place that stands for many keeps what it had.
    fn store(&mut self, place: Place, value: Val, kept: Option<(SymbolId, Span)>) {
        let mut value = value;
        if !self.control.is_none() {
            let control = self.values.changed(self.control, taint::Change::Bit);
            value = self.values.with_taint(value, control);
        }
        if let Some((symbol, span)) = kept
            && value.via != steps::StepId::NONE
        {
            value = value.through(self.steps.after(value.via, StepKind::Kept(symbol), span));
        }
        let is_summary = match place {
            Place::Variable(_) => false,
            Place::Field(object, _) | Place::Rest(object) => self.heap.object(object).is_summary,
        };
        if is_summary && let Some(before) = self.heap.get(place) {
            value = self.values.join(before, value);
        }
        self.heap.set(place, value);
    }
}
