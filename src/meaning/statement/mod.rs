//! Statements and requests: what each of them does, by the rows of `knowledge/statements.yaml`.
//!
//! Each language has a reader that says of a text what its statements are: a verb, what it is done to, to how much. What that
//! means is told by rows alone.

pub mod cypher;
pub mod examples;
pub mod graphql;
pub mod mongo;
pub mod proxy;
pub mod redis;
pub mod request;
mod row;
pub mod sql;
pub mod tool;
pub mod unload;

use crate::knowledge::Side;
use crate::knowledge::effect::{Effect, Extent, Said};
use crate::knowledge::statement::{Language, StatementRow};
use crate::knowledge::words::Tag;
use crate::meaning::action::power::{gives_power, grant};
use crate::meaning::outside::{is_mail_address, is_private_mailbox};
use crate::value::words::{joined, words};

/// One statement or request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its language.
    pub language: Language,
    /// The word that says what is done, in lower case; where a name says it, the words that may.
    pub verbs: Vec<String>,
    /// What it is done to, as the language calls it: `table`, `database`; empty where it does not say.
    pub object: String,
    /// The name of that; empty where it is not known.
    pub name: String,
    /// The host of a request; of a tool that makes one, the service; empty where it is not known.
    pub host: String,
    /// To how much.
    pub extent: Extent,
    /// Its words in order, in lower case, without strings.
    pub words: Vec<String>,
    /// The functions that it calls.
    pub calls: Vec<String>,
    /// What it sets, as `name=value`.
    pub sets: Vec<String>,
    /// Its strings.
    pub texts: Vec<String>,
    /// It is done to what is made anew when it is needed, or was made just before.
    pub is_spare: bool,
}

impl Statement {
    /// A statement of which nothing but its verb is known.
    pub fn new(language: Language, verb: &str) -> Self {
        Self {
            language,
            verbs: vec![verb.to_lowercase()],
            object: String::new(),
            name: String::new(),
            host: String::new(),
            extent: Extent::Unknown,
            words: Vec::new(),
            calls: Vec::new(),
            sets: Vec::new(),
            texts: Vec::new(),
            is_spare: false,
        }
    }
}

/// The statements of a text that is in this language.
pub fn read(language: Language, text: &str) -> Vec<Statement> {
    match language {
        Language::Sql => sql::read(text, &[]),
        Language::Mongo => mongo::read(text),
        Language::Redis => redis::read(text),
        Language::Graphql => graphql::read(text),
        Language::Cypher => cypher::read(text),
        Language::Http => request::read(text),
        Language::Tool => tool::read(text),
    }
}

/// The language of a text, by how it begins; commands of Redis look like anything.
pub fn language(text: &str) -> Option<Language> {
    match () {
        () if request::is_request(text) => Some(Language::Http),
        () if graphql::is_mutation(text) => Some(Language::Graphql),
        () if cypher::is_cypher(text) => Some(Language::Cypher),
        () if mongo::is_mongo(text) => Some(Language::Mongo),
        () if redis::is_redis(text) => Some(Language::Redis),
        () if sql::is_sql(text) => Some(Language::Sql),
        () => None,
    }
}

/// Returns true if and only if a text begins with a statement or request.
pub fn is_statement(text: &str) -> bool {
    language(text).is_some()
}

/// What statements do that rows speak of.
pub fn effects_of(statements: &[Statement]) -> Vec<Effect> {
    let of_rows = statements.iter().flat_map(|own| row::fitting(own).map(|row| effect(own, row)));
    of_rows.chain(statements.iter().filter_map(promoted)).chain(statements.iter().filter_map(appointed)).collect()
}

