//! What the parts of an extension hand to each other: messages, and what they keep in its store.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::Place;
use crate::format::script::interpret::text::Slot;
use crate::format::script::interpret::value::Val;

/// How a row says that a parameter is what other parts handed on.
const PASSED: &str = "passed.messages";

/// By which way parts of an extension hand something on.
#[derive(Clone, Copy)]
enum Channel {
    Messages,
    Store,
}

impl Channel {
    fn name(self) -> &'static str {
        match self {
            Self::Messages => "(messages)",
            Self::Store => "(store)",
        }
    }
}

impl Interpreter<'_> {
    /// Keeps what a call hands to other parts of the extension.
    pub fn hand_on(&mut self, path: &str, arguments: &Arguments) {
        let Some(channel) = written_to(path) else { return };
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

/// The channel into which a call writes.
fn written_to(path: &str) -> Option<Channel> {
    if path == "<extension-port>.postMessage" {
        return Some(Channel::Messages);
    }
    match own(path)? {
        "runtime.sendMessage" | "tabs.sendMessage" | "runtime.connect().postMessage" | "tabs.connect().postMessage" => {
            Some(Channel::Messages)
        }
        "storage.local.set" | "storage.sync.set" | "storage.session.set" => Some(Channel::Store),
        _ => None,
    }
}
