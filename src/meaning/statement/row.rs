//! Which rows fit a statement.

use crate::knowledge::statement::{Language, StatementRow, Tests, own_rows, rows};
use crate::knowledge::wildcard::fits;
use crate::meaning::statement::Statement;

/// The rows that fit a statement, in order. Where rows of the user's own fit, they alone count.
pub fn fitting(own: &Statement) -> impl Iterator<Item = &'static StatementRow> {
    let has_own = own_rows().iter().any(|row| fits_row(own, row));
    let all = if has_own { own_rows() } else { rows() };
    all.iter().filter(|row| fits_row(own, row))
}

/// What a row says of a statement.
pub fn told(own: &Statement, row: &StatementRow) -> String {
    let name = if own.name.is_empty() { "?" } else { &own.name };
    let verb = own.verbs.first().map_or("", String::as_str);
    row.says.replace("{name}", name).replace("{object}", &own.object).replace("{verb}", verb)
}

fn fits_row(own: &Statement, row: &StatementRow) -> bool {
    let is_verb = row.verb.is_empty() || own.verbs.iter().any(|verb| row.verb.contains(&verb.as_str()));
    let is_object = row.object.is_empty() || row.object.contains(&own.object.as_str());
    row.language == own.language
        && is_verb
        && is_object
        && row.when.iter().all(|tests| asked(own, tests).all(|holds| holds))
        && (row.unless.is_empty() || !asked(own, &row.unless).any(|holds| holds))
}

/// Whether each of those predicates holds that are asked.
fn asked(own: &Statement, tests: &Tests) -> impl Iterator<Item = bool> {
    let phrase = |phrase: &&[&str]| own.words.windows(phrase.len().max(1)).any(|words| words.iter().eq(phrase.iter()));
    let any = |wildcards: &[&str], texts: &[String]| {
        texts.iter().any(|text| wildcards.iter().any(|wildcard| fits(wildcard, &text.to_lowercase())))
    };
    let named = |wildcard: &&str| match own.language {
        Language::Http => fits_end(wildcard, &own.name),
        Language::Sql | Language::Mongo | Language::Redis | Language::Graphql | Language::Cypher | Language::Tool => {
            fits(wildcard, &own.name.to_lowercase())
        }
    };
    [
        (!tests.has.is_empty()).then(|| tests.has.iter().any(phrase)),
        (!tests.call.is_empty()).then(|| own.calls.iter().any(|call| tests.call.contains(&call.as_str()))),
        (!tests.set.is_empty()).then(|| any(tests.set, &own.sets)),
        (!tests.text.is_empty()).then(|| any(tests.text, &own.texts)),
        (!tests.name.is_empty()).then(|| tests.name.iter().any(named)),
        (!tests.host.is_empty()).then(|| tests.host.iter().any(|wildcard| fits(wildcard, &own.host))),
        (!tests.extent.is_empty()).then(|| tests.extent.contains(&own.extent)),
        tests.is_spare.then_some(own.is_spare),
    ]
    .into_iter()
    .flatten()
}

/// Returns true if and only if the last parts of an address fit those of a wildcard.
fn fits_end(wildcard: &str, path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let wanted: Vec<&str> = wildcard.split('/').filter(|part| !part.is_empty()).collect();
    let start = parts.len().checked_sub(wanted.len());
    let end = start.and_then(|start| parts.get(start..));
    end.is_some_and(|end| end.iter().zip(&wanted).all(|(part, wanted)| fits(wanted, part)))
}
