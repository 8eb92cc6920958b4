//! What the sentences of a description say that is done.

use crate::knowledge::act::{ActVerb, Form, SPEECH, is_one_of};
use crate::meaning::tool::clause::Clause;

/// How much of a description is read, in bytes.
const LONGEST: usize = 4_000;
/// How far from the beginning of a sentence its verb may stand: `MCP tool to query …`.
const NEAR: usize = 8;
/// A label before a description that ends with a bar is no longer than this, in bytes.
const LABEL: usize = 21;

/// The sentences of a description, without what stands before the first.
pub fn sentences(text: &str) -> Vec<&str> {
    let end = (0..=LONGEST.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let mut rest = without_label(text.get(..end).unwrap_or_default());
    let mut found = Vec::new();
    while let Some((sentence, next)) = cut(rest) {
        found.push(sentence.trim());
        rest = next;
    }
    found.push(rest.trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// What stands behind labels: `Notion | `, `[beta] `, `(1) `, signs.
fn without_label(text: &str) -> &str {
    let mut rest = text;
    loop {
        let bare = rest.trim_start_matches(|character: char| !character.is_alphanumeric() && !matches!(character, '[' | '('));
        let labelled = match bare.chars().next() {
            Some('[') => bare.split_once(']').map(|(_, rest)| rest),
            Some('(') => bare.split_once(')').map(|(_, rest)| rest),
            _ => bare.split_once('|').filter(|(label, _)| is_label(label)).map(|(_, rest)| rest),
        };
        match labelled {
            Some(behind) => rest = behind,
            None => return bare.trim_start_matches(['[', '(']),
        }
    }
}

fn is_label(text: &str) -> bool {
    text.len() < LABEL && text.chars().all(|character| character.is_alphanumeric() || matches!(character, ' ' | '_'))
}

/// Cuts off the first sentence.
fn cut(text: &str) -> Option<(&str, &str)> {
    text.char_indices().find_map(|(at, character)| {
        let rest = text.get(at + character.len_utf8()..)?;
        let line = || rest.trim_start_matches([' ', '\t', '\r']);
        let ends = match character {
            '.' | '!' | '?' | ';' => rest.starts_with(char::is_whitespace),
            '\n' => line().starts_with(['\n', '-', '*', '\u{2022}']),
            '\u{2013}' | '\u{2014}' => rest.starts_with(' '),
            _ => false,
        };
        ends.then(|| (text.get(..at).unwrap_or_default(), rest))
    })
}

/// What a sentence says: its clauses, and the form of its verbs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The clauses, one for each verb.
    pub clauses: Vec<Clause>,
    /// The form of the first verb, which the others share.
    pub form: Form,
    /// It says what the tool does, and not what to do with it: `Deletes …`, `Supports deleting …`.
    pub tells: bool,
}

impl Sentence {
    /// What a sentence says that the tool does, if its verb is known.
    pub fn of(text: &str) -> Option<Self> {
        let tokens = tokens(&without_parentheses(text));
        let opening = opening(&tokens);
        let (at, verb) = first_verb(&tokens, opening)?;
        let heads = heads(&tokens, at, verb);
        let behind = tokens.get(at + 1).map_or("", String::as_str);
        let is_noun = verb.is_either() && verb.form == Form::ThirdPerson && is_one_of(SPEECH.predicates, behind);
        let tells = at == opening
            && !is_noun
            && match verb.form {
                Form::Base => false,
                Form::ThirdPerson => true,
                Form::Gerund => 0 < opening,
            };
        let clauses = (0..heads.len()).filter_map(|nth| Some(Clause { verb: heads.get(nth)?.1, words: done_to(&tokens, &heads, nth) }));
        Some(Self { clauses: clauses.collect(), form: verb.form, tells })
    }
}

fn without_parentheses(text: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            other if depth == 0 => kept.push(other),
            _ => {}
        }
    }
    // One that never closes hides nothing.
    if depth == 0 { kept } else { text.to_owned() }
}

/// Words in lower case, and the signs that matter between them.
fn tokens(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let (mut is_open, mut was_space) = (false, false);
    for character in text.chars() {
        if character.is_alphanumeric() {
            if !is_open {
                found.push(String::new());
            }
            found.last_mut().into_iter().for_each(|word| word.extend(character.to_lowercase()));
        } else if matches!(character, ',' | '/' | ':') {
            found.push(character.to_string());
        } else if character == '-' && was_space {
            // `Manage tasks - create, update`.
            found.push(",".to_owned());
        }
        was_space = character == ' ';
        is_open = character.is_alphanumeric();
    }
    found
}

/// Where a sentence comes to what is done.
fn opening(tokens: &[String]) -> usize {
    let word = |at: usize| tokens.get(at).map_or("", String::as_str);
    let mut at = 0;
    while at < tokens.len() {
        let is_person = |at: usize| is_one_of(SPEECH.persons, word(at));
        let is_followed =
            is_person(at + 1) || is_one_of(SPEECH.articles, word(at + 1)) && is_person(at + 2) || word(at + 1).ends_with("ing");
        let is_enabler = is_one_of(SPEECH.enablers, word(at)) && is_followed;
        if !is_enabler && !is_one_of(SPEECH.openers, word(at)) && !is_one_of(SPEECH.adverbs, word(at)) {
            break;
        }
        at += 1;
    }
    at
}

