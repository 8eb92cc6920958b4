//! What the name of a tool, or of one of its modes, says that is done.

use crate::knowledge::act::{ActVerb, Form, SPEECH, is_one_of};
use crate::knowledge::effect::EffectKind;
use crate::meaning::tool::clause::Clause;
use crate::value::words::words;

/// What a host or a generator puts before a name.
const PREFIX: &str = "api";

/// The clauses of a name: one for each verb that counts.
pub fn clauses(name: &str) -> Vec<Clause> {
    let mut words = words(name);
    if words.first().is_some_and(|first| first == PREFIX) && 1 < words.len() {
        words.remove(0);
    }
    let verbs = verbs(&words);
    let places = picked(&verbs, &words);
    let others = words.iter().enumerate().filter(|(at, _)| !places.contains(at)).map(|(_, word)| word.clone());
    let others: Vec<String> = others.collect();
    verbs.into_iter().filter(|(at, _)| places.contains(at)).map(|(_, verb)| Clause { verb, words: others.clone() }).collect()
}

/// The words that may be verbs, with their places.
fn verbs(words: &[String]) -> Vec<(usize, ActVerb)> {
    let is_from = |at: usize, verb: &ActVerb| {
        let is_noun = is_one_of(SPEECH.noun_first, verb.base);
        // `text_to_speech` texts nobody.
        let becomes = words.get(at + 1).is_some_and(|next| next == "to");
        !(is_noun && 0 < at || (is_noun || verb.is_either()) && becomes)
    };
    let verbs = words.iter().enumerate().filter_map(|(at, word)| Some((at, ActVerb::of(word)?)));
    verbs.filter(|(at, verb)| verb.form == Form::Base && is_from(*at, verb)).collect()
}

/// The places of the verbs that count: the first word, or else the first that is only a verb, or else the last word; and those
/// that are joined to it.
fn picked(verbs: &[(usize, ActVerb)], words: &[String]) -> Vec<usize> {
    let last = words.len().saturating_sub(1);
    let mut pure = verbs.iter().filter(|(_, verb)| !verb.is_either());
    let first = verbs.first().filter(|(at, _)| *at == 0);
    let Some(main) = first.or_else(|| pure.clone().next()).or_else(|| verbs.iter().find(|(at, _)| *at == last)).or_else(|| verbs.first())
    else {
        return Vec::new();
    };
    // `order_list` lists orders.
    let main = if main.1.is_either() { pure.rfind(|(at, _)| *at == last).unwrap_or(main) } else { main };
    // `get_click_count` clicks on nothing.
    let reads = main.1.acts().any(|act| act.effect == Some(EffectKind::Read) && act.with.is_empty());
    let joined = verbs.iter().filter(|(at, verb)| {
        let is_behind = main.0 < *at;
        let follows = at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|word| is_one_of(SPEECH.joiners, word));
        is_behind && (follows || !reads && *at == main.0 + 1 && !verb.is_either())
    });
    std::iter::once(main).chain(joined).map(|(at, _)| *at).collect()
}

#[cfg(test)]
mod tests {
    use super::clauses;

    #[test]
    fn the_verb_of_a_name_is_found_wherever_it_stands() {
        for (name, expected) in [
            ("delete_branch", vec!["delete"]),
            ("pods_delete", vec!["delete"]),
            ("createOrUpdateFile", vec!["create", "update"]),
            ("order_list", vec!["list"]),
            ("native_transfer", vec!["transfer"]),
            ("text_to_speech", vec![]),
            ("API-delete-a-block", vec!["delete"]),
            ("nc_mail_move_message", vec!["move"]),
            ("get_click_count", vec!["get"]),
            ("", vec![]),
        ] {
            let verbs: Vec<&str> = clauses(name).iter().map(|clause| clause.verb.base).collect();
            assert_eq!(verbs, expected, "{name}");
        }
    }
}
