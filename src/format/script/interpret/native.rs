//! What the runtime offers, as far as it matters for where data goes: the globals of JavaScript and of its hosts.

mod bytes;

use crate::format::script::interpret::native::bytes::KNOWN_BYTES;
use crate::format::script::interpret::promise::is_emitter;
use crate::subject::flow::{Origin, OriginKind};
use std::rc::Rc;

use crate::format::script::interpret::call::join_path;
use crate::format::script::interpret::function::{Arguments, Invocation};
use crate::format::script::interpret::heap::derived;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::property::NOTHING;
use crate::format::script::interpret::property::elements::Elements;
use crate::format::script::interpret::record::HostSite;
use crate::format::script::interpret::taint::{Change, Taint};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::format::script::interpret::{Interpreter, Loop};
use crate::format::script::js::constant::Constant;
use crate::format::script::js::function;
use crate::knowledge;
use crate::knowledge::form;
use crate::knowledge::specifier::given_on;
use crate::knowledge::words::Tag;
use crate::subject::call::Repeat;
use crate::subject::segment::HOLE;
use crate::value::span::Span;

/// How deep arrays in arrays are computed.
const LISTS: u32 = 4;
/// Functions that make any text of letters and digits.
const REWRITING: &[&str] =
    &["atob", "Buffer.from", "unescape", "decodeURIComponent", "decodeURI", "String.fromCharCode", "String.fromCodePoint"];
/// The longest path that is followed.
const LONGEST_PATH: usize = 160;

impl<'a> Interpreter<'a> {
    /// A field of the global object. One of which nothing is known and that the script did not set before may be absent: who
    /// keeps a client there makes it first.
    fn field_of_global(&mut self, name: &str) -> Val {
        let value = self.global(name);
        let is_unset = matches!(*self.values.shape(value.id).atoms, [Atom::Native(path)] if self.values.texts.get(path).as_ref() == name);
        let is_known = !is_unset || form::is_root(name) || knowledge::api(name).is_some();
        if is_known { value } else { self.values.join(value, Val::UNKNOWN) }
    }

    /// A property of something that the runtime offers.
    pub fn native_property(&mut self, path: &str, name: &str, span: Span) -> Val {
        if path == "globalThis" {
            return self.field_of_global(name);
        }
        if name == "default" && self.values.texts.known(path).is_some_and(|path| self.modules.contains(&path)) {
            return self.values.native(path);
        }
        if LONGEST_PATH < path.len() {
            return Val::UNKNOWN;
        }
        if path == KNOWN_BYTES {
            return Val::UNKNOWN;
        }
        if let Some(api) = knowledge::api(path)
            && api.is_property
            && let Some(kind) = api.origin
        {
            let (shown, detail) =
                if name == "[]" { (format!("{path}[]"), None) } else { (format!("{path}.{name}"), Some(name.to_owned())) };
            let (taint, via) = self.origin(Origin { kind, name: shown, detail, call: None, span });
            let read = self.standing(&format!("env.{name}"), (taint, via)).filter(|_| kind == OriginKind::Environment);
            let read = read.unwrap_or_else(|| self.values.opaque(taint, via));
            let written = self.values.texts.known(&join_path(path, name)).and_then(|key| self.heap.get(Place::Field(self.globals, key)));
            return written.map_or(read, |written| self.joined_with_way(read, written));
        }
        match (path, name) {
            ("process", "execPath") => return self.values.string("node"),
            ("Number", "MAX_SAFE_INTEGER") => return self.values.number(9_007_199_254_740_991.0),
            ("Number", "MAX_VALUE") => return self.values.number(f64::MAX),
            ("Number", "POSITIVE_INFINITY") => return self.values.number(f64::INFINITY),
            ("Math", "PI") => return self.values.number(std::f64::consts::PI),
            _ => {}
        }
        if name == "constructor" {
            // `Function.prototype.constructor` is `Function`, and so is the constructor of every function.
            return self.values.native(path.strip_suffix(".prototype").unwrap_or("Function"));
        }
        if let Some(given) = given_on(path, name) {
            return self.values.native(given);
        }
        let joined = join_path(path, name);
        if let Some(key) = self.values.texts.known(&joined)
            && let Some(own) = self.heap.get(Place::Field(self.globals, key))
        {
            return own;
        }
        if let Some(held) = self.held_part(path, name, span).or_else(|| self.held(&joined, span)) {
            return held;
        }
        let mut value = self.values.native(&joined);
        if let Some(provided) = self.provided(name) {
            value = self.values.join(value, provided);
        }
        if let Some(api) = knowledge::api(&joined)
            && api.is_property
            && let Some(kind) = api.origin
        {
            let (taint, via) = self.origin(Origin { kind, name: joined, detail: None, call: None, span });
            return self.values.with_taint(value, taint).through(via);
        }
        value
    }

