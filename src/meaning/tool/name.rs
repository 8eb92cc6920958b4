//! What the name of a tool, or of one of its modes, says that is done.

use crate::knowledge::act::{ActVerb, Form, SPEECH, is_one_of};
use crate::knowledge::effect::EffectKind;
use crate::meaning::tool::clause::Clause;
use crate::value::words::words;

/// What a host or a generator puts before a name.
const PREFIX: &str = "api";

/// The clauses of a name: one for each verb that counts.
pub fn clauses(name: &str) -> Vec<Clause> {
    clauses_told(name, &[])
}

/// The same, where a description has told what is done: of words that could all be nouns, the one that it says is the verb.
pub fn clauses_told(name: &str, told: &[&str]) -> Vec<Clause> {
    let mut words = words(bare(name));
    if words.first().is_some_and(|first| first == PREFIX) && 1 < words.len() {
        words.remove(0);
    }
    if only_finds(&words) {
        return Vec::new();
    }
    let verbs = verbs(&words);
    let places = picked(&verbs, &words, told);
    let others = words.iter().enumerate().filter(|(at, _)| !places.contains(at)).map(|(_, word)| word.clone());
    let others: Vec<String> = others.collect();
    verbs.into_iter().filter(|(at, _)| places.contains(at)).map(|(_, verb)| Clause { verb, words: others.clone() }).collect()
}

/// The name without the server that a host puts before it: `mcp__server__tool`.
pub fn bare(name: &str) -> &str {
    name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")).map_or(name, |(_, tool)| tool)
}

/// A name that ends with what is found out only reads of what could be done: `swap_quote`, `run_status`.
fn only_finds(words: &[String]) -> bool {
    let ends = 1 < words.len() && words.last().is_some_and(|last| is_one_of(SPEECH.findings, last));
    let is_grave = |verb: &ActVerb| verb.acts().any(|act| matches!(act.effect, Some(EffectKind::Pay | EffectKind::Run)));
    let mut verbs = words.iter().filter_map(|word| ActVerb::of(word)).filter(|verb| verb.form == Form::Base).peekable();
    ends && verbs.peek().is_some_and(is_grave) && verbs.all(ActVerb::is_either)
}

/// Behind this a name says how something is chosen: `power_off_by_tag`.
const CHOSEN: &str = "by";

/// The words that may be verbs, with their places.
fn verbs(words: &[String]) -> Vec<(usize, ActVerb)> {
    let end = words.iter().position(|word| word == CHOSEN).filter(|at| 0 < *at).unwrap_or(words.len());
    let words = words.get(..end).unwrap_or_default();
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
fn picked(verbs: &[(usize, ActVerb)], words: &[String], told: &[&str]) -> Vec<usize> {
    let last = words.len().saturating_sub(1);
    let mut pure = verbs.iter().filter(|(_, verb)| !verb.is_either());
    let first = verbs.first().filter(|(at, _)| *at == 0);
    let Some(main) = first.or_else(|| pure.clone().next()).or_else(|| verbs.iter().find(|(at, _)| *at == last)).or_else(|| verbs.first())
    else {
        return Vec::new();
    };
    // `order_list` lists orders.
    let agreed = || verbs.iter().find(|(_, verb)| told.contains(&verb.base));
    let main = match main.1.is_either() {
        true => agreed().or_else(|| pure.rfind(|(at, _)| *at == last && !reads(main.1))).unwrap_or(main),
        false => main,
    };
    // `get_click_count` clicks on nothing.
    let reads = reads(main.1);
    let joined = verbs.iter().filter(|(at, verb)| {
        let is_behind = main.0 < *at;
        let follows = at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|word| is_one_of(SPEECH.joiners, word));
        is_behind && (follows || !reads && *at == main.0 + 1 && !verb.is_either())
    });
    std::iter::once(main).chain(joined).map(|(at, _)| *at).collect()
}

fn reads(verb: ActVerb) -> bool {
    verb.acts().any(|act| act.effect == Some(EffectKind::Read) && act.with.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{clauses, clauses_told};

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
            ("swap_quote", vec![]),
            ("vm_power_by_tag", vec!["power"]),
            ("mcp__postal_delete__get_letter", vec!["get"]),
            ("", vec![]),
        ] {
            let verbs: Vec<&str> = clauses(name).iter().map(|clause| clause.verb.base).collect();
            assert_eq!(verbs, expected, "{name}");
        }
    }

    #[test]
    fn a_description_tells_which_word_of_a_name_is_the_verb() {
        let verbs = |told: &[&str]| clauses_told("linear_transfer_issue", told).first().map(|clause| clause.verb.base);
        assert_eq!((verbs(&[]), verbs(&["transfer"])), (Some("issue"), Some("transfer")));
    }
}
