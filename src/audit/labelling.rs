//! Labelling evaluations of a store.

use crate::audit::AuditError;
use crate::audit::label::Label;
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
        // A server keeps no zero in a text, and the chain must say what is kept.
        let note: Option<String> = note.map(|note| note.chars().filter(|character| *character != '\0').take(NOTE).collect());
        let transaction = self.db.writing()?;
        let label = Label { id: id.into_bytes(), is_bad, at, note };
        let is_there = self.db.one("SELECT 1 FROM record WHERE evaluation_id = ?1", &[(&label.id).into()], |_| Ok(()))?.is_some();
        if is_there {
            label.put(&self.db)?;
        }
        transaction.commit()?;
        Ok(is_there)
    }
}
