//! The published edition: the published table, on the calls that callgate resolved itself.
//!
//! Names and arguments are those that the script ends up with: aliases followed, constants folded.

use crate::knowledge::api::{self, SinkKind};
use crate::model::five_factor::weigh::{self, Share, Weighed};
use crate::subject::call::{Call, Hint, HostCall, Tool, Value};
use crate::upstream::attesta::words::ARGUMENTS;
use crate::value::words::words;

/// Words that tell how to get in or where it hurts, one row a finding: several words of a row are one finding.
/// Source: the released software's list; here whole words, however they are joined (`apiKey`, `DB_PASSWORD`).
const SENSITIVE: &[&[&str]] = &[
    &["prod", "production"],
    &["env"],
    &["secret", "secrets"],
    &["password", "passwords", "passwd"],
    &["token", "tokens"],
    &["key", "keys"],
    &["credential", "credentials"],
];

/// Names of fields that hold what lets somebody in, whatever their value. `key` and `token` alone are no such
/// names: they also page through lists and tell records apart.
const SENSITIVE_FIELDS: &[&str] = &["password", "passwords", "passwd", "secret", "secrets", "credential", "credentials"];

/// How a description begins a word that warns of danger. Source: the released software's list.
const DANGEROUS: &[&str] = &["irreversible", "permanent", "destructive", "dangerous", "production", "critical"];
/// How it begins a word that asks for care.
const CAREFUL: &[&str] = &["careful", "warning", "caution"];

/// Longest text whose words are looked at one by one, in bytes; a longer one is looked at up to there.
const LONGEST: usize = 64 * 1024;

/// The risk of a tool call.
pub fn weigh(call: &Call) -> Weighed {
    Weighed::of([
        name_of_tool(&call.tool),
        arguments(std::slice::from_ref(&call.argument)),
        description(call.doc.as_deref()),
        hints(&call.hints),
        novelty(call.earlier),
    ])
}

/// The risk of a call of a host API: nothing is said of it but what `knowledge/` says.
pub fn weigh_host_call(call: &HostCall) -> Weighed {
    Weighed::of([name_of_api(&call.api), arguments(&call.arguments), description(None), hints(&[]), novelty(call.earlier)])
}

fn name_of_tool(tool: &Tool) -> Share {
    match tool.name() {
        Some(name) => name_share(name),
        None => Share::new(weigh::NO_NAME, "a name that is not known"),
    }
}

/// The share of a name: of several kinds of words the worst counts.
pub fn name_share(name: &str) -> Share {
    let words = words(name);
    for (kind, (verbs, share)) in [("destructive", weigh::DESTRUCTIVE), ("mutating", weigh::MUTATING), ("read", weigh::READING)] {
        if let Some(word) = words.iter().find(|word| verbs.contains(&word.as_str())) {
            return Share::new(share, format!("{kind} verb `{word}`"));
        }
    }
    Share::new(weigh::UNKNOWN_NAME, "no known verb")
}

/// Host APIs are named by people who thought of machines (`fs.unlink`, `child_process.exec`): what they do
/// is what `knowledge/` says, in the kinds of the published table.
fn name_of_api(path: &str) -> Share {
    let known = api::api(path);
    let kind = match known.and_then(|api| api.sink) {
        Some(SinkKind::Delete) => Some(("destructive", weigh::DESTRUCTIVE.1)),
        Some(
            SinkKind::Network
            | SinkKind::Mail
            | SinkKind::Chat
            | SinkKind::Publish
            | SinkKind::Command
            | SinkKind::Code
            | SinkKind::Query
            | SinkKind::FileWrite
            | SinkKind::Prompt,
        ) => Some(("mutating", weigh::MUTATING.1)),
        Some(SinkKind::Answer) | None => known.and_then(|api| api.origin).map(|_| ("read", weigh::READING.1)),
    };
    let named = name_share(path);
    match kind {
        Some((kind, share)) if named.share < share || named.share == weigh::UNKNOWN_NAME => Share::new(share, format!("{kind} host API")),
        _ => named,
    }
}

