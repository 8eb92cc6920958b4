//! Field names that tell sensitive data: passwords, persons, money.

pub use crate::knowledge::House;
use crate::knowledge::sensitivity::Sensitivity;

use crate::knowledge::sensitivity::category;
use crate::knowledge::words::Tag;
use crate::value::span::Span;
use crate::value::words::words;

/// A sensitive field that a subject names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SensitiveField {
    /// The name as written.
    pub name: String,
    /// What it tells.
    pub category: Sensitivity,
    /// Where it is named first.
    pub span: Span,
}

/// Longest name that is looked at, in bytes: longer texts are not names.
const LONGEST: usize = 64;

/// The sensitive data that a field name tells, if any. Texts that are not names tell none.
pub fn field(name: &str, span: Span) -> Option<SensitiveField> {
    if !is_name(name) {
        return None;
    }
    let category = category(&words(name))?;
    Some(SensitiveField { name: name.to_owned(), category, span })
}

/// The sensitive fields that a text names: one field, a list of them (`name,ssn`), or the columns of a query.
pub fn in_text(text: &str, span: Span) -> Vec<SensitiveField> {
    if let Some(field) = field(text, span) {
        return vec![field];
    }
    let fields: Vec<&str> = if is_query(text) { columns(text) } else { listed(text) };
    fields.into_iter().filter_map(|name| field(name, span)).collect()
}

/// Longest query that is looked at, in bytes; of a longer one the beginning is.
const LONGEST_QUERY: usize = 16 * 1024;

/// Returns true if and only if a text begins like a statement that names columns, and has another of its words.
fn is_query(text: &str) -> bool {
    let mut words = text.split_whitespace().take(LONGEST_QUERY);
    let first = words.next().unwrap_or_default().trim_start_matches('(').to_ascii_lowercase();
    let second: &[&str] = match first.as_str() {
        "select" | "with" => &["from"],
        "insert" | "replace" => &["into"],
        "update" => &["set"],
        "delete" => &["from"],
        _ => return false,
    };
    words.any(|word| second.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// The names in a query, without what stands in its texts.
fn columns(text: &str) -> Vec<&str> {
    let text = text.get(..text.floor_char_boundary(LONGEST_QUERY)).unwrap_or_default();
    let outside = text.split('\'').step_by(2);
    let names =
        outside.flat_map(|code| code.split(|character: char| !character.is_ascii_alphanumeric() && character != '_' && character != '$'));
    names.filter(|name| !name.is_empty()).collect()
}

/// The names of a list that is written with commas; none, if anything in it is no name.
fn listed(text: &str) -> Vec<&str> {
    if LONGEST_QUERY < text.len() || !text.contains(',') {
        return Vec::new();
    }
    let names: Vec<&str> = text.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    if names.iter().all(|name| is_name(name)) { names } else { Vec::new() }
}

fn is_name(name: &str) -> bool {
    name.len() <= LONGEST
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'$'))
        && name.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// The sensitive data that a tool's name tells, if any (`vault:getSecrets`). How to reach a person does
/// not count: `email:send` tells what the tool does.
pub fn in_tool_name(name: &str, span: Span) -> Option<SensitiveField> {
    let category = category(&words(name)).filter(|category| *category != Sensitivity::Contact)?;
    Some(SensitiveField { name: name.to_owned(), category, span })
}

/// Returns true if and only if a tool holds data of people, money, health or how to get in, by what its user says of it or
/// else by its name.
pub fn is_sensitive_tool(tool: &str, house: &House) -> bool {
    house.says_sensitive(tool).unwrap_or_else(|| is_sensitive_source(tool))
}

/// Returns true if and only if a name tells that something holds data of people, money, health or how to get in.
pub fn is_sensitive_source(tool: &str) -> bool {
    Tag::SensitiveSource.has_any(words(tool))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_and_lists_name_their_fields() {
        for (text, expected) in [
            ("SELECT password FROM users", "password"),
            ("select u.id, lower(u.ssn) as s from users u where u.email = 'password'", "ssn email"),
            ("UPDATE users SET password_hash = ? WHERE id = 1", "password_hash"),
            ("insert into people (name, ssn) values (?, ?)", "ssn"),
            ("name,ssn", "ssn"),
            ("id, password , iban", "password iban"),
            ("password", "password"),
            ("select a password, then sign in", ""),
            ("Dear Ann, your password was changed", ""),
            ("SELECT name FROM products WHERE note = 'password'", ""),
            ("author,title", ""),
            ("", ""),
            (",", ""),
        ] {
            let found: Vec<String> = in_text(text, Span::default()).into_iter().map(|field| field.name).collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }

    #[test]
    fn whole_words_tell_sensitive_data() {
        for (name, expected) in [
            ("password", Some(Sensitivity::Authentication)),
            ("user_password", Some(Sensitivity::Authentication)),
            ("apiKey", Some(Sensitivity::Authentication)),
            ("accessToken", Some(Sensitivity::Authentication)),
            ("card_number", Some(Sensitivity::Financial)),
            ("dateOfBirth", Some(Sensitivity::Personal)),
            ("email", Some(Sensitivity::Contact)),
            ("author", None),
            ("nextPageToken", None),
            ("max_tokens", None),
            ("opinion", None),
            ("keyboard", None),
            ("shipping address", None),
            ("secretary", None),
        ] {
            assert_eq!(field(name, Span::default()).map(|field| field.category), expected, "{name}");
        }
    }
}