    /// All that a store of the runtime holds, if a value is one that holds what comes from outside: `localStorage`.
    pub fn all_that_is_kept(&mut self, value: Val, span: Span) -> Option<Val> {
        let path = match &*self.values.atoms(value.id) {
            [Atom::Native(path)] if self.values.taint(value.id).is_none() => Rc::clone(self.values.texts.get(*path)),
            _ => return None,
        };
        let kind = knowledge::api(&path).filter(|api| api.is_property)?.origin?;
        let (taint, via) = self.origin(Origin { kind, name: path.to_string(), detail: None, call: None, span });
        Some(self.values.opaque(taint, via))
    }

    /// Assigns to a property that does something.
    pub fn assign_native(&mut self, path: &str, made_with: &Rc<[Val]>, value: Val, span: Span) {
        if let Some(api) = knowledge::api(path)
            && api.is_assigned
        {
            let site = HostSite::new(path.to_owned(), span);
            self.record_host(site, api, &Arguments::of(vec![value]), made_with);
        }
        let path = path.strip_prefix("globalThis.").unwrap_or(path);
        self.call_assigned(path, value, span);
        // Some are as good as a method that is passed the value: `mail.data.bcc = address`.
        let this = self.values.native(path);
        self.call_form(&format!("{path}.assigned"), made_with, Invocation { this, arguments: &Arguments::of(vec![value]), span });
    }

