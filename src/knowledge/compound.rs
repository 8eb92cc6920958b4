//! Words that are written together: what a name tells of which no part is known by itself.

use crate::knowledge::command::list;
use crate::knowledge::words::tags;

/// Shorter beginnings of words tell nothing, in bytes.
const SHORTEST_HEAD: usize = 3;
/// Shorter ends of words tell nothing, in bytes.
const SHORTEST_END: usize = 6;

/// What words begin with that are written together with what such a thing is often called, or end with: `mail` of `mailroom`, `log` of
/// `loghouse`, `health` of `occuhealth`. A word that is known by itself is none of these; `is_noun` says which are.
pub fn parts(words: &[String], is_noun: impl Fn(&str) -> bool) -> Vec<String> {
    let is_known = |word: &str| is_noun(word) || !tags(word).is_empty();
    let part = |word: &str| {
        let tails = list("compound-tails").iter();
        let mut heads = tails.filter_map(|tail| word.strip_suffix(tail)).filter(|head| SHORTEST_HEAD <= head.len());
        let end =
            || (SHORTEST_HEAD..(word.len() + 1).saturating_sub(SHORTEST_END)).filter_map(|at| word.get(at..)).find(|end| is_noun(end));
        heads.find(|head| is_known(head)).or_else(end).map(str::to_owned)
    };
    words.iter().filter(|word| !is_known(word)).filter_map(|word| part(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_taken_apart_only_if_it_is_not_known() {
        let is_noun = |word: &str| ["mail", "health", "loghouse", "net"].contains(&word);
        let of = |word: &str| parts(&[word.to_owned()], is_noun);
        assert_eq!(of("mailroom"), ["mail"]);
        assert_eq!(of("netdiag"), ["net"]);
        assert_eq!(of("occuhealth"), ["health"]);
        // Known as it is, without a known part, and too short.
        for word in ["loghouse", "qqqroom", "room", "xxnet"] {
            assert_eq!(of(word), Vec::<String>::new(), "{word}");
        }
    }
}
