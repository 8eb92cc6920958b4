//! Agent hosts: what each sends to a hook, how it wants to be answered, and where it is told of hooks. One file a host.

pub mod claude_code;
pub mod codex;
pub mod copilot;
pub mod cursor;
pub mod gemini;
pub mod handed;
pub mod installed;
pub mod merge;
pub mod openclaw;
pub mod probe;
pub mod reason;
pub mod registry;
pub mod settings;

use std::path::PathBuf;

use serde_json::Value;

use crate::cli::failure::Failure;
use crate::cli::host::settings::{Scope, Settings};

/// An agent host.
pub struct Host {
    /// The name on the command line.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The events that are answered.
    pub events: &'static [Event],
    /// Events of its own that hold a call of which nothing is left to decide.
    pub past: &'static [&'static str],
    /// Whether it sent a payload, where nobody says who did.
    pub sent: fn(&Value) -> bool,
    /// The name of the event that a payload tells of.
    pub event_name: fn(&Value) -> &str,
    /// Whether another event of the same call is the one that asks a person.
    pub asks_elsewhere: fn(&Event, &Value) -> bool,
    /// What is printed as the answer, if anything.
    pub answer: fn(&Event, &Value, &Ruling) -> Option<Value>,
    /// What is printed to deny whatever it was that the payload tells of.
    pub refusal: fn(&str) -> Option<Value>,
    /// What is printed to let pass whatever it was that the payload tells of.
    pub neutral: fn() -> Option<Value>,
    /// How the host understands what was printed with exit code 0.
    pub hear: fn(&Event, &Value) -> Heard,
    /// What the host makes of an empty answer.
    pub silence: Heard,
    /// A payload as the host sends it.
    pub sample: fn(&Event, &Sample) -> Value,
    /// Where it is told of hooks, and how.
    pub settings: Settings,
}

impl Host {
    /// Where the host keeps settings.
    ///
    /// # Errors
    ///
    /// As `settings::path`.
    pub fn settings_path(&self, scope: Scope) -> Result<PathBuf, Failure> {
        settings::path(self.title, &self.settings, scope)
    }
}

/// A moment at which a host asks its hooks.
pub struct Event {
    /// The host's name for it.
    pub name: &'static str,
    /// What is judged.
    pub stage: Stage,
    /// A person can be asked.
    pub asks: bool,
    /// It is among the hooks that are installed.
    pub is_installed: bool,
}

/// What is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A tool call that is about to be made.
    Call,
    /// What a tool returned.
    Result,
    /// What the user asks for.
    Prompt,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// Nothing is said against it; the host's own rules go on to apply.
    Allow,
    /// It passes with a word of warning to the agent.
    Note(String),
    /// A person decides.
    Ask(String),
    /// It does not pass.
    Deny(String),
}

/// What a host understands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// It goes on as it would without the hook.
    Pass,
    /// It goes on, and the agent is warned.
    Noted,
    /// It asks a person.
    Asked,
    /// It stops.
    Denied,
    /// It cannot make sense of the answer.
    Nonsense(&'static str),
}

/// What a made-up payload holds, by its stage.
pub struct Sample {
    /// The command of a call.
    pub command: &'static str,
    /// The file that is read, where nothing but reading is asked about.
    pub path: &'static str,
    /// The text of a result or prompt.
    pub text: &'static str,
}

/// What a run of the hook ends with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// For standard output.
    pub stdout: Option<Value>,
    /// For standard error.
    pub stderr: Option<String>,
    /// Whether it ends with the code that blocks, 2, rather than with 0.
    pub is_refusal: bool,
}

impl Host {
    /// The event of that name.
    pub fn event(&self, name: &str) -> Option<&'static Event> {
        self.events.iter().find(|event| event.name == name)
    }

    /// The reply with a ruling on an event.
    pub fn reply(&self, event: &Event, payload: &Value, ruling: &Ruling) -> Reply {
        Reply { stdout: (self.answer)(event, payload, ruling), ..Reply::default() }
    }

    /// The reply that stops whatever it was, in every way that the host understands.
    pub fn refuse(&self, reason: &str) -> Reply {
        Reply { stdout: (self.refusal)(reason), stderr: Some(reason.to_owned()), is_refusal: true }
    }

    /// The reply that has nothing to say.
    pub fn pass(&self) -> Reply {
        Reply { stdout: (self.neutral)(), ..Reply::default() }
    }
}

/// The reply that stops whatever it was, for a host that is not known: by the code and the stream that all of them understand.
pub fn refuse_anybody(reason: &str) -> Reply {
    Reply { stdout: None, stderr: Some(reason.to_owned()), is_refusal: true }
}

/// The text under a key of an object.
pub fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

/// The event's name as most hosts write it.
pub fn usual_event_name(payload: &Value) -> &str {
    text(payload, "hook_event_name").or_else(|| text(payload, "hookEventName")).unwrap_or("")
}

/// No other event asks.
pub fn asks_itself(_: &Event, _: &Value) -> bool {
    false
}

/// Nothing is printed.
pub fn nothing() -> Option<Value> {
    None
}
