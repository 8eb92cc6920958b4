//! Reads manifests: answers to MCP's `tools/list`.

use std::fmt;

use serde::Deserialize;

use crate::knowledge::manifest::Manifest;

/// A text is no manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestFault {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for ManifestFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// A tool as MCP lists it; what else is said of it does not matter here.
#[derive(Deserialize)]
struct ListedTool {
    name: String,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    annotations: Option<Annotations>,
}

/// What MCP lets a server say of a tool's risk. Source: the specification of 2025-06-18, `ToolAnnotations`.
/// `readOnlyHint` says nothing that counts: a server would not warn of itself by it.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Annotations {
    #[serde(default)]
    destructive_hint: Option<bool>,
    #[serde(default)]
    open_world_hint: Option<bool>,
    #[serde(default, rename = "readOnlyHint")]
    _read_only_hint: Option<bool>,
}

#[derive(Deserialize)]
struct Listed {
    tools: Vec<ListedTool>,
}

#[derive(Deserialize)]
struct Answer {
    result: Listed,
}

/// Reads what a text says into a manifest: `{"tools": […]}`, a whole answer `{"result": {"tools": […]}}`, or the bare list.
///
/// # Errors
///
/// When the text is not JSON, or is none of these.
pub fn read_into(manifest: &mut Manifest, text: &str) -> Result<(), ManifestFault> {
    for tool in tools(text)? {
        let annotations = tool.annotations.unwrap_or_default();
        let hints = [("destructiveHint", annotations.destructive_hint), ("openWorldHint", annotations.open_world_hint)];
        let hints: Vec<(&str, bool)> = hints.into_iter().filter_map(|(name, holds)| Some((name, holds?))).collect();
        manifest.add(tool.name, tool.description.as_deref().unwrap_or_default(), &hints);
    }
    Ok(())
}

/// The tools that a text lists. The shape is told first, so that a fault in a tool is told at its place.
fn tools(text: &str) -> Result<Vec<ListedTool>, ManifestFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| fault(&error, "it is not JSON"))?;
    let wrong = |error: serde_json::Error| fault(&error, "it does not list tools as MCP does");
    match &value {
        serde_json::Value::Array(_) => serde_json::from_str(text).map_err(wrong),
        serde_json::Value::Object(map) if map.contains_key("tools") => {
            serde_json::from_str(text).map(|listed: Listed| listed.tools).map_err(wrong)
        }
        serde_json::Value::Object(map) if map.contains_key("result") => {
            serde_json::from_str(text).map(|answer: Answer| answer.result.tools).map_err(wrong)
        }
        serde_json::Value::Object(_)
        | serde_json::Value::Null
        | serde_json::Value::Bool(_)
        | serde_json::Value::Number(_)
        | serde_json::Value::String(_) => Err(ManifestFault {
            line: 1,
            column: 1,
            message: "it does not list tools: an answer to MCP's tools/list is expected, {\"tools\": [{\"name\": …}]} or the bare list"
                .to_owned(),
        }),
    }
}

fn fault(error: &serde_json::Error, what: &str) -> ManifestFault {
    let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).max(1);
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    ManifestFault { line: narrow(error.line()), column: narrow(error.column()), message: format!("{what}: {message}") }
}

#[cfg(test)]
mod tests {
    use super::read_into;
    use crate::knowledge::manifest::Manifest;

    fn read(text: &str) -> Manifest {
        let mut manifest = Manifest::default();
        read_into(&mut manifest, text).unwrap();
        manifest
    }

    #[test]
    fn all_three_shapes_list_tools() {
        let tool = r#"{"name": "rm", "title": "x", "description": " Removes. ", "inputSchema": {}, "annotations": {"destructiveHint": true, "openWorldHint": false, "readOnlyHint": true, "idempotentHint": true}}"#;
        let mut expected = Manifest::default();
        expected.add("rm".to_owned(), "Removes.", &[("destructiveHint", true), ("openWorldHint", false)]);
        for text in [
            format!("[{tool}]"),
            format!("{{\"tools\": [{tool}], \"nextCursor\": \"x\"}}"),
            format!("\u{feff}{{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {{\"tools\": [{tool}]}}}}"),
        ] {
            assert_eq!(read(&text), expected);
        }
        assert!(read("[]").is_empty());
    }

    #[test]
    fn faults_are_told_with_their_place() {
        for (text, expected) in [
            ("{", "1:1: it is not JSON: EOF while parsing an object"),
            ("", "1:1: it is not JSON: EOF while parsing a value"),
            (
                "{\"tools\": [\n  {\"name\": 3}\n]}",
                "2:12: it does not list tools as MCP does: invalid type: integer `3`, expected a string",
            ),
            ("[{\"description\": \"x\"}]", "1:21: it does not list tools as MCP does: missing field `name`"),
            ("{\"tools\": {}}", "1:10: it does not list tools as MCP does: invalid type: map, expected a sequence"),
            (
                "[{\"name\": \"a\", \"annotations\": {\"destructiveHint\": \"yes\"}}]",
                "1:55: it does not list tools as MCP does: invalid type: string \"yes\", expected a boolean",
            ),
        ] {
            assert_eq!(read_into(&mut Manifest::default(), text).unwrap_err().to_string(), expected, "{text}");
        }
        assert!(
            read_into(&mut Manifest::default(), "{\"servers\": []}").unwrap_err().message.starts_with("it does not list tools: an answer")
        );
    }
}
