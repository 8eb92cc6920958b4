//! Statements that tell how many there are, and nothing of what they say.

use crate::knowledge::words::Tag;
use crate::language::sql::{Token, statements};

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
    let is_one = !after.iter().any(|token| token.is("union") || token == first);
    is_one && split(columns).iter().all(|column| is_counted(column))
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
            ("select COUNT(*) as n, avg(age) from users where city = $1", true),
            ("SELECT count(*)::int AS n FROM users", true),
            ("SELECT count(DISTINCT email) FROM users;", true),
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
