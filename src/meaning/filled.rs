//! Files that a script has commands, archives and tools fill, and what kind of data they hold.
//!
//! All calls are looked at once: a script may read as many files as it makes calls.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::knowledge::api::api;
use crate::knowledge::command::list;
use crate::knowledge::form::ADDING_TO_ARCHIVE;
use crate::knowledge::secret::path_sensitivity;
use crate::knowledge::target::is_file_target;
use crate::knowledge::tool::tool_in;
use crate::knowledge::{House, Sensitivity, SinkKind};
use crate::meaning::argument::{Text, command_words, texts};
use crate::meaning::tool_read::command_sensitivity;
use crate::subject::Subject;
use crate::subject::call::{Call, Value};
use crate::subject::segment::HOLE;
use crate::value::words::words;

/// Longer lines, in bytes, are no commands that write one file.
const LINE: usize = 4096;
/// Of so many commands that name one file the kind of data is told.
const COMMANDS: usize = 32;
/// Names of files of which less is known, in bytes, may be any.
const SHORT: usize = 4;
/// Of so many texts that are packed together each is told from the others.
const TOGETHER: usize = 64;

/// What the calls of a script put into files.
#[derive(Debug, Default)]
pub struct Filled<'s> {
    /// The commands that name a file, by what they name.
    commands: HashMap<&'s str, Vec<&'s str>>,
    /// What the commands that name a file tell, once that was asked for.
    dumped: RefCell<HashMap<String, Option<Sensitivity>>>,
    /// What stands beside the name of an archive, or is read into a file by a tool, by the name.
    beside: HashMap<String, Sensitivity>,
    /// The worst of what the script puts into archives.
    packed: Option<Sensitivity>,
}

impl<'s> Filled<'s> {
    /// Looks at all calls of a subject.
    pub fn of(subject: &'s Subject, house: &House) -> Self {
        let mut filled = Self::default();
        subject.host_calls.iter().flat_map(|call| &call.arguments).for_each(|argument| filled.add_commands(argument));
        for call in subject.host_calls.iter().filter(|call| api(&call.api).is_some_and(|api| api.sink == Some(SinkKind::Command))) {
            if let [program, given @ Value::Array(..), ..] = call.arguments.as_slice() {
                filled.add_words(program, given);
            }
        }
        for call in &subject.calls {
            let Some(name) = call.tool.name() else { continue };
            if name.starts_with(ADDING_TO_ARCHIVE) || packs(name) {
                filled.add_packed(call);
            }
            let mut files = texts(&call.argument).into_iter().filter(|text| text.is_known && is_file_target(text.key)).peekable();
            if files.peek().is_none() {
                continue;
            }
            let profile = tool_in(name, house);
            if let Some(kind) = profile.sensitivity.filter(|_| profile.reads) {
                files.for_each(|file| filled.add_beside(file.text, kind));
            }
        }
        filled
    }

    /// What kind of data a file holds: one that a command wrote (`pg_dump … > /tmp/all.sql`), an archive, one into which a tool wrote
    /// what it reads (`context.storageState({ path })`).
    pub fn of_file(&self, path: &str) -> Option<Sensitivity> {
        self.beside.get(path).copied().max(self.of_commands(path))
    }

    /// What kind of data an archive holds that is made in memory: the worst of what the script puts in, if that is secret.
    pub fn of_archive(&self, tool: &str) -> Option<Sensitivity> {
        self.packed.filter(|kind| tool.starts_with(ARCHIVE) && *kind == Sensitivity::Authentication)
    }

    fn of_commands(&self, path: &str) -> Option<Sensitivity> {
        let lines = self.commands.get(path)?;
        if let Some(known) = self.dumped.borrow().get(path) {
            return *known;
        }
        let told = lines.iter().take(COMMANDS).filter_map(|line| command_sensitivity(&line.replace(path, ""))).max();
        self.dumped.borrow_mut().insert(path.to_owned(), told);
        told
    }

    fn add_commands(&mut self, argument: &'s Value) {
        for Text { text: line, .. } in texts(argument).into_iter().filter(|text| text.text.len() <= LINE) {
            let named = line.split([' ', '\'', '"', '=', '>', ';']).skip(1).filter(|part| !part.is_empty());
            named.for_each(|part| self.commands.entry(part).or_default().push(line));
        }
    }

    /// A command by its words: `execFile('tar', ['-czf', bundle, '.ssh'])`. What the others tell, the file may hold that one of them names.
    fn add_words(&mut self, program: &Value, given: &Value) {
        let words = [command_words(program), command_words(given)].concat();
        let is_path = |word: &&String| word.contains(['/', '.']) && SHORT <= word.replace(HOLE, "").len();
        for path in words.iter().skip(1).filter(is_path).take(COMMANDS) {
            let name = path.split_once('=').map_or(path.as_str(), |(_, name)| name);
            let others: Vec<&str> = words.iter().filter(|word| *word != path).map(String::as_str).collect();
            if let Some(kind) = command_sensitivity(&others.join(" ")) {
                self.add_beside(name, kind);
            }
        }
    }

    /// Of what is packed together each part tells of the others.
    fn add_packed(&mut self, call: &Call) {
        let all: Vec<&str> = texts(&call.argument).into_iter().map(|text| text.text).take(TOGETHER).collect();
        let kind = |text: &str| path_sensitivity(text).max(path_sensitivity(&format!("~/{}/", text.trim_end_matches('/'))));
        self.packed = self.packed.max(all.iter().filter_map(|text| path_sensitivity(text)).max());
        for path in &all {
            let others = all.iter().filter(|other| *other != path).filter_map(|other| kind(other));
            if let Some(kind) = others.max() {
                self.add_beside(path, kind);
            }
        }
    }

    fn add_beside(&mut self, path: &str, kind: Sensitivity) {
        let known = self.beside.entry(path.to_owned()).or_insert(kind);
        *known = (*known).max(kind);
    }
}

/// Returns true if and only if a tool packs files together.
pub fn packs(name: &str) -> bool {
    !name.starts_with(ARCHIVE) && words(name).iter().any(|word| list("packing-words").contains(&word.as_str()))
        || name.starts_with(ARCHIVE) && !words(name).iter().any(|word| list("unpacking-words").contains(&word.as_str()))
}

/// How the names of tools begin that make archives.
const ARCHIVE: &str = "archive:";
