//! What the parts of an extension hand to each other, messages and what they keep in its store, and what a program hands to its own
//! workers, which run the same script.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::Place;
use crate::format::script::interpret::text::Slot;
use crate::format::script::interpret::value::{Atom, Val};
use crate::value::span::Span;

/// How a row says that a parameter is what other parts handed on.
const PASSED: &str = "passed.messages";

/// What makes a worker of Node.js, and where that finds what it was made with.
const WORKER: &str = "worker_threads.Worker";
const WORKER_DATA: &str = "worker_threads.workerData";

/// By which way parts of an extension hand something on.
#[derive(Clone, Copy)]
enum Channel {
    Messages,
    Store,
    /// Between a program and its workers, both ways.
    Work,
}

impl Channel {
    fn name(self) -> &'static str {
        match self {
            Self::Messages => "(messages)",
            Self::Store => "(store)",
            Self::Work => "(work)",
        }
    }
}

impl Interpreter<'_> {
    /// Keeps what a call hands to other parts of the extension.
    pub fn hand_on(&mut self, path: &str, arguments: &Arguments) {
        let Some(channel) = written_to(path) else { return };
        if let Channel::Work = channel {
            for argument in arguments.iter() {
                self.sent_to_workers = self.joined_with_way(self.sent_to_workers, argument);
            }
            return;
        }
        let key = self.values.texts.slot_named(Slot::Listener, channel.name());
        let place = Place::Field(self.globals, key);
        let mut all = self.heap.get(place).unwrap_or(Val::NEVER);
        for argument in arguments.iter() {
            all = self.joined_with_way(all, argument);
        }
        self.heap.set(place, all);
    }

    /// What a parameter is that a row says is handed on.
    pub fn handed_on(&self, parameter: &str) -> Option<Val> {
        (parameter == PASSED).then(|| self.kept_in(Channel::Messages).unwrap_or(Val::UNKNOWN))
    }

    /// What was put into the store of which a call reads.
    pub fn kept_in_store(&self, path: &str) -> Option<Val> {
        let is_read = own(path).and_then(|own| own.strip_prefix("storage.")).is_some_and(|own| own.ends_with(".get"));
        if is_read { self.kept_in(Channel::Store) } else { None }
    }

    /// What whoever listens for messages in a worker, or for those of one, is passed.
    pub fn passed_by_worker(&self, path: &str, arguments: &Arguments) -> Option<Arguments> {
        let listens = matches!(path.rsplit('.').next(), Some("on" | "once" | "addListener" | "addEventListener"));
        let from = path.rsplit_once('.').map(|(from, _)| from).filter(|_| listens)?;
        let is_worker = from == "process" || from == "worker_threads.parentPort" || is_worker(from);
        let is_message = self.values.text(arguments.get(0).id).is_some_and(|event| &*event == "message");
        let is_told = is_worker && is_message && self.sent_to_workers.id != Val::NEVER.id;
        is_told.then(|| Arguments::of(vec![self.sent_to_workers]))
    }

    /// What a worker is made with is what it finds there.
    pub fn hand_to_worker(&mut self, path: &str, arguments: &Arguments, span: Span) {
        if path != WORKER {
            return;
        }
        let data = self.property(arguments.get(1), "workerData", span);
        if data.id == Val::UNDEFINED.id {
            return;
        }
        self.made_workers_with = self.joined_with_way(self.made_workers_with, data);
    }

    /// What a worker finds where a value is the place of what it was made with.
    pub fn found_by_worker(&self, value: Val) -> Option<Val> {
        if self.made_workers_with.id == Val::NEVER.id {
            return None;
        }
        match *self.values.atoms(value.id) {
            [Atom::Native(path)] if &**self.values.texts.get(path) == WORKER_DATA => Some(self.made_workers_with),
            _ => None,
        }
    }

    fn kept_in(&self, channel: Channel) -> Option<Val> {
        let name = self.values.texts.known(channel.name())?;
        let key = self.values.texts.known_slot(Slot::Listener, name)?;
        self.heap.get(Place::Field(self.globals, key))
    }
}

/// The rest of the path of something that a browser offers to extensions.
fn own(path: &str) -> Option<&str> {
    path.strip_prefix("chrome.").or_else(|| path.strip_prefix("browser."))
}

/// Returns true if and only if a path is that of a worker or a process that the script started.
fn is_worker(path: &str) -> bool {
    matches!(path.strip_suffix("()"), Some(WORKER | "cluster.fork" | "child_process.fork"))
}

/// The channel into which a call writes.
fn written_to(path: &str) -> Option<Channel> {
    if path == "<extension-port>.postMessage" {
        return Some(Channel::Messages);
    }
    if let Some((worker, "postMessage" | "send")) = path.rsplit_once('.')
        && (is_worker(worker) || matches!(worker, "process" | "worker_threads.parentPort"))
    {
        return Some(Channel::Work);
    }
    match own(path)? {
        "runtime.sendMessage" | "tabs.sendMessage" | "runtime.connect().postMessage" | "tabs.connect().postMessage" => {
            Some(Channel::Messages)
        }
        "storage.local.set" | "storage.sync.set" | "storage.session.set" => Some(Channel::Store),
        _ => None,
    }
}
