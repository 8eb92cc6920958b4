//! Tables in which a word is found at once: its number stands at its slot or the first free one behind.

use crate::knowledge::word_hash::first_slot;

/// The number of each word, counted from one, at its slot or the first free one behind; 0 where a slot is free.
pub fn slots<W: AsRef<str>>(words: &[W]) -> Vec<usize> {
    let mut slots = vec![0; (words.len() * 3).next_power_of_two()];
    for (at, word) in words.iter().enumerate() {
        let first = first_slot(word.as_ref(), slots.len());
        let count = slots.len();
        let free = (first..first + count).map(|slot| slot % count).find(|slot| slots.get(*slot) == Some(&0));
        if let Some(slot) = free.and_then(|slot| slots.get_mut(slot)) {
            *slot = at + 1;
        }
    }
    slots
}
