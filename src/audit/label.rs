//! What people say of evaluations afterwards: that what was judged was bad, or good.

use rusqlite::{OptionalExtension as _, params};

use crate::audit::AuditError;
use crate::audit::record::Id;
use crate::audit::store::Store;

/// Longest note, in characters.
const NOTE: usize = 400;

impl Store {
    /// Labels an evaluation; a later label takes the place of an earlier one. Returns whether there is such an evaluation.
    ///
    /// # Errors
    ///
    /// When the store cannot be written.
    pub fn label(&mut self, id: Id, is_bad: bool, note: Option<&str>, at: i64) -> Result<bool, AuditError> {
        let note: Option<String> = note.map(|note| note.chars().take(NOTE).collect());
        let transaction = self.connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let is_there =
            transaction.query_row("SELECT 1 FROM record WHERE evaluation_id = ?1", [id.as_bytes()], |_| Ok(())).optional()?.is_some();
        if is_there {
            transaction.execute(
                "INSERT INTO label (evaluation_id, is_bad, at, note) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT DO UPDATE SET is_bad = excluded.is_bad, at = excluded.at, note = excluded.note",
                params![id.as_bytes(), is_bad, at, note],
            )?;
        }
        transaction.commit()?;
        Ok(is_there)
    }
}
