//! What `new` makes of what the runtime offers: maps, URLs, promises, errors, proxies.

use std::rc::Rc;

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::exhaustion::Bound;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::taint::{Change, Label, Taint};
use crate::format::script::interpret::text::{Slot, Text};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::format::script::js::constant::Constant;
use crate::format::script::js::function;
use crate::knowledge::words::Tag;
use crate::subject::flow::OriginKind;
use crate::subject::segment::HOLE;
use crate::value::span::Span;
/// How many proxies are followed into one another.
const PROXIES: u32 = 3;

impl<'a> Interpreter<'a> {
    /// `new` of something that the runtime offers.
    pub fn construct_native(&mut self, path: &str, arguments: &Arguments, span: Span) -> Val {
        self.hand_to_worker(path, arguments, span);
        let first = arguments.get(0);
        let context = self.frames.last().map_or(0, |frame| frame.context);
        match path {
            "Map" | "Set" | "WeakMap" | "WeakSet" | "URLSearchParams" | "FormData" | "Headers" | "form-data" => {
                let object = self.heap.allocate(span.start, context, 19, ObjectKind::Collection);
                let is_set = path.ends_with("Set");
                if is_set {
                    self.sets.entry(object).or_insert(None);
                }
                self.collect_into(object, first, path, span);
                if is_set {
                    let members = self.members_of(first).filter(|_| !self.heap.object(object).is_summary);
                    self.sets.insert(object, members);
                }
                if !arguments.known.is_empty()
                    && let Some(filled_in) = self.filled_in(path, first, span)
                {
                    self.add_rest(object, filled_in);
                }
                self.values.object(object)
            }
            "Array" => {
                let length = self.values.known(first.id).map(|length| length.to_number());
                match (arguments.known.len(), length) {
                    (1, Some(length)) if (0.0..=256.0).contains(&length) => {
                        let elements = vec![Val::UNDEFINED; length as usize];
                        self.array(span.start, &elements, None)
                    }
                    (1, length) => {
                        let array = self.array(span.start, &[], Some(Val::UNDEFINED));
                        if let (Some(length), [Atom::Object(object)]) = (length, &*self.values.atoms(array.id)) {
                            let key = self.values.texts.intern("length");
                            let length = self.values.number(length);
                            self.heap.set(Place::Field(*object, key), length);
                        }
                        array
                    }
                    _ => self.array(span.start, &arguments.known, arguments.rest),
                }
            }
            "Date" if arguments.known.is_empty() && arguments.rest.is_none() => self.now(),
            "Object" => {
                let object = self.heap.allocate(span.start, context, 20, ObjectKind::Plain(None));
                self.values.object(object)
            }
            "Promise" => {
                let kept = self.heap.allocate(span.start, context, 21, ObjectKind::Array);
                let resolve = self.heap.allocate(span.start, context, 22, ObjectKind::Settler(Some(kept)));
                let resolve = self.values.object(resolve);
                let reject = self.heap.allocate(span.start, context, 30, ObjectKind::Settler(None));
                let reject = self.values.object(reject);
                self.call_value(first, Val::UNDEFINED, &Arguments::of(vec![resolve, reject]), span);
                let any = self.heap.object(kept).rest;
                if any.id == Val::NEVER.id {
                    let promise = self.heap.allocate(span.start, context, 28, ObjectKind::Promise(kept));
                    self.values.object(promise)
                } else {
                    any
                }
            }
            "MessageChannel" | "worker_threads.MessageChannel" => {
                // What one port posts the other is told: both are one.
                let channel = self.heap.allocate(span.start, context, 26, ObjectKind::Plain(None));
                let port = self.heap.allocate(span.start, context, 27, ObjectKind::Plain(None));
                let port = self.values.object(port);
                for name in ["port1", "port2"] {
                    let key = self.values.texts.intern(name);
                    self.store(Place::Field(channel, key), port, None);
                }
                self.values.object(channel)
            }
            "BroadcastChannel" | "worker_threads.BroadcastChannel" => {
                // Whoever opens a channel of the same name is told what is posted there.
                let name = self.values.text(first.id).unwrap_or_default();
                let key = self.values.texts.slot_named(Slot::Listener, &format!("(channel {name})"));
                let place = Place::Field(self.globals, key);
                match self.heap.get(place) {
                    Some(known) => known,
                    None => {
                        let path = self.values.texts.intern("BroadcastChannel()");
                        let channel = self.allocate(span.start, ObjectKind::Instance { path, made_with: arguments.known.clone().into() });
                        let channel = self.values.object(channel);
                        self.heap.set(place, channel);
                        channel
                    }
                }
            }
            "Proxy" => self.proxy(arguments, span),
            _ if let Some(stream) = self.make_stream(path, first, span) => stream,
            "URL" | "Request" => {
                let object = self.heap.allocate(span.start, context, 23, ObjectKind::Plain(None));
                if path == "URL" {
                    let (first, base) = (self.href_of(first), self.href_of(arguments.get(1)));
                    let href = match (self.values.text(first.id), self.values.text(base.id).filter(|_| arguments.known.len() == 2)) {
                        (Some(path), Some(base)) if !path.contains("://") => {
                            let joined = self.values.partial(&resolved(&base, &path));
                            let one = self.carried(first);
                            self.values.with_taint(joined, one.0).through(one.1)
                        }
                        (None, Some(base)) => {
                            let joined = self.values.partial(&format!("{}/{HOLE}", base.trim_end_matches('/')));
                            let one = self.carried(first);
                            self.values.with_taint(joined, one.0).through(one.1)
                        }
                        _ => first,
                    };
                    let key = self.values.texts.intern("href");
                    self.store(Place::Field(object, key), href, None);
                    let search = self.heap.allocate(span.start, context, 24, ObjectKind::Collection);
                    let key = self.values.texts.intern("searchParams");
                    // Whoever says the address says what its query holds.
                    let (taint, via) = self.carried(first);
                    if !taint.is_none() && self.values.text(first.id).is_none() {
                        let said = self.values.opaque(taint, via);
                        self.add_rest(search, said);
                    }
                    let search = self.values.object(search);
                    self.heap.set(Place::Field(object, key), search);
                } else {
                    let key = self.values.texts.intern("url");
                    self.store(Place::Field(object, key), first, None);
                    self.copy_fields(object, arguments.get(1));
                }
                self.values.object(object)
            }
            _ if Tag::NamingConstructor.has(path) => first,
            _ if path.ends_with("Error") || path == "DOMException" => {
                let object = self.heap.allocate(span.start, context, 26, ObjectKind::Plain(None));
                let key = self.values.texts.intern("message");
                self.store(Place::Field(object, key), first, None);
                let cause = self.property(arguments.get(1), "cause", span);
                let key = self.values.texts.intern("cause");
                self.store(Place::Field(object, key), cause, None);
                self.values.object(object)
            }
            _ => self.call_native(path, Val::UNDEFINED, arguments, span),
        }
    }

