//! Codex: Claude Code's events, but it takes no asking, no bare allow and no unknown field, and runs a call on each of them.

use serde_json::{Value, json};

use crate::cli::host::claude_code::{EVENTS as SHARED, PERMISSION, extend, hear as shared_hear, sample as shared_sample, shared_answer};
use crate::cli::host::settings::{Home, Layout, Settings, Shell, Start};
use crate::cli::host::{Event, Heard, Host, Ruling, Sample, Stage, asks_itself, nothing, usual_event_name};

/// The host.
pub const HOST: Host = Host {
    name: "codex",
    title: "Codex",
    events: EVENTS,
    past: &[],
    sent: |payload| payload.get("turn_id").is_some() && SHARED.iter().any(|event| event.name == usual_event_name(payload)),
    event_name: usual_event_name,
    asks_elsewhere: asks_itself,
    answer: |event, _, ruling| answer(event, ruling),
    // Code 2 makes it read standard error alone.
    refusal: |_| None,
    neutral: nothing,
    hear,
    silence: Heard::Pass,
    sample,
    settings: Settings {
        home: Home::Folder("CODEX_HOME"),
        user: ".codex/hooks.json",
        project: Some(".codex/hooks.json"),
        layout: Layout::Groups,
        start: Start::Line,
        shell: Shell::Login,
        timeout_unit: 1,
        usual_timeout: 600,
        fails_closed: None,
        others: &[],
    },
};

/// The events.
const EVENTS: &[Event] = &[
    Event { name: "PreToolUse", stage: Stage::Call, asks: false, is_installed: true },
    Event { name: "PostToolUse", stage: Stage::Result, asks: false, is_installed: true },
    Event { name: "UserPromptSubmit", stage: Stage::Prompt, asks: false, is_installed: true },
    Event { name: PERMISSION, stage: Stage::Call, asks: true, is_installed: false },
];

fn answer(event: &Event, ruling: &Ruling) -> Option<Value> {
    match ruling {
        Ruling::Ask(reason) if event.name != PERMISSION && event.stage == Stage::Call => {
            shared_answer(event, &Ruling::Deny(reason.clone()))
        }
        _ => shared_answer(event, ruling),
    }
}

/// What Codex knows of an answer; any other field makes it forget the whole.
const KNOWN: &[&str] = &["decision", "reason", "hookSpecificOutput", "systemMessage"];

fn hear(event: &Event, answer: &Value) -> Heard {
    let is_known = |answer: &serde_json::Map<String, Value>| answer.keys().all(|key| KNOWN.contains(&key.as_str()));
    if !answer.as_object().is_some_and(is_known) {
        return Heard::Nonsense("it has a field that Codex does not know, and then runs the call");
    }
    match shared_hear(event, answer) {
        Heard::Asked => Heard::Nonsense("Codex does not take `ask`, and then runs the call"),
        heard => heard,
    }
}

fn sample(event: &Event, sample: &Sample) -> Value {
    let mut payload = shared_sample(event, sample);
    extend(&mut payload, json!({"turn_id": "1", "model": "doctor"}));
    payload
}
