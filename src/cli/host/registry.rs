//! All hosts, and which of them sent a payload.

use serde_json::Value;

use crate::cli::host::Host;
use crate::cli::host::{claude_code, codex, copilot, cursor, gemini, openclaw};

/// All hosts. Claude Code stands last, since others send payloads like its.
pub const HOSTS: &[&Host] = &[&cursor::HOST, &codex::HOST, &gemini::HOST, &openclaw::HOST, &copilot::HOST, &claude_code::HOST];

/// The host of that name.
pub fn by_name(name: &str) -> Option<&'static Host> {
    HOSTS.iter().copied().find(|host| host.name == name)
}

/// The host that sent a payload, if it can be told.
pub fn by_payload(payload: &Value) -> Option<&'static Host> {
    HOSTS.iter().copied().find(|host| (host.sent)(payload))
}

/// A host that has an event of that name.
pub fn by_event(name: &str) -> Option<&'static Host> {
    HOSTS.iter().copied().find(|host| host.event(name).is_some())
}

/// The names of all hosts, in alphabetical order.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = HOSTS.iter().map(|host| host.name).collect();
    names.sort_unstable();
    names
}
