//! The memory of sessions: what each called and what it read, from one process to the next.

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::audit::record::SessionName;
use crate::audit::store::Store;
use crate::audit::{AuditError, names};
use crate::finding::trail::{Past, Step, text_key};
use crate::knowledge::Sensitivity;

/// Most calls of a session that are loaded, those that were made most often first; any other counts as made for the first time.
const MOST_CALLS: i64 = 20_000;

impl Store {
    /// What a session of a tenant did before.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn past(&self, tenant: Option<&str>, session: &str) -> Result<Past, AuditError> {
        let Some(tenant) = names::tenant(&self.connection, tenant)? else { return Ok(Past::default()) };
        let id: Option<i64> = self
            .connection
            .query_row("SELECT id FROM session WHERE tenant = ?1 AND key = ?2", params![tenant, text_key(session)], |row| row.get(0))
            .optional()?;
        let Some(id) = id else { return Ok(Past::default()) };
        let mut calls = self.connection.prepare("SELECT call, count FROM session_call WHERE session = ?1 ORDER BY count DESC LIMIT ?2")?;
        let calls = calls.query_map([id, MOST_CALLS], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
        let mut reads = self.connection.prepare("SELECT text FROM session_read JOIN name ON name.id = kind WHERE session = ?1")?;
        let reads = reads.query_map([id], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
        Ok(Past { calls, reads: reads.iter().filter_map(|kind| Sensitivity::from_name(kind)).collect() })
    }
}

impl Store {
    /// A number that changes whenever somebody else has written to the store; never 0.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn version(&self) -> Result<i64, AuditError> {
        Ok(self.connection.query_row("PRAGMA data_version", [], |row| row.get(0))?)
    }
}

/// The id of a session, which begins if it was never seen.
pub(super) fn enter(connection: &Connection, tenant: i64, name: &SessionName, at: i64) -> rusqlite::Result<i64> {
    let mut enter = connection.prepare(
        "INSERT INTO session (tenant, key, text, first_at, last_at) VALUES (?1, ?2, ?3, ?4, ?4)
        ON CONFLICT DO UPDATE SET last_at = max(last_at, excluded.last_at) RETURNING id",
    )?;
    enter.query_row(params![tenant, name.key, name.text, at], |row| row.get(0))
}

/// Remembers what a subject of a session called and read.
pub(super) fn note(connection: &Connection, session: i64, step: &Step, at: i64) -> rusqlite::Result<()> {
    if !step.calls.is_empty() {
        let mut count = connection
            .prepare("INSERT INTO session_call (session, call, count) VALUES (?1, ?2, 1) ON CONFLICT DO UPDATE SET count = count + 1")?;
        step.calls.iter().try_for_each(|call| count.execute([session, *call]).map(|_| ()))?;
    }
    if !step.reads.is_empty() {
        let mut add = connection.prepare("INSERT OR IGNORE INTO name (text) VALUES (?1)")?;
        let mut read = connection.prepare(
            "INSERT INTO session_read (session, kind, last_at) SELECT ?1, id, ?3 FROM name WHERE text = ?2
            ON CONFLICT DO UPDATE SET last_at = excluded.last_at",
        )?;
        for kind in &step.reads {
            add.execute([kind.name()])?;
            read.execute(params![session, kind.name(), at])?;
        }
    }
    Ok(())
}
