//! Reads manifests: answers to MCP's `tools/list`.

use std::fmt;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::knowledge::definition::{Definition, Parameter};
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

/// A tool as MCP lists it, or as a request to a model does; what else is said of it does not matter here.
#[derive(Deserialize)]
struct ListedTool {
    name: String,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default, rename = "inputSchema", alias = "input_schema", alias = "parameters")]
    schema: Option<Value>,
    #[serde(default)]
    annotations: Option<Annotations>,
}

/// What MCP lets a server say of a tool's risk. Source: the specification of 2025-06-18, `ToolAnnotations`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Annotations {
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    destructive_hint: Option<bool>,
    #[serde(default)]
    open_world_hint: Option<bool>,
    #[serde(default)]
    read_only_hint: Option<bool>,
}

#[derive(Deserialize)]
struct Listed<T> {
    #[serde(alias = "functions")]
    tools: Vec<T>,
}

#[derive(Deserialize)]
struct Answer<T> {
    result: Listed<T>,
}

/// A function in a request to a model; such a request also lists tools of the provider, which are not defined there.
#[derive(Deserialize)]
struct Wrapped {
    #[serde(default)]
    function: Option<ListedTool>,
}

/// Reads what a text says into a manifest: `{"tools": […]}`, a whole answer `{"result": {"tools": […]}}`, or the bare list.
///
/// # Errors
///
/// When the text is not JSON, or is none of these.
pub fn read_into(manifest: &mut Manifest, text: &str) -> Result<(), ManifestFault> {
    for tool in definitions(text)? {
        // That a tool only reads says nothing that counts: a server would not warn of itself by it.
        let hints = tool.hints.iter().map(|(name, holds)| (name.as_str(), *holds)).filter(|(name, _)| *name != "readOnlyHint");
        let hints: Vec<(&str, bool)> = hints.collect();
        manifest.add(tool.name, &tool.description, &hints);
    }
    Ok(())
}

/// The tools that a text defines, in its order.
///
/// # Errors
///
/// When the text is not JSON, or lists no tools.
pub fn definitions(text: &str) -> Result<Vec<Definition>, ManifestFault> {
    Ok(tools(text)?.into_iter().map(definition).collect())
}

fn definition(tool: ListedTool) -> Definition {
    let annotations = tool.annotations.unwrap_or_default();
    let hints = [
        ("destructiveHint", annotations.destructive_hint),
        ("openWorldHint", annotations.open_world_hint),
        ("readOnlyHint", annotations.read_only_hint),
    ];
    Definition {
        name: tool.name,
        title: tool.title.or(annotations.title),
        description: tool.description.unwrap_or_default(),
        parameters: tool.schema.as_ref().map(parameters).unwrap_or_default(),
        hints: hints.into_iter().filter_map(|(name, holds)| Some((name.to_owned(), holds?))).collect(),
    }
}

/// What a JSON schema lets a tool take.
fn parameters(schema: &Value) -> Vec<Parameter> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().map(|(name, property)| parameter(name, property)).collect()
}

fn parameter(name: &str, property: &Value) -> Parameter {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let listed = property.get("enum").or_else(|| property.pointer("/items/enum")).and_then(Value::as_array);
    let alone = property.get("const").into_iter();
    Parameter {
        name: name.to_owned(),
        description: property.get("description").and_then(text).unwrap_or_default(),
        choices: listed.into_iter().flatten().chain(alone).filter_map(text).collect(),
    }
}

/// The tools that a text lists. The shape is told first, so that a fault in a tool is told at its place.
fn tools(text: &str) -> Result<Vec<ListedTool>, ManifestFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value: Value = serde_json::from_str(text).map_err(|error| fault(&error, "it is not JSON"))?;
    let listed = value.as_array().or_else(|| LISTS.iter().find_map(|path| value.pointer(path)?.as_array()));
    if listed.is_some_and(|list| list.iter().any(|tool| tool.get("function").is_some_and(Value::is_object))) {
        return Ok(read_as::<Wrapped>(&value, text)?.into_iter().filter_map(|wrapped| wrapped.function).collect());
    }
    read_as(&value, text)
}

/// Where a list of tools stands.
const LISTS: &[&str] = &["/tools", "/functions", "/result/tools"];

fn read_as<T: DeserializeOwned>(value: &Value, text: &str) -> Result<Vec<T>, ManifestFault> {
    let wrong = |error: serde_json::Error| fault(&error, "it does not list tools as MCP does");
    match value {
        Value::Array(_) => serde_json::from_str(text).map_err(wrong),
        Value::Object(map) if map.contains_key("tools") || map.contains_key("functions") => {
            serde_json::from_str(text).map(|listed: Listed<T>| listed.tools).map_err(wrong)
        }
        Value::Object(map) if map.contains_key("result") => {
            serde_json::from_str(text).map(|answer: Answer<T>| answer.result.tools).map_err(wrong)
        }
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Err(ManifestFault {
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
    use super::{definitions, read_into};
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
    fn functions_of_requests_to_models_are_tools() {
        let schema = r#"{"type": "object", "properties": {"action": {"type": "string", "enum": ["get", "drop"]}}}"#;
        for text in [
            format!(
                r#"[{{"type": "function", "function": {{"name": "x", "description": "d", "parameters": {schema}}}}}, {{"type": "search"}}]"#
            ),
            format!(r#"{{"model": "m", "tools": [{{"type": "function", "name": "x", "description": "d", "parameters": {schema}}}]}}"#),
            format!(r#"{{"functions": [{{"name": "x", "description": "d", "parameters": {schema}}}]}}"#),
            format!(r#"[{{"name": "x", "description": "d", "input_schema": {schema}}}]"#),
        ] {
            let tools = definitions(&text).unwrap();
            assert_eq!((tools.len(), tools[0].name.as_str(), tools[0].description.as_str()), (1, "x", "d"), "{text}");
            assert_eq!(tools[0].parameters[0].choices, ["get", "drop"], "{text}");
        }
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
