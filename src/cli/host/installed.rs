//! The hooks that stand in a host's settings: which are callgate's, and how each is started.

use std::path::Path;

use serde_json::Value;

use crate::cli::host::Host;
use crate::cli::host::settings::Layout;

/// A hook of callgate's, as a host's settings have it.
#[derive(Debug, PartialEq)]
pub struct Installed {
    /// The event.
    pub event: String,
    /// Which tools it is for; all of them, if nothing is said.
    pub matcher: Option<String>,
    /// How it is started.
    pub start: Invocation,
    /// How long the host waits for it, in seconds, if that is said.
    pub timeout: Option<f64>,
    /// The entry itself.
    pub entry: Value,
}

/// How a hook is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invocation {
    /// A program with its arguments.
    Words(Vec<String>),
    /// A line for a shell.
    Line(String),
}

impl Invocation {
    /// It for people.
    pub fn shown(&self) -> String {
        match self {
            Self::Words(words) => quoted(words),
            Self::Line(line) => line.clone(),
        }
    }

    /// Its words; none, if only a shell could tell them.
    pub fn words(&self) -> Option<Vec<String>> {
        match self {
            Self::Words(words) => Some(words.clone()),
            Self::Line(line) => split(line),
        }
    }
}

/// The line that starts a program with these arguments.
pub fn quoted(words: &[String]) -> String {
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

fn quote(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "/._-+:=@%,".contains(character);
    if !word.is_empty() && word.chars().all(|character| is_plain(character) || cfg!(windows) && character == '\\') {
        word.to_owned()
    } else if cfg!(windows) {
        format!("\"{word}\"")
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The words of a line in which nothing stands but words and quotes.
fn split(line: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = line.trim().chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' => words.extend(word.take()),
            '\'' | '"' => {
                let quoted = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        end if end == character => break,
                        '$' | '`' | '\\' if character == '"' => return None,
                        inside => quoted.push(inside),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(characters.next().filter(|_| !cfg!(windows))?),
            '|' | '&' | ';' | '<' | '>' | '(' | ')' | '$' | '`' | '\n' | '*' | '?' | '[' | '#' | '~' | '{' => return None,
            character => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    Some(words)
}

/// Whether the words start callgate's hook and nothing else.
pub fn starts_hook(words: &[String]) -> bool {
    let name = words.first().and_then(|program| program.rsplit(['/', '\\']).next()).unwrap_or("");
    matches!(name, "callgate" | "callgate.exe") && words.iter().any(|word| word == "hook")
}

/// Whether a hook in a host's settings is callgate's and nothing else.
pub fn is_ours(entry: &Value) -> bool {
    invocation(entry).and_then(|invocation| invocation.words()).is_some_and(|words| starts_hook(&words))
}

/// Whether a path is that of callgate's plugin.
pub fn is_our_plugin(path: &str) -> bool {
    path.replace('\\', "/").ends_with("/callgate/callgate.mjs")
}

fn invocation(entry: &Value) -> Option<Invocation> {
    let command = ["command", "bash", "powershell"].iter().find_map(|key| entry.get(*key)?.as_str())?;
    let arguments = entry.get("args").and_then(Value::as_array);
    Some(match arguments {
        Some(arguments) => {
            let arguments = arguments.iter().map(|argument| argument.as_str().unwrap_or_default().to_owned());
            Invocation::Words(std::iter::once(command.to_owned()).chain(arguments).collect())
        }
        None => Invocation::Line(command.to_owned()),
    })
}

/// All hooks of a document that have to do with callgate.
pub fn installed(host: &Host, document: &Value) -> Vec<Installed> {
    match host.settings.layout {
        Layout::Plugin => plugins(host, document),
        Layout::Groups | Layout::Flat | Layout::Scripts => {
            let hooks = document.get("hooks").and_then(Value::as_object);
            let events = hooks.into_iter().flatten().filter_map(|(event, present)| Some((event, present.as_array()?)));
            events.flat_map(|(event, present)| present.iter().flat_map(move |hook| of_hook(host, event, hook))).collect()
        }
    }
}

fn of_hook(host: &Host, event: &str, hook: &Value) -> Vec<Installed> {
    let matcher = hook.get("matcher").and_then(Value::as_str).map(str::to_owned);
    let members = match host.settings.layout {
        Layout::Groups => hook.get("hooks").and_then(Value::as_array).map_or(&[][..], Vec::as_slice),
        Layout::Flat | Layout::Scripts | Layout::Plugin => std::slice::from_ref(hook),
    };
    let own = members.iter().filter_map(|entry| {
        let start = invocation(entry).filter(|start| start.shown().contains("callgate"))?;
        let timeout = ["timeout", "timeoutSec"].iter().find_map(|key| entry.get(*key)?.as_f64());
        let timeout = timeout.map(|timeout| timeout / f64::from(host.settings.timeout_unit));
        Some(Installed { event: event.to_owned(), matcher: matcher.clone(), start, timeout, entry: entry.clone() })
    });
    own.collect()
}

/// The plugins of callgate's, each with the command that stands in its file.
fn plugins(host: &Host, document: &Value) -> Vec<Installed> {
    let paths = document.pointer("/plugins/load/paths").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let own = paths.iter().filter_map(Value::as_str).filter(|path| is_our_plugin(path));
    own.map(|path| Installed {
        event: host.events.first().map_or("", |event| event.name).to_owned(),
        matcher: None,
        start: Invocation::Words(plugin_command(Path::new(path)).unwrap_or_default()),
        timeout: None,
        entry: Value::Null,
    })
    .collect()
}

/// The command in a plugin file.
fn plugin_command(path: &Path) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("const COMMAND = "))?;
    serde_json::from_str(line.trim_end_matches(';')).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_line_is_split_as_a_shell_would_or_not_at_all() {
        let split = |line: &str| split(line).map(|words| words.join("|"));
        assert_eq!(split("callgate  hook codex").as_deref(), Some("callgate|hook|codex"));
        assert_eq!(split("'/opt/my tools/callgate' hook \"codex\"").as_deref(), Some("/opt/my tools/callgate|hook|codex"));
        for line in ["callgate hook; sh", "callgate hook $(sh)", "callgate hook | tee x", "callgate 'hook", "callgate \"$X\" hook"] {
            assert_eq!(split(line), None, "{line}");
        }
    }

    #[test]
    fn quoting_and_splitting_are_each_others_reverse() {
        let words = ["/a b/it's/callgate", "hook", "--config", "/x\"y$z"].map(str::to_owned).to_vec();
        assert_eq!(split(&quoted(&words)), Some(words));
    }

    #[test]
    fn only_what_starts_callgates_hook_is_callgates() {
        for (entry, expected) in [
            (json!({"command": "callgate hook"}), true),
            (json!({"command": "/x/callgate", "args": ["--config", "a", "hook", "codex"]}), true),
            (json!({"bash": "'/x y/callgate' hook copilot"}), true),
            (json!({"command": "callgate scan x"}), false),
            (json!({"command": "callgate hook codex; sh"}), false),
            (json!({"command": "notcallgate hook"}), false),
        ] {
            assert_eq!(is_ours(&entry), expected, "{entry}");
        }
    }
}