fn first_verb(tokens: &[String], opening: usize) -> Option<(usize, ActVerb)> {
    let verb = |at: usize| tokens.get(at).and_then(|word| ActVerb::of(word)).map(|verb| (at, verb));
    let leads = |at: &usize| tokens.get(*at).is_some_and(|word| matches!(word.as_str(), "to" | "for" | "that"));
    // `Use a program to automatically fix faults.`
    let behind = |at: usize| (at + 1..tokens.len()).find(|at| tokens.get(*at).is_some_and(|word| !is_one_of(SPEECH.adverbs, word)));
    verb(opening).or_else(|| (opening..=opening + NEAR).filter(leads).find_map(|at| verb(behind(at)?)))
}

/// The verbs of a sentence: the first, and those that are joined to it in the same form.
fn heads(tokens: &[String], first: usize, verb: ActVerb) -> Vec<(usize, ActVerb)> {
    let word = |at: usize| tokens.get(at).map_or("", String::as_str);
    let joins = |at: usize| matches!(word(at), "," | "/") || is_one_of(SPEECH.joiners, word(at));
    let mut heads = vec![(first, verb)];
    for at in first + 1..tokens.len() {
        let before = if is_one_of(SPEECH.adverbs, word(at - 1)) { at.saturating_sub(2) } else { at - 1 };
        let Some(next) = ActVerb::of(word(at)).filter(|next| next.form == verb.form && joins(before)) else { continue };
        let is_listed = joins(at + 1);
        let is_done_to = is_one_of(SPEECH.articles, word(at + 1));
        // `comments, labels and files` are nouns; `create, update or delete` are not.
        let continues = heads.last().is_some_and(|(last, _)| at <= *last + 3);
        if next.is_either() && !is_done_to && !(is_listed && continues) {
            continue;
        }
        heads.push((at, next));
    }
    heads
}

/// What a verb of a sentence is done to; verbs in a row share it, and those that say how something is managed share that.
fn done_to(tokens: &[String], heads: &[(usize, ActVerb)], nth: usize) -> Vec<String> {
    let mut words = Vec::new();
    let manages = 0 < nth && heads.first().is_some_and(|(_, verb)| verb.acts().next().is_some() && verb.acts().all(|act| act.is_weak));
    let has_own = heads.get(nth + 1).is_none_or(|(next, _)| heads.get(nth).is_some_and(|(at, _)| at + 2 < *next));
    if manages && !has_own {
        return done_to(tokens, heads, 0);
    }
    for at in nth..heads.len() {
        let Some((start, _)) = heads.get(at) else { break };
        let end = heads.get(at + 1).map_or(tokens.len(), |(next, _)| *next);
        let run = tokens.get(start + 1..end).unwrap_or_default().iter();
        let run = run.take_while(|word| !is_one_of(SPEECH.stops, word));
        words = run.filter(|word| word.starts_with(char::is_alphanumeric) && !is_one_of(SPEECH.joiners, word)).cloned().collect();
        if !words.is_empty() {
            break;
        }
    }
    // `Load a script and run it`.
    if 0 < nth && words.iter().all(|word| is_one_of(SPEECH.articles, word)) {
        let before = done_to(tokens, heads, nth - 1);
        words.splice(0..0, before);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<(&'static str, String)> {
        let clauses = sentences(text).first().and_then(|first| Sentence::of(first)).map(|sentence| sentence.clauses).unwrap_or_default();
        clauses.into_iter().map(|clause| (clause.verb.base, clause.words.join(" "))).collect()
    }

    #[test]
    fn the_verbs_of_a_sentence_are_told_with_what_they_are_done_to() {
        for (text, expected) in [
            ("Delete an image set.", vec![("delete", "an image set")]),
            ("Notion | Delete a block", vec![("delete", "a block")]),
            ("[Beta] This tool will permanently delete files before they age.", vec![("delete", "files")]),
            ("Create, patch, or delete routes", vec![("create", "routes"), ("patch", "routes"), ("delete", "routes")]),
            ("List comments, labels and files", vec![("list", "comments labels files")]),
            ("Load a script and run it", vec![("load", "a script"), ("run", "a script it")]),
            ("This tool allows buying a coin", vec![("buy", "a coin")]),
            ("MCP tool to query a store", vec![("query", "a store")]),
            ("Use a program to automatically fix faults", vec![("fix", "faults")]),
            ("Get a message (requires mail.send scope).", vec![("get", "a message")]),
            ("Nothing of note", vec![]),
            ("", vec![]),
        ] {
            let expected: Vec<(&str, String)> = expected.into_iter().map(|(verb, words)| (verb, words.to_owned())).collect();
            assert_eq!(told(text), expected, "{text}");
        }
    }

    #[test]
    fn descriptions_are_cut_into_sentences() {
        assert_eq!(sentences("A b. C d!\n\nE\n- f; g \u{2014} h 1.5"), ["A b", "C d", "E", "- f", "g", "h 1.5"]);
        assert_eq!(sentences("[[[(("), Vec::<&str>::new());
    }
}