    /// The result of a function of JavaScript itself, if the path is one.
    pub fn builtin(&mut self, path: &str, this: Val, arguments: &Arguments, span: Span) -> Option<Val> {
        let first = arguments.get(0);
        if path == "Map.groupBy" {
            return Some(self.grouped_in_map(arguments, span));
        }
        // `_.set(options, 'headers.key', value)` puts something under a name, or deeper.
        if Tag::PuttingFunction.has(path) {
            return Some(self.put_deep(arguments));
        }
        // `_.merge(options, further)` puts into the first what stands in the others; what stood there, or deeper, may stay.
        if Tag::MergingFunction.has(path) {
            return self.maybe(|interpreter| interpreter.builtin("Object.assign", this, arguments, span));
        }
        if let Some(method) = path.strip_prefix("Object.") {
            return self.object_function(method, arguments, span);
        }
        if let Some(method) = path.strip_prefix("Promise.") {
            return self.promise_function(method, first, span);
        }
        if let Some(method) = path.strip_prefix("Reflect.") {
            return self.reflect_function(method, arguments, span);
        }
        if path.starts_with("Set.prototype.") {
            self.forget_members(this);
        }
        if let Some(method) = path.strip_prefix("Bytes().") {
            return Some(self.bytes_method(this, method, arguments, span));
        }
        if path.starts_with("console.") {
            return Some(Val::UNDEFINED);
        }
        if let Some(value) = self.handed_by_stream(path, this, arguments, span) {
            return Some(value);
        }
        if Tag::PickingFunction.has(path) {
            return self.pick(arguments, span);
        }
        if let Some(value) = self.chained(path, this, arguments, span) {
            return Some(value);
        }
        if let Some(value) = self.composed(path, this, arguments, span) {
            return Some(value);
        }
        if let Some(value) = self.taken_apart(path, arguments, span) {
            return Some(value);
        }
        if let Some(value) = self.adapted(path, this, arguments, span) {
            return Some(value);
        }
        self.hand_on(path, arguments);
        self.note_driven(path, arguments);
        if let Some(passed) = self.passed_by_worker(path, arguments) {
            return Some(self.call_back(arguments, &passed, span));
        }
        if path.ends_with(".pipe") || path.ends_with(".pipeThrough") || path.ends_with(".pipeTo") {
            if let Some(value) = self.piped(this, &arguments.known, span) {
                return Some(value);
            }
            return Some(self.pipe(this, first, span));
        }
        Some(match path {
            // A context is the object that it is made of.
            "vm.createContext" => first,
            // An account in the spelling that checks itself is the same account.
            path if is_checksum_of_account(path) && !arguments.known.is_empty() => first,
            // Where a path leads is as much of it as the path says.
            "fs.realpathSync" | "fs.realpathSync.native" | "fs.promises.realpath" | "path.normalize" if !arguments.known.is_empty() => {
                first
            }
            "path.join" | "path.resolve" | "path.posix.join" | "path.win32.join" | "path.posix.resolve" if arguments.rest.is_none() => {
                let slash = self.values.string("/");
                let mut parts = Vec::new();
                for part in &arguments.known {
                    if !parts.is_empty() {
                        parts.push(slash);
                    }
                    parts.push(*part);
                }
                let path = self.concatenate_each(&parts);
                self.without_dots(path)
            }
            "String.raw" => {
                let raw = self.property(first, "raw", span);
                let texts = self.elements(raw);
                let texts = texts.known?;
                let mut parts = Vec::new();
                for (at, text) in texts.into_iter().enumerate() {
                    if 0 < at {
                        parts.push(arguments.get(at));
                    }
                    parts.push(text);
                }
                self.concatenate(&parts)
            }
            "URL.createObjectURL" => self.address_of_script(first, span)?,
            "url.pathToFileURL" if !arguments.known.is_empty() => {
                let scheme = self.values.string("file://");
                let address = self.concatenate_each(&[scheme, first]);
                self.construct_native("URL", &Arguments::of(vec![address]), span)
            }
            "url.fileURLToPath" if self.values.text(self.href_of(first).id).is_some() => self.href_of(first),
            "Deno.execPath" => self.values.string("deno"),
            "url.format" => self.formatted_address(first)?,
            "util.format" | "Utilities.formatString" if arguments.rest.is_none() => self.formatted(arguments)?,
            "stream.pipeline" | "stream.promises.pipeline" | "pipeline" => {
                let streams: Vec<Val> = arguments.iter().collect();
                streams.iter().skip(1).fold(first, |from, into| self.pipe(from, *into, span))
            }
            "JSON.stringify" => self.stringify(arguments, span),
            _ if Tag::WritingStructure.has(&path.to_lowercase()) => self.written(first, span),
            "JSON.parse" => {
                let parsed = self.parse_json(first, span);
                self.call_for_parts(arguments.get(1), parsed, span);
                parsed
            }
            "stream.Readable.toWeb" | "stream.Readable.fromWeb" | "stream.Writable.toWeb" | "stream.Writable.fromWeb"
                if !arguments.known.is_empty() =>
            {
                first
            }
            "structuredClone" if !arguments.known.is_empty() => self.row(first, derived(span, 1)).unwrap_or(first),
            "Promise" | "Object" if !arguments.known.is_empty() => first,
            // A function that runs in a transaction is called as the one that it is made of.
            path if path.ends_with("().transaction") && self.is_function(first) && is_embedded_database(path) => first,
            "Array.from" => self.array_from(arguments, span),
            "Array.of" => self.array(derived(span, 1), &arguments.known, arguments.rest),
            "Array" => self.construct_native(path, arguments, span),
            "Array.isArray"
            | "Number.isInteger"
            | "Number.isNaN"
            | "Number.isFinite"
            | "Number.isSafeInteger"
            | "isNaN"
            | "isFinite"
            | "Boolean" => {
                let (taint, via) = self.carried(first);
                let taint = self.values.changed(taint, Change::Bit);
                match self.answer(path, first) {
                    Some(answer) => {
                        let value = self.values.boolean(answer);
                        self.values.with_taint(value, taint).through(via)
                    }
                    None => self.values.opaque(taint, via),
                }
            }
            "require" | "module.require" | "process.mainModule.require" | "module.createRequire()" => self.import_call(first, span),
            "setTimeout"
            | "setInterval"
            | "setImmediate"
            | "queueMicrotask"
            | "process.nextTick"
            | "requestAnimationFrame"
            | "requestIdleCallback"
            | "timers.promises.setTimeout" => {
                if !self.is_callable(first) {
                    // A text, or what may be one, is run as code.
                    let may_be_text = self.values.shape(first.id).atoms.is_empty() || self.values.text(first.id).is_some();
                    return if matches!(path, "setTimeout" | "setInterval") && may_be_text { None } else { Some(Val::UNKNOWN) };
                }
                if path == "setInterval" {
                    self.loops.push(Loop { repeat: Repeat::Open, is_statement: false, over: Taint::NONE });
                }
                let passed = arguments.skip(if path.starts_with("set") { 2 - usize::from(path == "setImmediate") } else { 1 });
                self.call_back(&Arguments::of(vec![first]), &passed, span);
                if self.values.atoms(first.id).iter().any(|atom| matches!(atom, Atom::Native(_))) {
                    self.maybe(|interpreter| interpreter.call_value(first, Val::UNDEFINED, &passed, span));
                }
                if path == "setInterval" {
                    self.loops.pop();
                }
                Val::UNKNOWN
            }
            "Symbol"
            | "Symbol.for"
            | "Math.random"
            | "performance.now"
            | "crypto.randomUUID"
            | "crypto.randomBytes"
            | "crypto.getRandomValues"
            | "crypto.randomInt" => Val::UNKNOWN,
            "Date.now" => self.now(),
            _ if let Some(time) = self.time_as(first, path) => time,
            "Date.parse" if self.values.known(first.id).is_none() => {
                let (taint, via) = self.carried(first);
                let taint = self.values.changed(taint, Change::Plain);
                self.values.opaque(taint, via)
            }
            _ if is_digest(path) => {
                self.recorder.makes_sum = true;
                Val::UNKNOWN
            }
            _ if is_emitter(path) => return self.emitter(path, this, arguments, span),
            "String" | "encodeURIComponent" | "encodeURI" | "escape" if self.is_partial(first) => {
                let taint = self.carried(first);
                self.values.with_taint(first, taint.0)
            }
            "Buffer.from" | "btoa" | "atob" if self.is_encoded(first) => {
                let (taint, via) = self.carried(first);
                let taint = self.values.changed(taint, Change::Rewritten);
                self.values.opaque(taint, via)
            }
            _ => return self.folded(path, arguments, span),
        })
    }