    /// The address of a URL that was made before; any other value as it is.
    pub fn href_of(&self, value: Val) -> Val {
        let [Atom::Object(object)] = *self.values.atoms(value.id) else { return value };
        let part = |key: &str| self.values.texts.known(key).and_then(|key| self.heap.get(Place::Field(object, key)));
        match (part("href"), part("searchParams")) {
            (Some(href), Some(_)) => href,
            _ => value,
        }
    }

    /// The address that an object of the class `URL` reads as: what was put into its query later stands behind what it was made with.
    pub fn address_of(&mut self, object: ObjectId) -> Option<Val> {
        let known = |key: &str| self.values.texts.known(key).and_then(|key| self.heap.get(Place::Field(object, key)));
        let (href, query) = (known("href")?, known("searchParams")?);
        let (put, via) = self.carried(query);
        let made = self.values.text(href.id).filter(|made| !put.is_none() && !made.contains(['?', HOLE]));
        let Some(made) = made else { return Some(href) };
        let both = {
            let own = self.carried(href);
            self.both(own, (put, via))
        };
        let now = self.values.partial(&format!("{made}?{HOLE}"));
        Some(self.values.with_taint(now, both.0).through(both.1))
    }

    /// What users filled in that an object is made of: the form of some event is any form of the page.
    fn filled_in(&mut self, path: &str, form: Val, span: Span) -> Option<Val> {
        let of = match &*self.values.atoms(form.id) {
            [Atom::Native(of)] => Some(format!("{}.{path}()", self.values.texts.get(*of))),
            _ => None,
        };
        of.and_then(|of| self.held_of(&of, &[], span)).or_else(|| self.held_of(&format!("{path}()"), &[], span))
    }

