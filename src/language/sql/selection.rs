//! The columns that a selection answers with.

use crate::language::sql::{Token, statements};

/// The words behind the tables of a selection.
const BEHIND_TABLES: [&str; 6] = ["where", "group", "having", "order", "limit", "offset"];

/// The words of statements whose rows hold more, or something else, than their first columns name.
const APART: [&str; 7] = ["union", "intersect", "except", "with", "into", "values", "minus"];

/// The names of the columns that a statement answers with, if it is one selection whose text tells all of them, each by its own
/// name: `SELECT id, c.status FROM customers c`. Nothing is told by a column under another name, an asterisk, a function other than a
/// count, letters that some databases keep and others do not, or the name of a table, which stands for all of its row.
pub fn columns(text: &str) -> Option<Vec<String>> {
    let all = statements(text);
    let [statement] = all.as_slice() else { return None };
    let (first, rest) = statement.split_first()?;
    let end = rest.iter().position(|token| token.is("from"))?;
    let (columns, source) = rest.split_at(end);
    let is_apart = |token: &Token| *token == Token::Unknown || APART.iter().any(|word| token.is(word));
    let is_table = !source.iter().take_while(|token| !token.is("where")).any(|token| *token == Token::Sign("("));
    if !first.is("select") || !is_table || rest.iter().any(is_apart) || !is_lower_case(text) {
        return None;
    }
    let columns = columns.strip_prefix(&[Token::Word("distinct".to_owned())]).unwrap_or(columns);
    let is_behind = |token: &Token| BEHIND_TABLES.iter().any(|word| token.is(word));
    let tables = source.split(is_behind).next().unwrap_or_default();
    columns.split(|token| *token == Token::Sign(",")).map(|tokens| column(tokens, tables)).collect()
}

/// The name of a column: `table.name`, or a `name` that is none of the tables.
fn column(tokens: &[Token], tables: &[Token]) -> Option<String> {
    match tokens {
        [Token::Word(name)] => (!tables.iter().any(|token| token.is(name))).then(|| name.clone()),
        [Token::Word(_), Token::Sign("."), Token::Word(name)] => Some(name.clone()),
        // How many there are, under whatever name.
        [
            Token::Word(count),
            Token::Sign("("),
            Token::Sign("*") | Token::Word(_),
            Token::Sign(")"),
            Token::Word(renamed),
            Token::Word(name),
        ] if count == "count" && renamed == "as" => Some(name.clone()),
        _ => None,
    }
}

/// Returns true if and only if no name between the first two keywords has a capital letter.
fn is_lower_case(text: &str) -> bool {
    let words = text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    let mut names =
        words.skip_while(|word| !word.eq_ignore_ascii_case("select")).skip(1).take_while(|word| !word.eq_ignore_ascii_case("from"));
    names.all(|word| matches!(word, "DISTINCT" | "COUNT" | "AS") || !word.bytes().any(|byte| byte.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_selections_tell_their_columns() {
        for (text, expected) in [
            ("SELECT id, status FROM customers", Some("id status")),
            ("select c.id, c.status from customers c where c.id = $1", Some("id status")),
            ("SELECT DISTINCT status FROM customers LIMIT 5;", Some("status")),
            ("SELECT id FROM customers WHERE id IN (1, 2)", Some("id")),
            ("SELECT status, count(*) AS n FROM customers GROUP BY status", Some("status n")),
            ("SELECT status, max(email) AS n FROM customers GROUP BY status", None),
            ("SELECT * FROM customers", None),
            ("SELECT id, c.* FROM customers c", None),
            ("SELECT email AS id FROM customers", None),
            ("SELECT email id FROM customers", None),
            ("SELECT id FROM (SELECT email AS id FROM customers) t", None),
            ("SELECT id FROM a UNION SELECT email FROM b", None),
            ("WITH t AS (SELECT email AS id FROM customers) SELECT id FROM t", None),
            ("SELECT lower(email) FROM customers", None),
            ("SELECT Email FROM customers", None),
            ("SELECT \"Email\" FROM customers", None),
            ("SELECT from_x, Email FROM customers", None),
            ("SELECT c FROM customers c", None),
            ("SELECT o.id FROM orders o JOIN customers c ON c.id = o.owner ORDER BY id", Some("id")),
            ("SELECT status FROM customers WHERE status = $1 ORDER BY status", Some("status")),
            ("SELECT customers FROM customers", None),
            ("SELECT id FROM a; SELECT email FROM b", None),
            ("SELECT 1", None),
            ("UPDATE a SET b = 1 FROM c", None),
        ] {
            assert_eq!(columns(text).map(|names| names.join(" ")).as_deref(), expected, "{text}");
        }
    }
}
