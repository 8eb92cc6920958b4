//! A row of `commands:`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::knowledge::row::term::{Address, EffectKind, Extent, Persistence, Reach, SeverityOrNone};

/// What a program does, if its command looks like this.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CommandRow {
    /// The programs.
    pub of: Vec<String>,
    /// The words that must follow, each alternative a text: `repo delete`.
    #[serde(default)]
    pub sub: Vec<String>,
    /// What must hold.
    #[serde(default)]
    pub when: Option<Tests>,
    /// What must hold besides.
    #[serde(default)]
    pub and: Option<Tests>,
    /// None of this may hold.
    #[serde(default)]
    pub unless: Tests,
    /// What is done.
    pub does: EffectKind,
    /// What it is done to.
    pub to: String,
    /// To how much.
    #[serde(default)]
    pub extent: Option<Extent>,
    /// How bad it is, where the table of effects does not say; `none`: nothing to speak of, whatever the table says.
    #[serde(default)]
    pub severity: Option<SeverityOrNone>,
    /// What happens, for people; `{reach}` stands for how far its operands reach.
    pub says: String,
    /// Lines that do it.
    #[serde(default)]
    pub hit: Vec<String>,
    /// Lines near to them that do not do it.
    #[serde(default)]
    pub miss: Vec<String>,
    /// Where the facts are from.
    #[serde(default)]
    pub source: String,
}

impl CommandRow {
    /// Where it stands: its programs and what it says.
    pub fn name(&self) -> String {
        format!("{} {}: {}", self.of.join(","), self.sub.first().map_or("", String::as_str), self.says)
    }
}

/// The closed list of predicates; an empty one is not asked. `@name` stands for a list of `lists:`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[cfg_attr(row_schema, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Tests {
    /// It has one of these options, alone or in a bundle, with or without a value.
    pub flag: Vec<String>,
    /// One of its arguments is one of these words.
    pub word: Vec<String>,
    /// One of its operands fits one of these wildcards.
    pub operand: Vec<String>,
    /// Its first operand fits one of these wildcards.
    pub first: Vec<String>,
    /// Its last operand fits one of these wildcards.
    pub last: Vec<String>,
    /// One of its arguments fits one of these wildcards.
    pub argument: Vec<String>,
    /// One of these options has a value that fits one of its wildcards.
    pub option: BTreeMap<String, Vec<String>>,
    /// Its operands reach so far at most.
    pub reaches: Vec<Reach>,
    /// Its last operand reaches so far.
    pub target: Vec<Reach>,
    /// It has so many operands or more.
    pub operands: u8,
    /// It has no more than so many operands.
    pub most: Option<u8>,
    /// An operand is not known before it runs.
    pub open: bool,
    /// An operand stands for many: `*`.
    pub wild: bool,
    /// It writes its output to what fits one of these wildcards.
    pub writes: Vec<String>,
    /// What it reads as its input fits one of these wildcards.
    pub input: Vec<String>,
    /// It reads what one of these programs prints.
    pub fed: Vec<String>,
    /// It sets a variable so: `NAME=value` fits one of these wildcards.
    pub sets: Vec<String>,
    /// It writes its output to a place from which things start.
    pub starts: Vec<Persistence>,
    /// An operand is a place from which things start.
    pub start: Vec<Persistence>,
    /// It names an address of one of these sorts.
    pub address: Vec<Address>,
}

/// Wildcards in lower case, with those of the lists that are named by `@name`.
///
/// # Errors
///
/// When a list is named that does not exist.
pub fn listed<'l>(values: &[String], list: &dyn Fn(&str) -> Option<Vec<&'l str>>) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for value in values {
        let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        match value.strip_prefix('@').filter(is_name).filter(|name| !name.is_empty()) {
            Some(name) => all.extend(list(name).ok_or_else(|| name.to_owned())?.into_iter().map(str::to_lowercase)),
            None => all.push(value.to_lowercase()),
        }
    }
    Ok(all)
}
