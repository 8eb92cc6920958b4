//! Patterns: rules that are data. A pattern finds a regular expression in the texts of a subject.

pub mod area_code;
mod coded;
pub mod examples;
pub mod file;
pub mod library;
pub mod mask;
pub mod redaction;
pub mod search;
pub mod secret;
pub mod shape;
pub mod sign;
mod starts;
pub mod threat_examples;
pub mod validator;
pub mod views;
pub mod written;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use regex::bytes::{Captures, Regex, RegexBuilder};

use crate::pattern::validator::Validator;
use crate::rule::Rule;
use crate::subject::segment::Role;
use crate::subject::{Kind, Lifecycle};
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// Largest program that one pattern's regex may compile to, in bytes.
const REGEX_SIZE: usize = 4 * 1024 * 1024;

/// A pattern, ready to search. Its regex is only built when one of its keywords was seen.
#[derive(Debug)]
pub struct Pattern {
    /// Id, severity, action, why and help.
    pub rule: Arc<Rule>,
    /// When in an agent's life it applies; always, if empty.
    pub applies_to: Vec<Lifecycle>,
    /// Which subjects it applies to; all, if empty.
    pub kinds: Vec<Kind>,
    /// Where a hit is worse or milder than the rule says.
    pub by_kind: Vec<Grade>,
    /// Which texts it searches.
    pub roles: Vec<Role>,
    /// One of these must stand in a text before the regex is tried; lower case. Without any, it is tried on every text.
    pub keywords: Texts,
    /// The regex as written.
    pub find: Cow<'static, str>,
    /// The regex means Unicode, and texts of ASCII alone are not searched.
    pub unicode: bool,
    /// What else must hold of what the regex finds.
    pub validator: Option<Validator>,
    /// Texts that it must and must not find.
    pub examples: Examples,
    regex: OnceLock<Option<Regex>>,
}

/// How bad a hit is in some kinds of subjects.
#[derive(Clone, Debug)]
pub struct Grade {
    /// In which subjects.
    pub kinds: Vec<Kind>,
    /// Only in scripts that import or export.
    pub modules: bool,
    /// How bad a hit is there.
    pub severity: Severity,
    /// What a hit asks for there.
    pub action: Action,
}

/// Texts that prove a pattern; `{{class:n}}` in them stands for n characters (see `examples`).
#[derive(Clone, Debug)]
pub struct Examples {
    /// It must find something in each of these.
    pub hit: Texts,
    /// It must find nothing in any of these.
    pub miss: Texts,
}

/// Texts that are compiled in or were read from a file.
#[derive(Clone, Debug)]
pub enum Texts {
    /// Compiled in.
    Static(&'static [&'static str]),
    /// Read from a file.
    Owned(Vec<String>),
}

impl Texts {
    /// The texts in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let (compiled, read): (&[&str], &[String]) = match self {
            Self::Static(texts) => (texts, &[]),
            Self::Owned(texts) => (&[], texts),
        };
        compiled.iter().copied().chain(read.iter().map(String::as_str))
    }

    /// The text at a place.
    pub fn get(&self, at: usize) -> Option<&str> {
        match self {
            Self::Static(texts) => texts.get(at).copied(),
            Self::Owned(texts) => texts.get(at).map(String::as_str),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Returns true if and only if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Pattern {
    /// The regex; none if it does not compile, which loading a library rules out.
    pub fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| compile(&self.find, self.unicode).ok()).as_ref()
    }

    /// How bad a hit is in a subject of that kind, which imports or exports or does not, where it is not as bad as the rule says.
    pub fn grade(&self, kind: Kind, is_module: bool) -> Option<&Grade> {
        self.by_kind.iter().find(|grade| grade.kinds.contains(&kind) && (is_module || !grade.modules))
    }

    /// Returns true if and only if the pattern applies to such subjects.
    pub fn applies(&self, kind: Kind, lifecycle: Lifecycle) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&kind)) && (self.applies_to.is_empty() || self.applies_to.contains(&lifecycle))
    }

    /// Returns true if and only if the pattern searches texts of the role. What is folded is a string too.
    pub fn searches(&self, role: Role) -> bool {
        self.roles.contains(&role) || role == Role::Folded && self.roles.contains(&Role::String)
    }

    /// Returns the stretches of a text that the pattern finds, at most `limit`.
    pub fn find_in(&self, text: &str, limit: usize) -> Vec<(usize, usize)> {
        if self.unicode && text.is_ascii() {
            return Vec::new();
        }
        let Some(regex) = self.regex() else { return Vec::new() };
        // Of several groups, one for each way of writing, the one that took part is judged.
        let group =
            |captures: &Captures<'_>| captures.iter().skip(1).flatten().next().or_else(|| captures.get(0)).map(|found| found.range());
        let judged = |captures: &Captures<'_>| group(captures).map(|found| (found.start, found.end));
        let found: Vec<(usize, usize)> = match self.validator {
            None => regex.find_iter(text.as_bytes()).map(|found| (found.start(), found.end())).take(limit).collect(),
            Some(validator) => {
                let holds = |(start, end): &(usize, usize)| text.get(*start..*end).is_some_and(|found| validator.holds(found));
                regex.captures_iter(text.as_bytes()).filter_map(|captures| judged(&captures)).filter(holds).take(limit).collect()
            }
        };
        found.into_iter().map(|(start, end)| (text.floor_char_boundary(start), text.ceil_char_boundary(end))).collect()
    }
}

/// Stands in a pattern for the hole of a template.
const WRITTEN_HOLE: &str = "\u{fffc}";

/// Compiles a regex with bounds on its size. `￼` (U+FFFC) in it stands for the hole of a template.
///
/// # Errors
///
/// When it is not a regex, or compiles to too large a program.
pub fn compile(find: &str, unicode: bool) -> Result<Regex, regex::Error> {
    let find = find.replace(WRITTEN_HOLE, "\\x1A");
    RegexBuilder::new(&find).unicode(unicode).size_limit(REGEX_SIZE).dfa_size_limit(REGEX_SIZE).build()
}