    /// A part of a URL is set: the whole address is another one.
    pub fn set_address_part(&mut self, object: ObjectId, name: &str, value: Val) {
        if !ADDRESS_PARTS.contains(&name) {
            return;
        }
        let known = |key: &str| self.values.texts.known(key).map(|key| Place::Field(object, key));
        let (Some(place), Some(query)) = (known("href"), known("searchParams")) else { return };
        let (Some(before), Some(_)) = (self.heap.get(place), self.heap.get(query)) else { return };
        let hole = || HOLE.to_string();
        let text = self.values.text(before.id).map_or_else(hole, |text| text.to_string());
        let part = self.values.text(value.id).map_or_else(hole, |text| text.to_string());
        let after = self.values.partial(&with_part(&text, name, &part));
        let (old, new) = (self.carried(before), self.carried(value));
        let both = self.both(old, new);
        let after = self.values.with_taint(after, both.0).through(both.1);
        self.store(place, after, None);
    }

    /// A part of the address that an object of the class `URL` holds.
    pub fn address_part(&mut self, object: ObjectId, name: &str) -> Option<Val> {
        if !ADDRESS_PARTS.contains(&name) && name != "origin" {
            return None;
        }
        let known = |key: &str| self.values.texts.known(key).and_then(|key| self.heap.get(Place::Field(object, key)));
        let (href, _) = (known("href")?, known("searchParams")?);
        let (mut taint, via) = self.carried(href);
        // Which host a file names tells nothing else of the file, where the script puts no address together itself.
        if HOST_PARTS.contains(&name) && self.values.atoms(href.id).is_empty() && self.is_of_files(taint) {
            taint = self.values.changed(taint, Change::Bit);
        }
        let part = match self.values.text(href.id).as_deref().and_then(|text| part_of(text, name)) {
            Some(part) => self.values.partial(&part),
            // A path begins with a slash, whoever asks for it.
            None if name == "pathname" && self.is_asked_for(href) => self.values.partial(&format!("/{HOLE}")),
            None => Val::UNKNOWN,
        };
        Some(self.values.with_taint(part, taint).through(via))
    }

    fn is_of_files(&self, taint: Taint) -> bool {
        let is_file = |label: &Label| self.recorder.origin(label.origin).is_some_and(|origin| origin.kind == OriginKind::File);
        self.values.taints.labels(taint).iter().all(is_file)
    }

    pub fn collect_into(&mut self, collection: ObjectId, init: Val, path: &str, span: Span) {
        let this = self.values.object(collection);
        let is_list = path.ends_with("Set");
        for atom in self.values.atoms(init.id).iter() {
            match atom {
                Atom::Text(query) if path == "URLSearchParams" => {
                    let query = Rc::clone(self.values.texts.get(*query));
                    for pair in query.trim_start_matches('?').split('&').filter(|pair| !pair.is_empty()) {
                        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                        let decoded =
                            |part: &str| match function::function("decodeURIComponent", &[Constant::String(part.replace('+', " "))]) {
                                Some(Constant::String(text)) => text,
                                _ => part.to_owned(),
                            };
                        let (name, value) = (decoded(name), decoded(value));
                        let (name, value) = (self.values.string(&name), self.values.string(&value));
                        self.add_entry(this, name, value, span);
                    }
                }
                Atom::Object(object) => {
                    let kind = self.heap.object(*object).kind.clone();
                    match kind {
                        ObjectKind::Plain(_) => {
                            let value = self.values.object(*object);
                            for (key, field) in self.entries(value) {
                                self.add_entry(this, key, field, span);
                            }
                        }
                        ObjectKind::Collection => {
                            let fields: Vec<_> = self.heap.object(*object).fields.iter().map(|(key, value)| (*key, *value)).collect();
                            for (key, value) in fields {
                                self.store(Place::Field(collection, key), value, None);
                            }
                            let rest = self.heap.object(*object).rest;
                            if rest.id != Val::NEVER.id {
                                self.add_rest(collection, rest);
                            }
                        }
                        _ => {
                            let value = self.values.object(*object);
                            let elements = self.elements(value);
                            match elements.known {
                                Some(known) if !is_list => {
                                    for pair in known {
                                        let parts = self.elements(pair);
                                        self.add_entry(this, parts.at(0), parts.at(1), span);
                                    }
                                }
                                Some(known) => {
                                    for element in known {
                                        self.add_entry(this, element, element, span);
                                    }
                                }
                                None => match self.elements(elements.any).known.as_deref() {
                                    Some([key, value]) if !is_list => self.add_entry(this, *key, *value, span),
                                    _ => self.add_rest(collection, elements.any),
                                },
                            }
                        }
                    }
                }
                Atom::Text(_) | Atom::Partial(_) | Atom::Native(_) => {
                    let value = self.values.atom(*atom);
                    self.add_rest(collection, value);
                }
                _ => {}
            }
        }
        let shape = self.values.shape(init.id).clone();
        if shape.is_open || !shape.taint.is_none() {
            let taint = self.values.changed(shape.taint, Change::Element);
            let value = self.values.opaque(taint, init.via);
            self.add_rest(collection, value);
        }
    }

