//! Streams that a script makes itself: what is written into one its functions are passed, and what they hand on comes out of it.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::{Arguments, Invocation};
use crate::format::script::interpret::heap::{ObjectKind, Place, derived};
use crate::format::script::interpret::text::{Slot, Text};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::value::span::Span;

/// What a function of a stream is passed to hand on its first argument, `controller.enqueue(chunk)`, or its second,
/// `next(error, chunk)`.
const ENQUEUE: &str = "(stream enqueue)";
const NEXT: &str = "(stream next)";

/// The classes of the runtime's that make streams of the functions that they are given.
const OF_NODE: &[&str] = &["Writable", "Transform", "Duplex", "PassThrough", "Readable"];
const OF_WEB: &[&str] = &["TransformStream", "WritableStream", "ReadableStream"];

/// The functions that are passed what is written, as the options of a stream and as methods of its class have them.
const TAKING: &[&str] = &["write", "transform"];
const TAKING_METHODS: &[&str] = &["_write", "_transform"];
/// Those that are called when nothing more comes.
const ENDING: &[&str] = &["flush", "final", "close"];
const ENDING_METHODS: &[&str] = &["_flush", "_final"];
/// Those that are asked for more.
const GIVING: &[&str] = &["read", "start", "pull"];
const GIVING_METHODS: &[&str] = &["_read"];

/// A stream that a script makes.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    /// What it was made with.
    options: Val,
    /// It is one of the web's, whose functions are passed a controller, and not one of Node.js's, whose are passed a callback.
    is_of_web: bool,
    /// The controller, or the callback.
    handing: Val,
    /// Itself.
    this: Val,
}

/// What is led where.
#[derive(Default)]
pub struct Ways {
    /// Into what the streams that packages made are led, wherever that is called.
    pub piped: FxHashMap<ObjectId, Vec<(Val, Span)>>,
    /// The streams that the script makes itself.
    pub streams: FxHashMap<ObjectId, Stream>,
    /// By the methods of a component, all that they are called on.
    pub components: FxHashMap<ObjectId, Val>,
}

