//! The words of tool names, and the kind of action that they tell.
//!
//! A name is split where people see words: at punctuation and at humps. Only whole words count:
//! `install` is not `all`, `postgres` is not `post`.

use crate::knowledge::House;
use crate::knowledge::effect::{EffectKind, Extent};
use crate::knowledge::house::OwnTool;
use crate::knowledge::tool::noun;
use crate::knowledge::words::Tag;

pub use crate::value::words::{split_owner, words};

/// Returns true if and only if any word of a tool's name, its owner's too, tells of many: `batch:run`, `allUsers:get`.
pub fn tells_of_many(name: &str) -> bool {
    Tag::Bulk.has_any(words(name))
}

/// Effects that leave something other than it was.
const CHANGING: &[EffectKind] =
    &[EffectKind::Write, EffectKind::Grant, EffectKind::GuardOff, EffectKind::Pay, EffectKind::Persist, EffectKind::Control];

/// The words of a tool's name and what they tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolWords {
    /// It reads.
    pub reads: bool,
    /// It reads many at once.
    pub reads_many: bool,
    /// It sends to somebody or somewhere.
    pub sends: bool,
    /// It destroys.
    pub destroys: bool,
    /// It changes something.
    pub changes: bool,
    /// It does so to many.
    pub is_bulk: bool,
}

impl ToolWords {
    /// What is told of a tool: by its user and its server, where these say something, or else by its name.
    pub fn told(name: &str, house: &House) -> Self {
        let words = Self::of(name);
        let Some(OwnTool { effects: Some(effects), extent, .. }) = house.tool(name) else {
            return Self { destroys: words.destroys || house.says(name, EffectKind::Delete) == Some(true), ..words };
        };
        let does = |kinds: &[EffectKind]| effects.iter().any(|effect| kinds.contains(effect));
        let is_bulk = match extent {
            Extent::Unknown => words.is_bulk,
            Extent::Many | Extent::Unbounded | Extent::All => true,
            Extent::Nothing | Extent::One | Extent::Few | Extent::Bounded => false,
        };
        let reads = does(&[EffectKind::Read]);
        Self {
            reads,
            reads_many: reads && (words.reads_many || extent != Extent::Unknown && is_bulk),
            sends: does(&[EffectKind::Send]),
            destroys: does(&[EffectKind::Delete]),
            changes: does(CHANGING),
            is_bulk: is_bulk && !effects.is_empty(),
        }
    }

    /// What a tool's name tells.
    pub fn of(name: &str) -> Self {
        let (owner, verb) = split_owner(name);
        let words = words(verb);
        let all: Vec<&str> = words.iter().map(String::as_str).collect();
        let is_of_places = |at: usize| all.get(at + 1).is_some_and(|next| Tag::InPlaces.has(next));
        let is_bulk = all.iter().enumerate().any(|(at, word)| Tag::Bulk.has(word) && !(*word == "multi" && is_of_places(at)));
        let mut told = Self { is_bulk, ..Self::default() };
        if all.first().is_some_and(|first| Tag::Question.has(first)) {
            return told;
        }
        for verb in verbs(&all) {
            told.reads |= Tag::Reading.has(verb);
            told.sends |= Tag::Sending.has(verb);
            told.destroys |= Tag::DestroyingCall.has(verb);
            told.changes |= Tag::Changing.has(verb);
            told.reads_many |= Tag::ReadingMany.has(verb) || Tag::Reading.has(verb) && is_bulk;
        }
        if !told.reads && !told.destroys && Tag::Sender.has_any(self::words(owner)) {
            told.sends = true;
        }
        told
    }
}

/// The words of a name that are its verbs: the first that is one, and each behind an `and`.
fn verbs<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let is_verb = |word: &&str| [Tag::Reading, Tag::Sending, Tag::DestroyingCall, Tag::Changing].iter().any(|class| class.has(word));
    // `mail_get_message`: whose tool it is, and what it does.
    let behind_owner = words.get(1).copied().filter(|second| is_verb(second) && noun(second).is_none() && noun(words[0]).is_some());
    let first = behind_owner.or_else(|| words.iter().copied().find(is_verb));
    let joined = words.iter().zip(words.iter().skip(1)).filter(|(word, _)| matches!(**word, "and" | "then" | "to")).map(|(_, next)| *next);
    first.into_iter().chain(joined.filter(is_verb)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_inside_another_word_is_not_a_hit() {
        for name in ["postgres:ping", "app:install", "budget:calc", "small:calc", "thread:open", "deleted_items_count", "callback"] {
            let told = ToolWords::of(name);
            assert!(!told.reads && !told.sends && !told.destroys && !told.is_bulk, "{name}: {told:?}");
        }
    }

    #[test]
    fn many_places_of_one_thing_are_not_many_things() {
        for name in ["MultiEdit", "multi_replace_string_in_file", "editor:multiLineInsert"] {
            assert!(!ToolWords::of(name).is_bulk, "{name}");
        }
        for name in ["multiDelete", "users:multiUpdate", "MultiEditAll"] {
            assert!(ToolWords::of(name).is_bulk, "{name}");
        }
    }

    #[test]
    fn the_verb_decides() {
        let check = |name: &str, reads: bool, sends: bool, destroys: bool| {
            let told = ToolWords::of(name);
            assert_eq!((told.reads, told.sends, told.destroys), (reads, sends, destroys), "{name}: {told:?}");
        };
        check("users:list", true, false, false);
        check("mail:send", false, true, false);
        check("email:get", true, false, false);
        check("get_post", true, false, false);
        check("users:listAndSend", true, true, false);
        check("mcp__slack__post_message", false, true, false);
        check("webhooks:trigger", false, true, false);
        check("users.deleteAll", false, false, true);
        check("data:export", true, true, false);
    }
}
