//! MongoDB: calls as its shell reads them, and commands written as JSON.

use crate::knowledge::effect::Extent;
use crate::knowledge::statement::{Language, is_spare_word};
use crate::knowledge::words::Tag;
use crate::meaning::statement::{Statement, bracketed};
use crate::subject::segment::HOLE;
use crate::value::words::words;

/// Longer texts are not read, in bytes.
const LONGEST: usize = 64 * 1024;

/// Returns true if and only if a text begins as a call or command of MongoDB does.
pub fn is_mongo(text: &str) -> bool {
    let text = text.trim_start();
    let is_call = text.starts_with("db.") || text.starts_with("db[") || text.starts_with("use ") && text.contains("db.");
    let command = text.strip_prefix('{').map(str::trim_start).and_then(|inner| key(inner).map(|(key, _)| key));
    is_call || command.is_some_and(|key| ["dropDatabase", "drop", "delete", "createUser", "grantRolesToUser", "shutdown"].contains(&key))
}

/// The statements of a text.
pub fn read(text: &str) -> Vec<Statement> {
    let text = text.trim();
    if LONGEST < text.len() {
        return Vec::new();
    }
    if text.starts_with('{') {
        return of_command(text).into_iter().collect();
    }
    let starts = text.match_indices('(').filter_map(|(open, _)| of_call(text, open));
    starts.collect()
}

/// The call whose arguments open here: `db.users.deleteMany(`.
fn of_call(text: &str, open: usize) -> Option<Statement> {
    let (before, behind) = (text.get(..open)?, text.get(open..)?);
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
    let method = before.rsplit(|character: char| !is_part(character)).next().filter(|method| !method.is_empty())?;
    let owner = before.strip_suffix(method)?.trim_end().strip_suffix('.')?;
    let receiver =
        owner.rsplit(|character: char| character.is_whitespace() || matches!(character, ';' | '=' | ',')).next().unwrap_or(owner);
    let (arguments, _) = bracketed(behind, '(', ')')?;
    let mut own = Statement::new(Language::Mongo, method);
    own.object =
        if matches!(receiver, "db" | "admin") || receiver.ends_with("getSiblingDB(") { "database" } else { "collection" }.to_owned();
    own.name = receiver
        .trim_start_matches("db.")
        .trim_matches(['"', '\'', ')', ']'])
        .rsplit(['.', '(', '['])
        .next()?
        .trim_matches(['"', '\''])
        .to_owned();
    if own.object == "database" {
        own.name.clear();
    }
    own.is_spare = words(&own.name).iter().any(|word| is_spare_word(word));
    own.extent = extent(first(arguments));
    own.words = named(arguments);
    Some(own)
}

/// A command as JSON: `{ "delete": "users", "deletes": [{ "q": {}, "limit": 0 }] }`.
fn of_command(text: &str) -> Option<Statement> {
    let (inner, _) = bracketed(text, '{', '}')?;
    let (verb, rest) = key(inner.trim_start())?;
    let mut own = Statement::new(Language::Mongo, verb);
    own.object = "command".to_owned();
    own.name = rest.trim_start().trim_start_matches(['"', '\'']).split(['"', '\'', ',']).next().unwrap_or_default().to_owned();
    own.is_spare = words(&own.name).iter().any(|word| is_spare_word(word));
    let asked = ["q", "filter", "query"].iter().find_map(|name| within(inner, name));
    own.extent = asked.map_or(Extent::Unknown, extent);
    own.words = named(inner);
    Some(own)
}

/// The key at the start of what stands in braces, and what follows its colon.
fn key(inner: &str) -> Option<(&str, &str)> {
    let (key, rest) = inner.split_once(':')?;
    let key = key.trim().trim_matches(['"', '\'']);
    key.chars().all(|character| character.is_alphanumeric()).then_some((key, rest))
}

/// The object that stands under a key.
fn within<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let at = ["\"", "'", ""].iter().find_map(|quote| text.find(&format!("{quote}{name}{quote}:")))?;
    let behind = text.get(at..)?;
    let (inner, _) = bracketed(behind.get(behind.find('{')?..)?, '{', '}')?;
    Some(inner)
}

/// The first of several arguments.
fn first(arguments: &str) -> &str {
    let text = arguments.trim_start();
    match bracketed(text, '{', '}') {
        Some((_, length)) if text.starts_with('{') => text.get(..length).unwrap_or(text),
        Some(_) | None => text.split(',').next().unwrap_or(text).trim_end(),
    }
}

fn extent(filter: &str) -> Extent {
    let tight: String = filter.chars().filter(|character| !matches!(character, '"' | '\'')).collect();
    let tight = tight.split_whitespace().collect::<Vec<_>>().join(" ").replace(": ", ":").replace("{ ", "{").replace(" }", "}");
    match tight.as_str() {
        tight if Tag::OpenFilter.has(tight) || Tag::OpenFilter.has(&format!("{{{tight}}}")) => Extent::All,
        tight if tight.starts_with(HOLE) => Extent::Unknown,
        _ => Extent::Bounded,
    }
}

/// The words of arguments, operators with their dollar.
fn named(arguments: &str) -> Vec<String> {
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
    arguments.split(|character| !is_part(character)).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}
