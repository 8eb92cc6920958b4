//! Taking old records out of a store, so that the others still verify.

use crate::audit::chain::Hash;
use crate::audit::db::Db;
use crate::audit::store::Store;
use crate::audit::{AuditError, label, names};
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
        let transaction = self.db.writing()?;
        let pruned = prune(&self.db, pruning, now)?;
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
        let last: Option<String> = self.db.one("SELECT value FROM meta WHERE key = 'pruned_at'", &[], |row| row.get(0))?;
        let last = last.and_then(|last| last.parse::<i64>().ok());
        if last.is_some_and(|last| (now - DAY..=now).contains(&last)) {
            return Ok(false);
        }
        let put = "INSERT INTO meta (key, value) VALUES ('pruned_at', ?1) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        self.db.execute(put, &[now.to_string().into()])?;
        self.prune(pruning, now)?;
        Ok(true)
    }

    /// Gives the room of what was taken out back to the system. A server does so itself.
    ///
    /// # Errors
    ///
    /// When others hold the store for too long, or there is no room for a second file beside it.
    pub fn shrink(&self) -> Result<(), AuditError> {
        match &self.db {
            Db::File(_) => self.db.batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"),
            Db::Server(_) => Ok(()),
        }
    }
}

fn prune(db: &Db, pruning: &Pruning, now: i64) -> Result<Pruned, AuditError> {
    let mut pruned = Pruned::default();
    for (chain, tenant, is_clean) in chains(db, pruning)? {
        let (before, keep) = if is_clean { (pruning.clean_before, pruning.keep_clean) } else { (pruning.before, pruning.keep) };
        let cut = by_age(db, chain, before)?.max(by_number(db, chain, keep)?);
        let count = cut_off(db, chain, cut)?;
        *(if is_clean { &mut pruned.clean } else { &mut pruned.evaluations }) += count;
        if 0 < count {
            let log = "INSERT INTO pruning (at, tenant, is_clean, before, records, sessions) VALUES (?1, ?2, ?3, ?4, ?5, 0)";
            db.execute(log, &[now.into(), tenant.into(), is_clean.into(), before.into(), i64::try_from(count).unwrap_or(i64::MAX).into()])?;
        }
    }
    if 0 < pruned.evaluations + pruned.clean {
        label::prune(db)?;
    }
    if let Some(before) = pruning.before {
        pruned.sessions = forget(db, pruning, before)?;
    }
    Ok(pruned)
}

/// The condition that only a tenant's rows count, where only those are pruned.
fn of_tenant(db: &Db, pruning: &Pruning) -> Result<String, AuditError> {
    let Some(tenant) = &pruning.tenant else { return Ok(String::new()) };
    Ok(format!(" AND tenant = {}", names::tenant(db, tenant.as_deref())?.unwrap_or(-1)))
}

/// The chains that are pruned: id, tenant, whether they are of clean passes.
fn chains(db: &Db, pruning: &Pruning) -> Result<Vec<(i64, i64, bool)>, AuditError> {
    let all = format!("SELECT id, tenant, is_clean FROM chain WHERE is_clean < {}{} ORDER BY id", label::KIND, of_tenant(db, pruning)?);
    db.all(&all, &[], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}

/// The last record of the beginning of a chain in which all records are from before.
fn by_age(db: &Db, chain: i64, before: Option<i64>) -> Result<Option<i64>, AuditError> {
    let Some(before) = before else { return Ok(None) };
    let last = format!(
        "SELECT max(seq) FROM record WHERE chain = ?1
        AND seq < coalesce((SELECT min(seq) FROM record WHERE chain = ?1 AND at >= ?2), {})",
        i64::MAX
    );
    db.row(&last, &[chain.into(), before.into()], |row| row.get(0))
}

/// The last record that is not among the newest.
fn by_number(db: &Db, chain: i64, keep: Option<u64>) -> Result<Option<i64>, AuditError> {
    let Some(keep) = keep else { return Ok(None) };
    let keep = i64::try_from(keep).unwrap_or(i64::MAX);
    let last = "SELECT seq FROM record WHERE chain = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2";
    db.one(last, &[chain.into(), keep.into()], |row| row.get(0))
}

/// Takes out the beginning of a chain up to this record, and leaves the hash from which the rest goes on.
fn cut_off(db: &Db, chain: i64, cut: Option<i64>) -> Result<u64, AuditError> {
    let Some(cut) = cut else { return Ok(0) };
    let anchor: Hash = db.row("SELECT hash FROM record WHERE seq = ?1", &[cut.into()], |row| row.get(0))?;
    let count = db.execute("DELETE FROM record WHERE chain = ?1 AND seq <= ?2", &[chain.into(), cut.into()])?;
    let gone = i64::try_from(count).unwrap_or(i64::MAX);
    db.execute("UPDATE chain SET pruned = pruned + ?2, anchor = ?3 WHERE id = ?1", &[chain.into(), gone.into(), (&anchor).into()])?;
    Ok(count)
}

/// Forgets sessions that ended before and of which no record is left.
fn forget(db: &Db, pruning: &Pruning, before: i64) -> Result<u64, AuditError> {
    let gone = format!(
        "SELECT id FROM session WHERE last_at < ?1{} AND NOT EXISTS (SELECT 1 FROM record WHERE record.session = session.id)",
        of_tenant(db, pruning)?
    );
    for memory in ["session_call", "session_read"] {
        db.execute(&format!("DELETE FROM {memory} WHERE session IN ({gone})"), &[before.into()])?;
    }
    db.execute(&format!("DELETE FROM session WHERE id IN ({gone})"), &[before.into()])
}
