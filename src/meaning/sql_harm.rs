//! What SQL statements destroy, change or open for good.

use crate::meaning::harm::{Harm, worse, worst};
use crate::meaning::names::words;
use crate::meaning::sql::{Token, condition, statements};

/// Words in the names of tables that are made anew when they are needed.
const DISPOSABLE: &[&str] = &[
    "tmp",
    "temp",
    "temporary",
    "scratch",
    "staging",
    "stage",
    "cache",
    "caches",
    "test",
    "tests",
    "fixture",
    "fixtures",
    "sandbox",
    "demo",
];
/// How deep statements in strings are read.
const DEPTH: u8 = 3;

/// The worst harm that the statements of a text do.
pub fn harm(text: &str) -> Option<Harm> {
    harm_within(text, DEPTH)
}

/// Returns true if and only if a text begins with a statement.
pub fn is_sql(text: &str) -> bool {
    const VERBS: &[&str] = &[
        "select", "delete", "update", "insert", "drop", "truncate", "alter", "grant", "revoke", "create", "merge", "exec", "execute",
        "copy", "with", "begin", "do", "shutdown", "purge", "replace", "call", "use", "set", "start", "explain", "load",
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
    is_sql(text) && harm_beside(text, made.iter().map(String::as_str).collect(), DEPTH).is_none()
}

fn harm_within(text: &str, depth: u8) -> Option<Harm> {
    harm_beside(text, Vec::new(), depth)
}

/// The harm of statements beside those that made some tables.
fn harm_beside(text: &str, before: Vec<&str>, depth: u8) -> Option<Harm> {
    let depth = depth.checked_sub(1)?;
    let statements = statements(text);
    if statements.last().and_then(|last| last.first()).is_some_and(|first| first.is("rollback")) {
        return None;
    }
    let created = statements.iter().filter_map(|statement| created(statement));
    let made: Vec<&str> = before.into_iter().chain(created).collect();
    worst(statements.iter().filter_map(|statement| of_statement(statement, &made, depth)))
}

/// The table that a statement makes; one that may have been there before is not made.
fn created(statement: &[Token]) -> Option<&str> {
    let (first, rest) = statement.split_first()?;
    let at = rest.iter().take(3).position(|token| token.is("table"))?;
    let is_own = rest.iter().take(at).any(|token| token.is("temp") || token.is("temporary"));
    let is_new = is_own || rest.get(at + 1).is_some_and(|next| !next.is("if"));
    (first.is("create") && is_new).then(|| target(rest.get(at + 1..)?).map(|(name, _)| name))?
}

fn of_statement(statement: &[Token], made: &[&str], depth: u8) -> Option<Harm> {
    let first = statement.first()?;
    let has = |word: &str| statement.iter().any(|token| token.is(word));
    let Token::Word(verb) = first else { return None };
    let own = match verb.as_str() {
        "explain" if !has("analyze") => return None,
        "drop" => drop(statement.get(1..)?, made),
        "truncate" => emptied(statement.get(1..)?, made, "deletes all rows"),
        "alter" => alter(statement.get(1..)?),
        "grant" => grant(statement),
        "create" if has("superuser") && (has("user") || has("role")) => Some(Harm::critical("makes an account with all rights")),
        "shutdown" => Some(Harm::high("stops the database")),
        "purge" if has("logs") => Some(Harm::high("deletes the logs that a recovery needs")),
        "exec" | "execute" | "do" | "prepare" | "call" => inner(statement, depth),
        "copy" if has("program") => Some(Harm::critical("runs a program on the database host")),
        "delete" | "update" | "with" | "merge" | "explain" | "begin" | "start" | "replace" => None,
        _ => None,
    };
    worst([own, rows(statement, made), host(statement)].into_iter().flatten())
}

/// The harm of what a statement runs from a string.
fn inner(statement: &[Token], depth: u8) -> Option<Harm> {
    let texts = statement.iter().filter_map(|token| match token {
        Token::Text(text) | Token::Name(text) => Some(text),
        Token::Word(_) | Token::Number(_) | Token::Sign(_) | Token::Hole | Token::Unknown => None,
    });
    let first = statement.get(1).filter(|token| token.name() == Some("immediate"));
    let direct = first.and_then(|_| of_statement(statement.get(2..)?, &[], depth.checked_sub(1)?));
    worse(worst(texts.filter_map(|text| harm_within(text, depth))), direct)
}

/// The target of a clause (`if exists`, `only`, quotes, a schema before it) and what follows it.
fn target(tokens: &[Token]) -> Option<(&str, &[Token])> {
    let skipped = tokens.iter().take_while(|token| {
        ["table", "if", "exists", "not", "only", "from", "ignore", "low_priority", "quick"].iter().any(|word| token.is(word))
    });
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

fn is_disposable(table: &str, made: &[&str]) -> bool {
    made.contains(&table) || words(table).iter().any(|word| DISPOSABLE.contains(&word.as_str()))
}

fn drop(rest: &[Token], made: &[&str]) -> Option<Harm> {
    let kind = rest.first()?.name()?;
    let (name, _) = target(rest.get(1..)?)?;
    match kind {
        "database" | "schema" | "keyspace" | "tablespace" if is_disposable(name, &[]) => {
            Some(Harm::medium(format!("drops the {kind} `{name}`")))
        }
        "database" | "schema" | "keyspace" | "tablespace" => Some(Harm::critical(format!("drops a whole {kind}"))),
        "table" | "collection" | "temporary" | "foreign" if kind == "temporary" || is_disposable(name, made) => None,
        "table" | "collection" | "foreign" => Some(Harm::critical(format!("drops the table `{}`", shown(name)))),
        "user" | "role" | "owned" | "login" | "extension" => Some(Harm::high(format!("drops a {kind}"))),
        _ => None,
    }
}

fn shown(name: &str) -> &str {
    if name.is_empty() { "?" } else { name }
}

fn emptied(rest: &[Token], made: &[&str], what: &str) -> Option<Harm> {
    let (name, behind) = target(rest)?;
    if matches!(behind.first(), Some(Token::Sign("("))) || is_disposable(name, made) {
        return None;
    }
    Some(Harm::critical(format!("{what} of `{}`", shown(name))))
}

fn alter(rest: &[Token]) -> Option<Harm> {
    let kind = rest.first()?;
    if kind.is("table") {
        let (name, behind) = target(rest.get(1..)?)?;
        let at = behind.iter().position(|token| token.is("drop"))?;
        let dropped = behind.get(at + 1)?;
        let is_inner = behind.get(..at)?.iter().any(|token| token.is("alter"));
        let is_light =
            is_inner || ["constraint", "index", "default", "not", "check", "foreign", "key", "trigger"].iter().any(|word| dropped.is(word));
        if is_disposable(name, &[]) || is_light {
            return None;
        }
        return Some(Harm::critical(format!("drops a part of the table `{}` with its data", shown(name))));
    }
    let is_account = kind.is("user") || kind.is("role") || kind.is("login");
    (is_account && rest.iter().any(|token| token.is("superuser"))).then(|| Harm::critical("gives an account all rights"))
}

fn grant(statement: &[Token]) -> Option<Harm> {
    const ROLES: &[&str] = &["all", "dba", "sysadmin", "superuser", "rds_superuser", "db_owner", "accountadmin", "securityadmin", "sysdba"];
    let before: Vec<&Token> = statement.iter().take_while(|token| !token.is("on") && !token.is("to")).collect();
    let is_all = before.iter().any(|token| ROLES.iter().any(|role| token.name() == Some(role)));
    let is_public = statement.windows(2).any(|pair| matches!(pair, [to, public] if to.is("to") && public.is("public")));
    let may_pass_on = statement.windows(2).any(|pair| matches!(pair, [grant, option] if grant.is("grant") && option.is("option")));
    match () {
        () if is_all => Some(Harm::critical("grants all rights")),
        () if is_public => Some(Harm::high("grants rights to everybody")),
        () if may_pass_on => Some(Harm::high("grants rights that can be passed on")),
        () => None,
    }
}

/// The harm of each DELETE and UPDATE in a statement, with those behind a `WITH`.
fn rows(statement: &[Token], made: &[&str]) -> Option<Harm> {
    let mut found = None;
    for (at, token) in statement.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| statement.get(before));
        let begins = before.is_none_or(|before| {
            matches!(before, Token::Sign("(" | ")"))
                || ["begin", "analyze", "then", "as", "transaction", "all"].iter().any(|word| before.is(word))
        });
        if !begins {
            continue;
        }
        let rest = statement.get(at + 1..).unwrap_or_default();
        let rest = within(rest);
        let next_is_from = rest.first().is_some_and(|next| ["from", "ignore", "quick", "low_priority"].iter().any(|word| next.is(word)));
        let harm = if token.is("delete") && next_is_from {
            changed(rest, made, "deletes all rows")
        } else if token.is("update") && rest.iter().any(|token| token.is("set")) {
            changed(rest, made, "changes all rows")
        } else {
            None
        };
        found = worse(found, harm);
    }
    found
}

