//! SQL: what each statement of a text is, to what it is done and to how much.

pub mod bound;
mod clause;
mod target;

use crate::knowledge::effect::Extent;
use crate::knowledge::statement::Language;
use crate::language::sql::{Token, statements};
use crate::meaning::statement::sql::clause::{bare, changed, sets, within};
use crate::meaning::statement::sql::target::{is_spare, object, target};
use crate::meaning::statement::{Statement, effects_of};

/// How deep statements in strings are read.
const DEPTH: u8 = 3;
/// What is done to rows, wherever in a statement it stands.
const CHANGES: &[&str] = &["delete", "update"];
/// What begins a statement inside of another one.
const INNER: &[&str] = &["drop", "truncate", "alter", "grant", "exec", "execute", "shutdown", "copy", "set"];

/// The statements of a text and those inside of them; `made` are the tables that were made just before.
pub fn read(text: &str, made: &[&str]) -> Vec<Statement> {
    within_depth(text, made, DEPTH)
}

/// Returns true if and only if a text begins with a statement.
pub fn is_sql(text: &str) -> bool {
    const VERBS: &[&str] = &[
        "select", "delete", "update", "insert", "drop", "truncate", "alter", "grant", "revoke", "create", "merge", "exec", "execute",
        "copy", "with", "begin", "do", "shutdown", "purge", "replace", "call", "use", "set", "start", "explain", "load", "attach",
        "detach", "pragma", "if", "unload", "export", "declare", "reset", "kill", "vacuum", "install", "backup", "restore",
    ];
    let statements = statements(text);
    let first = statements.first().and_then(|statement| statement.first());
    first.is_some_and(|first| VERBS.iter().any(|verb| first.is(verb)))
}

/// The tables that the statements of a text make, which were not there before.
pub fn made(text: &str) -> Vec<String> {
    statements(text).iter().filter_map(|statement| created(statement)).map(str::to_owned).collect()
}

/// Returns true if and only if a text is a statement that harms nothing but tables that were made just before.
pub fn is_of_own(text: &str, made: &[String]) -> bool {
    let made: Vec<&str> = made.iter().map(String::as_str).collect();
    is_sql(text) && effects_of(&read(text, &made)).is_empty()
}

fn within_depth(text: &str, before: &[&str], depth: u8) -> Vec<Statement> {
    let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
    let all = statements(text);
    if all.last().and_then(|last| last.first()).is_some_and(|first| first.is("rollback")) {
        return Vec::new();
    }
    let again = all.iter().enumerate().filter_map(|(at, tokens)| {
        let made = of_table("create", tokens)?;
        let earlier = all.get(..at).unwrap_or_default();
        earlier.iter().any(|tokens| of_table("drop", tokens).is_some_and(|gone| gone.eq_ignore_ascii_case(made))).then_some(made)
    });
    let made: Vec<&str> = before.iter().copied().chain(all.iter().filter_map(|tokens| created(tokens))).chain(again).collect();
    all.iter().flat_map(|tokens| of_tokens(tokens, &made, depth)).collect()
}

/// The table of which a statement with this verb says something: `DROP TABLE IF EXISTS notes`.
fn of_table<'t>(verb: &str, statement: &'t [Token]) -> Option<&'t str> {
    let [first, second, rest @ ..] = statement else { return None };
    (first.is(verb) && second.is("table")).then(|| target(rest).map(|(name, _)| name))?.filter(|name| !name.is_empty())
}

/// The table that a statement makes; one that may have been there before is not made.
fn created(statement: &[Token]) -> Option<&str> {
    let (first, rest) = statement.split_first()?;
    let at = rest.iter().take(4).position(|token| token.is("table"))?;
    let before = || rest.iter().take(at);
    let is_own = before().any(|token| token.is("temp") || token.is("temporary"));
    let is_new = is_own || rest.get(at + 1).is_some_and(|next| !next.is("if")) && !before().any(|token| token.is("replace"));
    (first.is("create") && is_new).then(|| target(rest.get(at + 1..)?).map(|(name, _)| name))?
}

/// The names that a statement gives, before its verb, to what it picks out: `WITH due AS (SELECT … WHERE …)`.
fn picked(before: &[Token]) -> Vec<&str> {
    let is_with = before.first().is_some_and(|first| first.is("with"));
    let places = before.iter().enumerate().filter(|(_, token)| is_with && token.is("as"));
    let named = places.filter_map(|(at, _)| {
        let [Token::Sign("("), body @ ..] = before.get(at + 1..)? else { return None };
        let picks = within(body).iter().any(|token| token.is("where") || token.is("limit"));
        before.get(at.checked_sub(1)?)?.name().filter(|_| picks)
    });
    named.collect()
}

