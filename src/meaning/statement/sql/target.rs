//! What a statement is done to: the kind of thing and its name.

use crate::knowledge::statement::is_spare_word;
use crate::language::sql::Token;
use crate::value::words::words;

/// What may stand between a verb and the kind of thing.
const MODIFIERS: &[&str] = &[
    "or",
    "replace",
    "temp",
    "temporary",
    "global",
    "local",
    "unlogged",
    "foreign",
    "external",
    "materialized",
    "trusted",
    "concurrently",
    "public",
    "unique",
    "aggregate",
    "transient",
    "force",
    "virtual",
];
/// What may stand before a name.
const BEFORE: &[&str] = &["table", "if", "exists", "not", "only", "from", "ignore", "low_priority", "quick"];

/// Returns true if and only if a name says that the thing is made anew when it is needed.
pub fn is_spare(name: &str) -> bool {
    words(name).iter().any(|word| is_spare_word(word))
}

/// The kind of thing that a statement is done to, and what follows it.
pub fn object<'t>(verb: &str, rest: &'t [Token]) -> (&'t str, &'t [Token]) {
    if !["drop", "create", "alter", "truncate", "rename", "set", "reset", "detach", "attach", "undrop", "restore", "backup"].contains(&verb)
    {
        return ("", rest);
    }
    let skipped = rest.iter().take_while(|token| MODIFIERS.iter().any(|word| token.is(word))).count();
    let behind = rest.get(skipped..).unwrap_or_default();
    match behind.split_first() {
        // `TRUNCATE orders`: the name stands at once.
        Some((Token::Word(kind), _)) if verb == "truncate" && kind != "table" => ("", behind),
        Some((Token::Word(kind), after)) => (kind, after),
        Some(_) | None => ("", behind),
    }
}

/// The target of a clause (`if exists`, `only`, quotes, a schema before it) and what follows it.
pub fn target(tokens: &[Token]) -> Option<(&str, &[Token])> {
    let skipped = tokens.iter().take_while(|token| BEFORE.iter().any(|word| token.is(word)));
    let mut rest = tokens.get(skipped.count()..)?;
    let mut name = "";
    loop {
        let (token, behind) = rest.split_first()?;
        name = match token {
            Token::Word(own) | Token::Name(own) | Token::Text(own) => own,
            Token::Hole | Token::Unknown => "",
            Token::Sign("[" | "]") => name,
            Token::Number(_) | Token::Sign(_) => return None,
        };
        rest = behind;
        match rest.first() {
            Some(Token::Sign("." | "]")) => rest = rest.get(1..)?,
            _ if matches!(token, Token::Sign("[")) => {}
            _ => return Some((name, rest)),
        }
        if rest.is_empty() || !matches!(rest.first(), Some(Token::Word(_) | Token::Name(_) | Token::Sign("["))) {
            return Some((name, rest));
        }
        if !matches!(token, Token::Sign(_)) && matches!(rest.first(), Some(Token::Word(word)) if is_clause(word)) {
            return Some((name, rest));
        }
    }
}

fn is_clause(word: &str) -> bool {
    matches!(word, "where" | "set" | "cascade" | "restrict" | "using" | "returning" | "limit" | "order")
}
