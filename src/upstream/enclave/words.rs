//! The words by which the scoring gate knows a tool or a field, and how it looks for them.
//!
//! Source: agentfront/enclave, `libs/core/src/scoring`, at 7ac44b0a. Enclave writes them as regular
//! expressions of JavaScript; every one is an alternation of plain words, some with a gap of at most
//! one character, so they are kept as words. Case is folded for ASCII letters only, as JavaScript's
//! `i` flag does for these letters.

/// Stands in a word for "at most one character that is not a line break" (`.?` there).
const GAP: &str = ".?";

const AUTHENTICATION: &[&str] = &["password", "token", "secret", "api.?key", "auth", "credential", "bearer"];
const PII: &[&str] = &["email", "ssn", "phone", "address", "credit.?card", "birth.?date", "social.?security"];
const FINANCIAL: &[&str] = &["bank", "routing", "account.?num", "iban", "swift", "cvv", "pin"];

/// Tool names that act on many things at once.
pub const BULK: &[&str] = &["bulk", "batch", "all", "mass", "multi"];
/// Tool names that give data away.
pub const SEND: &[&str] = &["send", "email", "notify", "post", "webhook", "export", "upload", "transfer"];
/// Tool names that take data out.
pub const FETCH: &[&str] = &["list", "get", "query", "search", "find", "fetch", "read", "select"];

/// Argument keys that limit how much a call returns; compared whole, case folded.
const LIMIT_KEYS: &[&str] = &["limit", "pagesize", "count", "max", "top", "size", "take"];

/// What kind of sensitive thing a name speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SensitiveCategory {
    /// Passwords, tokens, keys.
    Authentication,
    /// What identifies a person.
    Pii,
    /// Accounts and cards.
    Financial,
    /// Names that begin with `__`, or with `_` and a small letter.
    Internal,
}

impl SensitiveCategory {
    /// All of them, in the order in which Enclave tests them.
    pub const ALL: [Self; 4] = [Self::Authentication, Self::Pii, Self::Financial, Self::Internal];

    /// The name Enclave gives it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Authentication => "authentication",
            Self::Pii => "pii",
            Self::Financial => "financial",
            Self::Internal => "internal",
        }
    }
}

/// The categories that `text` speaks of, in the order of [`SensitiveCategory::ALL`].
pub fn sensitive_categories(text: &str) -> Vec<SensitiveCategory> {
    let lower = text.to_ascii_lowercase();
    SensitiveCategory::ALL
        .into_iter()
        .filter(|category| match category {
            SensitiveCategory::Authentication => holds_one(&lower, AUTHENTICATION),
            SensitiveCategory::Pii => holds_one(&lower, PII),
            SensitiveCategory::Financial => holds_one(&lower, FINANCIAL),
            SensitiveCategory::Internal => is_internal(text),
        })
        .collect()
}

/// Whether `name` holds one of `words` anywhere: `callback` is bulk, because of `all`.
pub fn names_one(name: &str, words: &[&str]) -> bool {
    holds_one(&name.to_ascii_lowercase(), words)
}

/// Whether an argument of this name limits how much a call returns.
pub fn is_limit_key(key: &str) -> bool {
    // Not ASCII folding: here Enclave lower-cases all of Unicode, so that `taKe` with a Kelvin sign is `take`.
    LIMIT_KEYS.contains(&key.to_lowercase().as_str())
}

fn is_internal(text: &str) -> bool {
    matches!(text.as_bytes(), [b'_', b'_' | b'a'..=b'z', ..])
}

fn holds_one(lower: &str, words: &[&str]) -> bool {
    words.iter().any(|word| match word.split_once(GAP) {
        Some((head, tail)) => holds_with_gap(lower, head, tail),
        None => lower.contains(word),
    })
}

fn holds_with_gap(lower: &str, head: &str, tail: &str) -> bool {
    lower.match_indices(head).any(|(place, _)| {
        let rest = lower.get(place + head.len()..).unwrap_or_default();
        let mut characters = rest.chars();
        let gap = characters.next();
        rest.starts_with(tail) || (gap.is_some_and(fits_gap) && characters.as_str().starts_with(tail))
    })
}

/// JavaScript's `.` without the `u` flag: one UTF-16 unit that does not end a line.
fn fits_gap(character: char) -> bool {
    character.len_utf16() == 1 && !matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::{BULK, FETCH, SEND, SensitiveCategory, is_limit_key, names_one, sensitive_categories};

    #[test]
    fn sensitive_names_are_told_by_category() {
        use SensitiveCategory::{Authentication, Financial, Internal, Pii};
        let cases: &[(&str, &[SensitiveCategory])] = &[
            ("colour", &[]),
            ("", &[]),
            ("userPassWord", &[Authentication]),
            ("API KEY", &[Authentication]),
            ("apikeys", &[Authentication]),
            ("api--key", &[]),
            ("api\nkey", &[]),
            ("api\u{2028}key", &[]),
            ("api\u{e9}key", &[Authentication]),
            ("api\u{1F511}key", &[]),
            ("apiapi-key", &[Authentication]),
            ("credit_card", &[Pii]),
            ("shipping", &[Financial]),
            ("accountNumber", &[Financial]),
            ("_x", &[Internal]),
            ("_X", &[]),
            ("__", &[Internal]),
            ("a__b", &[]),
            ("__bank_email_token", &[Authentication, Pii, Financial, Internal]),
            ("pa\u{17F}sword", &[]),
            ("to\u{212A}en", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(sensitive_categories(text), *expected, "{text:?}");
        }
    }

    #[test]
    fn tool_names_are_searched_anywhere() {
        for (name, words, expected) in [
            ("smallTalk", BULK, true),
            ("one:by:one", BULK, false),
            ("rePOSTed", SEND, true),
            ("mailbox", SEND, false),
            ("spread", FETCH, true),
            ("write", FETCH, false),
        ] {
            assert_eq!(names_one(name, words), expected, "{name}");
        }
    }

    #[test]
    fn limit_keys_are_compared_whole() {
        for (key, expected) in [("Limit", true), ("limits", false), ("ta\u{212A}e", true), ("pageSize", true), ("", false)] {
            assert_eq!(is_limit_key(key), expected, "{key}");
        }
    }
}
