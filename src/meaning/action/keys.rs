//! Keys and tokens that a call makes: what they may do, and for how long.

use crate::knowledge::command::list;
use crate::knowledge::effect::Effect;
use crate::knowledge::words::Tag;
use crate::meaning::action::power::{grant, powers};
use crate::meaning::argument::{is_yes, texts};
use crate::meaning::tool_kind::ToolName;
use crate::meaning::walk::Arguments;
use crate::subject::call::Value;
use crate::value::words::words;

/// A key or token that is made.
pub fn credential(tool: &ToolName, verb: &str, argument: &Arguments<'_>) -> Option<Effect> {
    let makes = Tag::MakingCredential.has(verb) || tool.verb.iter().any(|word| matches!(word.as_str(), "generate" | "issue" | "mint"));
    let all: Vec<&str> = tool.all().collect();
    let objects: Vec<&str> = tool.verb.iter().map(String::as_str).collect();
    let is_credential =
        Tag::Credential.has_any(all.iter()) || objects.windows(2).chain(all.windows(2)).any(|pair| Tag::Credential.has(&pair.concat()));
    let is_credential = is_credential || tool.has(Tag::WayIntoMachine) && tool.has(Tag::KeyWord);
    // What a store of secrets is given was made elsewhere.
    let is_stored = || {
        matches!(objects.as_slice(), ["create", "secret"])
            && tool.owner.iter().any(|word| word.starts_with("secret") || Tag::SecretStore.has(word))
    };
    let is_kept = matches!(verb, "put" | "import") && tool.has(Tag::SecretStore) || is_stored();
    let is_short_lived_by_name = objects.windows(2).any(|pair| Tag::ShortLivedKey.has(&pair.concat())) && powers(argument).is_none();
    let is_text = is_kept || is_short_lived_by_name || tool.has(Tag::PlainText);
    if !makes || !is_credential || is_text {
        return None;
    }
    let never = argument.properties().any(|(key, property)| {
        key.is(Tag::ExpiryKey) && is_endless(&property.value) || key.is(Tag::NoExpirySwitch) && is_yes(&property.value)
    });
    let (object, says) = match () {
        () if powers(argument).is_some() => ("admin", "makes a key with all rights"),
        () if is_short_lived(argument) => ("reading-key", "makes a key that may only read"),
        () if is_fleeting(argument) => ("reading-key", "makes a key that lasts no longer than an hour"),
        () if never => ("endless-key", "makes a key that never expires"),
        () if tool.has(Tag::WayIntoMachine) => ("entrance", "adds a key that opens a machine or repository"),
        () => ("key", "makes a key"),
    };
    Some(grant(object, says))
}

/// One password that stands in the script, set for each that was listed.
pub fn one_for_all(argument: &Arguments<'_>) -> Option<Effect> {
    let is_password = |word: &String| Tag::EntranceKey.has(word) && Tag::WayInMade.has(word);
    let mut said = argument.said();
    let is_set = said.any(|(key, text)| key.words.last().is_some_and(is_password) && text.is_known && !text.text.is_empty());
    is_set.then(|| grant("admin", "sets one password for each that was listed"))
}

/// One telephone or mailbox that stands in the script, made the second factor of each that was listed.
pub fn one_factor_for_all(tool: &ToolName, argument: &Arguments<'_>) -> Option<Effect> {
    let is_factor = tool.verb.iter().any(|word| list("second-factors").contains(&word.as_str()));
    let is_device = |key: &str| list("factor-devices").contains(&key);
    let is_set = argument.said().any(|(key, text)| is_device(&key.joined) && text.is_known && !text.text.is_empty());
    (is_factor && is_set).then(|| grant("admin", "makes one device the second factor of each that was listed"))
}

/// Returns true if and only if a key that is made may only read, and somebody said for how long or for what alone.
fn is_short_lived(argument: &Arguments<'_>) -> bool {
    let (mut only_reads, mut is_bounded) = (false, false);
    for (key, property) in argument.properties() {
        let (name, all) = (key.joined.as_str(), texts(&property.value));
        only_reads |= name == "readonly" && is_yes(&property.value);
        only_reads |= matches!(name, "scopes" | "scope" | "permissions")
            && !all.is_empty()
            && all.iter().all(|text| Tag::ReadingRight.has_any(words(text.text)));
        is_bounded |= matches!(name, "repo" | "repository" | "project")
            || (name.starts_with("expires") || name == "ttl") && !is_endless(&property.value);
    }
    only_reads && is_bounded
}

/// Returns true if and only if somebody said how long a key lasts, and that is no longer than an hour.
fn is_fleeting(argument: &Arguments<'_>) -> bool {
    let mut lasts =
        argument.properties().filter(|(key, _)| key.is(Tag::ExpiryKey)).map(|(_, property)| is_of_minutes(&property.value)).peekable();
    lasts.peek().is_some() && lasts.all(|is_short| is_short)
}

/// Returns true if and only if a value is a time of at most an hour with its unit: `10m`, `900s`, `15 minutes`.
fn is_of_minutes(value: &Value) -> bool {
    let Value::String(text, _) = value else { return false };
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len()));
    let most = match unit.trim() {
        "s" | "sec" | "secs" | "second" | "seconds" => 3_600,
        "m" | "min" | "mins" | "minute" | "minutes" => 60,
        "h" | "hour" | "hr" => 1,
        _ => return false,
    };
    number.parse::<u32>().is_ok_and(|number| number <= most)
}

fn is_endless(value: &Value) -> bool {
    match value {
        Value::Null(_) => true,
        Value::Boolean(yes, _) => !*yes,
        Value::Number(number, _) => {
            *number <= 0.0 || 3_000.0 <= *number && *number < 1e6 || 3e8 <= *number && *number < 1e9 || number.is_infinite()
        }
        Value::String(text, _) => Tag::Never.has(&text.to_lowercase()) || Tag::FarYear.words().any(|year| text.starts_with(year)),
        _ => false,
    }
}
