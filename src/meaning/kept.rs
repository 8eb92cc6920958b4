//! What tools keep under a name: written by one call of a script, read back or handed on by a later one.

use std::collections::{HashMap, HashSet};

use crate::knowledge::House;
use crate::knowledge::tool::tool_in;
use crate::knowledge::words::Tag;
use crate::subject::Subject;
use crate::subject::call::{Call, Value};
use crate::value::words::{split_owner, words};

/// Shortest name that is looked for in a command, in bytes: a shorter one stands in many by chance.
const SHORTEST: usize = 5;
/// Most names that are looked for in commands.
const LOOKED_FOR: usize = 2_000;

/// Calls that wrote under one name, in their order, as far as one call sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Written {
    /// Index into [`Kept::writers`].
    pub under: usize,
    /// How many of them came before.
    pub count: usize,
}

/// What is kept, by the call that reads it or hands it on: the calls that wrote it.
///
/// The calls that wrote under a name are listed once, whoever reads them: what many calls write and many read would else be as
/// many pairs as both numbers multiplied.
#[derive(Debug, Default)]
pub struct Kept {
    /// The indices of the calls that wrote under a name.
    pub writers: Vec<Vec<usize>>,
    /// Each reading call of the same owner, with what it reads, in order.
    pub read_back: Vec<(usize, Vec<Written>)>,
    /// Each call that is given the name of what was written, with that, in order.
    pub handed_on: Vec<(usize, Vec<Written>)>,
}

impl Kept {
    /// Notes that a call writes under a name of an owner; none is whoever keeps files.
    fn note<'s>(&mut self, lists: &mut HashMap<(&'s str, Option<String>), usize>, name: &'s str, owner: Option<String>, at: usize) {
        let under = *lists.entry((name, owner)).or_insert_with(|| {
            self.writers.push(Vec::new());
            self.writers.len() - 1
        });
        self.writers[under].push(at);
    }

    /// What was written so far under a name of an owner.
    fn so_far(&self, lists: &HashMap<(&str, Option<String>), usize>, name: &str, owner: Option<String>) -> Option<Written> {
        let under = *lists.get(&(name, owner))?;
        Some(Written { under, count: self.writers.get(under)?.len() })
    }
}

/// What the tool calls of a subject keep.
pub fn kept(subject: &Subject, house: &House) -> Kept {
    let mut kept = Kept::default();
    let mut lists: HashMap<(&str, Option<String>), usize> = HashMap::new();
    for (at, call) in subject.calls.iter().enumerate() {
        let names = names(call);
        let commands: Vec<&str> = commands(call).collect();
        if names.is_empty() && commands.is_empty() {
            continue;
        }
        let tool = call.tool.name().unwrap_or_default();
        let owner = split_owner(tool).0.to_lowercase();
        let profile = tool_in(tool, house);
        let is_file = Tag::FileStore.has_any(words(&owner));
        let writes = profile.writes && !profile.reads;
        let (mut read, mut handed) = (Vec::new(), Vec::new());
        // A command names what it takes along.
        for command in commands.into_iter().filter(|_| !writes && !profile.reads && lists.len() < LOOKED_FOR) {
            let named = lists.keys().filter(|(name, owner)| owner.is_none() && SHORTEST <= name.len() && command.contains(*name));
            let mut named: Vec<&str> = named.map(|(name, _)| *name).collect();
            named.sort_unstable();
            handed.extend(named.into_iter().filter_map(|name| kept.so_far(&lists, name, None)));
        }
        for (key, name) in names {
            let by = kept.so_far(&lists, name, Some(owner.clone())).filter(|_| !owner.is_empty());
            let files = kept.so_far(&lists, name, None).filter(|_| key != "key" && key != "name");
            match (by, files) {
                (Some(by), _) if profile.reads => read.push(by),
                (_, Some(files)) if !writes && !profile.reads => handed.push(files),
                _ => {}
            }
            if writes {
                kept.note(&mut lists, name, Some(owner.clone()), at);
                if is_file {
                    kept.note(&mut lists, name, None, at);
                }
            }
        }
        if !read.is_empty() {
            kept.read_back.push((at, read));
        }
        if !handed.is_empty() {
            kept.handed_on.push((at, handed));
        }
    }
    kept
}

/// The commands that stand in a call's argument.
fn commands(call: &Call) -> impl Iterator<Item = &str> {
    let mut found = Vec::new();
    call.argument.visit("", &mut |key, value| {
        if let Value::String(text, _) | Value::Partial(text, _) = value
            && Tag::LineKey.has(&key.to_lowercase())
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
            && Tag::KeepingKey.has(&key.to_lowercase())
            && seen.insert(text.as_str())
        {
            found.push((key, text.as_str()));
        }
    });
    found
}