impl Interpreter<'_> {
    /// A stream of a class of the runtime's.
    pub fn make_stream(&mut self, path: &str, options: Val, span: Span) -> Option<Val> {
        let is_of_web = kind_of(path)?;
        let object = self.allocate(derived(span, 3), ObjectKind::Plain(None));
        self.become_stream(object, options, is_of_web, span);
        Some(self.values.object(object))
    }

    /// An object of a class that extends one of the runtime's streams is one.
    pub fn extend_stream(&mut self, path: &str, object: ObjectId, options: Val, span: Span) -> bool {
        let Some(is_of_web) = kind_of(path) else { return false };
        self.become_stream(object, options, is_of_web, span);
        true
    }

    fn become_stream(&mut self, object: ObjectId, options: Val, is_of_web: bool, span: Span) {
        let this = self.values.object(object);
        let target = self.values.native(if is_of_web { ENQUEUE } else { NEXT });
        let bound = self.allocate(derived(span, 4), ObjectKind::Bound { target, this, arguments: [].into() });
        let mut handing = self.values.object(bound);
        if is_of_web {
            let controller = self.allocate(derived(span, 5), ObjectKind::Plain(None));
            let key = self.values.texts.intern("enqueue");
            self.heap.set(Place::Field(controller, key), handing);
            handing = self.values.object(controller);
        }
        let stream = Stream { options, is_of_web, handing, this };
        self.ways.streams.insert(object, stream);
        if is_of_web {
            for side in ["readable", "writable"] {
                let key = self.values.texts.intern(side);
                self.heap.set(Place::Field(object, key), this);
            }
        }
        let gives: Vec<Val> = self.functions_of(object, stream, GIVING, &[]);
        self.call_each(gives, stream, &[], span);
    }

    /// What a method of a stream does, if it is one of streams.
    pub fn stream_method(&mut self, object: ObjectId, name: &str, invocation: Invocation<'_>) -> Option<Val> {
        let Invocation { this, arguments, span } = invocation;
        let stream = *self.ways.streams.get(&object)?;
        match name {
            "write" | "end" => {
                if let Some(data) = arguments.known.first().copied().filter(|data| !self.is_function(*data)) {
                    self.write_stream(object, data, span);
                }
                self.call_back(arguments, &Arguments::of(Vec::new()), span);
                Some(Val::UNKNOWN)
            }
            "push" | "enqueue" => {
                self.give(object, arguments.get(0), span);
                Some(Val::UNKNOWN)
            }
            "pipe" | "pipeTo" | "pipeThrough" => Some(self.pipe(this, arguments.get(0), span)),
            "on" | "once" | "addListener" => {
                self.ask(object, stream, span);
                self.listen(this, arguments, span);
                if self.values.text(arguments.get(0).id).is_some_and(|event| &*event == "data")
                    && let Some(given) = self.given_by(object)
                {
                    let passed = Arguments::of(vec![given]);
                    self.maybe(|interpreter| interpreter.call_value(arguments.get(1), this, &passed, span));
                }
                Some(this)
            }
            "getWriter" | "getReader" | "setEncoding" | "resume" | "pause" | "setDefaultEncoding" => Some(this),
            "read" => {
                self.ask(object, stream, span);
                let given = self.given_by(object).unwrap_or(Val::UNKNOWN);
                if !stream.is_of_web {
                    return Some(given);
                }
                let result = self.allocate(derived(span, 6), ObjectKind::Plain(None));
                let key = self.values.texts.intern("value");
                self.heap.set(Place::Field(result, key), given);
                let key = self.values.texts.intern("done");
                self.heap.set(Place::Field(result, key), Val::UNKNOWN);
                Some(self.values.object(result))
            }
            _ => None,
        }
    }

    /// Writes what one stream gives into another.
    pub fn pipe(&mut self, from: Val, into: Val, span: Span) -> Val {
        // What a host hands over is read here: `request.body.pipeThrough(tap)`.
        let read = match &*self.values.atoms(from.id) {
            [Atom::Native(path)] => Some(Rc::clone(self.values.texts.get(*path))),
            _ => None,
        };
        let from = read.and_then(|path| self.held(&path, span)).unwrap_or(from);
        let (taint, via) = self.carried(from);
        let given = self.stream_of(from).map(|object| self.streamed(object).filter(|given| given.id != Val::UNKNOWN.id));
        let data = match given {
            // What it gives later it passes on then.
            Some(None) if taint.is_none() => None,
            Some(Some(given)) => Some(given),
            Some(None) | None => Some(self.values.opaque(taint, via)),
        };
        let passed = data.map(|data| self.pass_on(into, data, span));
        if self.is_function(into) {
            return passed.unwrap_or(Val::UNKNOWN);
        }
        // What comes into it later goes there, too.
        let atoms = self.values.atoms(from.id);
        let made = atoms.iter().filter_map(|atom| match atom {
            Atom::Object(object)
                if matches!(self.heap.object(*object).kind, ObjectKind::Instance { .. }) || self.ways.streams.contains_key(object) =>
            {
                Some(*object)
            }
            _ => None,
        });
        for object in made {
            let led = self.ways.piped.entry(object).or_default();
            if !led.iter().any(|(known, _)| known.id == into.id) {
                led.push((into, span));
            }
        }
        // Out of a stream of the script's own comes what its functions hand on.
        if self.stream_of(into).is_some() {
            return into;
        }
        self.values.with_taint(into, taint).through(via)
    }

    /// Writes data into a stream, or passes it to a function that takes what a stream gives.
    fn pass_on(&mut self, into: Val, data: Val, span: Span) -> Val {
        if self.is_function(into) {
            self.call_back(&Arguments::of(vec![into]), &Arguments::of(vec![data]), span);
            return data;
        }
        match self.stream_of(into) {
            Some(object) => self.write_stream(object, data, span),
            None => {
                self.call_member(into, &Key::named("write"), &Arguments::of(vec![data]), span);
            }
        }
        data
    }

    /// What comes out of something, if it is a stream that the script makes.
    pub fn streamed(&mut self, object: ObjectId) -> Option<Val> {
        let stream = *self.ways.streams.get(&object)?;
        self.ask(object, stream, Span::default());
        Some(self.given_by(object).unwrap_or(Val::UNKNOWN))
    }

    /// The stream of the script's own that a value is.
    pub fn stream_of(&self, value: Val) -> Option<ObjectId> {
        match *self.values.atoms(value.id) {
            [Atom::Object(object)] if self.ways.streams.contains_key(&object) => Some(object),
            _ => None,
        }
    }

    /// Hands on what a function of a stream was told to, if a path is that of what it is passed for that.
    pub fn handed_by_stream(&mut self, path: &str, this: Val, arguments: &Arguments, span: Span) -> Option<Val> {
        let at = match path {
            ENQUEUE => 0,
            NEXT => 1,
            _ => return None,
        };
        if let (Some(object), Some(data)) = (self.stream_of(this), arguments.known.get(at)) {
            self.give(object, *data, span);
        }
        Some(Val::UNDEFINED)
    }

    /// Passes what is written to the functions of a stream; one that has none hands it on.
    pub fn write_stream(&mut self, object: ObjectId, data: Val, span: Span) {
        let Some(stream) = self.ways.streams.get(&object).copied() else { return };
        let takes = self.functions_of(object, stream, TAKING, TAKING_METHODS);
        if takes.is_empty() {
            self.give(object, data, span);
            return;
        }
        self.call_each(takes, stream, &[data], span);
        let ends = self.functions_of(object, stream, ENDING, ENDING_METHODS);
        self.call_each(ends, stream, &[], span);
    }

    /// A stream hands something on: to whoever listens, and to where it is led.
    fn give(&mut self, object: ObjectId, data: Val, span: Span) {
        if data.id == Val::UNDEFINED.id
            || self.values.atoms(data.id).iter().all(|atom| matches!(atom, Atom::Null)) && !self.values.shape(data.id).is_open
        {
            return;
        }
        let key = self.values.texts.slot(Slot::Given, Text::EMPTY);
        let before = self.heap.get(Place::Field(object, key)).unwrap_or(Val::NEVER);
        let all = self.joined_with_way(before, data);
        self.heap.set(Place::Field(object, key), all);
        // Led into one another they would never end.
        let led = self.ways.piped.remove(&object).unwrap_or_default();
        for (into, span) in &led {
            self.pass_on(*into, data, *span);
        }
        if !led.is_empty() {
            self.ways.piped.insert(object, led);
        }
        let this = self.values.object(object);
        self.tell(this, "data", &Arguments::of(vec![data]), span);
    }

    /// Has the functions of a stream that give something do so.
    fn ask(&mut self, object: ObjectId, stream: Stream, span: Span) {
        if self.given_by(object).is_none() {
            let gives = self.functions_of(object, stream, &[], GIVING_METHODS);
            self.call_each(gives, stream, &[], span);
        }
    }

    fn given_by(&self, object: ObjectId) -> Option<Val> {
        let key = self.values.texts.known_slot(Slot::Given, Text::EMPTY)?;
        self.heap.get(Place::Field(object, key))
    }

    /// The functions of a stream of these names: of its class, else of what it was made with.
    fn functions_of(&mut self, object: ObjectId, stream: Stream, options: &[&str], methods: &[&str]) -> Vec<Val> {
        let own = methods.iter().filter_map(|name| self.own_or_inherited(object, name));
        let mut found: Vec<Val> = own.collect();
        if stream.options.id == Val::UNDEFINED.id || stream.options.id == Val::UNKNOWN.id {
            return found;
        }
        for name in options {
            let function = self.property(stream.options, name, Span::default());
            if self.is_function(function) {
                found.push(function);
            }
        }
        found
    }

    fn call_each(&mut self, functions: Vec<Val>, stream: Stream, passed: &[Val], span: Span) {
        if functions.is_empty() {
            return;
        }
        let mut arguments = passed.to_vec();
        if !stream.is_of_web && !passed.is_empty() {
            // The encoding.
            arguments.push(Val::UNKNOWN);
        }
        arguments.push(stream.handing);
        // The functions of the web's are called as methods of what they stand in.
        let this = if stream.is_of_web { stream.options } else { stream.this };
        for function in functions {
            self.call_value(function, this, &Arguments::of(arguments.clone()), span);
        }
    }
}

/// Whether a class of the runtime's makes streams of the web, if it makes streams.
fn kind_of(path: &str) -> Option<bool> {
    let class = path.strip_prefix("globalThis.").unwrap_or(path);
    let class = class.strip_prefix("stream.").or_else(|| class.strip_prefix("stream/web.")).unwrap_or(class);
    match () {
        () if OF_WEB.contains(&class) => Some(true),
        () if OF_NODE.contains(&class) && path != class => Some(false),
        () => None,
    }
}
