//! What a tool of several modes does: the modes that a parameter chooses from, wherever the definition lists them.

use crate::knowledge::act::{ActVerb, SPEECH, is_one_of};
use crate::knowledge::definition::{Definition, Parameter};
use crate::meaning::tool::clause::Clause;
use crate::meaning::tool::name;
use crate::meaning::tool::sentence::{Sentence, sentences};
use crate::value::words::words;

/// What stands before an entry of a list.
const BULLETS: &[char] = &['-', '*', '\u{2022}'];
/// The label of an entry is no longer than this, in bytes.
const LABEL: usize = 40;

/// The clauses of all modes, with what the tool's name says they are done to.
pub fn clauses(definition: &Definition) -> Vec<Clause> {
    let is_mode = |parameter: &&Parameter| is_one_of(SPEECH.modes, &parameter.name.to_lowercase());
    let choosing: Vec<&Parameter> = definition.parameters.iter().filter(is_mode).collect();
    let mut names: Vec<String> = choosing.iter().flat_map(|parameter| listed(parameter)).collect();
    let mut told = Vec::new();
    if names.is_empty() && !choosing.is_empty() {
        names = choosing.iter().flat_map(|parameter| documented(&definition.description, &parameter.name)).collect();
        for (label, text) in entries(definition) {
            told.extend(Sentence::of(text).into_iter().flat_map(|sentence| sentence.clauses));
            names.push(label.to_owned());
        }
    }
    let nouns: Vec<String> = words(&definition.name).into_iter().filter(|word| ActVerb::of(word).is_none()).collect();
    let named = names.iter().flat_map(|name| name::clauses(name)).map(|mut clause| {
        clause.words.extend(nouns.iter().cloned());
        clause
    });
    named.chain(told).collect()
}

/// What a request may do whose method is not listed.
const REQUESTS: &[&str] = &["get", "put", "delete"];

/// The clauses of what any request may do, where a parameter takes any method of HTTP.
pub fn requested(definition: &Definition) -> Vec<Clause> {
    let is_any = definition.parameters.iter().any(takes_any_method);
    REQUESTS.iter().filter(|_| is_any).flat_map(|name| name::clauses(name)).collect()
}

/// A `HTTP method`, without a list of those that change something.
fn takes_any_method(parameter: &Parameter) -> bool {
    let text = parameter.description.to_lowercase();
    let is_listed = ["post", "put", "patch", "delete", "head"].iter().any(|name| text.contains(name));
    parameter.name.eq_ignore_ascii_case("method") && text.contains("http") && !is_listed && parameter.choices.is_empty()
}

/// The modes that a parameter lists: as its choices, in quotes, or separated by commas or bars.
fn listed(parameter: &Parameter) -> Vec<String> {
    if !parameter.choices.is_empty() {
        return parameter.choices.clone();
    }
    let text = &parameter.description;
    let quoted = quoted(text);
    if !quoted.is_empty() || !text.contains([',', '|']) {
        return quoted;
    }
    let list = text.split_once(':').map_or(text.as_str(), |(_, list)| list);
    list.split(|character: char| !character.is_alphanumeric() && !matches!(character, '_' | '-'))
        .filter(|name| is_name(name))
        .map(str::to_owned)
        .collect()
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-'))
}

fn quoted(text: &str) -> Vec<String> {
    text.split(['"', '\'', '`']).skip(1).step_by(2).filter(|name| is_name(name)).map(str::to_owned).collect()
}

/// The modes that the description quotes where it explains the parameter: `operation: one of "add", "remove"`.
fn documented(description: &str, parameter: &str) -> Vec<String> {
    let explains = |line: &&str| {
        let rest = line.trim_start().trim_start_matches(BULLETS).trim_start().strip_prefix(parameter);
        rest.is_some_and(|rest| rest.trim_start().starts_with([':', '(', '=']))
    };
    let explained = description.lines().filter(explains).flat_map(quoted);
    explained.chain(enumerated(description)).collect()
}

/// The modes that a sentence enumerates: `Actions: create, delete.`.
fn enumerated(description: &str) -> Vec<String> {
    let lists = |sentence: &&str| {
        let word = sentence.rsplit(' ').next().unwrap_or_default();
        is_one_of(SPEECH.modes, &word.to_lowercase())
    };
    let lists = description.split(['.', '\n']).filter_map(|line| line.split_once(':')).filter(|(head, _)| lists(head));
    lists.flat_map(|(_, list)| list.split([',', '|', ' '])).filter(|name| is_name(name)).map(str::to_owned).collect()
}

/// The entries of the lists of a description that explain no parameter, each with its label: `- get: Get the track`.
fn entries(definition: &Definition) -> Vec<(&str, &str)> {
    let is_parameter = |label: &str| definition.parameters.iter().any(|parameter| parameter.name == label);
    let entry = |sentence| -> Option<(&str, &str)> {
        let (label, text) = str::strip_prefix(sentence, BULLETS)?.split_once(':')?;
        let label = label.trim().trim_matches(['`', '*', '"', '\'']);
        (label.len() <= LABEL && is_name(label) && !is_parameter(label)).then_some((label, text.trim()))
    };
    sentences(&definition.description).into_iter().filter_map(entry).collect()
}
