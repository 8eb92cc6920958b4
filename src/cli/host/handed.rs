//! What a payload hands over to be judged: the call as a plain tool call, a result or prompt as a text.

use std::ops::Range;

use serde_json::{Map, Value};

use crate::cli::host::{Stage, text};

/// A text to be judged.
#[derive(Debug, PartialEq, Eq)]
pub struct Handed {
    /// A name whose extension tells what it is.
    pub name: &'static str,
    /// The text.
    pub text: String,
    /// Which stretch of it is which part of the payload.
    pub parts: Vec<(Range<usize>, String)>,
}

/// Keys under which hosts name the tool.
const TOOLS: &[&str] = &["tool_name", "toolName"];
/// Keys under which hosts hand over what a tool is given.
const INPUTS: &[&str] = &["tool_input", "toolArgs", "params"];
/// Keys under which hosts hand over what a tool returned.
const RESULTS: &[&str] = &["tool_response", "tool_output", "toolResult", "result_json", "output", "result"];
/// Arguments in which code mode hands over its script.
const SCRIPTS: &[&str] = &["code", "script", "source", "input", "command"];
/// What stands before the path of a file in a patch.
const PATCHED: &[&str] = &["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];

/// Whether a payload tells of a tool call, whatever its event.
pub fn holds_call(payload: &Value) -> bool {
    TOOLS.iter().chain(INPUTS).chain(&["command"]).any(|key| payload.get(key).is_some())
}

/// The name of the tool that a payload tells of.
pub fn tool(payload: &Value) -> Option<&str> {
    TOOLS.iter().find_map(|key| text(payload, key))
}

/// What is to be judged.
///
/// # Errors
///
/// When the payload has not what its event promises; the message says what is missing.
pub fn hand_over(stage: Stage, payload: &Value) -> Result<Vec<Handed>, &'static str> {
    match stage {
        Stage::Call => calls(payload),
        Stage::Result => {
            let result = RESULTS.iter().find_map(|key| payload.get(key)).ok_or("it holds no result of the tool")?;
            Ok(vec![as_text("tool-result.txt", texts(result))])
        }
        Stage::Prompt => Ok(vec![as_text("prompt.txt", text(payload, "prompt").ok_or("it holds no prompt")?.to_owned())]),
    }
}

fn calls(payload: &Value) -> Result<Vec<Handed>, &'static str> {
    let (tool, input) = call(payload)?;
    let mut handed = vec![plain_call(&tool, &input)];
    handed.extend(scripts(payload, &input));
    handed.extend(patched(&tool, &input));
    // A file is read to be told to the agent.
    if let Some(content) = text(payload, "content").filter(|_| payload.get("file_path").is_some()) {
        handed.push(as_text("file.txt", content.to_owned()));
    }
    Ok(handed)
}

/// The tool and what it is given.
fn call(payload: &Value) -> Result<(String, Map<String, Value>), &'static str> {
    if let Some(tool) = tool(payload) {
        let input = INPUTS.iter().find_map(|key| payload.get(key)).ok_or("it does not say what the tool is given")?;
        return Ok((tool.to_owned(), arguments(input)?));
    }
    let only = |key: &str, value: &Value| Map::from_iter([(key.to_owned(), value.clone())]);
    match (payload.get("command"), payload.get("file_path")) {
        (Some(command @ Value::String(_)), _) => Ok(("Shell".to_owned(), only("command", command))),
        (None, Some(path @ Value::String(_))) => Ok(("Read".to_owned(), only("file_path", path))),
        _ => Err("it names no tool"),
    }
}

/// What a tool is given, by name. Some hosts write it as JSON in a string; a string that is none is the argument itself.
fn arguments(input: &Value) -> Result<Map<String, Value>, &'static str> {
    match input {
        Value::Object(fields) => Ok(fields.clone()),
        Value::String(written) => match serde_json::from_str(written) {
            Ok(Value::Object(fields)) => Ok(fields),
            Ok(_) | Err(_) => Ok(Map::from_iter([("input".to_owned(), input.clone())])),
        },
        Value::Array(_) => Ok(Map::from_iter([("input".to_owned(), input.clone())])),
        Value::Null | Value::Bool(_) | Value::Number(_) => Err("what the tool is given is no object"),
    }
}

/// A call in the plain shape that every reader of tool calls knows.
fn plain_call(tool: &str, input: &Map<String, Value>) -> Handed {
    let mut text = format!("{{\"function_name\": {}, \"kwargs\": {{", Value::from(tool));
    let mut parts = Vec::new();
    for (at, (key, value)) in input.iter().enumerate() {
        text.push_str(if at == 0 { "" } else { ", " });
        let start = text.len();
        text.push_str(&format!("{}: {value}", Value::from(key.as_str())));
        parts.push((start..text.len(), format!("`{key}`")));
    }
    text.push_str("}}");
    Handed { name: "call.json", text, parts }
}

