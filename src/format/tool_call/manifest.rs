//! The commands in the manifest of a package that a package manager runs by itself, when somebody installs it.

use crate::format::tool_call::fields::{fields, text};
use crate::subject::call::{Property, Value};

/// The names under which a manifest keeps what is run at an installation.
const HOOKS: &[&str] = &["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"];

/// The tool that runs a hook: a shell.
pub const TOOL: &str = "Bash";

/// What each hook passes to a shell, in order of place; nothing where the value is no manifest.
pub fn hooks(value: &Value) -> Vec<Value> {
    let Some(manifest) = fields(value).filter(|fields| ["name", "version", "private"].iter().any(|key| fields.has(key))) else {
        return Vec::new();
    };
    let Some(Value::Object(scripts, _)) = manifest.get("scripts") else { return Vec::new() };
    let hooks = scripts.iter().filter(|script| HOOKS.contains(&script.key.as_str()) && text(&script.value).is_some());
    hooks.map(command).collect()
}

/// A hook as what is passed to a shell.
fn command(hook: &Property) -> Value {
    let span = hook.value.span();
    Value::Object(vec![Property { key: "command".to_owned(), key_span: span, value: hook.value.clone() }], span)
}
