//! Puts callgate's hooks into a host's settings and takes them out again; everything else stays as it is.

use serde_json::{Map, Value, json};

use crate::cli::host::Host;
use crate::cli::host::installed::{is_our_plugin, is_ours, quoted};
use crate::cli::host::settings::{Layout, Start};

/// How long a host waits for callgate, in seconds: longer than callgate waits for itself.
pub const TIMEOUT: u32 = 60;

/// The settings with callgate's hooks in them, each once. `command` is the program and its arguments; `plugin` is the file
/// of the plugin of a host that needs one.
pub fn with_hooks(document: &Value, host: &Host, command: &[String], plugin: &str) -> Value {
    let mut document = document.clone();
    match host.settings.layout {
        Layout::Plugin => add_plugin(&mut document, plugin),
        Layout::Groups | Layout::Flat | Layout::Scripts => add_hooks(&mut document, host, command),
    }
    document
}

/// The settings without callgate's hooks.
pub fn without_hooks(document: &Value, host: &Host) -> Value {
    let mut document = document.clone();
    match host.settings.layout {
        Layout::Plugin => remove_plugin(&mut document),
        Layout::Groups | Layout::Flat | Layout::Scripts => remove_hooks(&mut document, host),
    }
    document
}

/// Whether nothing is left but what callgate itself puts into an empty file.
pub fn is_bare(document: &Value) -> bool {
    document.as_object().is_some_and(|fields| fields.iter().all(|(key, value)| key == "version" && *value == json!(1)))
}

fn add_hooks(document: &mut Value, host: &Host, command: &[String]) {
    if host.settings.layout != Layout::Groups && document.get("version").is_none() {
        put(document, "version", json!(1));
    }
    let mut hooks = document.get("hooks").filter(|hooks| hooks.is_object()).cloned().unwrap_or_else(|| json!({}));
    for event in host.events.iter().filter(|event| event.is_installed) {
        let present = hooks.get(event.name).and_then(Value::as_array).cloned().unwrap_or_default();
        put(&mut hooks, event.name, Value::Array(with_hook(present, host, &entry(host, command))));
    }
    put(document, "hooks", hooks);
}

/// The hooks of an event with the entry in the place of callgate's first, or at the end.
fn with_hook(present: Vec<Value>, host: &Host, entry: &Value) -> Vec<Value> {
    let mut entry = Some(match host.settings.layout {
        Layout::Groups => json!({"hooks": [entry]}),
        Layout::Flat | Layout::Scripts | Layout::Plugin => entry.clone(),
    });
    let mut hooks = Vec::new();
    for hook in present {
        if is_whole_ours(&hook, host) {
            hooks.extend(entry.take());
        } else if let Some(kept) = without_ours(hook, host) {
            hooks.push(kept);
        }
    }
    hooks.extend(entry);
    hooks
}

/// Whether a hook, or all of a group of hooks, is callgate's.
fn is_whole_ours(hook: &Value, host: &Host) -> bool {
    match (host.settings.layout, hook.get("hooks").and_then(Value::as_array)) {
        (Layout::Groups, Some(members)) => !members.is_empty() && members.iter().all(is_ours),
        (Layout::Groups, None) => false,
        (Layout::Flat | Layout::Scripts | Layout::Plugin, _) => is_ours(hook),
    }
}

/// A hook or group without what is callgate's; none, if nothing else is in it.
fn without_ours(mut hook: Value, host: &Host) -> Option<Value> {
    if is_whole_ours(&hook, host) {
        return None;
    }
    if let (Layout::Groups, Some(members)) = (host.settings.layout, hook.get_mut("hooks").and_then(Value::as_array_mut)) {
        members.retain(|member| !is_ours(member));
    }
    Some(hook)
}

fn remove_hooks(document: &mut Value, host: &Host) {
    let Some(hooks) = document.get("hooks").and_then(Value::as_object) else { return };
    let mut kept = Map::new();
    for (event, present) in hooks {
        let rest: Option<Vec<Value>> =
            present.as_array().map(|present| present.iter().filter_map(|hook| without_ours(hook.clone(), host)).collect());
        match rest {
            Some(rest) if rest.is_empty() && present != &json!([]) => {}
            Some(rest) => drop(kept.insert(event.clone(), Value::Array(rest))),
            None => drop(kept.insert(event.clone(), present.clone())),
        }
    }
    let is_emptied = kept.is_empty() && !hooks.is_empty();
    if let Some(document) = document.as_object_mut() {
        if is_emptied {
            document.shift_remove("hooks");
        } else {
            document.insert("hooks".to_owned(), Value::Object(kept));
        }
    }
}