/// The script of a host's code mode, which the host itself says to be one.
fn scripts(payload: &Value, input: &Map<String, Value>) -> Vec<Handed> {
    let name = match text(payload, "toolInputKind") {
        Some("javascript") => "script.js",
        Some("typescript") => "script.ts",
        Some(_) | None => return Vec::new(),
    };
    let found = SCRIPTS.iter().filter_map(|key| Some((*key, input.get(*key)?.as_str()?)));
    found.map(|(key, script)| Handed { name, text: script.to_owned(), parts: vec![(0..script.len(), format!("`{key}`"))] }).collect()
}

/// What a patch does to each file, as calls that write one file each.
fn patched(tool: &str, input: &Map<String, Value>) -> Vec<Handed> {
    let patch = ["command", "patch", "input"].iter().find_map(|key| input.get(*key)?.as_str()).unwrap_or("");
    let starts = |line: &str| PATCHED.iter().find_map(|start| line.trim_start().strip_prefix(start)).map(|path| path.trim().to_owned());
    if !patch.contains("*** Begin Patch") {
        return Vec::new();
    }
    let mut files: Vec<(String, String)> = Vec::new();
    for line in patch.lines() {
        if let Some(path) = starts(line) {
            files.push((path, String::new()));
        } else if let (Some(added), Some((_, content))) = (line.strip_prefix('+'), files.last_mut()) {
            content.push_str(added);
            content.push('\n');
        }
    }
    let written = files.into_iter().map(|(path, content)| {
        let fields = [("file_path".to_owned(), Value::from(path)), ("content".to_owned(), Value::from(content))];
        plain_call(tool, &Map::from_iter(fields))
    });
    written.collect()
}

fn as_text(name: &'static str, text: String) -> Handed {
    Handed { name, text, parts: Vec::new() }
}

/// All texts of a value, one below the other.
fn texts(value: &Value) -> String {
    fn collect(value: &Value, into: &mut String) {
        match value {
            Value::String(text) => {
                into.push_str(text);
                into.push('\n');
            }
            Value::Array(elements) => elements.iter().for_each(|element| collect(element, into)),
            Value::Object(fields) => fields.values().for_each(|value| collect(value, into)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut all = String::new();
    collect(value, &mut all);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(stage: Stage, payload: &Value, expected: &[&str]) {
        let handed = hand_over(stage, payload).expect("it is what its event promises");
        assert_eq!(handed.iter().map(|handed| handed.text.as_str()).collect::<Vec<_>>(), expected, "{payload}");
    }

    #[test]
    fn calls_are_read_wherever_hosts_put_them() {
        let plain = r#"{"function_name": "Bash", "kwargs": {"command": "ls"}}"#;
        check(Stage::Call, &json!({"tool_name": "Bash", "tool_input": {"command": "ls"}}), &[plain]);
        check(Stage::Call, &json!({"tool_name": "Bash", "tool_input": "{\"command\": \"ls\"}"}), &[plain]);
        check(Stage::Call, &json!({"toolName": "Bash", "toolArgs": "{\"command\": \"ls\"}"}), &[plain]);
        check(Stage::Call, &json!({"command": "ls"}), &[&plain.replace("Bash", "Shell")]);
        let read = r#"{"function_name": "Read", "kwargs": {"file_path": "a"}}"#;
        check(Stage::Call, &json!({"file_path": "a", "content": "text"}), &[read, "text"]);
    }

    #[test]
    fn a_patch_writes_each_of_its_files_and_code_mode_hands_over_a_script() {
        let patch = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** Update File: b.txt\n-two\n+three\n*** End Patch";
        let handed = hand_over(Stage::Call, &json!({"tool_name": "apply_patch", "tool_input": {"command": patch}})).expect("a call");
        let written: Vec<&str> = handed.iter().skip(1).map(|handed| handed.text.as_str()).collect();
        assert_eq!(
            written,
            [
                r#"{"function_name": "apply_patch", "kwargs": {"file_path": "a.txt", "content": "one\n"}}"#,
                r#"{"function_name": "apply_patch", "kwargs": {"file_path": "b.txt", "content": "three\n"}}"#
            ]
        );
        let payload = json!({"toolName": "exec", "params": {"code": "f()"}, "toolInputKind": "javascript"});
        let handed = hand_over(Stage::Call, &payload).expect("a call");
        assert_eq!((handed[1].name, handed[1].text.as_str()), ("script.js", "f()"));
    }

    #[test]
    fn results_are_all_their_texts_and_what_is_missing_is_told() {
        check(Stage::Result, &json!({"tool_response": {"a": ["x", {"b": "y"}], "c": 1}}), &["x\ny\n"]);
        check(Stage::Prompt, &json!({"prompt": "hello"}), &["hello"]);
        for (stage, payload) in [
            (Stage::Call, json!({"tool_name": "Bash"})),
            (Stage::Call, json!({"tool_name": "Bash", "tool_input": null})),
            (Stage::Call, json!({"tool_name": 1, "tool_input": {}})),
            (Stage::Result, json!({"tool_name": "Bash"})),
            (Stage::Prompt, json!({"prompt": ["hello"]})),
        ] {
            assert!(hand_over(stage, &payload).is_err(), "{payload}");
        }
    }
}