    pub fn add_entry(&mut self, collection: Val, key: Val, value: Val, span: Span) {
        let name = Key::named("set");
        self.call_member(collection, &name, &Arguments::of(vec![key, value]), span);
    }

    /// A proxy: an object like its target, whose handlers answer for what it does not have.
    pub fn proxy(&mut self, arguments: &Arguments, span: Span) -> Val {
        let (target, handler) = (arguments.get(0), arguments.get(1));
        let context = self.frames.last().map_or(0, |frame| frame.context);
        let object = self.heap.allocate(span.start, context, 27, ObjectKind::Plain(None));
        let key = self.values.texts.slot(Slot::Target, Text::EMPTY);
        self.heap.set(Place::Field(object, key), target);
        for trap in ["get", "apply", "set", "deleteProperty"] {
            let function = self.property(handler, trap, span);
            if self.is_callable(function) {
                let key = self.values.texts.slot_named(Slot::Trap, trap);
                self.heap.set(Place::Field(object, key), function);
            }
        }
        self.values.object(object)
    }

    /// What the handlers of a proxy answer: for a property, or for a call.
    pub fn proxied(&mut self, object: ObjectId, trap: &str, arguments: &Arguments, span: Span) -> Option<Val> {
        // Proxies of proxies are followed a few steps; they may lead in a circle.
        if PROXIES < self.proxies || !self.spend() {
            if self.proxy_target(object).is_some() {
                self.exhaust(Bound::Proxies);
            }
            return None;
        }
        self.proxies += 1;
        let answer = self.proxied_by(object, trap, arguments, span);
        self.proxies -= 1;
        answer
    }

    /// Has the handler of a proxy see what is put into it; what is put there is kept in any case.
    pub fn call_set_trap(&mut self, object: ObjectId, key: &Key, value: Val) {
        let key = self.value_of_key(key);
        self.call_trap(object, "set", &[key, value]);
    }

    /// Has the handlers of what may be proxies see what is deleted.
    pub fn call_delete_trap(&mut self, base: Val, key: &Key) {
        let key = self.value_of_key(key);
        for atom in self.values.atoms(base.id).iter() {
            if let Atom::Object(object) = atom {
                self.call_trap(*object, "deleteProperty", &[key]);
            }
        }
    }

    fn value_of_key(&mut self, key: &Key) -> Val {
        match &key.name {
            Some(name) => self.values.string(name),
            None => self.values.opaque(key.carried.0, key.carried.1),
        }
    }

    fn call_trap(&mut self, object: ObjectId, trap: &str, passed: &[Val]) {
        let known = self.values.texts.known(trap).and_then(|trap| self.values.texts.known_slot(Slot::Trap, trap));
        let handler = known.and_then(|key| self.heap.get(Place::Field(object, key)));
        let Some(handler) = handler.filter(|_| self.proxies <= PROXIES) else { return };
        let target = self.proxy_target(object).unwrap_or(Val::UNKNOWN);
        self.proxies += 1;
        let passed = std::iter::once(target).chain(passed.iter().copied()).collect();
        self.call_value(handler, Val::UNDEFINED, &Arguments::of(passed), Span::default());
        self.proxies -= 1;
    }

