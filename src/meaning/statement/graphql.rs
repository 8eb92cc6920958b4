//! GraphQL: the fields of mutations, whose names say what they do.

use crate::knowledge::effect::Extent;
use crate::knowledge::statement::{Language, is_spare_word};
use crate::knowledge::words::Tag;
use crate::meaning::names::words;
use crate::meaning::statement::{Statement, bracketed};

/// Longer texts are not read, in bytes.
const LONGEST: usize = 64 * 1024;

/// Returns true if and only if a text is a document that begins with a mutation.
pub fn is_mutation(text: &str) -> bool {
    // Lines that begin with `#` are comments, by which editors know the language: `#graphql`.
    let mut text = text.trim_start();
    while let Some(comment) = text.strip_prefix('#') {
        text = comment.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
    }
    let behind = text.strip_prefix("mutation");
    behind.is_some_and(|behind| behind.contains('{') && behind.starts_with(|next: char| next.is_whitespace() || matches!(next, '{' | '(')))
}

/// A text with what stands in variables that hold nothing: a filter that is empty leaves nothing out.
pub fn with_empty(text: &str, names: &[&str]) -> String {
    let mut found = text.to_owned();
    for name in names {
        let mut done = 0;
        while let Some(at) = found.get(done..).and_then(|rest| rest.find(&format!("${name}"))).map(|at| at + done) {
            let end = at + 1 + name.len();
            let goes_on = found.get(end..).and_then(|rest| rest.chars().next()).is_some_and(|next| next.is_alphanumeric() || next == '_');
            if !goes_on {
                found.replace_range(at..end, "{}");
            }
            done = if goes_on { end } else { at + 2 };
        }
    }
    found
}

/// The fields of the mutations of a text, each as a statement.
pub fn read(text: &str) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut rest = if text.len() <= LONGEST { text } else { "" };
    while let Some(at) = rest.find("mutation") {
        let behind = rest.get(at..).unwrap_or_default();
        let variables = behind.find('(').filter(|open| behind.find('{').is_some_and(|brace| *open < brace));
        let behind = match variables.and_then(|open| behind.get(open..)) {
            Some(open) => bracketed(open, '(', ')').and_then(|(_, length)| open.get(length..)).unwrap_or_default(),
            None => behind,
        };
        let opened = behind.find('{').and_then(|open| behind.get(open..)).unwrap_or_default();
        let Some((inner, length)) = bracketed(opened, '{', '}') else { break };
        fields(inner, &mut found);
        rest = opened.get(length..).unwrap_or_default();
    }
    found
}

/// The fields at the top of a selection.
fn fields(selection: &str, found: &mut Vec<Statement>) {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let mut rest = selection;
    while let Some(start) = rest.find(is_part) {
        let text = rest.get(start..).unwrap_or_default();
        let length = text.find(|character| !is_part(character)).unwrap_or(text.len());
        let name = text.get(..length).unwrap_or_default();
        let mut behind = text.get(length..).unwrap_or_default().trim_start();
        if let Some(after) = behind.strip_prefix(':') {
            // What stands before the colon is only what the answer is called.
            rest = after;
            continue;
        }
        let mut arguments = "";
        for (open, close) in [('(', ')'), ('{', '}')] {
            if behind.starts_with(open) {
                let (inner, length) = bracketed(behind, open, close).unwrap_or((behind, behind.len()));
                arguments = if open == '(' { inner } else { arguments };
                behind = behind.get(length..).unwrap_or_default().trim_start();
            }
        }
        found.push(of_field(name, arguments));
        rest = behind;
    }
}

fn of_field(name: &str, arguments: &str) -> Statement {
    let named = words(name);
    let mut own = Statement::new(Language::Graphql, named.first().map_or("", String::as_str));
    own.verbs.extend(named.last().cloned());
    own.object = match () {
        () if named.iter().any(|word| Tag::Holder.has(word)) => "holder",
        () if named.iter().any(|word| Tag::People.has(word)) => "people",
        () => "thing",
    }
    .to_owned();
    name.clone_into(&mut own.name);
    own.is_spare = named.iter().any(|word| is_spare_word(word));
    let tight: String = arguments.chars().filter(|character| !character.is_whitespace()).collect();
    let is_all = named.iter().any(|word| word == "all")
        || ["where:{}", "filter:{}", "where:{_not:{}}", "all:true"].iter().any(|all| tight.contains(all));
    own.extent = match () {
        () if is_all => Extent::All,
        () if tight.is_empty() => Extent::Unknown,
        () => Extent::One,
    };
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    own.words = named
        .into_iter()
        .chain(arguments.split(|character| !is_part(character)).filter(|word| !word.is_empty()).map(str::to_lowercase))
        .collect();
    own
}
