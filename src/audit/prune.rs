//! Taking old records out of a store, so that the others still verify.

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

use crate::audit::chain::Hash;
use crate::audit::store::Store;
use crate::audit::{AuditError, names};
use crate::value::time::DAY;

/// What is taken out. Only the beginning of a chain is: nothing that is younger than asked, even where a clock went back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruning {
    /// Of this tenant alone, or of those who have none.
    pub tenant: Option<Option<String>>,
    /// What was found before, in milliseconds since 1970.
    pub before: Option<i64>,
    /// Clean passes before, in milliseconds since 1970.
    pub clean_before: Option<i64>,
    /// All but so many of the newest of what was found.
    pub keep: Option<u64>,
    /// All but so many of the newest clean passes.
    pub keep_clean: Option<u64>,
    /// Nothing is taken out, only counted.
    pub is_dry: bool,
}

/// What was taken out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Evaluations in which something was found.
    pub evaluations: u64,
    /// Clean passes.
    pub clean: u64,
    /// Memories of sessions.
    pub sessions: u64,
}

impl Store {
    /// Takes old records out.
    ///
    /// # Errors
    ///
    /// When the store cannot be written; then nothing is taken out.
    pub fn prune(&mut self, pruning: &Pruning, now: i64) -> Result<Pruned, AuditError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let pruned = prune(&transaction, pruning, now)?;
        if !pruning.is_dry {
            transaction.commit()?;
        }
        Ok(pruned)
    }

    /// Takes old records out, once a day at most. Returns whether it did.
    ///
    /// # Errors
    ///
    /// As `prune`.
    pub fn prune_daily(&mut self, pruning: &Pruning, now: i64) -> Result<bool, AuditError> {
        let last: Option<String> =
            self.connection.query_row("SELECT value FROM meta WHERE key = 'pruned_at'", [], |row| row.get(0)).optional()?;
        let last = last.and_then(|last| last.parse::<i64>().ok());
        if last.is_some_and(|last| (now - DAY..=now).contains(&last)) {
            return Ok(false);
        }
        let put = "INSERT INTO meta (key, value) VALUES ('pruned_at', ?1) ON CONFLICT DO UPDATE SET value = excluded.value";
        self.connection.execute(put, [now.to_string()])?;
        self.prune(pruning, now)?;
        Ok(true)
    }

    /// Gives the room of what was taken out back to the system.
    ///
    /// # Errors
    ///
    /// When others hold the store for too long, or there is no room for a second file beside it.
    pub fn shrink(&self) -> Result<(), AuditError> {
        Ok(self.connection.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")?)
    }
}

fn prune(connection: &Connection, pruning: &Pruning, now: i64) -> Result<Pruned, AuditError> {
    let mut pruned = Pruned::default();
    for (chain, tenant, is_clean) in chains(connection, pruning)? {
        let (before, keep) = if is_clean { (pruning.clean_before, pruning.keep_clean) } else { (pruning.before, pruning.keep) };
        let cut = by_age(connection, chain, before)?.max(by_number(connection, chain, keep)?);
        let count = cut_off(connection, chain, cut)?;
        *(if is_clean { &mut pruned.clean } else { &mut pruned.evaluations }) += count;
        if 0 < count {
            let log = "INSERT INTO pruning (at, tenant, is_clean, before, records, sessions) VALUES (?1, ?2, ?3, ?4, ?5, 0)";
            connection.execute(log, params![now, tenant, is_clean, before, count])?;
        }
    }
    let labels = "DELETE FROM label WHERE evaluation_id NOT IN (SELECT evaluation_id FROM record)";
    if 0 < pruned.evaluations + pruned.clean {
        connection.execute(labels, [])?;
    }
    if let Some(before) = pruning.before {
        pruned.sessions = forget(connection, pruning, before)?;
    }
    Ok(pruned)
}

/// The chains that are pruned: id, tenant, whether they are of clean passes.
fn chains(connection: &Connection, pruning: &Pruning) -> Result<Vec<(i64, i64, bool)>, AuditError> {
    let only = match &pruning.tenant {
        Some(tenant) => Some(names::tenant(connection, tenant.as_deref())?.unwrap_or(-1)),
        None => None,
    };
    let mut statement = connection.prepare("SELECT id, tenant, is_clean FROM chain WHERE ?1 IS NULL OR tenant = ?1")?;
    let rows = statement.query_map([only], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The last record of the beginning of a chain in which all records are from before.
fn by_age(connection: &Connection, chain: i64, before: Option<i64>) -> rusqlite::Result<Option<i64>> {
    let Some(before) = before else { return Ok(None) };
    let last = "SELECT max(seq) FROM record WHERE chain = ?1 AND seq < coalesce((SELECT min(seq) FROM record WHERE chain = ?1 AND at >= ?2), 1 << 62)";
    connection.query_row(last, [chain, before], |row| row.get(0))
}

/// The last record that is not among the newest.
fn by_number(connection: &Connection, chain: i64, keep: Option<u64>) -> rusqlite::Result<Option<i64>> {
    let Some(keep) = keep else { return Ok(None) };
    let keep = i64::try_from(keep).unwrap_or(i64::MAX);
    connection
        .query_row("SELECT seq FROM record WHERE chain = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2", [chain, keep], |row| row.get(0))
        .optional()
}

/// Takes out the beginning of a chain up to this record, and leaves the hash from which the rest goes on.
fn cut_off(connection: &Connection, chain: i64, cut: Option<i64>) -> Result<u64, AuditError> {
    let Some(cut) = cut else { return Ok(0) };
    let anchor: Hash = connection.query_row("SELECT hash FROM record WHERE seq = ?1", [cut], |row| row.get(0))?;
    let count = connection.execute("DELETE FROM record WHERE chain = ?1 AND seq <= ?2", [chain, cut])?;
    connection.execute("UPDATE chain SET pruned = pruned + ?2, anchor = ?3 WHERE id = ?1", params![chain, count as i64, anchor])?;
    Ok(count as u64)
}

/// Forgets sessions that ended before and of which no record is left.
fn forget(connection: &Connection, pruning: &Pruning, before: i64) -> Result<u64, AuditError> {
    let only = match &pruning.tenant {
        Some(tenant) => Some(names::tenant(connection, tenant.as_deref())?.unwrap_or(-1)),
        None => None,
    };
    let gone = "SELECT id FROM session WHERE last_at < ?1 AND (?2 IS NULL OR tenant = ?2)
        AND NOT EXISTS (SELECT 1 FROM record WHERE record.session = session.id)";
    connection.execute(&format!("DELETE FROM session_call WHERE session IN ({gone})"), params![before, only])?;
    connection.execute(&format!("DELETE FROM session_read WHERE session IN ({gone})"), params![before, only])?;
    Ok(connection.execute(&format!("DELETE FROM session WHERE id IN ({gone})"), params![before, only])? as u64)
}
