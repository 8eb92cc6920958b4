//! A PostgreSQL server that holds a store for many machines.
//!
//! All writers of a database take one lock of the server before they write, which ends with their transaction or with their
//! connection: chains never fork, and whoever is killed leaves nothing half done.

use std::cell::RefCell;
use std::collections::HashMap;
use std::error::Error;
use std::ops::ControlFlow;
use std::time::Duration;

use bytes::BytesMut;
use postgres::fallible_iterator::FallibleIterator as _;
use postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use postgres::{Client, Statement};

use crate::audit::AuditError;
use crate::audit::db::fault::fault;
use crate::audit::db::value::{Datum, Row, Value};
use crate::audit::db::{passfile, tls};
use crate::value::store_place::ServerAddress;

/// How long a connection may take to be made: a gate stands still meanwhile.
const CONNECTING: Duration = Duration::from_secs(3);
/// How long a server may leave unanswered that it got what was sent.
const SILENCE: Duration = Duration::from_secs(8);
/// Where a password may stand that is not in the address.
const PASSWORD: &str = "PGPASSWORD";
/// How the connection is told to be used: names are those of our own schema, and a machine that is gone holds nobody up.
const SETTINGS: &str =
    "SET search_path = callgate, pg_temp; SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = warning";

/// How many statements are kept ready.
const READY: usize = 64;
/// The lock that all writers take: `cgat` in ASCII.
const LOCK: i64 = 0x6367_6174;

/// A server.
pub struct Server {
    client: RefCell<Client>,
    /// Statements by their text: those that were asked once, and those that were asked again and are prepared. Preparing takes a way to
    /// the server of its own, and most of what a hook asks is asked once.
    asked: RefCell<HashMap<String, Option<Statement>>>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Server").finish_non_exhaustive()
    }
}