/// The share of what is passed.
pub fn arguments(arguments: &[Value]) -> Share {
    let given = arguments.iter().any(|argument| !is_nothing(argument));
    if !given {
        return Share::new(weigh::NO_ARGUMENTS, "no arguments");
    }
    let mut found: Vec<(&str, String, f64)> = Vec::new();
    let mut add = |kind: &'static str, what: String, share: f64| {
        if !found.iter().any(|(known, name, _)| *known == kind && *name == what) {
            found.push((kind, what, share));
        }
    };
    for argument in arguments {
        argument.visit_properties(&mut |property| {
            if let Some(word) = words(&property.key).into_iter().find(|word| SENSITIVE_FIELDS.contains(&word.as_str())) {
                let row = SENSITIVE.iter().find(|row| row.contains(&word.as_str())).and_then(|row| row.first());
                add("sensitive word", row.map_or(word, |first| (*first).to_owned()), weigh::SENSITIVE);
            }
        });
    }
    let text = text_of(arguments);
    for row in sensitive_in(&text) {
        add("sensitive word", row.to_owned(), weigh::SENSITIVE);
    }
    // The first list is that of the sensitive words, which are told as whole words above.
    for (list, (kind, share)) in ARGUMENTS.iter().skip(1).zip([
        ("SQL", weigh::DESTRUCTIVE_ARGUMENT),
        ("shell", weigh::DESTRUCTIVE_ARGUMENT),
        ("network", weigh::NETWORK),
    ]) {
        for pattern in list.patterns().iter().filter(|pattern| pattern.is_match(&text)) {
            add(kind, pattern.source().to_owned(), share);
        }
    }
    if found.is_empty() {
        return Share::new(weigh::BENIGN_ARGUMENTS, "nothing in the arguments");
    }
    let mut kinds: Vec<String> = Vec::new();
    for (kind, what, _) in &found {
        // Words are ours, so they can be told; what a pattern found may be anything.
        let told = if *kind == "sensitive word" { format!("{kind} `{what}`") } else { (*kind).to_owned() };
        if !kinds.contains(&told) {
            kinds.push(told);
        }
    }
    Share::new(weigh::compound(found.iter().map(|(_, _, share)| *share)), kinds.join(", "))
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Missing | Value::Null(_) => true,
        Value::Array(elements, _) => elements.is_empty(),
        Value::Object(properties, _) => properties.is_empty(),
        Value::String(..) | Value::Number(..) | Value::Boolean(..) | Value::Partial(..) | Value::OneOf(..) | Value::Dynamic(_) => false,
    }
}

/// All texts in the arguments, the elements of a list one after another as if they were one command line.
fn text_of(arguments: &[Value]) -> String {
    let mut text = String::new();
    for argument in arguments {
        argument.visit("", &mut |_, value| {
            if let Value::String(part, _) | Value::Partial(part, _) = value {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(part);
            }
        });
    }
    text
}

/// The rows of sensitive words that a text names.
fn sensitive_in(text: &str) -> Vec<&'static str> {
    let end = (0..=LONGEST.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let text = text.get(..end).unwrap_or_default();
    let words = words(text);
    let names_env = text.split(|character: char| character.is_whitespace() || "/\\\"'=".contains(character)).any(is_env_file);
    let is_named = |row: &&&[&str]| match row.first() {
        Some(&"env") => names_env,
        _ => words.iter().any(|word| row.contains(&word.as_str())),
    };
    SENSITIVE.iter().filter(is_named).filter_map(|row| row.first().copied()).collect()
}

/// `.env`, `.env.local`, `prod.env`.
fn is_env_file(name: &str) -> bool {
    name == ".env" || name.starts_with(".env.") || name.ends_with(".env")
}

/// The share of what a call is said to do.
pub fn description(doc: Option<&str>) -> Share {
    let Some(doc) = doc.map(str::trim).filter(|doc| !doc.is_empty()) else {
        return Share::new(weigh::NO_DESCRIPTION, "no description");
    };
    let words: Vec<String> = doc.split(|character: char| !character.is_alphanumeric()).map(str::to_lowercase).collect();
    for (beginnings, share) in [(DANGEROUS, weigh::DANGEROUS_DESCRIPTION), (CAREFUL, weigh::CAREFUL_DESCRIPTION)] {
        if let Some(found) = beginnings.iter().find(|beginning| words.iter().any(|word| word.starts_with(*beginning))) {
            return Share::new(share, format!("`{found}` in the description"));
        }
    }
    Share::new(weigh::PLAIN_DESCRIPTION, "a plain description")
}

