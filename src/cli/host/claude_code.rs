//! Claude Code: hooks in `settings.json`, started without a shell; what it is not told is left to its own rules.

use serde_json::{Map, Value, json};

use crate::cli::host::settings::{Home, Layout, Settings, Shell, Start};
use crate::cli::host::{Event, Heard, Host, Ruling, Sample, Stage, asks_itself, nothing, text, usual_event_name};

/// The host.
pub const HOST: Host = Host {
    name: "claude-code",
    title: "Claude Code",
    events: EVENTS,
    past: &["PostToolUseFailure", "PermissionDenied"],
    sent: |payload| !usual_event_name(payload).is_empty() && payload.get("session_id").is_some(),
    event_name: usual_event_name,
    asks_elsewhere: asks_itself,
    answer,
    // Code 2 makes it read standard error alone.
    refusal: |_| None,
    neutral: nothing,
    hear,
    silence: Heard::Pass,
    sample,
    settings: Settings {
        home: Home::Folder("CLAUDE_CONFIG_DIR"),
        user: ".claude/settings.json",
        project: Some(".claude/settings.json"),
        layout: Layout::Groups,
        start: Start::Words,
        shell: Shell::Sh,
        timeout_unit: 1,
        usual_timeout: 600,
        fails_closed: Some(("onFailure", || json!("block"))),
        others: &[".claude/settings.local.json"],
    },
};

/// The events that Claude Code and Codex share.
pub const EVENTS: &[Event] = &[
    Event { name: "PreToolUse", stage: Stage::Call, asks: true, is_installed: true },
    Event { name: "PostToolUse", stage: Stage::Result, asks: false, is_installed: true },
    Event { name: "UserPromptSubmit", stage: Stage::Prompt, asks: false, is_installed: true },
    Event { name: PERMISSION, stage: Stage::Call, asks: true, is_installed: false },
];

/// The event by which a hook may answer in place of the person who is about to be asked.
pub const PERMISSION: &str = "PermissionRequest";

/// Keys whose values tell of what kind a result is, and are no text of it.
const KINDS: &[&str] = &["type", "mimeType", "media_type", "status"];

fn answer(event: &Event, payload: &Value, ruling: &Ruling) -> Option<Value> {
    match (event.stage, ruling) {
        (Stage::Result, Ruling::Deny(reason)) => {
            // The decision alone leaves the result where the agent reads it.
            let result = payload.get("tool_response").map_or_else(|| json!(reason), |result| withheld(result, reason));
            Some(json!({
                "decision": "block",
                "reason": reason,
                "hookSpecificOutput": {"hookEventName": event.name, "updatedToolOutput": result},
            }))
        }
        _ => shared_answer(event, ruling),
    }
}

/// The answer that Claude Code and Codex understand.
pub fn shared_answer(event: &Event, ruling: &Ruling) -> Option<Value> {
    match (event.stage, ruling) {
        (_, Ruling::Allow) => None,
        (Stage::Call, Ruling::Deny(reason)) if event.name == PERMISSION => {
            Some(specific(event, json!({"decision": {"behavior": "deny", "message": reason}})))
        }
        // The person is being asked already.
        (Stage::Call, Ruling::Ask(_) | Ruling::Note(_)) if event.name == PERMISSION => None,
        (Stage::Call, Ruling::Deny(reason)) => {
            Some(specific(event, json!({"permissionDecision": "deny", "permissionDecisionReason": reason})))
        }
        (Stage::Call, Ruling::Ask(reason)) => {
            Some(specific(event, json!({"permissionDecision": "ask", "permissionDecisionReason": reason})))
        }
        (_, Ruling::Deny(reason)) => Some(json!({"decision": "block", "reason": reason})),
        (_, Ruling::Note(reason) | Ruling::Ask(reason)) => Some(specific(event, json!({"additionalContext": reason}))),
    }
}

fn specific(event: &Event, fields: Value) -> Value {
    let mut output = Map::new();
    output.insert("hookEventName".to_owned(), json!(event.name));
    if let Value::Object(fields) = fields {
        output.extend(fields);
    }
    json!({"hookSpecificOutput": output})
}

/// A result of the same shape with its texts taken out: one of another shape would not be put in its place.
fn withheld(result: &Value, notice: &str) -> Value {
    fn blanked(value: &Value, notice: &mut Option<&str>) -> Value {
        match value {
            Value::String(_) => json!(notice.take().unwrap_or("")),
            Value::Array(elements) => elements.iter().map(|element| blanked(element, notice)).collect(),
            Value::Object(fields) => {
                let blank = |(key, value): (&String, &Value)| {
                    let is_kind = KINDS.contains(&key.as_str());
                    (key.clone(), if is_kind { value.clone() } else { blanked(value, notice) })
                };
                Value::Object(fields.iter().map(blank).collect())
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }
    blanked(result, &mut Some(notice))
}

/// How Claude Code and Codex understand an answer.
pub fn hear(event: &Event, answer: &Value) -> Heard {
    let specific = answer.get("hookSpecificOutput");
    let has = |key: &str| specific.is_some_and(|specific| specific.get(key).is_some());
    if specific.is_some_and(|specific| text(specific, "hookEventName") != Some(event.name)) {
        return Heard::Nonsense("`hookEventName` is not that of the event");
    }
    let decision = specific.and_then(|specific| text(specific, "permissionDecision"));
    match (event.stage, decision, text(answer, "decision")) {
        (Stage::Call, Some("deny"), _) => Heard::Denied,
        (Stage::Call, Some("ask"), _) => Heard::Asked,
        (_, _, Some("block")) => Heard::Denied,
        _ if has("additionalContext") => Heard::Noted,
        _ => Heard::Pass,
    }
}

/// A payload as Claude Code and Codex send it.
pub fn sample(event: &Event, sample: &Sample) -> Value {
    let mut payload = json!({
        "session_id": "callgate-doctor", "transcript_path": null, "cwd": ".", "permission_mode": "default",
        "hook_event_name": event.name,
    });
    let fields = match event.stage {
        Stage::Call => json!({"tool_name": "Bash", "tool_input": {"command": sample.command}, "tool_use_id": "1"}),
        Stage::Result => json!({
            "tool_name": "Bash", "tool_input": {"command": "cat notes"}, "tool_use_id": "1",
            "tool_response": {"stdout": sample.text, "stderr": "", "interrupted": false},
        }),
        Stage::Prompt => json!({"prompt": sample.text}),
    };
    extend(&mut payload, fields);
    payload
}

/// Adds fields to an object.
pub fn extend(object: &mut Value, fields: Value) {
    if let (Value::Object(object), Value::Object(fields)) = (object, fields) {
        object.extend(fields);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_withheld_result_keeps_its_shape() {
        let result = json!({"content": [{"type": "text", "text": "poison"}, {"type": "text", "text": "more"}], "code": 0, "ok": null});
        let expected = json!({"content": [{"type": "text", "text": "held"}, {"type": "text", "text": ""}], "code": 0, "ok": null});
        assert_eq!(withheld(&result, "held"), expected);
        assert_eq!(withheld(&json!("poison"), "held"), json!("held"));
    }
}
