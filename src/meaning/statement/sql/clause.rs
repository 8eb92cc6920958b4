//! How many rows a DELETE or UPDATE reaches.

use crate::knowledge::command::list;
use crate::knowledge::effect::Extent;
use crate::knowledge::statement::Language;
use crate::language::sql::Token;
use crate::language::sql::condition::{condition, is_join};
use crate::meaning::statement::Statement;
use crate::meaning::statement::sql::target::{is_spare, target};
use crate::value::words::words;

/// The statement that a DELETE or UPDATE is, by what follows its verb; `is_first` says that nothing stands before it.
/// `picked` are the names of what it chose before: `WITH due AS (SELECT … LIMIT 500)`.
pub fn changed(verb: &str, rest: &[Token], is_first: bool, made: &[&str], picked: &[&str]) -> Option<Statement> {
    let is_statement = match verb {
        // A MERGE says what it is done to before.
        "update" => rest.iter().skip(1).any(|token| token.is("set")) && !rest.first().is_some_and(|first| first.is("set")),
        _ => deletes(rest, is_first),
    };
    let (name, behind) = if is_statement { target(rest)? } else { return None };
    let mut own = Statement::new(Language::Sql, verb);
    own.object = "rows".to_owned();
    own.words = bare(verb, rest);
    name.clone_into(&mut own.name);
    own.is_spare = made.contains(&name) || is_spare(name);
    own.extent = extent(behind, &[made, picked].concat());
    let assigned = behind.iter().position(|token| token.is("where")).map_or(behind, |at| behind.get(..at).unwrap_or_default());
    own.sets = written(assigned);
    Some(own)
}

/// What a change sets to a value that is written out: what is worked out from a row, or stands in another one, is none.
fn written(assigned: &[Token]) -> Vec<String> {
    const LITERAL: [&str; 4] = ["null", "true", "false", "default"];
    let is_column = |token: &Token| matches!(token, Token::Word(_)) && !LITERAL.iter().any(|word| token.is(word));
    let known: Vec<Token> = assigned
        .windows(2)
        .filter_map(|pair| match pair {
            [Token::Sign("="), value] if is_column(value) => Some(Token::Unknown),
            [_, value] => Some(value.clone()),
            _ => None,
        })
        .collect();
    sets(&assigned.first().cloned().into_iter().chain(known).collect::<Vec<Token>>())
}

/// What stands on both sides of a sign or word that sets something.
pub fn sets(rest: &[Token]) -> Vec<String> {
    let value = |token: &Token| match token {
        Token::Word(text) | Token::Name(text) => Some(text.clone()),
        Token::Text(text) => Some(text.to_lowercase()),
        Token::Number(number) => Some(number.to_string()),
        Token::Sign("+" | "-") => Some(String::new()),
        Token::Sign(_) | Token::Hole | Token::Unknown => None,
    };
    let triples = rest.windows(3).filter_map(|triple| match triple {
        [name, sign, set] if *sign == Token::Sign("=") || sign.is("to") => Some(format!("{}={}", value(name)?, value(set)?)),
        _ => None,
    });
    // `sp_configure 'show advanced options', 1`, `SET IDENTITY_INSERT t ON`.
    let configured = rest.windows(3).filter_map(|triple| match triple {
        [Token::Text(name), Token::Sign(","), Token::Number(set)] => Some(format!("{}={set}", name.to_lowercase())),
        _ => None,
    });
    let hidden = rest.windows(2).filter_map(|pair| match pair {
        [Token::Hole, Token::Sign("=")] => None,
        [name, Token::Word(state)] if matches!(state.as_str(), "on" | "off") => Some(format!("{}={state}", value(name)?)),
        _ => None,
    });
    triples.chain(configured).chain(hidden).collect()
}

/// The words of a statement in order, without its strings.
pub fn bare(verb: &str, rest: &[Token]) -> Vec<String> {
    let word = |token: &Token| match token {
        Token::Word(word) | Token::Name(word) => Some(word.clone()),
        Token::Text(_) | Token::Number(_) | Token::Sign(_) | Token::Hole | Token::Unknown => None,
    };
    std::iter::once(verb.to_owned()).chain(rest.iter().filter_map(word)).collect()
}

