//! Cypher: what a query of a graph takes away.

use crate::knowledge::effect::Extent;
use crate::knowledge::statement::Language;
use crate::language::sql::condition::condition;
use crate::language::sql::{Token, statements};
use crate::meaning::statement::Statement;

/// Returns true if and only if a text begins as a query of a graph does.
pub fn is_cypher(text: &str) -> bool {
    let first = statements(text.get(..text.len().min(512)).unwrap_or(text)).into_iter().next().unwrap_or_default();
    match first.as_slice() {
        [verb, Token::Sign("("), ..] => verb.is("match") || verb.is("merge") || verb.is("create"),
        [verb, next, ..] if verb.is("optional") => next.is("match"),
        [verb, next, ..] if verb.is("load") => next.is("csv"),
        [verb, rest @ ..] => (verb.is("match") || verb.is("unwind")) && rest.contains(&Token::Sign("(")),
        [] => false,
    }
}

/// The statements of a text.
pub fn read(text: &str) -> Vec<Statement> {
    statements(text).iter().filter_map(|tokens| of_tokens(tokens)).collect()
}

fn of_tokens(tokens: &[Token]) -> Option<Statement> {
    let first = tokens.first()?.name()?;
    let at = tokens.iter().position(|token| token.is("delete"));
    let mut own = Statement::new(Language::Cypher, if at.is_some() { "delete" } else { first });
    own.words = tokens.iter().filter_map(|token| if let Token::Word(word) = token { Some(word.clone()) } else { None }).collect();
    own.calls = calls(tokens);
    own.texts = tokens.iter().filter_map(|token| if let Token::Text(text) = token { Some(text.clone()) } else { None }).collect();
    own.extent = at.and_then(|at| tokens.get(..at)).map_or(Extent::Unknown, extent);
    if let Some((kind, rest)) = tokens.get(1..).and_then(<[Token]>::split_first) {
        own.object = kind.name().unwrap_or_default().to_owned();
        own.name = rest.first().and_then(Token::name).unwrap_or_default().to_owned();
    }
    Some(own)
}

/// The functions that are called, with what stands before their dots.
fn calls(tokens: &[Token]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| **token == Token::Sign("(")) {
        let before = tokens.get(..at).unwrap_or_default().iter().rev();
        let mut name: Vec<&str> = before.map_while(|token| if *token == Token::Sign(".") { Some(".") } else { token.name() }).collect();
        name.reverse();
        // `CALL apoc.periodic.iterate(`: only what dots tie together is the name.
        let start = name.windows(2).rposition(|pair| pair.iter().all(|part| *part != ".")).map_or(0, |at| at + 1);
        found.push(name.get(start..).unwrap_or_default().concat());
    }
    found
}

/// How much is matched: a condition, properties or a limit bound it; a label does not.
fn extent(matched: &[Token]) -> Extent {
    let has = |word: &str| matched.iter().any(|token| token.is(word));
    if has("limit") || matched.contains(&Token::Sign("{")) {
        return Extent::Bounded;
    }
    let asked = matched.iter().position(|token| token.is("where")).and_then(|at| matched.get(at + 1..));
    let asked = asked.map(|asked| asked.split(|token| token.is("detach") || token.is("with")).next().unwrap_or(asked));
    match asked.map(condition) {
        Some(Some(true)) => Extent::All,
        Some(Some(false)) => Extent::Nothing,
        Some(None) => Extent::Bounded,
        None if matched.contains(&Token::Unknown) => Extent::Unknown,
        None if matched.contains(&Token::Hole) => Extent::Unbounded,
        None => Extent::All,
    }
}
