//! What tools keep under a name: written by one call of a script, read back or handed on by a later one.

use std::collections::{HashMap, HashSet};

use crate::catalogue::House;
use crate::catalogue::tool::tool_in;
use crate::subject::Subject;
use crate::subject::call::{Call, Value};
use crate::value::words::{split_owner, words};

/// Keys of arguments that name what is kept.
const NAMES: &[&str] = &[
    "path",
    "file",
    "filename",
    "filepath",
    "key",
    "name",
    "attachment",
    "attachments",
    "localpath",
    "source",
    "src",
    "filepaths",
    "files",
];

/// Shortest name that is looked for in a command, in bytes: a shorter one stands in many by chance.
const SHORTEST: usize = 5;

/// What is kept, by the call that reads it or hands it on: the calls that wrote it.
#[derive(Debug, Default)]
pub struct Kept {
    /// By the index of a reading call of the same owner, the indices of the calls that wrote what it reads.
    pub read_back: HashMap<usize, Vec<usize>>,
    /// By the index of a call that is given the name of what was written, the indices of the calls that wrote it.
    pub handed_on: HashMap<usize, Vec<usize>>,
}

/// What the tool calls of a subject keep.
pub fn kept(subject: &Subject, house: &House) -> Kept {
    let mut kept = Kept::default();
    let mut written: HashMap<&str, Vec<(usize, String)>> = HashMap::new();
    for (at, call) in subject.calls.iter().enumerate() {
        let tool = call.tool.name().unwrap_or_default();
        let owner = split_owner(tool).0.to_lowercase();
        let profile = tool_in(tool, house);
        let is_file = |owner: &str| {
            words(owner).iter().any(|word| matches!(word.as_str(), "file" | "files" | "fs" | "filesystem" | "disk" | "workspace"))
        };
        let writes = profile.writes && !profile.reads;
        // A command names what it takes along.
        for command in commands(call).filter(|_| !writes && !profile.reads) {
            let named = written.iter().filter(|(name, _)| SHORTEST <= name.len() && command.contains(**name));
            let files: Vec<usize> = named.flat_map(|(_, by)| by).filter(|(_, by)| is_file(by)).map(|(at, _)| *at).collect();
            if !files.is_empty() {
                kept.handed_on.entry(at).or_default().extend(files);
            }
        }
        for (key, name) in names(call) {
            let by: Vec<usize> =
                written.get(name).into_iter().flatten().filter(|(_, by)| *by == owner && !owner.is_empty()).map(|(at, _)| *at).collect();
            let files = written.get(name).into_iter().flatten().filter(|(_, by)| is_file(by) && key != "key" && key != "name");
            let files: Vec<usize> = files.map(|(at, _)| *at).collect();
            if profile.reads && !by.is_empty() {
                kept.read_back.entry(at).or_default().extend(by);
            } else if !writes && !profile.reads && !files.is_empty() {
                kept.handed_on.entry(at).or_default().extend(files);
            }
            if writes {
                written.entry(name).or_default().push((at, owner.clone()));
            }
        }
    }
    kept
}

/// The commands that stand in a call's argument.
fn commands(call: &Call) -> impl Iterator<Item = &str> {
    let mut found = Vec::new();
    call.argument.visit("", &mut |key, value| {
        if let Value::String(text, _) | Value::Partial(text, _) = value
            && matches!(key.to_lowercase().as_str(), "command" | "cmd" | "script" | "")
        {
            found.push(text.as_str());
        }
    });
    found.into_iter()
}

/// The names that stand in a call's argument, each with its key.
pub fn names(call: &Call) -> Vec<(&str, &str)> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    call.argument.visit("", &mut |key, value| {
        if let Value::String(text, _) = value
            && NAMES.contains(&key.to_lowercase().as_str())
            && seen.insert(text.as_str())
        {
            found.push((key, text.as_str()));
        }
    });
    found
}
