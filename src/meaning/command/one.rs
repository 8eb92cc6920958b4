//! One command, with its options and operands.

use crate::knowledge::command::is_known;

/// One command that a line runs, with what only starts it taken off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// The program, without its folder; empty where a line only redirects or sets variables.
    pub program: String,
    /// What is passed to it.
    pub arguments: Vec<String>,
    /// Variables that are set for it: `NAME=value`.
    pub assignments: Vec<String>,
    /// Where its output goes: files that are overwritten or added to.
    pub outputs: Vec<String>,
    /// Files that it reads by `<`.
    pub inputs: Vec<String>,
    /// What it reads as a here-document or here-string, or from an `echo` before it.
    pub input: Option<String>,
    /// Programs whose output it reads, or holds in its words.
    pub fed: Vec<String>,
    /// The folder in which it runs, where the line tells.
    pub folder: Option<String>,
}

impl Command {
    /// The program as rows name it: in lower case, without the number of a version that no row names.
    pub fn key(&self) -> String {
        let program = self.program.to_lowercase();
        if is_known(&program) {
            return program;
        }
        let bare = program.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.').trim_end_matches('-');
        match bare.split_once('.') {
            // `mkfs.ext4` is a `mkfs`.
            Some((family, _)) if is_known(family) => family.to_owned(),
            _ if bare.is_empty() => program,
            _ => bare.to_owned(),
        }
    }

    /// Returns true if and only if one of its arguments reads like this.
    pub fn has(&self, argument: &str) -> bool {
        self.arguments.iter().any(|own| own == argument)
    }

    /// Returns true if and only if it has an option: a short one alone or in a bundle (`-rf`), a long one with or without a value.
    pub fn flag(&self, name: &str) -> bool {
        let is_short = name.len() == 2 && name.starts_with('-');
        let letter = name.chars().last().unwrap_or_default();
        self.arguments.iter().take_while(|own| *own != "--").any(|own| {
            let is_bundle = || {
                own.len() < 8
                    && own.starts_with('-')
                    && !own.starts_with("--")
                    && own.chars().skip(1).all(char::is_alphanumeric)
                    && own.contains(letter)
            };
            match () {
                () if is_short => own == name || is_bundle(),
                () if name.starts_with("--") => own.split('=').next() == Some(name),
                () => own.split(['=', ':']).next().is_some_and(|own| own.eq_ignore_ascii_case(name)),
            }
        })
    }

    /// The values of an option: `--name value`, `--name=value`, `-n value`, `-nvalue`, `-Name:value`, `name=value`.
    pub fn values<'c>(&'c self, name: &'c str) -> impl Iterator<Item = &'c str> {
        let is_short = name.len() == 2 && name.starts_with('-');
        self.arguments.iter().enumerate().filter_map(move |(at, own)| {
            if own == name || !is_short && own.eq_ignore_ascii_case(name) {
                return self.arguments.get(at + 1).map(String::as_str);
            }
            let start = own.get(..name.len()).filter(|start| *start == name || !is_short && start.eq_ignore_ascii_case(name))?;
            let rest = own.get(start.len()..)?;
            match rest.strip_prefix(['=', ':']) {
                Some(value) => Some(value),
                None if is_short => Some(rest),
                None => None,
            }
        })
    }

    /// The value of the first of several options.
    pub fn option(&self, names: &[&'static str]) -> Option<&str> {
        names.iter().copied().find_map(|name| self.values(name).next())
    }

    /// Its arguments that are no options.
    pub fn operands(&self) -> impl Iterator<Item = &str> {
        let mut is_behind = false;
        self.arguments.iter().map(String::as_str).filter(move |own| {
            let was_behind = is_behind;
            is_behind |= *own == "--";
            was_behind || !own.starts_with('-') || *own == "-"
        })
    }
}