/// The share of what is said of a call's risk.
pub fn hints(hints: &[(String, Hint)]) -> Share {
    let added = hints.iter().map(|(name, hint)| match hint {
        Hint::Flag(true) => (name, weigh::FLAG),
        Hint::Flag(false) => (name, 0.0),
        Hint::Number(number) => (name, weigh::number_hint(*number)),
    });
    let added: Vec<(&String, f64)> = added.filter(|(_, share)| 0.0 < *share).collect();
    let names: Vec<&str> = added.iter().map(|(name, _)| name.as_str()).collect();
    // The sum of nothing would be minus zero.
    let sum = added.iter().fold(0.0, |sum, (_, share)| sum + share);
    Share::new(f64::min(sum, 1.0), if names.is_empty() { "no hints".to_owned() } else { names.join(", ") })
}

fn novelty(earlier: u32) -> Share {
    let calls = if earlier == 0 { "the first call".to_owned() } else { format!("called {earlier} times before") };
    Share::new(weigh::novelty(earlier), calls)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::call::Property;
    use crate::value::span::Span;

    fn text(text: &str) -> Value {
        Value::String(text.to_owned(), Span::default())
    }

    fn object(properties: &[(&str, Value)]) -> Value {
        let property = |(key, value): &(&str, Value)| Property { key: (*key).to_owned(), key_span: Span::default(), value: value.clone() };
        Value::Object(properties.iter().map(property).collect(), Span::default())
    }

    #[test]
    fn names_have_the_share_of_their_worst_word() {
        for (name, expected) in [
            ("delete_user", 0.95),
            ("users:delete", 0.95),
            ("getAndPurge", 0.95),
            ("sendMail", 0.55),
            ("run_query", 0.55),
            ("list_users", 0.10),
            ("check", 0.10),
            ("wipe_disk", 0.40),
            ("deleted_users", 0.40),
        ] {
            assert_eq!(name_share(name).share, expected, "{name}");
        }
    }

    #[test]
    fn arguments_have_the_shares_of_the_table() {
        for (argument, expected) in [
            (Value::Missing, 0.0),
            (object(&[]), 0.0),
            (object(&[("id", text("usr_123"))]), 0.05),
            (object(&[("id", text("usr_123")), ("env", text("production"))]), 0.70),
            (object(&[("name", text("my product"))]), 0.05),
            (object(&[("a", text("DB_PASSWORD in prod"))]), 0.91),
            (object(&[("password", text("x"))]), 0.70),
            (object(&[("pageToken", text("x"))]), 0.05),
            (object(&[("path", text("/app/.env"))]), 0.70),
            (object(&[("sql", text("DROP TABLE users"))]), 0.90),
            (object(&[("command", text("sudo ls"))]), 0.90),
            (object(&[("argv", Value::Array(vec![text("rm"), text("-rf"), text("/")], Span::default()))]), 0.90),
            (object(&[("url", text("https://x.io"))]), 0.50),
            (object(&[("url", text("https://x.io")), ("q", text("delete from t"))]), 0.95),
            (object(&[("n", Value::Number(5.0, Span::default()))]), 0.05),
        ] {
            assert_eq!(arguments(std::slice::from_ref(&argument)).share, expected, "{argument:?}");
        }
    }

    #[test]
    fn descriptions_have_the_shares_of_the_table() {
        for (doc, expected) in [
            (None, 0.10),
            (Some(" "), 0.10),
            (Some("Returns the time."), 0.05),
            (Some("Use with caution."), 0.50),
            (Some("Permanently remove a user account."), 0.85),
            (Some("A warning: this is IRREVERSIBLE"), 0.85),
            (Some("A reproduction of a precaution"), 0.05),
        ] {
            assert_eq!(description(doc).share, expected, "{doc:?}");
        }
    }

    #[test]
    fn hints_add_up_to_1() {
        let flag = |name: &str, holds| (name.to_owned(), Hint::Flag(holds));
        let number = |number| ("n".to_owned(), Hint::Number(number));
        for (given, expected) in [
            (vec![], 0.0),
            (vec![flag("a", true)], 0.3),
            (vec![flag("a", true), flag("b", false)], 0.3),
            (vec![flag("a", true), number(-1e6)], 0.3),
            (vec![flag("a", true), number(5_000.0)], 0.7),
            (vec![flag("a", true), flag("b", true), number(1e6)], 1.0),
        ] {
            assert_eq!(hints(&given).share, expected, "{given:?}");
        }
    }

    #[test]
    fn host_apis_do_what_the_catalogue_says() {
        for (api, expected) in [("child_process.exec", 0.55), ("fs.rm", 0.95), ("fs.readFileSync", 0.10), ("fetch", 0.55)] {
            assert_eq!(name_of_api(api).share, expected, "{api}");
        }
    }
}
