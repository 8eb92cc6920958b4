//! The words of a name, split where people see words.

/// The words of a name, in lower case: split at punctuation and at humps (`bulkDelete`, `HTTPServer`).
pub fn words(name: &str) -> Vec<String> {
    if name.is_ascii() { plain_words(name) } else { any_words(name) }
}

/// The same for a name that is ASCII, as nearly all are.
fn plain_words(text: &str) -> Vec<String> {
    let name = text.as_bytes();
    let mut words = Vec::new();
    let mut start = None;
    let word = |start: usize, end: usize| text.get(start..end).unwrap_or_default().to_ascii_lowercase();
    for (at, &byte) in name.iter().enumerate() {
        let previous = at.checked_sub(1).and_then(|before| name.get(before));
        let is_hump = byte.is_ascii_uppercase()
            && previous.is_some_and(|previous| {
                previous.is_ascii_lowercase()
                    || previous.is_ascii_digit()
                    || previous.is_ascii_uppercase() && name.get(at + 1).is_some_and(u8::is_ascii_lowercase)
            });
        if let Some(begun) = start.filter(|_| is_hump || !byte.is_ascii_alphanumeric()) {
            words.push(word(begun, at));
            start = None;
        }
        if byte.is_ascii_alphanumeric() && start.is_none() {
            start = Some(at);
        }
    }
    words.extend(start.map(|begun| word(begun, name.len())));
    words
}

fn any_words(name: &str) -> Vec<String> {
    let characters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (at, &character) in characters.iter().enumerate() {
        let previous = at.checked_sub(1).and_then(|before| characters.get(before)).copied();
        let next = characters.get(at + 1).copied();
        let is_hump = character.is_uppercase()
            && (previous.is_some_and(|previous| previous.is_lowercase() || previous.is_ascii_digit())
                || previous.is_some_and(char::is_uppercase) && next.is_some_and(char::is_lowercase));
        if (is_hump || !character.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The words of a name written together: `max_results` and `maxResults` are one key.
pub fn joined(name: &str) -> String {
    // Salesforce marks the names of fields that a house added.
    let name = name.strip_suffix("__c").or_else(|| name.strip_suffix("__r")).unwrap_or(name);
    // It is asked of each key of each call, and nearly all are plain.
    if name.is_ascii() {
        return name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    }
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The part of a tool's name before its last separator, and the part behind it.
pub fn split_owner(name: &str) -> (&str, &str) {
    let separator = name.rfind([':', '.', '/']).map(|at| (at, 1)).or_else(|| name.rfind("__").map(|at| (at, 2)));
    match separator {
        Some((at, length)) => (name.get(..at).unwrap_or(""), name.get(at + length..).unwrap_or("")),
        None => ("", name),
    }
}

/// A shorter word has no plural that is told by its end.
const SHORT: usize = 3;

/// Returns true if and only if a word is a plural: `files`, but not `address` or `status`.
pub fn is_plural(word: &str) -> bool {
    SHORT < word.len() && word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_where_people_see_words() {
        for (name, expected) in [
            ("users:bulkDelete", vec!["users", "bulk", "delete"]),
            ("HTTPServer_getURL", vec!["http", "server", "get", "url"]),
            ("s3:put-object", vec!["s3", "put", "object"]),
            ("", vec![]),
            ("a1B2 cD", vec!["a1", "b2", "c", "d"]),
            ("éclairListe", vec!["éclair", "liste"]),
        ] {
            assert_eq!(words(name), expected, "{name}");
            assert_eq!(any_words(name), expected, "{name}");
            assert_eq!(joined(name), expected.concat(), "{name}");
        }
    }
}