    /// The address that an object says part by part, as `url.format` puts it together.
    fn formatted_address(&mut self, of: Val) -> Option<Val> {
        let atoms = self.values.atoms(of.id);
        let [Atom::Object(object)] = &*atoms else { return None };
        let part = |interpreter: &Self, name: &str| interpreter.field_of(*object, name);
        let scheme = part(self, "protocol").and_then(|scheme| self.values.text(scheme.id))?;
        let host = part(self, "host").or_else(|| part(self, "hostname"))?;
        let mut parts = vec![self.values.string(&format!("{}://", scheme.trim_end_matches(':'))), host];
        for (name, start) in [("port", ":"), ("pathname", "/"), ("search", "?"), ("hash", "#")] {
            if let Some(value) = part(self, name) {
                let begins = self.values.text(value.id).is_some_and(|text| text.starts_with(start));
                let start = if begins { "" } else { start };
                parts.extend([self.values.string(start), value]);
            }
        }
        Some(self.concatenate(&parts))
    }

    /// A text with values put where a known format says so: `%s`.
    fn formatted(&mut self, arguments: &Arguments) -> Option<Val> {
        let first = arguments.get(0);
        let format = self.values.text(first.id).filter(|format| !format.contains(HOLE))?;
        let mut pieces = format.split('%');
        let mut parts = vec![self.values.string(pieces.next()?)];
        let mut at = 0;
        for piece in pieces {
            let mut rest = piece.chars();
            if !rest.next().is_some_and(|kind| "sdifjoO".contains(kind)) {
                return None;
            }
            at += 1;
            parts.push(arguments.get(at));
            parts.push(self.values.string(rest.as_str()));
        }
        let space = self.values.string(" ");
        for more in arguments.known.iter().skip(at + 1) {
            parts.extend([space, *more]);
        }
        Some(self.concatenate(&parts))
    }

