//! What several words of a tool's name tell together, which no word of it tells alone.

use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::value::words::{joined, split_owner, words};

/// Returns true if and only if the words behind a tool's separator set something of one's own: a signature, a label.
pub fn sets_own(words: &[String]) -> bool {
    let sets = words.first().is_some_and(|first| Tag::SettingOwn.has(first));
    sets && words.last().is_some_and(|last| Tag::OwnSetting.has(last))
}

/// Returns true if and only if a tool makes a link by which whoever has it gets what it leads to: `presign`, `create_signed_url`.
pub fn signs_link(words: &[String]) -> bool {
    let has = |any: Tag| any.has_any(words.iter());
    let looks = || words.iter().any(|word| matches!(word.as_str(), "verify" | "check"));
    has(Tag::Signed) || has(Tag::SignedLink) && has(Tag::Link) && !looks()
}

/// Returns true if and only if a tool only tells what it would do: `delete_all_dry_run`.
pub fn rehearses(words: &[String]) -> bool {
    words.windows(2).any(|pair| matches!(pair, [dry, run] if dry == "dry" && run == "run")) || words.iter().any(|word| word == "dryrun")
}

/// Returns true if and only if a tool of a thing that is no agent lets somebody act in the place of another, and hands nobody a task:
/// `calendar:delegate`.
pub fn appoints(words: &[String], is_of_thing: bool) -> bool {
    is_of_thing && words.iter().any(|word| word == "delegate")
}

/// Returns true if and only if a tool makes what lets its holder in, and hands it back: `create_api_key`, `tokens:issue`.
pub fn makes_way_in(owner: &[String], words: &[String]) -> bool {
    let Some(at) = words.iter().position(|word| Tag::MakingAnew.has(word)) else { return false };
    let made = if at + 1 < words.len() { words.get(at + 1..) } else { owner.last().map(std::slice::from_ref) };
    let made = made.unwrap_or_default();
    let Some((last, before)) = made.split_last() else { return false };
    let before = before.last().map(String::as_str);
    let is_key = matches!(last.as_str(), "key" | "keys") && before.is_some_and(|kind| Tag::KindOfKey.has(kind));
    (is_key || Tag::WayInMade.has(last)) && !before.is_some_and(|kind| Tag::Passing.has(kind))
}

/// Returns true if and only if a tool's name says that it asks a person for leave: `ui:confirm`, `approvals:request`.
pub fn asks_person(name: &str) -> bool {
    let (owner, verb) = split_owner(name);
    let is_desk = words(owner).last().is_some_and(|last| list("desks-of-leave").contains(&last.as_str()));
    Tag::AskingPerson.has(&joined(verb)) || is_desk && list("asking-a-desk").contains(&joined(verb).as_str())
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