/// Returns true if and only if DELETE begins a statement: `FROM` follows, or names and then `FROM`, or all is a name and its condition.
fn deletes(rest: &[Token], is_first: bool) -> bool {
    let is = |token: Option<&Token>, words: &[&str]| token.is_some_and(|token| words.iter().any(|word| token.is(word)));
    if is(rest.first(), &["from", "ignore", "quick", "low_priority"]) {
        return true;
    }
    let names = rest
        .iter()
        .take_while(|token| !token.is("from") && (token.name().is_some() || matches!(token, Token::Sign("," | "." | "*" | "[" | "]"))));
    let after = rest.get(names.count()..).unwrap_or_default();
    let is_plain = is_first && target(rest).is_some_and(|(_, behind)| behind.is_empty() || is(behind.first(), &["where"]));
    is(after.first(), &["from"]) || is_plain
}

/// The tokens up to the parenthesis that closes around them.
pub fn within(tokens: &[Token]) -> &[Token] {
    let mut depth = 0_i32;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign("(") => depth += 1,
            Token::Sign(")") => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return tokens.get(..at).unwrap_or_default();
        }
    }
    tokens
}

/// How much is reached by what stands behind the target.
fn extent(behind: &[Token], made: &[&str]) -> Extent {
    let top = top_level(behind);
    let has = |word: &str| top.iter().any(|at| behind.get(*at).is_some_and(|token| token.is(word)));
    let is_limited = has("limit") || has("top") || has("fetch");
    let joins = has("join") || has("using") || has("from");
    let Some(at) = top.iter().position(|at| behind.get(*at).is_some_and(|token| token.is("where"))) else {
        return match () {
            () if may_hold_a_clause(behind) => Extent::Unknown,
            () if is_limited => Extent::Bounded,
            () if joins => joined(behind, made),
            () => Extent::All,
        };
    };
    let Some(start) = top.get(at).map(|start| start + 1) else { return Extent::Unknown };
    let ends = |token: &Token| ["returning", "limit", "order", "fetch", "option"].iter().any(|word| token.is(word));
    let end = top.get(at..).unwrap_or_default().iter().copied().find(|end| behind.get(*end).is_some_and(ends)).unwrap_or(behind.len());
    let asked = behind.get(start..end).unwrap_or_default();
    match condition(asked) {
        Some(false) => Extent::Nothing,
        Some(true) if is_limited => Extent::Bounded,
        Some(true) => Extent::All,
        None if joins && !is_limited && is_join(asked) => joined(behind, made),
        None if names_row(asked) => Extent::One,
        None => Extent::Bounded,
    }
}

/// Returns true if and only if a condition asks for a row by what tells it from all others: `id = 7`, `s.supplier_id = $1`.
fn names_row(asked: &[Token]) -> bool {
    asked.windows(2).any(|pair| {
        let is_key = |name: &str| words(name).last().is_some_and(|last| list("row-ids").contains(&last.as_str()));
        matches!(pair, [name, Token::Sign("=")] if name.name().is_some_and(is_key))
    })
}

/// How much a join lets through. The other table bounds nothing by itself, unless it was picked for this or its tie compares.
fn joined(behind: &[Token], made: &[&str]) -> Extent {
    let picks = |token: &Token| token.is("select") || token.name().is_some_and(|name| made.contains(&name) || is_spare(name));
    let tie = behind.iter().position(|token| token.is("on")).and_then(|on| behind.get(on + 1..));
    let compares = tie.is_some_and(|tie| !is_join(tie.split(|token| token.is("where") || token.is("set")).next().unwrap_or(tie)));
    if behind.iter().any(picks) || compares { Extent::Bounded } else { Extent::Unbounded }
}

/// The places of tokens that stand in no parentheses.
fn top_level(tokens: &[Token]) -> Vec<usize> {
    let mut depth = 0_i32;
    let mut places = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign("(") => depth += 1,
            Token::Sign(")") => depth -= 1,
            _ if depth == 0 => places.push(at),
            _ => {}
        }
    }
    places
}

/// Returns true if and only if an unknown stretch may hold the condition that is not seen.
fn may_hold_a_clause(tokens: &[Token]) -> bool {
    tokens.iter().enumerate().any(|(at, token)| {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let is_value = before.is_some_and(|before| matches!(before, Token::Sign(sign) if *sign != ")") || before.is("set"));
        *token == Token::Unknown && !is_value
    })
}