/// One hook as the host writes it.
fn entry(host: &Host, command: &[String]) -> Value {
    let timeout = TIMEOUT * host.settings.timeout_unit;
    let line = quoted(command);
    let mut entry = match (host.settings.layout, host.settings.start) {
        (Layout::Groups, Start::Words) => {
            let (program, arguments) = command.split_first().map_or(("", command), |(program, rest)| (program.as_str(), rest));
            json!({"type": "command", "command": program, "args": arguments, "timeout": timeout})
        }
        (Layout::Groups | Layout::Plugin, _) => json!({"type": "command", "command": line, "timeout": timeout}),
        (Layout::Flat, _) => json!({"command": line, "timeout": timeout}),
        (Layout::Scripts, _) => json!({"type": "command", "bash": line, "powershell": format!("& {line}"), "timeoutSec": timeout}),
    };
    if let Some((key, value)) = host.settings.fails_closed {
        put(&mut entry, key, value());
    }
    entry
}

fn add_plugin(document: &mut Value, plugin: &str) {
    remove_plugin(document);
    let mut plugins = document.get("plugins").filter(|plugins| plugins.is_object()).cloned().unwrap_or_else(|| json!({}));
    let mut load = plugins.get("load").filter(|load| load.is_object()).cloned().unwrap_or_else(|| json!({}));
    let mut paths = load.get("paths").and_then(Value::as_array).cloned().unwrap_or_default();
    paths.push(json!(plugin));
    put(&mut load, "paths", Value::Array(paths));
    put(&mut plugins, "load", load);
    // Where only named plugins are loaded, it must be named.
    if let Some(allowed) = plugins.get_mut("allow").and_then(Value::as_array_mut) {
        allowed.push(json!("callgate"));
    }
    put(document, "plugins", plugins);
}

fn remove_plugin(document: &mut Value) {
    let Some(plugins) = document.get_mut("plugins").and_then(Value::as_object_mut) else { return };
    let is_there = plugins
        .get("load")
        .and_then(|load| load.get("paths"))
        .and_then(Value::as_array)
        .is_some_and(|paths| paths.iter().any(|path| path.as_str().is_some_and(is_our_plugin)));
    if !is_there {
        return;
    }
    if let Some(allowed) = plugins.get_mut("allow").and_then(Value::as_array_mut) {
        allowed.retain(|id| id != "callgate");
    }
    if let Some(load) = plugins.get_mut("load").and_then(Value::as_object_mut) {
        if let Some(paths) = load.get_mut("paths").and_then(Value::as_array_mut) {
            paths.retain(|path| !path.as_str().is_some_and(is_our_plugin));
        }
        if load.get("paths") == Some(&json!([])) {
            load.shift_remove("paths");
        }
    }
    if plugins.get("load") == Some(&json!({})) {
        plugins.shift_remove("load");
    }
    if let Some(document) = document.as_object_mut().filter(|document| document.get("plugins") == Some(&json!({}))) {
        document.shift_remove("plugins");
    }
}

fn put(object: &mut Value, key: &str, value: Value) {
    if let Value::Object(fields) = object {
        fields.insert(key.to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::host::registry::HOSTS;

    fn words(host: &Host) -> Vec<String> {
        ["/opt/my tools/callgate", "hook", host.name].map(str::to_owned).to_vec()
    }

    #[test]
    fn what_is_added_twice_is_there_once_and_what_is_removed_leaves_the_rest() {
        let other = json!({"type": "command", "command": "lint --all"});
        for host in HOSTS {
            for document in [
                json!({}),
                json!({"model": "x", "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [other]}], "Stop": []}, "z": [1]}),
                json!({"version": 1, "hooks": {"preToolUse": [{"command": "lint"}], "stop": [{"command": "bell"}]}}),
                json!({"plugins": {"load": {"paths": ["/a.mjs"]}, "allow": ["a"]}}),
            ] {
                let added = with_hooks(&document, host, &words(host), "/home/a/.openclaw/callgate/callgate.mjs");
                assert_ne!(added, document, "{}", host.name);
                assert_eq!(with_hooks(&added, host, &words(host), "/home/a/.openclaw/callgate/callgate.mjs"), added, "{}", host.name);
                let removed = without_hooks(&added, host);
                let is_same = removed == document || is_bare(&removed) && is_bare(&document);
                let has_version = removed.get("version") == Some(&json!(1));
                assert!(is_same || has_version && removed.get("hooks") == document.get("hooks"), "{}: {removed}", host.name);
            }
        }
    }

    #[test]
    fn a_hook_of_ours_is_replaced_where_it_stands() {
        let old = json!({"hooks": {"PreToolUse": [
            {"hooks": [{"type": "command", "command": "/old/callgate hook claude-code"}]},
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}, {"type": "command", "command": "callgate hook"}]},
        ]}});
        let host = crate::cli::host::registry::by_name("claude-code").expect("it is a host");
        let new = with_hooks(&old, host, &words(host), "");
        let groups = new["hooks"]["PreToolUse"].as_array().expect("there are groups");
        assert_eq!(groups.len(), 2);
        assert_eq!(groups[0]["hooks"][0]["command"], "/opt/my tools/callgate");
        assert_eq!(groups[1], json!({"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}]}));
    }
}
