//! Words and what each of them tells: one table, in which a word stands once with all its tags.
//!
//! The table is written by `build.rs` from `knowledge/words/`, `knowledge/places/` and `knowledge/keys.yaml`. A tag says
//! one thing of a word: that it destroys, names a mailbox's host, or is a key whose value says where data goes.

use crate::knowledge::word_hash::first_slot;

include!(concat!(env!("OUT_DIR"), "/words.rs"));

impl Tag {
    /// Returns true if and only if the word tells this.
    pub fn has(self, word: &str) -> bool {
        tags(word).contains(&self)
    }

    /// Returns true if and only if one of the words tells this.
    pub fn has_any<W: AsRef<str>>(self, words: impl IntoIterator<Item = W>) -> bool {
        words.into_iter().any(|word| self.has(word.as_ref()))
    }

    /// All words that tell this, in order.
    pub fn words(self) -> impl Iterator<Item = &'static str> + Clone {
        part(&MEMBERS, &MEMBER_STARTS, self as usize).iter().filter_map(|word| word_at(usize::from(*word)))
    }
}

/// What a word tells, which is nothing for most words.
pub fn tags(word: &str) -> &'static [Tag] {
    let first = first_slot(word, SLOTS.len());
    let slots = SLOTS.iter().cycle().skip(first).take(SLOTS.len());
    // A slot holds the number of a word, counted from one; an empty one ends the search.
    let mut numbers = slots.map_while(|slot| usize::from(*slot).checked_sub(1));
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
