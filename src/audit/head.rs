//! Where a chain ends: what is appended goes on from there.

use crate::audit::AuditError;
use crate::audit::chain::{self, Hash};
use crate::audit::db::Db;

/// Where a chain ends.
pub(super) struct Head {
    pub(super) id: i64,
    pub(super) length: i64,
    pub(super) hash: Hash,
}

impl Head {
    /// Where the chain of this tenant and kind ends; one that does not exist yet begins.
    pub(super) fn of(db: &Db, tenant: i64, kind: i64) -> Result<Self, AuditError> {
        let known = "SELECT id, length, head FROM chain WHERE tenant = ?1 AND is_clean = ?2";
        let found =
            db.one(known, &[tenant.into(), kind.into()], |row| Ok(Self { id: row.get(0)?, length: row.get(1)?, hash: row.get(2)? }))?;
        if let Some(head) = found {
            return Ok(head);
        }
        let begin = "INSERT INTO chain (tenant, is_clean, length, head, pruned, anchor) VALUES (?1, ?2, 0, ?3, 0, ?3) RETURNING id";
        let id = db.row(begin, &[tenant.into(), kind.into(), (&chain::ORIGIN).into()], |row| row.get(0))?;
        Ok(Self { id, length: 0, hash: chain::ORIGIN })
    }

    /// Goes on with this hash.
    pub(super) fn put(&self, db: &Db) -> Result<(), AuditError> {
        db.execute("UPDATE chain SET length = ?2, head = ?3 WHERE id = ?1", &[self.id.into(), self.length.into(), (&self.hash).into()])?;
        Ok(())
    }
}
