//! OpenClaw: it starts no commands, so a plugin hands each call to callgate and the answer back.

use serde_json::{Value, json};

use crate::cli::host::settings::{Home, Layout, Settings, Shell, Start};
use crate::cli::host::{Event, Heard, Host, Ruling, Sample, Stage, asks_itself, usual_event_name};

/// The plugin. The words between `@` signs are put in when it is written.
pub const PLUGIN: &str = include_str!("openclaw_plugin.mjs.in");

/// The host.
pub const HOST: Host = Host {
    name: "openclaw",
    title: "OpenClaw",
    events: EVENTS,
    past: &["after_tool_call"],
    sent: |payload| payload.get("toolName").is_some() && payload.get("params").is_some(),
    event_name: |payload| match usual_event_name(payload) {
        "" if payload.get("toolName").is_some() => "before_tool_call",
        name => name,
    },
    asks_elsewhere: asks_itself,
    answer: |_, payload, ruling| Some(answer(payload, ruling)),
    refusal: |reason| Some(json!({"block": true, "blockReason": reason})),
    neutral: || Some(json!({})),
    hear: |_, answer| {
        if answer.get("block") == Some(&json!(true)) {
            Heard::Denied
        } else if answer.get("requireApproval").is_some() {
            Heard::Asked
        } else {
            Heard::Pass
        }
    },
    silence: Heard::Nonsense("the plugin takes an empty answer for a fault, and blocks"),
    sample: |_, sample: &Sample| json!({"hook_event_name": "before_tool_call", "toolName": "exec", "params": {"command": sample.command}, "toolCallId": "1"}),
    settings: Settings {
        home: Home::Folder("OPENCLAW_STATE_DIR"),
        user: ".openclaw/openclaw.json",
        project: None,
        layout: Layout::Plugin,
        start: Start::Words,
        shell: Shell::Sh,
        timeout_unit: 1,
        usual_timeout: 60,
        fails_closed: None,
        others: &[],
    },
};

/// The events.
const EVENTS: &[Event] = &[Event { name: "before_tool_call", stage: Stage::Call, asks: true, is_installed: true }];

/// How long a person has to answer, in milliseconds.
const PATIENCE: u32 = 120_000;

fn answer(payload: &Value, ruling: &Ruling) -> Value {
    match ruling {
        Ruling::Allow | Ruling::Note(_) => json!({}),
        Ruling::Deny(reason) => json!({"block": true, "blockReason": reason}),
        Ruling::Ask(reason) => {
            let tool = payload.get("toolName").and_then(Value::as_str).unwrap_or("a tool");
            json!({"requireApproval": {
                "title": format!("callgate: run {tool}?"),
                "description": reason,
                "severity": "warning",
                "timeoutMs": PATIENCE,
                "allowedDecisions": ["allow-once", "deny"],
            }})
        }
    }
}