    /// A path in which what is left again is not entered: `~/.cache/app/../..` is `~`.
    fn without_dots(&mut self, path: Val) -> Val {
        let [atom @ (Atom::Text(text) | Atom::Partial(text))] = *self.values.atoms(path.id) else { return path };
        let Some(short) = left_again(self.values.texts.get(text)) else { return path };
        let short = if let Atom::Text(_) = atom { self.values.string(&short) } else { self.values.partial(&short) };
        let (taint, via) = self.carried(path);
        self.values.with_taint(short, taint).through(via)
    }

    fn is_partial(&self, value: Val) -> bool {
        matches!(&*self.values.shape(value.id).atoms, [Atom::Partial(_)]) && !self.values.shape(value.id).is_open
    }

    fn is_encoded(&self, value: Val) -> bool {
        matches!(&*self.values.shape(value.id).atoms, [Atom::Object(object)] if matches!(self.heap.object(*object).kind, ObjectKind::Encoded(_)))
    }

    /// What a function that asks something of a value answers, if that is known.
    fn answer(&self, path: &str, value: Val) -> Option<bool> {
        if path == "Boolean" {
            return self.truth(value);
        }
        let known = [self.values.known(value.id)?];
        let answer = match path.split_once('.') {
            Some((object, method)) => function::static_method(object, method, &known),
            None => function::function(path, &known),
        };
        answer.map(|answer| answer.is_truthy())
    }

    /// A function whose result is known where its arguments are.
    fn folded(&mut self, path: &str, arguments: &Arguments, span: Span) -> Option<Val> {
        let (object, method) = path.rsplit_once('.').unwrap_or(("", path));
        let is_known = if object.is_empty() {
            function::is_function(path)
        } else {
            function::is_static(object, method) || matches!(object, "Math" | "Number" | "String") || path == "Buffer.from"
        };
        if !is_known {
            return None;
        }
        let (mut taint, mut via) = NOTHING;
        for argument in arguments.iter() {
            let one = self.carried(argument);
            (taint, via) = self.both((taint, via), one);
        }
        let change = match path {
            "Number" | "parseInt" | "parseFloat" | "Number.parseInt" | "Number.parseFloat" => Change::Plain,
            path if path.starts_with("Math.") => Change::Plain,
            path if REWRITING.contains(&path) => Change::Rewritten,
            _ => Change::Element,
        };
        if change != Change::Element {
            taint = self.values.changed(taint, change);
        }
        let constants: Option<Vec<Constant>> =
            if arguments.rest.is_some() { None } else { arguments.known.iter().map(|value| self.constant_value(*value)).collect() };
        if let Some(constants) = constants {
            let folded =
                if object.is_empty() { function::function(path, &constants) } else { function::static_method(object, method, &constants) };
            if let Some(folded) = folded {
                if let Constant::String(text) = &folded
                    && matches!(path, "atob" | "unescape" | "decodeURIComponent" | "String.fromCharCode" | "String.fromCodePoint")
                    && constants.first().is_some_and(|first| first.to_text() != *text)
                {
                    let text = self.values.texts.intern(text);
                    self.recorder.disguise(text, true);
                }
                let value = self.constant_at(&folded, span);
                return Some(self.values.with_taint(value, taint).through(via));
            }
        }
        Some(self.values.opaque(taint, via))
    }

    /// The constant that a value is, arrays of constants and known bytes included.
    pub fn constant_value(&mut self, value: Val) -> Option<Constant> {
        self.constant_within(value, LISTS)
    }

