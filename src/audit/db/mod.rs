//! The database in which a store lies: a file of SQLite, or a server. Statements are written once; in what both differ, a
//! [`Dialect`] says.

#[cfg(feature = "postgres")]
mod fault;
#[cfg(feature = "postgres")]
mod passfile;
#[cfg_attr(not(feature = "postgres"), path = "no_server.rs")]
pub mod server;
#[cfg(feature = "postgres")]
mod tls;
pub mod value;

use std::cell::Cell as Flag;
use std::ops::ControlFlow;

use rusqlite::params_from_iter;

use crate::audit::AuditError;
use crate::audit::db::server::Server;
use crate::audit::db::value::{Row, Value};

/// How many statements of one text each are kept ready.
const READY: usize = 64;

/// A database.
#[derive(Debug)]
pub enum Db {
    /// A file.
    File(rusqlite::Connection),
    /// A server.
    Server(Box<Server>),
}

/// In what databases differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// That of SQLite.
    Sqlite,
    /// That of PostgreSQL.
    Postgres,
}

impl Dialect {
    /// A condition on a path that fits a glob, and the value in it. `*` and `?` also stand for slashes.
    pub fn glob(self, glob: &str) -> (&'static str, Value<'static>) {
        match self {
            Self::Sqlite => ("path GLOB ?", Value::from(glob.to_owned())),
            Self::Postgres => ("path ~ ?", Value::from(expression(glob))),
        }
    }

    /// The function that tells where a text stands in another, from 1.
    pub fn position(self) -> &'static str {
        match self {
            Self::Sqlite => "instr",
            Self::Postgres => "strpos",
        }
    }

    /// Which index is to be used, where a database would not see it by itself.
    pub fn by_index(self, sqlite: &'static str) -> &'static str {
        match self {
            Self::Sqlite => sqlite,
            Self::Postgres => "",
        }
    }
}

/// A glob as an expression. What stands in brackets means the same in both.
fn expression(glob: &str) -> String {
    let mut expression = "^".to_owned();
    let mut is_class = false;
    for character in glob.chars() {
        match character {
            '[' => is_class = true,
            ']' => is_class = false,
            _ => {}
        }
        match character {
            '*' if !is_class => expression.push_str(".*"),
            '?' if !is_class => expression.push('.'),
            '[' | ']' | '^' | '-' if is_class || character == ']' => expression.push(character),
            '[' => expression.push(character),
            _ if character.is_ascii_punctuation() => {
                expression.push('\\');
                expression.push(character);
            }
            _ => expression.push(character),
        }
    }
    expression.push('$');
    expression
}

impl Db {
    /// A file that was opened.
    pub fn of_file(connection: rusqlite::Connection) -> Self {
        connection.set_prepared_statement_cache_capacity(READY);
        Self::File(connection)
    }

    /// In what it differs from others.
    pub fn dialect(&self) -> Dialect {
        match self {
            Self::File(_) => Dialect::Sqlite,
            Self::Server(_) => Dialect::Postgres,
        }
    }

