//! Gemini CLI: a decision for each event. It has no setting to fail closed: what is no answer lets the call run.

use serde_json::{Value, json};

use crate::cli::host::claude_code::extend;
use crate::cli::host::settings::{Home, Layout, Settings, Shell, Start};
use crate::cli::host::{Event, Heard, Host, Ruling, Sample, Stage, asks_itself, text, usual_event_name};

/// The host.
pub const HOST: Host = Host {
    name: "gemini",
    title: "Gemini CLI",
    events: EVENTS,
    past: &["BeforeModel", "AfterModel", "BeforeToolSelection", "Notification"],
    sent: |payload| EVENTS.iter().any(|event| event.name == usual_event_name(payload)),
    event_name: usual_event_name,
    asks_elsewhere: asks_itself,
    answer: |event, _, ruling| Some(answer(event, ruling)),
    refusal: |reason| Some(json!({"decision": "deny", "reason": reason})),
    neutral: || Some(json!({})),
    hear,
    silence: Heard::Pass,
    sample,
    settings: Settings {
        home: Home::Above("GEMINI_CLI_HOME"),
        user: ".gemini/settings.json",
        project: Some(".gemini/settings.json"),
        layout: Layout::Groups,
        start: Start::Line,
        shell: Shell::Bash,
        timeout_unit: 1_000,
        usual_timeout: 60,
        fails_closed: None,
        others: &[],
    },
};

/// The events.
const EVENTS: &[Event] = &[
    Event { name: "BeforeTool", stage: Stage::Call, asks: true, is_installed: true },
    Event { name: "AfterTool", stage: Stage::Result, asks: false, is_installed: true },
    Event { name: "BeforeAgent", stage: Stage::Prompt, asks: false, is_installed: true },
];

fn answer(event: &Event, ruling: &Ruling) -> Value {
    match (event.stage, ruling) {
        (_, Ruling::Allow) => json!({}),
        (_, Ruling::Deny(reason)) => json!({"decision": "deny", "reason": reason}),
        (Stage::Call, Ruling::Ask(reason)) => json!({"decision": "ask", "reason": reason, "systemMessage": reason}),
        (Stage::Call, Ruling::Note(reason)) => json!({"systemMessage": reason}),
        (Stage::Result | Stage::Prompt, Ruling::Note(reason) | Ruling::Ask(reason)) => {
            json!({"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": reason}})
        }
    }
}

fn hear(_: &Event, answer: &Value) -> Heard {
    match text(answer, "decision") {
        Some("deny" | "block") => Heard::Denied,
        Some("ask") => Heard::Asked,
        Some(_) | None if answer.pointer("/hookSpecificOutput/additionalContext").is_some() => Heard::Noted,
        Some(_) | None => Heard::Pass,
    }
}

fn sample(event: &Event, sample: &Sample) -> Value {
    let mut payload = json!({
        "session_id": "callgate-doctor", "transcript_path": "", "cwd": ".", "hook_event_name": event.name,
        "timestamp": "2026-01-01T00:00:00Z",
    });
    let fields = match event.stage {
        Stage::Call => json!({"tool_name": "run_shell_command", "tool_input": {"command": sample.command}}),
        Stage::Result => json!({
            "tool_name": "run_shell_command", "tool_input": {"command": "cat notes"},
            "tool_response": {"llmContent": sample.text, "returnDisplay": ""},
        }),
        Stage::Prompt => json!({"prompt": sample.text}),
    };
    extend(&mut payload, fields);
    payload
}