/// The line to which a statement hands rows on the machine of the database, if it is written out: `COPY t TO PROGRAM
/// 'gzip > /backup/t.gz'`.
pub fn line_handed_rows(text: &str) -> Option<String> {
    const PROGRAM: &str = "program";
    let lower = text.to_ascii_lowercase();
    let at = lower.find(PROGRAM).filter(|at| lower.rfind(PROGRAM) == Some(*at))?;
    let before = lower.get(..at)?.trim_end();
    let line = text.get(at + PROGRAM.len()..)?.trim_start().strip_prefix('\'')?;
    // A doubled quote is one within the text, which no packer needs.
    let (line, rest) = line.split_once('\'')?;
    let is_to = before.ends_with(" to") || before.ends_with(")to");
    (is_to && !rest.starts_with('\'')).then(|| line.to_owned())
}

/// A row of a person with a private mailbox that is given all rights: `UPDATE users SET role = 'admin' WHERE email = …`.
fn promoted(own: &Statement) -> Option<Effect> {
    let is_written = own.language == Language::Sql && own.verbs.iter().any(|verb| matches!(verb.as_str(), "insert" | "update" | "upsert"));
    let who = own.texts.iter().find(|text| is_private_mailbox(text)).filter(|_| is_written)?;
    let is_role = |name: &str| Tag::GrantKey.has(&joined(name)) || Tag::PowerSwitch.has(&joined(name));
    let is_yes = |value: &str| matches!(value, "true" | "1");
    let sets = || own.sets.iter().filter_map(|set| set.split_once('='));
    let is_set = sets().any(|(name, value)| is_role(name) && (gives_power(value) || is_yes(value)));
    let is_listed = || own.words.iter().any(|word| is_role(word)) && own.texts.iter().any(|text| gives_power(text));
    (is_set || is_listed()).then(|| grant("admin", format!("gives all rights to a private mailbox: `{who}`")).at(Side::Outside))
}

/// A record with a private mailbox and a role that allows much, which a request sends: `{ email: …, role: 'admin' }`.
fn appointed(own: &Statement) -> Option<Effect> {
    let is_sent = own.language == Language::Http && own.verbs.iter().any(|verb| matches!(verb.as_str(), "post" | "put" | "patch"));
    let body = own.texts.first().filter(|_| is_sent)?;
    let fields = || body.split([';', ',', '{', '}', '[', ']']).filter_map(|field| field.split_once(':'));
    // A role belongs to the mailbox beside it, with no other one between.
    let (mut who, mut has_power) = (None, false);
    for (name, value) in fields() {
        if is_mail_address(value) {
            let is_next = who.is_some() || !is_private_mailbox(value);
            (who, has_power) = (is_private_mailbox(value).then_some(value), has_power && !is_next);
        } else {
            let name = name.rsplit('.').next().unwrap_or(name);
            has_power |= Tag::GrantKey.has_any(words(name)) && gives_power(value);
        }
        if let Some(who) = who.filter(|_| has_power) {
            return Some(grant("admin", format!("gives all rights to a private mailbox: `{who}`")).at(Side::Outside));
        }
    }
    None
}

fn effect(own: &Statement, row: &'static StatementRow) -> Effect {
    Effect {
        object: Some(row.to.to_owned()),
        extent: own.extent,
        says: row::told(own, row),
        severity: Some(row.severity),
        ..Effect::told(row.kind, Said::Row, row.name)
    }
}

/// What the statements of a text do, in whatever language it is.
pub fn effects(text: &str) -> Vec<Effect> {
    effects_in(language(text).unwrap_or(Language::Sql), text)
}

/// What the statements of a text do in a language.
pub fn effects_in(language: Language, text: &str) -> Vec<Effect> {
    effects_of(&read(language, text))
}

/// The text from an opening bracket at its start to the one that closes it, without either, and how long both are together.
fn bracketed(text: &str, open: char, close: char) -> Option<(&str, usize)> {
    let (mut depth, mut quote, mut is_escaped) = (0_u32, None, false);
    for (at, character) in text.char_indices() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if character == '\\' => is_escaped = true,
            Some(own) if character == own => quote = None,
            Some(_) => {}
            None if matches!(character, '"' | '\'' | '`') => quote = Some(character),
            None if character == open => depth += 1,
            None if character == close => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some((text.get(open.len_utf8()..at)?, at + close.len_utf8()));
                }
            }
            None => {}
        }
    }
    None
}
