//! Statements that delete, row by row, all that another statement lists.

use crate::language::sql::{Token, statements};
use crate::meaning::listing::{Listing, listing_over};
use crate::meaning::passage::Ends;
use crate::subject::Subject;
use crate::subject::call::{Call, Value};

/// The listing of a whole table each of whose rows a call deletes from that table, if there is one that nothing chooses from.
pub fn emptied_by_rows<'c>(subject: &'c Subject, ends: &'c Ends, call: usize) -> Option<(Listing<'c>, String)> {
    let table = deleted(&statement(subject.calls.get(call)?)?)?;
    let listing = listing_over(subject, ends, call).filter(|listing| !listing.is_chosen)?;
    let from = listing.origin.call?.tool().and_then(|from| subject.calls.get(from))?;
    lists_all(&statement(from)?, &table).then_some((listing, table))
}

/// The first statement that stands in what a call is given.
fn statement(call: &Call) -> Option<Vec<Token>> {
    let mut found = None;
    call.argument.visit("", &mut |_, value| {
        if let (None, Value::String(text, _) | Value::Partial(text, _)) = (&found, value) {
            found = statements(text).into_iter().next().filter(|tokens| tokens.first().is_some_and(begins));
        }
    });
    found
}

fn begins(first: &Token) -> bool {
    first.is("select") || first.is("delete")
}

/// The table of which a statement deletes the rows that it is told.
fn deleted(tokens: &[Token]) -> Option<String> {
    let [verb, from, rest @ ..] = tokens else { return None };
    let is_bound = rest.iter().any(|token| token.is("where"));
    (verb.is("delete") && from.is("from") && is_bound).then(|| table(rest))?
}

/// Returns true if and only if a statement lists all rows of a table.
fn lists_all(tokens: &[Token], of: &str) -> bool {
    const CHOOSING: &[&str] = &["where", "limit", "fetch", "top", "having", "join", "intersect", "except", "union"];
    let from = tokens.iter().position(|token| token.is("from")).and_then(|at| tokens.get(at + 1..));
    let is_chosen = tokens.iter().any(|token| CHOOSING.iter().any(|word| token.is(word)));
    tokens.first().is_some_and(|first| first.is("select")) && !is_chosen && from.and_then(table).is_some_and(|table| table == of)
}

/// The name of a table, without that of its schema.
fn table(tokens: &[Token]) -> Option<String> {
    match tokens {
        [_, Token::Sign("."), name, ..] | [name, ..] => name.name().map(str::to_lowercase),
        [] => None,
    }
}
