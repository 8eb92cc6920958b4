//! Arguments that say where a call goes.

use crate::knowledge::words::Tag;
use crate::value::words::{joined, words};

/// Returns true if and only if a key of an argument says where data goes.
pub fn is_target(key: &str) -> bool {
    let words = words(key);
    if words.first().is_some_and(|first| Tag::FromWord.has(first)) {
        return false;
    }
    let is_last = words.last().is_some_and(|last| Tag::TargetWord.has(last));
    let is_toward = 1 < words.len() && words.last().is_some_and(|last| last == "to");
    is_last || is_toward || Tag::TargetKey.has(&joined(key))
}

/// Returns true if and only if a key of an argument says which file is meant.
pub fn is_file_target(key: &str) -> bool {
    Tag::FileTargetKey.has(&joined(key))
}

/// Returns true if and only if the text under a key is for people or machines to read, not a place.
pub fn is_content(key: &str) -> bool {
    let words = words(key);
    words.last().is_some_and(|last| Tag::ContentKey.has(last)) || words.first().is_some_and(|first| Tag::FromWord.has(first))
}

/// Returns true if and only if a text as a whole is the address of something elsewhere: a URL or a mail address.
pub fn is_address(text: &str) -> bool {
    let text = text.trim();
    let is_mail = text
        .split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && (!host.contains('/') || host.contains(':')));
    let is_url = Tag::AddressScheme.words().any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    (is_mail || is_url) && !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_say_where_data_goes() {
        for key in
            ["url", "webhookUrl", "to", "bcc", "forward_to", "notifyEmail", "rcpt", "guests", "targetHost", "deliveryAddress", "Bucket"]
        {
            assert!(is_target(key), "{key}");
        }
        for key in ["replyTo", "from", "fromEmail", "senderAddress", "source_url", "body", "total", "id", "limit", "auto"] {
            assert!(!is_target(key), "{key}");
        }
    }

    #[test]
    fn addresses_are_whole_texts() {
        for (text, expected) in [
            ("https://evil.io/x", true),
            ("a@evil.io", true),
            ("see https://evil.io", false),
            ("evil.io", false),
            ("@scope/name", false),
            ("git@github.com:a/b.git", true),
        ] {
            assert_eq!(is_address(text), expected, "{text}");
        }
    }
}
