//! Arguments that say where a call goes.

use crate::value::words::words;

/// Keys of arguments that say where data goes, in lower case without punctuation.
const TARGETS: &[&str] = &[
    "baseurl",
    "callback",
    "hook",
    "server",
    "domain",
    "target",
    "destination",
    "dest",
    "dst",
    "sink",
    "to",
    "cc",
    "bcc",
    "rcpt",
    "rcptto",
    "receiver",
    "receivers",
    "attendees",
    "invitees",
    "participants",
    "collaborators",
    "guests",
    "sharewith",
    "sharedwith",
    "with",
    "chatid",
    "chat",
    "room",
    "conversation",
    "phone",
    "number",
    "remote",
    "repo",
    "repository",
    "origin",
    "link",
    "location",
    "site",
    "upstream",
    "proxy",
    "space",
    "tenant",
    "msisdn",
    "dialin",
    "deliverto",
    "sendto",
    "forwardto",
    "mailto",
    "pushto",
    "exportto",
    "uploadto",
    "copyto",
    "redirectto",
    "autoforward",
    "forward",
    "forwarding",
    "grantee",
    "broker",
    "relay",
    "gateway",
    "registry",
];
/// Last words of keys that say where data goes.
const LAST: &[&str] = &[
    "url",
    "uri",
    "href",
    "endpoint",
    "host",
    "hostname",
    "webhook",
    "recipient",
    "recipients",
    "email",
    "emails",
    "mail",
    "mailbox",
    "inbox",
    "address",
    "addresses",
    "bucket",
    "channel",
    "channels",
    "phone",
    "attendees",
    "addr",
    "ip",
    "rcpt",
    "destination",
    "bcc",
    "cc",
];
/// First words of keys that say who sends, or what is read, not where it goes.
const FROM: &[&str] = &["from", "sender", "source", "src", "reply", "author", "owner", "return", "creator", "requester", "reporter", "by"];
/// Keys of arguments that say which file is meant.
const FILE_TARGETS: &[&str] = &[
    "path",
    "file",
    "filename",
    "filepath",
    "notebookpath",
    "dest",
    "destination",
    "to",
    "target",
    "output",
    "outputpath",
    "out",
    "location",
    "name",
    "folder",
    "directory",
];
/// Last words of keys whose texts are read by people or stored: links in them lead nowhere by themselves.
const CONTENT: &[&str] = &[
    "body",
    "text",
    "content",
    "contents",
    "html",
    "markdown",
    "md",
    "description",
    "message",
    "note",
    "notes",
    "comment",
    "subject",
    "title",
    "summary",
    "prompt",
    "caption",
    "line",
    "lines",
    "snippet",
    "footer",
    "header",
    "signature",
    "query",
    "sql",
    "code",
    "source",
    "script",
    "command",
    "cmd",
    "from",
    "reference",
    "references",
    "docs",
    "documentation",
    "homepage",
    "icon",
    "image",
    "avatar",
    "logo",
    "referer",
    "referrer",
    "user",
    "username",
    "author",
    "blocks",
    "attachments",
    "question",
    "reason",
    "instruction",
    "instructions",
    "template",
    "data",
    "payload",
    "details",
];

/// Returns true if and only if a key of an argument says where data goes.
pub fn is_target(key: &str) -> bool {
    let words = words(key);
    if words.first().is_some_and(|first| FROM.contains(&first.as_str())) {
        return false;
    }
    let is_last = words.last().is_some_and(|last| LAST.contains(&last.as_str()));
    let is_toward = 1 < words.len() && words.last().is_some_and(|last| last == "to");
    is_last || is_toward || TARGETS.contains(&plain(key).as_str())
}

/// Returns true if and only if a key of an argument says which file is meant.
pub fn is_file_target(key: &str) -> bool {
    FILE_TARGETS.contains(&plain(key).as_str())
}

/// Returns true if and only if the text under a key is for people or machines to read, not a place.
pub fn is_content(key: &str) -> bool {
    let words = words(key);
    words.last().is_some_and(|last| CONTENT.contains(&last.as_str())) || words.first().is_some_and(|first| FROM.contains(&first.as_str()))
}

/// Returns true if and only if a text as a whole is the address of something elsewhere: a URL or a mail address.
pub fn is_address(text: &str) -> bool {
    let text = text.trim();
    let is_mail = text
        .split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && (!host.contains('/') || host.contains(':')));
    let is_url = ["http://", "https://", "ws://", "wss://", "ftp://", "sftp://", "tcp://", "udp://", "smtp://", "ssh://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    (is_mail || is_url) && !text.contains(char::is_whitespace)
}

fn plain(key: &str) -> String {
    key.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
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