    fn constant_within(&mut self, value: Val, depth: u32) -> Option<Constant> {
        if let Some(constant) = self.values.known(value.id) {
            return Some(constant);
        }
        let depth = depth.checked_sub(1)?;
        if let Some(bytes) = self.known_bytes(value) {
            return Some(Constant::Bytes(bytes));
        }
        if !self.is_array(value) {
            return None;
        }
        let known = self.elements(value).known?;
        known.into_iter().map(|value| self.constant_within(value, depth)).collect::<Option<Vec<_>>>().map(Constant::Array)
    }

    /// Returns true if and only if a value is one array of the script.
    pub fn is_array(&self, value: Val) -> bool {
        let shape = self.values.shape(value.id);
        let is_array = |object: ObjectId| matches!(self.heap.object(object).kind, ObjectKind::Array);
        matches!(&*shape.atoms, [Atom::Object(object)] if !shape.is_open && is_array(*object))
    }

    /// Sets the elements of a list.
    pub fn fill(&mut self, array: ObjectId, elements: &[Val]) {
        for (at, value) in elements.iter().enumerate() {
            let key = self.index_key(at);
            self.heap.set(Place::Field(array, key), *value);
        }
        self.set_length(array, Some(elements.len()));
    }

    fn array_from(&mut self, arguments: &Arguments, span: Span) -> Val {
        let first = arguments.get(0);
        let mut elements = self.elements(first);
        if let [Atom::Object(object)] = &*self.values.atoms(first.id)
            && matches!(self.heap.object(*object).kind, ObjectKind::Plain(_))
            && let Some(length) = self.own_or_inherited(*object, "length")
        {
            let number = self.values.known(length.id).map(|length| length.to_number());
            let count = number.filter(|number| (0.0..1e9).contains(number)).map(|number| number as u32);
            let known = number.filter(|length| (0.0..=512.0).contains(length));
            elements = match known {
                Some(length) => {
                    Elements { known: Some(vec![Val::UNDEFINED; length as usize]), any: Val::UNDEFINED, count: Some(length as u32) }
                }
                None => Elements { known: None, any: Val::UNDEFINED, count },
            };
        }
        if self.is_callable(arguments.get(1)) {
            return self.iterate("map", arguments.get(1), &elements, span);
        }
        match elements.known {
            Some(known) => self.array(derived(span, 1), &known, None),
            None => {
                let made = self.array(derived(span, 1), &[], Some(elements.any));
                self.count_list(made, elements.count);
                made
            }
        }
    }
}

/// Functions whose result does not tell what they are given.
fn is_digest(path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or(path);
    match last {
        "digest" => ["create", "subtle", "Hasher"].iter().any(|maker| path.contains(maker)),
        "hash" | "hashSync" | "compare" | "compareSync" | "timingSafeEqual" | "randomUUID" => true,
        "md5" | "sha1" | "sha256" | "sha512" | "SHA1" | "SHA256" | "SHA512" | "MD5" | "xxhash" | "murmurhash" | "object-hash" => true,
        _ => false,
    }
}

/// Returns true if and only if a path is that of a database that lies in the program, whose calls return when they are done.
fn is_embedded_database(path: &str) -> bool {
    Tag::EmbeddedDatabase.words().any(|package| path.starts_with(package))
}

/// Returns true if and only if a function of a package of wallets gives an account back in the spelling that checks itself.
fn is_checksum_of_account(path: &str) -> bool {
    let (package, name) = (path.split(['.', '/']).next().unwrap_or(path), path.rsplit('.').next().unwrap_or(path));
    matches!(package, "ethers" | "viem" | "web3" | "web3-utils" | "@ethersproject")
        && matches!(name, "getAddress" | "toChecksumAddress" | "checksumAddress")
}

/// A path without the folders that it enters and leaves again, if there are any whose names are known.
fn left_again(path: &str) -> Option<String> {
    let mut kept: Vec<&str> = Vec::new();
    let mut is_shorter = false;
    for part in path.split('/') {
        match kept.last() {
            Some(last) if part == ".." && !last.is_empty() && !matches!(*last, "." | ".." | "~") && !last.contains(HOLE) => {
                kept.pop();
                is_shorter = true;
            }
            _ => kept.push(part),
        }
    }
    is_shorter.then(|| kept.join("/"))
}