    /// Visits all rows that a statement answers, until the visitor breaks off. No other statement may be asked meanwhile.
    ///
    /// # Errors
    ///
    /// When the database says no, or the visitor does.
    pub fn visit(
        &self,
        text: &str,
        values: &[Value<'_>],
        mut visit: impl FnMut(Row<'_>) -> Result<ControlFlow<()>, AuditError>,
    ) -> Result<(), AuditError> {
        match self {
            Self::File(connection) => {
                let mut statement = connection.prepare_cached(text)?;
                let mut rows = statement.query(params_from_iter(values))?;
                while let Some(row) = rows.next()? {
                    if visit(Row::File(row))?.is_break() {
                        break;
                    }
                }
                Ok(())
            }
            Self::Server(server) => server.visit(text, values, visit),
        }
    }

    /// All rows that a statement answers.
    ///
    /// # Errors
    ///
    /// When the database says no, or a row is not as it should be.
    pub fn all<T>(&self, text: &str, values: &[Value<'_>], read: impl Fn(&Row<'_>) -> Result<T, AuditError>) -> Result<Vec<T>, AuditError> {
        let mut all = Vec::new();
        self.visit(text, values, |row| {
            all.push(read(&row)?);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(all)
    }

    /// The first row that a statement answers, if there is one.
    ///
    /// # Errors
    ///
    /// As `all`.
    pub fn one<T>(
        &self,
        text: &str,
        values: &[Value<'_>],
        read: impl Fn(&Row<'_>) -> Result<T, AuditError>,
    ) -> Result<Option<T>, AuditError> {
        let mut one = None;
        self.visit(text, values, |row| {
            one = Some(read(&row)?);
            Ok(ControlFlow::Break(()))
        })?;
        Ok(one)
    }

    /// The first row that a statement answers, where there always is one.
    ///
    /// # Errors
    ///
    /// As `all`, and when there is none.
    pub fn row<T>(&self, text: &str, values: &[Value<'_>], read: impl Fn(&Row<'_>) -> Result<T, AuditError>) -> Result<T, AuditError> {
        self.one(text, values, read)?.ok_or_else(|| AuditError::Damaged("an answer is missing".to_owned()))
    }

    /// Executes a statement; returns how many rows it changed.
    ///
    /// # Errors
    ///
    /// When the database says no.
    pub fn execute(&self, text: &str, values: &[Value<'_>]) -> Result<u64, AuditError> {
        match self {
            Self::File(connection) => Ok(connection.prepare_cached(text)?.execute(params_from_iter(values))? as u64),
            Self::Server(server) => server.execute(text, values),
        }
    }

    /// Executes statements that have no values.
    ///
    /// # Errors
    ///
    /// When the database says no.
    pub fn batch(&self, text: &str) -> Result<(), AuditError> {
        match self {
            Self::File(connection) => Ok(connection.execute_batch(text)?),
            Self::Server(server) => server.batch(text),
        }
    }

    /// Begins to write, alone: whoever else wants to write waits.
    ///
    /// # Errors
    ///
    /// When the database says no, or others write for too long.
    pub fn writing(&self) -> Result<Transaction<'_>, AuditError> {
        match self {
            Self::File(_) => self.batch("BEGIN IMMEDIATE")?,
            Self::Server(server) => server.begin_writing()?,
        }
        Ok(Transaction { db: self, is_done: Flag::new(false) })
    }

    /// Begins to read all as of one moment, while others go on writing.
    ///
    /// # Errors
    ///
    /// When the database says no.
    pub fn reading(&self) -> Result<Transaction<'_>, AuditError> {
        self.batch(match self {
            Self::File(_) => "BEGIN",
            Self::Server(_) => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        })?;
        Ok(Transaction { db: self, is_done: Flag::new(false) })
    }
}

/// Several statements that are executed together or not at all; without a commit, not at all.
#[derive(Debug)]
pub struct Transaction<'d> {
    db: &'d Db,
    is_done: Flag<bool>,
}

impl Transaction<'_> {
    /// Puts all of it into the database.
    ///
    /// # Errors
    ///
    /// When that fails; then nothing of it is there.
    pub fn commit(self) -> Result<(), AuditError> {
        self.db.batch("COMMIT")?;
        self.is_done.set(true);
        Ok(())
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if !self.is_done.get() {
            // Whoever cannot be told either has gone, and takes nothing over.
            let _ = self.db.batch("ROLLBACK");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_means_the_same_on_a_server() {
        for (glob, expected) in [
            ("src/*.js", "^src\\/.*\\.js$"),
            ("a?b", "^a.b$"),
            ("[abc]*", "^[abc].*$"),
            ("[^a-c].(x)", "^[^a-c]\\.\\(x\\)$"),
            ("a+b|c$", "^a\\+b\\|c\\$$"),
        ] {
            assert_eq!(expression(glob), expected, "{glob}");
        }
    }
}