/// The tokens up to the parenthesis that closes around them.
fn within(tokens: &[Token]) -> &[Token] {
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

fn changed(rest: &[Token], made: &[&str], what: &str) -> Option<Harm> {
    let (name, behind) = target(rest)?;
    if is_disposable(name, made) {
        return None;
    }
    let top = top_level(behind);
    let Some(at) = top.iter().position(|at| behind.get(*at).is_some_and(|token| token.is("where"))) else {
        let is_bounded = top.iter().any(|at| behind.get(*at).is_some_and(|token| token.is("limit") || token.is("join")));
        return (!may_hold_a_clause(behind) && !is_bounded).then(|| Harm::critical(format!("{what} of `{}`", shown(name))));
    };
    let start = top.get(at)? + 1;
    let end = top
        .get(at..)?
        .iter()
        .find(|at| behind.get(**at).is_some_and(|token| ["returning", "limit", "order"].iter().any(|word| token.is(word))));
    let is_limited = end.is_some_and(|end| behind.get(*end..).is_some_and(|rest| rest.iter().any(|token| token.is("limit"))));
    let holds = condition(behind.get(start..end.copied().unwrap_or(behind.len()))?);
    (holds == Some(true) && !is_limited).then(|| Harm::critical(format!("{what} of `{}`: its condition is always true", shown(name))))
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

/// The harm that a statement does to the host of the database.
fn host(statement: &[Token]) -> Option<Harm> {
    let mut tokens = statement.iter().zip(statement.iter().skip(1));
    let runs = ["xp_cmdshell", "sp_oacreate", "sys_exec", "sys_eval", "load_extension"];
    let is_run = statement
        .iter()
        .any(|token| matches!(token, Token::Text(text) if text == "xp_cmdshell") || runs.iter().any(|run| token.name() == Some(run)));
    if is_run {
        return Some(Harm::critical("runs a program on the database host"));
    }
    if tokens.any(|(into, file)| into.is("into") && (file.is("outfile") || file.is("dumpfile"))) {
        return Some(Harm::critical("writes a file on the database host"));
    }
    let reads = ["load_file", "pg_read_file", "pg_read_binary_file", "lo_import", "lo_export", "pg_ls_dir"];
    statement.iter().any(|token| reads.iter().any(|read| token.is(read))).then(|| Harm::high("reads or writes files of the database host"))
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
            assert_eq!(harm(text).map(|harm| harm.severity), expected, "{text}");
        }
    }
}
