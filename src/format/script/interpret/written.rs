//! Files that a script writes and then reads, or hands to somebody by their path.

use std::rc::Rc;

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::value::{Atom, Val};
use crate::knowledge::tool::tool;
use crate::knowledge::{Api, SinkKind};
use crate::subject::flow::{CallRef, OriginKind};

/// How many files are known by their paths.
const FILES: usize = 256;
/// How deep in what is handed over a path may stand.
const DEPTH: u32 = 4;

impl<'a> Interpreter<'a> {
    /// A call writes a file, or makes a copy of one: what is in it is remembered by its path.
    pub fn note_file(&mut self, api: &Api, arguments: &Arguments) {
        if api.sink != Some(SinkKind::FileWrite) || FILES <= self.files.len() {
            return;
        }
        let (first, second) = (arguments.get(0), arguments.get(1));
        let copied = self.path_of(first).and_then(|from| self.files.get(&from).copied());
        let (taint, via) = self.carried(second);
        // A path carries nothing: what does is the content.
        let (path, content) = match (copied, self.path_of(second)) {
            (Some(copied), Some(to)) if taint.is_none() => (Some(to), copied),
            _ => (self.path_of(first), self.values.opaque(taint, via)),
        };
        let Some(path) = path.filter(|_| !self.values.taint(content.id).is_none()) else { return };
        let before = self.files.get(&path).copied().unwrap_or(Val::NEVER);
        let content = self.joined_with_way(before, content);
        self.files.insert(path, content);
    }

    /// What the script wrote into the file that a call reads.
    pub fn kept_in_file(&self, api: &Api, arguments: &Arguments) -> Option<Val> {
        if api.origin != Some(OriginKind::File) || self.files.is_empty() {
            return None;
        }
        self.files.get(&self.path_of(arguments.get(0))?).copied()
    }

    /// Returns true if and only if a value is the path of a file into which the script wrote something that it read.
    pub fn wrote(&self, value: Val) -> bool {
        !self.files.is_empty() && self.path_of(value).is_some_and(|path| self.files.contains_key(&path))
    }

    /// A tool that hands something to somebody is given the paths of files that the script wrote: what stands in them goes there.
    pub fn hand_files(&mut self, name: &str, sink: CallRef, passed: &Arguments) {
        if self.files.is_empty() || tool(name).outgoing().is_none() {
            return;
        }
        let mut found = Vec::new();
        for value in passed.iter() {
            self.files_in(value, "", DEPTH, &mut found);
        }
        for (path, content) in found {
            self.record_flows(sink, content, &path);
        }
    }

    fn files_in(&self, value: Val, key: &str, depth: u32, found: &mut Vec<(String, Val)>) {
        if let Some(content) = self.path_of(value).and_then(|path| self.files.get(&path)) {
            found.push((key.to_owned(), *content));
        }
        let Some(depth) = depth.checked_sub(1) else { return };
        for atom in self.values.atoms(value.id).iter() {
            let Atom::Object(object) = atom else { continue };
            let own = self.heap.object(*object);
            if !matches!(own.kind, ObjectKind::Plain(_) | ObjectKind::Array) {
                continue;
            }
            for (name, field) in own.fields.iter().take(32) {
                let name = if matches!(own.kind, ObjectKind::Array) { "" } else { self.values.texts.get(*name) };
                let parts = [key, name].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
                self.files_in(*field, &parts.join("."), depth, found);
            }
        }
    }

    /// The path that a value is, as far as it is known.
    fn path_of(&self, value: Val) -> Option<Rc<str>> {
        match &*self.values.atoms(value.id) {
            [Atom::Text(text) | Atom::Partial(text)] if !self.values.shape(value.id).is_open => {
                Some(Rc::clone(self.values.texts.get(*text)))
            }
            _ => None,
        }
    }
}