impl Server {
    /// Connects to a server, by TLS unless it is this machine or the address says `sslmode=disable`.
    ///
    /// # Errors
    ///
    /// When the address is none, the server does not answer, is not who it should be, or lets nobody in.
    pub fn connect(address: &ServerAddress) -> Result<Self, AuditError> {
        let (mut config, way) = tls::read(address)?;
        if config.get_password().is_none() {
            let named = std::env::var_os(PASSWORD).filter(|password| !password.is_empty()).and_then(|password| password.into_string().ok());
            if let Some(password) = named.or_else(|| passfile::password(&config)) {
                config.password(password);
            }
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECTING);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE).keepalives_idle(SILENCE);
        }
        if config.get_application_name().is_none() {
            config.application_name("callgate");
        }
        let client = match way {
            tls::Way::Plain => config.connect(postgres::NoTls),
            tls::Way::Tls(connector) => config.connect(*connector),
        };
        let server = Self { client: RefCell::new(client.map_err(|error| fault(&error))?), asked: RefCell::default() };
        server.batch(SETTINGS)?;
        Ok(server)
    }

    /// Visits all rows that a statement answers, until the visitor breaks off.
    ///
    /// # Errors
    ///
    /// When the server says no, or the visitor does.
    pub fn visit(
        &self,
        text: &str,
        values: &[Value<'_>],
        mut visit: impl FnMut(Row<'_>) -> Result<ControlFlow<()>, AuditError>,
    ) -> Result<(), AuditError> {
        let statement = self.prepared(text)?;
        let mut client = self.client.try_borrow_mut().map_err(|_| nested())?;
        let asked = match &statement {
            Some(statement) => client.query_raw(statement, values.iter().map(|value| value as &(dyn ToSql + Sync))),
            None => client.query_typed_raw(&numbered(text), typed(values)),
        };
        let mut rows = asked.map_err(|error| fault(&error))?;
        while let Some(row) = rows.next().map_err(|error| fault(&error))? {
            if visit(Row::Server(&row))?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Executes a statement; returns how many rows it changed.
    ///
    /// # Errors
    ///
    /// When the server says no.
    pub fn execute(&self, text: &str, values: &[Value<'_>]) -> Result<u64, AuditError> {
        let statement = self.prepared(text)?;
        let mut client = self.client.try_borrow_mut().map_err(|_| nested())?;
        let executed = match &statement {
            Some(statement) => client.execute(statement, &values.iter().map(|value| value as &(dyn ToSql + Sync)).collect::<Vec<_>>()),
            None => client.execute_typed(&numbered(text), &typed(values).collect::<Vec<_>>()),
        };
        executed.map_err(|error| fault(&error))
    }

    /// Executes statements that have no values.
    ///
    /// # Errors
    ///
    /// When the server says no.
    pub fn batch(&self, text: &str) -> Result<(), AuditError> {
        let mut client = self.client.try_borrow_mut().map_err(|_| nested())?;
        client.batch_execute(text).map_err(|error| fault(&error))
    }

    /// Begins to write, alone.
    ///
    /// # Errors
    ///
    /// When the server says no, or others write for too long.
    pub fn begin_writing(&self) -> Result<(), AuditError> {
        let begun = self.batch(&format!(
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = '8s'; SELECT pg_advisory_xact_lock({LOCK})"
        ));
        if begun.is_err() {
            let _ = self.batch("ROLLBACK");
        }
        begun
    }

    /// Whether there is no store in the database that is connected to.
    ///
    /// # Errors
    ///
    /// When the server says no.
    pub fn is_missing(&self) -> Result<bool, AuditError> {
        let mut is_there = false;
        // A name that was sought before stays unknown to the server until the transaction ends; a row of the catalogue is seen.
        let sought = "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'callgate' AND tablename = 'meta')";
        self.visit(sought, &[], |row| {
            is_there = row.get(0)?;
            Ok(ControlFlow::Break(()))
        })?;
        Ok(!is_there)
    }

    /// The prepared statement of a text that is asked again; none where it is asked for the first time.
    fn prepared(&self, text: &str) -> Result<Option<Statement>, AuditError> {
        let mut asked = self.asked.borrow_mut();
        let known = match asked.get(text) {
            None => None,
            Some(Some(statement)) => return Ok(Some(statement.clone())),
            Some(None) => {
                let mut client = self.client.try_borrow_mut().map_err(|_| nested())?;
                Some(client.prepare(&numbered(text)).map_err(|error| fault(&error))?)
            }
        };
        if READY <= asked.len() {
            asked.clear();
        }
        asked.insert(text.to_owned(), known.clone());
        Ok(known)
    }
}

/// Values with their types.
fn typed<'v>(values: &'v [Value<'v>]) -> impl Iterator<Item = (&'v (dyn ToSql + Sync), Type)> {
    values.iter().map(|value| {
        let kind = match value {
            // The server finds out what it would be.
            Value::Null => Type::UNKNOWN,
            Value::Int(_) => Type::INT8,
            Value::Real(_) => Type::FLOAT8,
            Value::Text(_) => Type::TEXT,
            Value::Bytes(_) => Type::BYTEA,
        };
        (value as &(dyn ToSql + Sync), kind)
    })
}

/// Marks of values as the server wants them: `?3` is `$3`, and each bare `?` the one behind the last.
fn numbered(text: &str) -> String {
    let mut told = String::with_capacity(text.len() + 16);
    let mut bare = 0;
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        if character != '?' {
            told.push(character);
            continue;
        }
        told.push('$');
        if !rest.peek().is_some_and(char::is_ascii_digit) {
            bare += 1;
            told.push_str(&bare.to_string());
        }
    }
    told
}

fn nested() -> AuditError {
    AuditError::Damaged("the server was asked while it answers".to_owned())
}

impl ToSql for Value<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(number) => match *kind {
                Type::INT4 => i32::try_from(*number)?.to_sql(kind, out),
                Type::INT2 => i16::try_from(*number)?.to_sql(kind, out),
                Type::FLOAT8 => (*number as f64).to_sql(kind, out),
                _ => number.to_sql(kind, out),
            },
            Self::Real(number) => number.to_sql(kind, out),
            // A text of the server holds no zero.
            Self::Text(text) if text.contains('\0') => text.replace('\0', "\u{fffd}").to_sql(kind, out),
            Self::Text(text) => text.as_ref().to_sql(kind, out),
            Self::Bytes(bytes) => bytes.as_ref().to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'r> FromSql<'r> for Datum<'r> {
    fn from_sql(kind: &Type, raw: &'r [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(match *kind {
            Type::BOOL => Self::Int(i64::from(bool::from_sql(kind, raw)?)),
            Type::INT2 => Self::Int(i64::from(i16::from_sql(kind, raw)?)),
            Type::INT4 => Self::Int(i64::from(i32::from_sql(kind, raw)?)),
            Type::INT8 => Self::Int(i64::from_sql(kind, raw)?),
            Type::FLOAT4 => Self::Real(f64::from(f32::from_sql(kind, raw)?)),
            Type::FLOAT8 => Self::Real(f64::from_sql(kind, raw)?),
            Type::BYTEA => Self::Bytes(raw),
            _ => Self::Text(<&str>::from_sql(kind, raw)?),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(kind: &Type) -> bool {
        [Type::BOOL, Type::INT2, Type::INT4, Type::INT8, Type::FLOAT4, Type::FLOAT8, Type::BYTEA].contains(kind)
            || <&str as FromSql>::accepts(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_values_are_numbered() {
        assert_eq!(numbered("a = ? AND b = ? OR c IN (?)"), "a = $1 AND b = $2 OR c IN ($3)");
        assert_eq!(numbered("VALUES (?1, ?12, ?1)"), "VALUES ($1, $12, $1)");
    }
}
