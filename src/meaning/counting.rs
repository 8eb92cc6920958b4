//! Statements that tell how many there are, and nothing of what they say.

use crate::knowledge::command::list;
use crate::knowledge::words::Tag;
use crate::language::sql::{Token, statements};
use crate::value::words::words;

/// Returns true if and only if a text is a statement, or several, of which each only counts: `SELECT count(*) FROM users`.
pub fn only_counts(text: &str) -> bool {
    let is_selection = text.trim_start().get(..6).is_some_and(|verb| verb.eq_ignore_ascii_case("select"));
    if !is_selection {
        return false;
    }
    let all = statements(text);
    !all.is_empty() && all.iter().all(|statement| is_count(statement))
}

/// Returns true if and only if every column of a statement counts.
fn is_count(statement: &[Token]) -> bool {
    let Some((first, rest)) = statement.split_first().filter(|(first, _)| first.is("select")) else { return false };
    let end = rest.iter().position(|token| token.is("from")).unwrap_or(rest.len());
    let (columns, after) = rest.split_at(end);
    let columns = split(columns);
    // How many there are of each tells nothing of any of them.
    let only_counts = columns.iter().all(|column| !adds(column) || is_bucket(column));
    let is_parted = |name: &str| Tag::SqlApart.has(name) && !(only_counts && name.eq_ignore_ascii_case("group"));
    let is_apart = |token: &Token| token == first || *token == Token::Unknown || token.name().is_some_and(is_parted);
    let counts = columns.iter().any(|column| is_counted(column));
    let is_counted = counts && !rest.iter().any(is_apart) && columns.iter().all(|column| is_counted(column) || is_bucket(column));
    is_counted && is_of_tables(after) && (only_counts || is_of_many(after))
}

/// Returns true if and only if a column is made of what stands in the rows: the sum over one row is its value.
fn adds(column: &[Token]) -> bool {
    column.first().and_then(Token::name).is_some_and(|name| !Tag::CountingKey.has(name) && !Tag::CountingEnd.has(name))
}

/// Returns true if and only if what is counted are the rows of tables: a function may make as many of them as a value says.
fn is_of_tables(after: &[Token]) -> bool {
    let source = after.split(|token| token.is("where")).next().unwrap_or_default();
    !source.contains(&Token::Sign("("))
}

/// Returns true if and only if a selection takes all rows, or all since or until some time: no condition leaves one alone.
fn is_of_many(after: &[Token]) -> bool {
    let mut parts = after.splitn(2, |token| token.is("where"));
    let is_one_table = parts.next().is_some_and(|source| !source.iter().any(|token| token.is("join") || token.is("on")));
    is_one_table && parts.next().is_none_or(|condition| condition.split(|token| token.is("and")).all(is_since))
}

/// Returns true if and only if a condition asks when something happened: `created_at > now()`.
fn is_since(condition: &[Token]) -> bool {
    let Some(at) = condition.iter().position(|token| matches!(token, Token::Sign("<" | ">" | "<=" | ">="))) else { return false };
    let (column, bound) = condition.split_at(at);
    let is_path = column.iter().all(|token| token.name().is_some() || *token == Token::Sign("."));
    let last = column.last().and_then(Token::name).map(words).unwrap_or_default();
    let is_moment = last.last().is_some_and(|word| Tag::Moment.has(word));
    let is_plain = |token: &Token| {
        !matches!(
            token,
            Token::Unknown | Token::Sign("=" | "==" | "<>" | "!=" | "<=>" | "<" | ">" | "<=" | ">=" | "*" | "/" | "%" | "||" | "!")
        )
    };
    is_path && is_moment && bound.iter().skip(1).all(is_plain)
}

/// The columns of a selection, split at the commas that stand in no parenthesis.
fn split(columns: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0_usize;
    columns
        .split(|token| {
            match token {
                Token::Sign("(") => depth += 1,
                Token::Sign(")") => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && *token == Token::Sign(",")
        })
        .collect()
}

/// Returns true if and only if a column tells in which stretch of time something happened: `date_trunc('hour', created_at) AS hour`.
fn is_bucket(column: &[Token]) -> bool {
    let [Token::Word(function), Token::Sign("("), rest @ ..] = column else { return false };
    let moments = rest.iter().filter_map(Token::name).any(|name| words(name).last().is_some_and(|last| Tag::Moment.has(last)));
    list("time-buckets").contains(&&*function.to_lowercase()) && moments && !rest.contains(&Token::Sign("("))
}

/// Returns true if and only if a column is the count of something, under whatever name.
fn is_counted(column: &[Token]) -> bool {
    let [Token::Word(function), Token::Sign("("), rest @ ..] = column else { return false };
    let end = rest.iter().position(|token| *token == Token::Sign(")"));
    let after = end.and_then(|end| rest.get(end + 1..)).unwrap_or(column);
    let is_name = |token: &Token| token.name().is_some() || matches!(token, Token::Sign(":"));
    Tag::SqlCount.has(function) && !rest.contains(&Token::Unknown) && after.iter().all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_are_counts() {
        for (statement, expected) in [
            ("SELECT count(*) FROM users", true),
            ("select COUNT(*) as n from users where city = $1", true),
            ("select COUNT(*) as n, avg(age) from users", true),
            ("SELECT sum(amount) FROM orders o WHERE o.created_at >= now() - interval '7 days' AND o.created_at < $2", true),
            ("SELECT avg(age) FROM users WHERE email = $1", false),
            ("SELECT sum(salary) FROM staff WHERE name LIKE 'A%'", false),
            ("SELECT sum(salary) FROM staff WHERE salary > 100", false),
            ("SELECT sum(salary) FROM staff WHERE created_at > 9 * (name <> 'Ann')", false),
            ("SELECT sum(ssn) FROM patients GROUP BY id", false),
            ("SELECT sum(ssn) OVER w FROM patients WINDOW w AS (PARTITION BY id)", false),
            ("SELECT sum(p.ssn) FROM patients p JOIN one o ON o.id = p.id", false),
            ("SELECT count(*) FROM patients p, generate_series(1, p.ssn) GROUP BY p.id", false),
            ("SELECT count(*) FROM patients p, generate_series(1, p.ssn) WHERE p.id = 1", false),
            ("SELECT/**/email/**/FROM/**/users", false),
            ("SELECT count(*)::int AS n FROM users", true),
            ("SELECT date_trunc('hour', created_at) AS hour, count(*) AS n FROM users GROUP BY 1", true),
            ("SELECT date_trunc('hour', created_at) AS hour FROM users", false),
            ("SELECT date_trunc('hour', email), count(*) FROM users", false),
            ("SELECT count(DISTINCT email) FROM users;", true),
            ("SELECT count(*) AS n FROM users GROUP BY city", true),
            ("SELECT email, count(*) FROM users GROUP BY email", false),
            ("SELECT max(email) FROM users", false),
            ("SELECT count(*) || email FROM users", false),
            ("SELECT count(*) FROM users UNION SELECT email FROM users", false),
            ("SELECT * FROM users", false),
            ("DELETE FROM users", false),
            ("count(*)", false),
        ] {
            assert_eq!(only_counts(statement), expected, "{statement}");
        }
    }
}
