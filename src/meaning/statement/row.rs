//! Which rows fit a statement.

use std::ops::Range;

use crate::knowledge::statement::{Language, StatementRow, Tests, own_rows, rows};
use crate::knowledge::wildcard::fits;
use crate::meaning::statement::Statement;
use crate::subject::segment::HOLE;

/// The rows that fit a statement, in order. Where rows of the user's own fit, they alone count.
pub fn fitting(own: &Statement) -> impl Iterator<Item = &'static StatementRow> {
    let own = Asked::of(own);
    let has_own = own_rows().iter().any(|row| own.fits(row));
    let all = if has_own { own_rows() } else { rows() };
    all.iter().filter(move |row| own.fits(row))
}

/// What a row says of a statement.
pub fn told(own: &Statement, row: &StatementRow) -> String {
    let name = if own.name.is_empty() { "?" } else { &own.name };
    let verb = own.verbs.first().map_or("", String::as_str);
    row.says.replace("{name}", &name.replace(HOLE, "…")).replace("{object}", &own.object).replace("{verb}", verb)
}

/// A statement of which many rows are asked, with its texts in the letters that these are written in.
struct Asked<'s> {
    own: &'s Statement,
    name: String,
    /// Where the parts of an address stand in its name.
    parts: Vec<Range<usize>>,
    sets: Vec<String>,
    texts: Vec<String>,
}

impl<'s> Asked<'s> {
    fn of(own: &'s Statement) -> Self {
        let lower = |texts: &[String]| texts.iter().map(|text| text.to_lowercase()).collect();
        // The parts of an address are the server's own.
        let name = if own.language == Language::Http { own.name.clone() } else { own.name.to_lowercase() };
        let parts = if own.language == Language::Http { parts(&name) } else { Vec::new() };
        Self { own, name, parts, sets: lower(&own.sets), texts: lower(&own.texts) }
    }

    fn fits(&self, row: &StatementRow) -> bool {
        let own = self.own;
        row.language == own.language
            && (row.object.is_empty() || row.object.contains(&own.object.as_str()))
            && (row.verb.is_empty() || own.verbs.iter().any(|verb| row.verb.contains(&verb.as_str())))
            && row.when.iter().all(|tests| self.asked(tests).all(|holds| holds))
            && (row.unless.is_empty() || !self.asked(&row.unless).any(|holds| holds))
    }

    /// Whether each of those predicates holds that are asked.
    fn asked<'a>(&'a self, tests: &'a Tests) -> impl Iterator<Item = bool> + 'a {
        PREDICATES.iter().filter_map(move |predicate| predicate(self, tests))
    }

    /// Returns true if and only if the last parts of an address fit those of a wildcard.
    fn fits_end(&self, wildcard: &str) -> bool {
        let mut parts = self.parts.iter().rev();
        let mut wanted = wildcard.rsplit('/').filter(|wanted| !wanted.is_empty());
        wanted.all(|wanted| parts.next().and_then(|part| self.name.get(part.clone())).is_some_and(|part| fits(wanted, part)))
    }

    fn is_named(&self, wildcard: &str) -> bool {
        match self.own.language {
            Language::Http => self.fits_end(wildcard),
            Language::Sql | Language::Mongo | Language::Redis | Language::Graphql | Language::Cypher | Language::Tool => {
                fits(wildcard, &self.name)
            }
        }
    }
}

/// What may be asked of a statement, the quickest first: whether it holds, if it is asked.
const PREDICATES: [fn(&Asked<'_>, &Tests) -> Option<bool>; 8] = [
    |asked, tests| tests.is_spare.then_some(asked.own.is_spare),
    |asked, tests| (!tests.extent.is_empty()).then(|| tests.extent.contains(&asked.own.extent)),
    |asked, tests| (!tests.host.is_empty()).then(|| fits_any(tests.host, &asked.own.host)),
    |asked, tests| (!tests.name.is_empty()).then(|| tests.name.iter().any(|wildcard| asked.is_named(wildcard))),
    |asked, tests| (!tests.call.is_empty()).then(|| asked.own.calls.iter().any(|call| tests.call.contains(&call.as_str()))),
    |asked, tests| (!tests.has.is_empty()).then(|| tests.has.iter().any(|phrase| has_phrase(&asked.own.words, phrase))),
    |asked, tests| (!tests.set.is_empty()).then(|| asked.sets.iter().any(|set| fits_any(tests.set, set))),
    |asked, tests| (!tests.text.is_empty()).then(|| asked.texts.iter().any(|text| fits_any(tests.text, text))),
];

fn fits_any(wildcards: &[&str], text: &str) -> bool {
    wildcards.iter().any(|wildcard| fits(wildcard, text))
}

fn has_phrase(words: &[String], phrase: &[&str]) -> bool {
    words.windows(phrase.len().max(1)).any(|words| words.iter().eq(phrase.iter()))
}

/// Where the parts of an address stand.
fn parts(path: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for part in path.split('/') {
        let end = start + part.len();
        if start < end {
            parts.push(start..end);
        }
        start = end + 1;
    }
    parts
}