/// A statement, and what is done inside of it.
fn of_tokens(tokens: &[Token], made: &[&str], depth: u8) -> Vec<Statement> {
    let is_told_only = tokens.first().is_some_and(|first| first.is("explain")) && !tokens.iter().any(|token| token.is("analyze"));
    if is_told_only {
        return Vec::new();
    }
    // What a function or trigger would do is only written down.
    if let [first, rest @ ..] = tokens
        && first.is("create")
        && rest.iter().take(6).any(|token| ["function", "procedure", "trigger", "rule", "view"].iter().any(|word| token.is(word)))
    {
        return vec![statement("create", rest, made)];
    }
    let is_block = tokens.first().is_some_and(|first| ["begin", "if", "declare", "while"].iter().any(|word| first.is(word)));
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Word(verb) = token else { continue };
        let rest = within(tokens.get(at + 1..).unwrap_or_default());
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let is_change = CHANGES.contains(&verb.as_str());
        let is_begun = match before {
            None => true,
            Some(Token::Sign("(" | ")")) => is_change || is_block && INNER.contains(&verb.as_str()),
            Some(before) => {
                let begins = |words: &[&str]| words.iter().any(|word| before.is(word));
                is_change && begins(&["begin", "analyze", "then", "as", "transaction", "all", "else", "loop"])
                    || verb == "delete" && before.is("do")
                    || INNER.contains(&verb.as_str()) && is_block && begins(&["begin", "then", "else", "loop"])
            }
        };
        if !is_begun {
            continue;
        }
        if is_change {
            found.extend(changed(verb, rest, at == 0, made, &picked(tokens.get(..at).unwrap_or_default())));
        }
        if at == 0 || !is_change {
            found.push(statement(verb, rest, made));
        }
        if ["exec", "execute", "do", "prepare", "call"].contains(&verb.as_str()) {
            found.extend(inner(rest, depth));
        }
    }
    found
}

/// A statement by its verb and what follows it.
fn statement(verb: &str, rest: &[Token], made: &[&str]) -> Statement {
    let mut own = Statement::new(Language::Sql, verb);
    (own.words, own.calls, own.sets, own.texts) = (bare(verb, rest), calls(rest), sets(rest), strings(rest));
    if CHANGES.contains(&verb) {
        return own;
    }
    let (object, behind) = object(verb, rest);
    own.object = object.to_owned();
    if let Some((name, after)) = target(behind) {
        own.name = name.to_owned();
        // `TRUNCATE(price, 2)` is a function.
        let is_function = verb == "truncate" && matches!(after.first(), Some(Token::Sign("(")));
        own.extent = if is_function { Extent::Nothing } else { Extent::All };
        let is_made = matches!(own.object.as_str(), "table" | "") && made.contains(&name);
        // What lies in a schema of its own that is made to be thrown away: `scratch.orders`.
        let qualified = behind.get(..behind.len() - after.len()).unwrap_or_default().iter().filter_map(Token::name);
        own.is_spare = is_made || qualified.chain([name]).any(is_spare);
    }
    own.is_spare |= rest.iter().take(2).any(|token| token.is("temporary") || token.is("temp"));
    own
}

/// The statements that a statement runs from a string.
fn inner(rest: &[Token], depth: u8) -> Vec<Statement> {
    let texts = rest.iter().filter_map(|token| match token {
        Token::Text(text) | Token::Name(text) => Some(text),
        Token::Word(_) | Token::Number(_) | Token::Sign(_) | Token::Hole | Token::Unknown => None,
    });
    texts.flat_map(|text| within_depth(text, &[], depth)).collect()
}

fn calls(rest: &[Token]) -> Vec<String> {
    let pairs = rest.windows(2);
    let called = pairs.filter_map(|pair| match pair {
        [name, Token::Sign("(")] => name.name().map(str::to_owned),
        _ => None,
    });
    called.collect()
}

