//! Words and what each of them tells: one table, in which a word stands once with all its tags.
//!
//! The table is written by `build.rs` from `knowledge/words/`, `knowledge/places/` and `knowledge/keys.yaml`. A tag says
//! one thing of a word: that it destroys, names a mailbox's host, or is a key whose value says where data goes.

use std::cell::Cell;
use std::collections::HashMap;

use crate::knowledge::slots::numbers;

include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// A tag by its name, with an example.
#[derive(Debug)]
pub struct TagRow {
    /// The name used in rows: `mailbox-host`.
    pub name: &'static str,
    /// The tag.
    pub tag: Tag,
    /// A word that has it.
    pub hit: &'static str,
    /// A word near to it that has it not.
    pub miss: &'static str,
}

/// Words of the user's own; what is said of one takes the place of what is known of it.
#[derive(Debug, Default)]
pub struct OwnWords {
    told: HashMap<&'static str, &'static [Tag]>,
    members: HashMap<Tag, Vec<&'static str>>,
}

impl OwnWords {
    /// These words, each with all that it tells; of several that say something of one word the last counts.
    pub fn of(words: impl IntoIterator<Item = (&'static str, &'static [Tag])>) -> Self {
        let told: HashMap<&'static str, &'static [Tag]> = words.into_iter().collect();
        let mut members: HashMap<Tag, Vec<&'static str>> = HashMap::new();
        for (word, tags) in &told {
            tags.iter().for_each(|tag| members.entry(*tag).or_default().push(word));
        }
        members.values_mut().for_each(|words| words.sort_unstable());
        Self { told, members }
    }
}

thread_local! {
    static OWN: Cell<Option<&'static OwnWords>> = const { Cell::new(None) };
}

/// Lets these words of the user's own count on this thread, and returns those that did.
pub fn replace_own(own: Option<&'static OwnWords>) -> Option<&'static OwnWords> {
    OWN.replace(own)
}

/// Returns true if and only if words of the user's own count on this thread.
pub fn has_own() -> bool {
    OWN.get().is_some()
}

/// All tags, in order of their names.
pub fn tag_rows() -> &'static [TagRow] {
    &TAG_ROWS
}

impl Tag {
    /// The tag of a name.
    pub fn parse(name: &str) -> Option<Self> {
        TAG_ROWS.binary_search_by(|row| row.name.cmp(name)).ok().and_then(|at| TAG_ROWS.get(at)).map(|row| row.tag)
    }

    /// Returns true if and only if the word tells this.
    pub fn has(self, word: &str) -> bool {
        tags(word).contains(&self)
    }

    /// Returns true if and only if one of the words tells this.
    pub fn has_any<W: AsRef<str>>(self, words: impl IntoIterator<Item = W>) -> bool {
        words.into_iter().any(|word| self.has(word.as_ref()))
    }

    /// All words that tell this: those that are known, in order, and then the user's own.
    pub fn words(self) -> impl Iterator<Item = &'static str> + Clone {
        let own = OWN.get();
        let known = part(&MEMBERS, &MEMBER_STARTS, self as usize).iter().filter_map(|word| word_at(usize::from(*word)));
        let known = known.filter(move |word| own.is_none_or(|own| !own.told.contains_key(word)));
        known.chain(own.and_then(|own| own.members.get(&self)).into_iter().flatten().copied())
    }
}

/// What a word tells, which is nothing for most words.
pub fn tags(word: &str) -> &'static [Tag] {
    if let Some(own) = OWN.get().and_then(|own| own.told.get(word)) {
        return own;
    }
    let mut numbers = numbers(word, &SLOTS);
    numbers.find(|number| word_at(*number) == Some(word)).map_or(&[], |number| part(&TAGS, &TAG_STARTS, number))
}

fn word_at(number: usize) -> Option<&'static str> {
    let (start, end) = (*WORD_STARTS.get(number)?, *WORD_STARTS.get(number + 1)?);
    TEXT.get(start as usize..end as usize)
}

fn part<T>(all: &'static [T], starts: &'static [u16], number: usize) -> &'static [T] {
    let bounds = starts.get(number).zip(starts.get(number + 1));
    bounds.and_then(|(start, end)| all.get(usize::from(*start)..usize::from(*end))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_tells_what_its_row_says_and_nothing_else() {
        for (word, tag, expected) in [
            ("cache", Tag::Harmless, true),
            ("bucket", Tag::Harmless, false),
            ("bucket", Tag::Holder, true),
            ("Bucket", Tag::Holder, false),
            ("kunden", Tag::People, true),
            ("gmail.com", Tag::MailboxHost, true),
            ("no such word", Tag::MailboxHost, false),
        ] {
            assert_eq!(tag.has(word), expected, "{word}");
        }
        assert!(Tag::Holder.has_any(["cache", "bucket"]) && !Tag::Holder.has_any(["cache"]));
    }

    #[test]
    fn every_word_of_a_tag_tells_it() {
        for word in Tag::Destroying.words().chain(Tag::SecretPath.words()).chain(Tag::TargetKey.words()) {
            let told = tags(word);
            assert!([Tag::Destroying, Tag::SecretPath, Tag::TargetKey].iter().any(|tag| told.contains(tag)), "{word}");
        }
        assert!(60 < Tag::Destroying.words().count());
    }
}
