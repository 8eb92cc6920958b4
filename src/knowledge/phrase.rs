//! What several words of a tool's name tell together, which no word of it tells alone.

/// Words for what a person sets for themselves: nobody gets it by its being set.
const OWN_SETTINGS: &[&str] = &[
    "signature",
    "signatures",
    "vacation",
    "autoreply",
    "autoresponder",
    "responder",
    "settings",
    "setting",
    "preference",
    "preferences",
    "label",
    "labels",
    "folder",
    "folders",
    "category",
    "categories",
    "snooze",
    "theme",
    "presence",
];
/// Words that set something.
const SETS: &[&str] = &["set", "update", "create", "add", "edit", "change", "put", "write", "save", "enable", "mark", "apply", "remove"];
/// Words that make something anew and hand it back.
const MAKES: &[&str] = &["create", "generate", "issue", "mint", "make", "new", "provision", "rotate", "regenerate", "reset", "request"];
/// Last words of what lets its holder in.
const WAYS_IN: &[&str] = &[
    "token",
    "tokens",
    "pat",
    "pats",
    "apikey",
    "apikeys",
    "accesskey",
    "accesskeys",
    "credential",
    "credentials",
    "password",
    "passwords",
    "keypair",
    "jwt",
];
/// Words before `key` that tell that it lets somebody in.
const KINDS_OF_KEY: &[&str] = &["api", "access", "service", "private", "secret", "ssh", "account", "admin"];
/// Words before `token` and `key` that tell that it is for the script's own next step.
const PASSING: &[&str] = &["csrf", "xsrf", "page", "cursor", "continuation", "idempotency", "cache", "sync", "upload", "test"];

/// Returns true if and only if the words behind a tool's separator set something of one's own: a signature, a label.
pub fn sets_own(words: &[String]) -> bool {
    let sets = words.first().is_some_and(|first| SETS.contains(&first.as_str()));
    sets && words.last().is_some_and(|last| OWN_SETTINGS.contains(&last.as_str()))
}

/// Returns true if and only if a tool makes a link by which whoever has it gets what it leads to: `presign`, `create_signed_url`.
pub fn signs_link(words: &[String]) -> bool {
    let has = |any: &[&str]| words.iter().any(|word| any.contains(&word.as_str()));
    has(&["presign", "presigned"]) || has(&["signed", "sas"]) && has(&["url", "urls", "link", "links", "uri"]) && !has(&["verify", "check"])
}

/// Returns true if and only if a tool only tells what it would do: `delete_all_dry_run`.
pub fn rehearses(words: &[String]) -> bool {
    words.windows(2).any(|pair| matches!(pair, [dry, run] if dry == "dry" && run == "run")) || words.iter().any(|word| word == "dryrun")
}

/// Returns true if and only if a tool makes what lets its holder in, and hands it back: `create_api_key`, `tokens:issue`.
pub fn makes_way_in(owner: &[String], words: &[String]) -> bool {
    let Some(at) = words.iter().position(|word| MAKES.contains(&word.as_str())) else { return false };
    let made = if at + 1 < words.len() { words.get(at + 1..) } else { owner.last().map(std::slice::from_ref) };
    let made = made.unwrap_or_default();
    let Some((last, before)) = made.split_last() else { return false };
    let before = before.last().map(String::as_str);
    let is_key = matches!(last.as_str(), "key" | "keys") && before.is_some_and(|kind| KINDS_OF_KEY.contains(&kind));
    (is_key || WAYS_IN.contains(&last.as_str())) && !before.is_some_and(|kind| PASSING.contains(&kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::words::{split_owner, words};

    /// What a name tells: in turn whether it sets something of one's own, signs a link, rehearses, makes a way in.
    fn told(name: &str) -> [bool; 4] {
        let (owner, verb) = split_owner(name);
        let (owner, verb) = (words(owner), words(verb));
        [sets_own(&verb), signs_link(&verb), rehearses(&verb), makes_way_in(&owner, &verb)]
    }

    #[test]
    fn words_together_tell_more_than_alone() {
        for (name, expected) in [
            ("imap:set_signature", [true, false, false, false]),
            ("post:update_preferences", [true, false, false, false]),
            ("imap:send_signature", [false; 4]),
            ("imap:set_recipient", [false; 4]),
            ("minio:presign_get", [false, true, false, false]),
            ("azure:make_sas_url", [false, true, false, false]),
            ("azure:make_url", [false; 4]),
            ("pool:drop_all_dry_run", [false, false, true, false]),
            ("pool:run_dry", [false; 4]),
            ("portal:issue_access_key", [false, false, false, true]),
            ("tokens:mint", [false, false, false, true]),
            ("forms:create_csrf_token", [false; 4]),
            ("db:create_primary_key", [false; 4]),
            ("vault:create", [false; 4]),
        ] {
            assert_eq!(told(name), expected, "{name}");
        }
    }
}