fn strings(rest: &[Token]) -> Vec<String> {
    let text = |token: &Token| match token {
        Token::Text(text) => Some(text.clone()),
        Token::Word(_) | Token::Name(_) | Token::Number(_) | Token::Sign(_) | Token::Hole | Token::Unknown => None,
    };
    rest.iter().filter_map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::severity::Severity;

    #[test]
    fn statements_that_take_all_are_told_from_those_that_take_some() {
        let (critical, high, medium) = (Some(Severity::Critical), Some(Severity::High), Some(Severity::Medium));
        for (text, expected) in [
            ("DELETE FROM users", critical),
            ("delete from \"users\";", critical),
            ("DELETE FROM public.users", critical),
            ("DELETE FROM [dbo].[users]", critical),
            ("DELETE FROM users WHERE 1=1", critical),
            ("DELETE FROM users WHERE id > 0", critical),
            ("DELETE FROM users WHERE name = 'x' OR 1=1", critical),
            ("DELETE/**/FROM/**/users/* WHERE id=1 */", critical),
            ("DELETE FROM users -- WHERE id = 1", critical),
            ("/*!50000 DELETE FROM users */", critical),
            ("SELECT 1; DELETE FROM users", critical),
            ("WITH x AS (DELETE FROM users RETURNING *) SELECT * FROM x", critical),
            ("DELETE FROM \u{1a}", critical),
            ("DELETE FROM users WHERE id = 1", None),
            ("DELETE FROM users WHERE id = ?", None),
            ("DELETE FROM users WHERE id = $1 RETURNING id", None),
            ("DELETE FROM users \u{1a}", None),
            ("DELETE FROM users WHERE \u{1a}", None),
            ("DELETE FROM tmp_users", None),
            ("DELETE FROM a WHERE id IN (SELECT id FROM b WHERE c = 1)", None),
            ("BEGIN; DELETE FROM users; ROLLBACK", None),
            ("UPDATE users SET role = 'admin'", critical),
            ("UPDATE users SET role = 'admin' WHERE true", critical),
            ("UPDATE users SET name = \u{1a}", critical),
            ("UPDATE users u SET x = 1", critical),
            ("UPDATE users SET role = 'x' WHERE id = 7", None),
            ("UPDATE users SET x = 1 \u{1a}", None),
            ("UPDATE users SET x = (SELECT 1 FROM a WHERE b = 1) WHERE id = 2", None),
            ("UPDATE users SET x = (SELECT 1 FROM a WHERE b = 1)", critical),
            ("INSERT INTO a VALUES (1) ON CONFLICT (id) DO UPDATE SET x = 1", None),
            ("SELECT * FROM a FOR UPDATE", None),
            ("DROP TABLE users", critical),
            ("DROP TABLE IF EXISTS `users` CASCADE", critical),
            ("DROP DATABASE shop", critical),
            ("DROP DATABASE test_shop", medium),
            ("DROP TABLE IF EXISTS tmp_import", None),
            ("DROP TABLE a; CREATE TABLE a (id int)", None),
            ("DROP TABLE IF EXISTS a; CREATE TABLE IF NOT EXISTS a(id int)", None),
            ("CREATE TABLE IF NOT EXISTS a (id int); DROP TABLE a", critical),
            ("DROP INDEX i", None),
            ("DROP USER app", high),
            ("TRUNCATE orders", critical),
            ("TRUNCATE TABLE orders CASCADE", critical),
            ("SELECT TRUNCATE(price, 2) FROM a", None),
            ("ALTER TABLE users DROP COLUMN email", critical),
            ("ALTER TABLE users DROP CONSTRAINT c", None),
            ("ALTER TABLE users ADD COLUMN dropped_at date", None),
            ("ALTER USER app WITH SUPERUSER", critical),
            ("GRANT ALL PRIVILEGES ON *.* TO 'x'@'%'", critical),
            ("GRANT SELECT ON a TO PUBLIC", high),
            ("GRANT SELECT ON a TO b", None),
            ("EXEC xp_cmdshell 'dir'", critical),
            ("EXEC('DROP TABLE users')", critical),
            ("EXECUTE IMMEDIATE 'TRUNCATE TABLE users'", critical),
            ("SELECT 'a' INTO OUTFILE '/var/www/x.php'", critical),
            ("SELECT 'DROP TABLE users' AS help", None),
            ("INSERT INTO notes VALUES ('DELETE FROM users')", None),
            ("EXPLAIN DELETE FROM users", None),
        ] {
            assert_eq!(effects_of(&read(text, &[])).iter().filter_map(|effect| effect.severity).max(), expected, "{text}");
        }
    }
}
