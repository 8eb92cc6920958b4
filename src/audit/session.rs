//! The memory of sessions: what each called and what it read, from one process to the next.

use crate::audit::db::Db;
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
        let Some(tenant) = names::tenant(&self.db, tenant)? else { return Ok(Past::default()) };
        let found = "SELECT id FROM session WHERE tenant = ?1 AND key = ?2";
        let id: Option<i64> = self.db.one(found, &[tenant.into(), (&text_key(session)).into()], |row| row.get(0))?;
        let Some(id) = id else { return Ok(Past::default()) };
        let calls = "SELECT call, count FROM session_call WHERE session = ?1 ORDER BY count DESC LIMIT ?2";
        let calls = self.db.all(calls, &[id.into(), MOST_CALLS.into()], |row| Ok((row.get(0)?, row.get(1)?)))?.into_iter().collect();
        let reads = "SELECT text FROM session_read JOIN name ON name.id = kind WHERE session = ?1";
        let reads: Vec<String> = self.db.all(reads, &[id.into()], |row| row.get(0))?;
        Ok(Past { calls, reads: reads.iter().filter_map(|kind| Sensitivity::from_name(kind)).collect() })
    }

    /// A number that changes whenever somebody else has written to the store; never 0.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn version(&self) -> Result<i64, AuditError> {
        match &self.db {
            Db::File(_) => self.db.row("PRAGMA data_version", &[], |row| row.get(0)),
            Db::Server(_) => {
                let last: i64 = self.db.row("SELECT coalesce(max(seq), 0) FROM record", &[], |row| row.get(0))?;
                let of_others = last - self.written.get();
                Ok(if of_others < 0 { of_others } else { of_others + 1 })
            }
        }
    }
}

/// The id of a session, which begins if it was never seen.
pub(super) fn enter(db: &Db, tenant: i64, name: &SessionName, at: i64) -> Result<i64, AuditError> {
    let enter = "INSERT INTO session (tenant, key, text, first_at, last_at) VALUES (?1, ?2, ?3, ?4, ?4) ON CONFLICT (tenant, key) DO UPDATE
        SET last_at = CASE WHEN session.last_at < excluded.last_at THEN excluded.last_at ELSE session.last_at END RETURNING id";
    db.row(enter, &[tenant.into(), (&name.key).into(), name.text.as_str().into(), at.into()], |row| row.get(0))
}

/// Remembers what a subject of a session called and read.
pub(super) fn note(db: &Db, session: i64, step: &Step, at: i64) -> Result<(), AuditError> {
    let count = "INSERT INTO session_call (session, call, count) VALUES (?1, ?2, 1)
        ON CONFLICT (session, call) DO UPDATE SET count = session_call.count + 1";
    for call in &step.calls {
        db.execute(count, &[session.into(), (*call).into()])?;
    }
    let read = "INSERT INTO session_read (session, kind, last_at) VALUES (?1, (SELECT id FROM name WHERE text = ?2), ?3)
        ON CONFLICT (session, kind) DO UPDATE SET last_at = excluded.last_at";
    for kind in &step.reads {
        db.execute("INSERT INTO name (text) VALUES (?1) ON CONFLICT (text) DO NOTHING", &[kind.name().into()])?;
        db.execute(read, &[session.into(), kind.name().into(), at.into()])?;
    }
    Ok(())
}
