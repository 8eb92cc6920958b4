//! Cursor: a permission for each event; it takes silence for a fault, and asks a person only for commands and MCP tools.

use serde_json::{Value, json};

use crate::cli::host::claude_code::extend;
use crate::cli::host::settings::{Home, Layout, Settings, Shell, Start};
use crate::cli::host::{Event, Heard, Host, Ruling, Sample, Stage, text, usual_event_name};

/// The host.
pub const HOST: Host = Host {
    name: "cursor",
    title: "Cursor",
    events: EVENTS,
    past: &["afterShellExecution", "afterMCPExecution", "afterFileEdit", "postToolUseFailure", "afterTabFileEdit", "beforeTabFileRead"],
    sent: |payload| {
        ["cursor_version", "conversation_id", "generation_id"].iter().any(|key| payload.get(key).is_some())
            || EVENTS.iter().any(|event| event.name == usual_event_name(payload))
    },
    event_name: usual_event_name,
    asks_elsewhere: |event, payload| event.name == ANY_TOOL && is_asked_elsewhere(payload),
    answer: |event, payload, ruling| Some(answer(event, payload, ruling)),
    refusal: |reason| Some(json!({"permission": "deny", "continue": false, "user_message": reason, "agent_message": reason})),
    neutral: || Some(json!({"permission": "allow", "continue": true})),
    hear,
    silence: Heard::Nonsense("Cursor takes an empty answer for a fault"),
    sample,
    settings: Settings {
        home: Home::Folder("CURSOR_CONFIG_DIR"),
        user: ".cursor/hooks.json",
        project: Some(".cursor/hooks.json"),
        layout: Layout::Flat,
        start: Start::Line,
        shell: Shell::Sh,
        timeout_unit: 1,
        usual_timeout: 60,
        fails_closed: Some(("failClosed", || json!(true))),
        others: &[],
    },
};

/// The event before any tool, which commands and MCP tools raise beside their own.
const ANY_TOOL: &str = "preToolUse";

/// The events.
const EVENTS: &[Event] = &[
    Event { name: "beforeShellExecution", stage: Stage::Call, asks: true, is_installed: true },
    Event { name: "beforeMCPExecution", stage: Stage::Call, asks: true, is_installed: true },
    Event { name: ANY_TOOL, stage: Stage::Call, asks: false, is_installed: true },
    Event { name: "beforeReadFile", stage: Stage::Call, asks: false, is_installed: true },
    Event { name: "beforeSubmitPrompt", stage: Stage::Prompt, asks: false, is_installed: true },
    Event { name: "postToolUse", stage: Stage::Result, asks: false, is_installed: true },
];

/// Commands and MCP tools have events of their own, which can ask.
fn is_asked_elsewhere(payload: &Value) -> bool {
    text(payload, "tool_name").is_some_and(|tool| tool == "Shell" || is_mcp(tool))
}

fn is_mcp(tool: &str) -> bool {
    tool.starts_with("MCP:") || tool.starts_with("mcp__")
}

fn answer(event: &Event, payload: &Value, ruling: &Ruling) -> Value {
    match (event.stage, ruling) {
        (Stage::Prompt, Ruling::Deny(reason)) => json!({"continue": false, "user_message": reason}),
        (Stage::Prompt, Ruling::Allow | Ruling::Note(_) | Ruling::Ask(_)) => json!({"continue": true}),
        (Stage::Result, Ruling::Allow) => json!({}),
        (Stage::Result, Ruling::Deny(reason)) if text(payload, "tool_name").is_some_and(is_mcp) => json!({
            "updated_mcp_tool_output": {"content": [{"type": "text", "text": reason}]},
            "additional_context": reason,
        }),
        (Stage::Result, Ruling::Note(reason) | Ruling::Ask(reason) | Ruling::Deny(reason)) => json!({"additional_context": reason}),
        (Stage::Call, Ruling::Allow | Ruling::Note(_)) => json!({"permission": "allow"}),
        (Stage::Call, Ruling::Ask(reason)) if event.asks => json!({"permission": "ask", "user_message": reason, "agent_message": reason}),
        (Stage::Call, Ruling::Ask(reason) | Ruling::Deny(reason)) => {
            json!({"permission": "deny", "user_message": reason, "agent_message": reason})
        }
    }
}

fn hear(event: &Event, answer: &Value) -> Heard {
    match (event.stage, text(answer, "permission"), answer.get("continue").and_then(Value::as_bool)) {
        (Stage::Result, ..) if answer.get("additional_context").is_some() => Heard::Noted,
        (Stage::Result, ..) => Heard::Pass,
        (Stage::Prompt, _, Some(false)) | (Stage::Call, Some("deny"), _) => Heard::Denied,
        (Stage::Prompt, _, Some(true)) | (Stage::Call, Some("allow"), _) => Heard::Pass,
        (Stage::Call, Some("ask"), _) if event.asks => Heard::Asked,
        (Stage::Call, Some("ask"), _) => Heard::Nonsense("Cursor does not take `ask` here"),
        (Stage::Call, ..) => Heard::Nonsense("it has no `permission`"),
        (Stage::Prompt, ..) => Heard::Nonsense("it has no `continue`"),
    }
}

fn sample(event: &Event, sample: &Sample) -> Value {
    let mut payload = json!({
        "conversation_id": "callgate-doctor", "generation_id": "1", "model": "doctor", "cursor_version": "0",
        "workspace_roots": ["."], "hook_event_name": event.name,
    });
    let command = json!({"command": sample.command});
    let fields = match event.name {
        "beforeShellExecution" => json!({"command": sample.command, "cwd": "."}),
        "beforeMCPExecution" => json!({"tool_name": "run_command", "tool_input": command.to_string(), "command": "server"}),
        "beforeReadFile" => json!({"file_path": sample.path, "content": "", "attachments": []}),
        ANY_TOOL => json!({"tool_name": "Shell", "tool_input": command, "tool_use_id": "1", "cwd": "."}),
        "postToolUse" => json!({"tool_name": "Shell", "tool_input": {"command": "cat notes"}, "tool_output": sample.text}),
        _ => json!({"prompt": sample.text, "attachments": []}),
    };
    extend(&mut payload, fields);
    payload
}
