//! Kinds of tools that are told by their names: those that run commands, those that run statements.

use crate::knowledge::House;
use crate::knowledge::command::names_keys_of_shell;
use crate::knowledge::effect::EffectKind;
use crate::knowledge::tool::heads;
use crate::knowledge::words::Tag;
use crate::value::words::{split_owner, words};

/// What owns the tools of an agent's own object.
pub const AGENT_TOOLS: &str = "tools";

/// The words of a tool's name: those of what owns it and those behind the last separator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolName {
    /// Words before the last separator.
    pub owner: Vec<String>,
    /// What words of these begin with that are written together: `mail` of `mailroom`.
    pub heads: Vec<String>,
    /// Words behind it.
    pub verb: Vec<String>,
}

impl ToolName {
    /// The words of a name.
    pub fn of(name: &str) -> Self {
        let (owner, verb) = split_owner(name);
        Self { owner: words(owner), heads: heads(owner), verb: words(verb) }
    }

    /// Returns true if and only if one of its words is one of these.
    pub fn has(&self, any: Tag) -> bool {
        any.has_any(self.all())
    }

    /// All words, those of the owner first.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.owner.iter().chain(&self.heads).chain(&self.verb).map(String::as_str)
    }
}

/// Returns true if and only if a tool runs commands, by what its user says of it or else by its name.
pub fn runs_commands(name: &str, house: &House) -> bool {
    house.says(name, EffectKind::Run).unwrap_or_else(|| is_shell(&ToolName::of(name)))
}

/// Returns true if and only if the name of a tool tells that it runs commands.
pub fn is_shell(name: &ToolName) -> bool {
    let in_owner = Tag::Shell.has_any(name.owner.iter());
    let runs = Tag::ShellVerb.has_any(name.verb.iter());
    let says_so = Tag::ShellWord.has_any(name.verb.iter());
    // `rotate_ssh_keypair` opens no shell.
    let of_keys = || !runs && names_keys_of_shell(name.verb.iter());
    in_owner && runs || says_so && !is_database(name) && !of_keys() || program(name).is_some()
}

/// The program that a tool runs, if its name tells one: `kubectl` for `kubectl:run`.
pub fn program(name: &ToolName) -> Option<&'static str> {
    let runs = name.verb.iter().any(|word| Tag::ShellVerb.has(word) || word == "cli");
    let owner = name.owner.iter().find_map(|word| Tag::OwnerProgram.words().find(|program| *program == word)).filter(|_| runs);
    let alone = match name.verb.as_slice() {
        [only] if name.owner.is_empty() => Tag::OwnerProgram.words().find(|program| *program == only),
        _ => None,
    };
    owner.or(alone)
}

/// Returns true if and only if a tool runs statements of a database.
pub fn is_database(name: &ToolName) -> bool {
    name.has(Tag::Database)
}
