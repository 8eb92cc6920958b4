//! What a payload must hold by the promise of its event. The whole of it is read as any tool call, result or prompt.

use serde_json::Value;

use crate::cli::host::{Stage, text};

/// Keys under which hosts name the tool.
const TOOLS: &[&str] = &["tool_name", "toolName"];
/// Keys under which hosts hand over what a tool is given.
const INPUTS: &[&str] = &["tool_input", "toolArgs", "params"];
/// Keys under which hosts hand over what a tool returned.
const RESULTS: &[&str] = &["tool_response", "tool_output", "toolResult", "result_json", "output", "result"];

/// Whether a payload tells of a tool call, whatever its event.
pub fn holds_call(payload: &Value) -> bool {
    TOOLS.iter().chain(INPUTS).chain(&["command"]).any(|key| payload.get(key).is_some())
}

/// The name of the tool that a payload tells of.
pub fn tool(payload: &Value) -> Option<&str> {
    TOOLS.iter().find_map(|key| text(payload, key))
}

/// Holds a payload to the promise of its event.
///
/// # Errors
///
/// When it has not what its event promises; the message says what is missing.
pub fn check(stage: Stage, payload: &Value) -> Result<(), &'static str> {
    let kept = match stage {
        Stage::Call => return check_call(payload),
        Stage::Result => (RESULTS.iter().any(|key| payload.get(key).is_some()), "it holds no result of the tool"),
        Stage::Prompt => (text(payload, "prompt").is_some(), "it holds no prompt"),
    };
    if kept.0 { Ok(()) } else { Err(kept.1) }
}

fn check_call(payload: &Value) -> Result<(), &'static str> {
    if tool(payload).is_none() {
        let is_call = text(payload, "command").is_some() || text(payload, "file_path").is_some();
        return if is_call { Ok(()) } else { Err("it names no tool") };
    }
    match INPUTS.iter().find_map(|key| payload.get(key)) {
        None => Err("it does not say what the tool is given"),
        Some(Value::Null | Value::Bool(_) | Value::Number(_)) => Err("what the tool is given is no object"),
        Some(Value::Object(_) | Value::String(_) | Value::Array(_)) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_missing_is_told() {
        for (stage, payload) in [
            (Stage::Call, json!({"tool_name": "Bash", "tool_input": {"command": "ls"}})),
            (Stage::Call, json!({"toolName": "Bash", "toolArgs": "{}"})),
            (Stage::Call, json!({"command": "ls"})),
            (Stage::Call, json!({"file_path": "a", "content": "text"})),
            (Stage::Result, json!({"tool_response": {"a": 1}})),
            (Stage::Prompt, json!({"prompt": "hello"})),
        ] {
            assert_eq!(check(stage, &payload), Ok(()), "{payload}");
        }
        for (stage, payload) in [
            (Stage::Call, json!({"tool_name": "Bash"})),
            (Stage::Call, json!({"tool_name": "Bash", "tool_input": null})),
            (Stage::Call, json!({"tool_name": 1, "tool_input": {}})),
            (Stage::Result, json!({"tool_name": "Bash"})),
            (Stage::Prompt, json!({"prompt": ["hello"]})),
        ] {
            assert!(check(stage, &payload).is_err(), "{payload}");
        }
    }
}
