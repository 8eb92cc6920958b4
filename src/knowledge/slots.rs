//! Tables in which a word is found at once: its number stands at its slot or the first free one behind.

use crate::knowledge::word_hash::first_slot;

/// The numbers of the words that may be this one.
pub fn numbers(word: &str, slots: &'static [u16]) -> impl Iterator<Item = usize> {
    let (behind, from) = slots.split_at(first_slot(word, slots.len()));
    // A slot holds the number of a word, counted from one; an empty one ends the search.
    from.iter().chain(behind).map_while(|slot| usize::from(*slot).checked_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_goes_on_at_the_start_and_ends_at_a_free_slot() {
        static SLOTS: [u16; 4] = [3, 0, 7, 8];
        let words: Vec<String> = (0..200).map(|number| format!("word{number}")).collect();
        let expected = [vec![2], vec![], vec![6, 7, 2], vec![7, 2]];
        for word in &words {
            assert_eq!(numbers(word, &SLOTS).collect::<Vec<_>>(), expected[first_slot(word, SLOTS.len())], "{word}");
        }
    }
}