    /// What a proxy stands for.
    pub fn proxy_target(&self, object: ObjectId) -> Option<Val> {
        let key = self.values.texts.known_slot(Slot::Target, Text::EMPTY)?;
        self.heap.get(Place::Field(object, key))
    }

    fn proxied_by(&mut self, object: ObjectId, trap: &str, arguments: &Arguments, span: Span) -> Option<Val> {
        let target = self.proxy_target(object)?;
        let key = self.values.texts.known(trap).and_then(|name| self.values.texts.known_slot(Slot::Trap, name));
        let handler = key.and_then(|key| self.heap.get(Place::Field(object, key)));
        match (handler, trap) {
            (Some(handler), _) => {
                let known = std::iter::once(target).chain(arguments.known.iter().copied()).collect();
                Some(self.call_value(handler, Val::UNDEFINED, &Arguments::of(known), span))
            }
            (None, "get") => {
                let key = self.key_of(arguments.get(0));
                Some(self.get(target, &key, span))
            }
            (None, _) => {
                let passed = self.listed(arguments.get(1));
                Some(self.call_value(target, arguments.get(0), &passed, span))
            }
        }
    }
}

/// The parts of a URL that can be set.
const ADDRESS_PARTS: &[&str] = &["protocol", "host", "hostname", "port", "username", "password", "pathname", "search", "hash"];

/// Those that say to which host it leads.
const HOST_PARTS: &[&str] = &["protocol", "host", "hostname", "port", "origin"];

/// A URL of which one part is set.
fn with_part(address: &str, name: &str, part: &str) -> String {
    // What a variable says in front stays in front, unless it is the host that is set.
    let is_base = address.starts_with(HOLE) && matches!(name, "pathname" | "search");
    let (scheme, rest) = match address.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None if is_base => (String::new(), address),
        None => ("https://".to_owned(), address),
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (user, host) = authority.rsplit_once('@').map_or(("", authority), |(user, host)| (user, host));
    let user = if user.is_empty() { String::new() } else { format!("{user}@") };
    match name {
        "protocol" => format!("{}://{rest}", part.trim_end_matches([':', '/'])),
        "host" | "hostname" => format!("{scheme}{user}{part}{path}"),
        "username" | "password" => format!("{scheme}{part}@{host}{path}"),
        "pathname" => {
            let query = path.find(['?', '#']).and_then(|at| path.get(at..)).unwrap_or_default();
            format!("{scheme}{authority}/{}{query}", part.trim_start_matches('/'))
        }
        "search" => format!("{scheme}{authority}{}?{}", path.split(['?', '#']).next().unwrap_or(path), part.trim_start_matches('?')),
        // A port is no other place; what stands behind the hash is with whoever loads it.
        "hash" => format!("{address}#{}", part.trim_start_matches('#')),
        _ => address.to_owned(),
    }
}

/// A part of a URL, as far as it is known.
fn part_of(address: &str, name: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if scheme.contains(HOLE) || authority.contains(HOLE) || path.contains(HOLE) && matches!(name, "search" | "hash") {
        return None;
    }
    let (path, hash) = path.split_once('#').map_or((path, ""), |(path, hash)| (path, hash));
    let (path, query) = path.split_once('?').map_or((path, ""), |(path, query)| (path, query));
    let marked = |mark: &str, part: &str| if part.is_empty() { String::new() } else { format!("{mark}{part}") };
    Some(match name {
        "protocol" => format!("{scheme}:"),
        "origin" => format!("{scheme}://{host}"),
        "host" => host.to_owned(),
        "hostname" => host.split(':').next().unwrap_or(host).to_owned(),
        "pathname" if path.is_empty() => "/".to_owned(),
        "pathname" => path.to_owned(),
        "search" => marked("?", query),
        "hash" => marked("#", hash),
        _ => return None,
    })
}

/// A URL that is given relative to another.
fn resolved(base: &str, path: &str) -> String {
    let (scheme, rest) = base.split_once("://").unwrap_or(("https", base));
    if path.starts_with("//") {
        return format!("{scheme}:{path}");
    }
    if path.starts_with('/') {
        let host = rest.split('/').next().unwrap_or(rest);
        return format!("{scheme}://{host}{path}");
    }
    format!("{}/{path}", base.trim_end_matches('/'))
}
