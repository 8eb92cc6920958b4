//! GitHub Copilot CLI: one event that decides. Its payloads name no event, and the arguments are JSON in a string.

use serde_json::{Value, json};

use crate::cli::host::settings::{Home, Layout, Settings, Shell, Start};
use crate::cli::host::{Event, Heard, Host, Ruling, Sample, Stage, asks_itself, nothing, text, usual_event_name};

/// The host.
pub const HOST: Host = Host {
    name: "copilot",
    title: "GitHub Copilot CLI",
    events: EVENTS,
    past: &["postToolUse", "postToolUseFailure"],
    sent: |payload| payload.get("toolArgs").is_some(),
    event_name,
    asks_elsewhere: asks_itself,
    answer: |_, _, ruling| answer(ruling),
    refusal: |reason| answer(&Ruling::Deny(reason.to_owned())),
    neutral: nothing,
    hear: |_, answer| match text(answer, "permissionDecision") {
        Some("deny") => Heard::Denied,
        Some("ask") => Heard::Asked,
        Some(_) | None => Heard::Pass,
    },
    silence: Heard::Pass,
    sample: |_, sample: &Sample| {
        let arguments = json!({"command": sample.command}).to_string();
        json!({"sessionId": "callgate-doctor", "timestamp": 0, "cwd": ".", "toolName": "bash", "toolArgs": arguments})
    },
    settings: Settings {
        home: Home::Folder("COPILOT_HOME"),
        user: ".copilot/hooks/callgate.json",
        project: Some(".github/hooks/callgate.json"),
        layout: Layout::Scripts,
        start: Start::Line,
        shell: Shell::Bash,
        timeout_unit: 1,
        usual_timeout: 30,
        fails_closed: None,
        others: &[],
    },
};

/// The events.
const EVENTS: &[Event] = &[Event { name: "preToolUse", stage: Stage::Call, asks: true, is_installed: true }];

fn event_name(payload: &Value) -> &str {
    match usual_event_name(payload) {
        "" if payload.get("toolResult").is_some() => "postToolUse",
        "" if payload.get("toolName").is_some() => "preToolUse",
        name => name,
    }
}

fn answer(ruling: &Ruling) -> Option<Value> {
    match ruling {
        Ruling::Allow | Ruling::Note(_) => None,
        Ruling::Ask(reason) => Some(json!({"permissionDecision": "ask", "permissionDecisionReason": reason})),
        Ruling::Deny(reason) => Some(json!({"permissionDecision": "deny", "permissionDecisionReason": reason})),
    }
}
