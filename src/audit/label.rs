//! What people say of evaluations afterwards: that what was judged was bad, or good. All that was ever said stands in a chain, as
//! records do; what holds is what was said last.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use crate::audit::AuditError;
use crate::audit::chain::{Hash, ORIGIN};
use crate::audit::db::Db;
use crate::audit::head::Head;
use crate::audit::record::Id;

/// What the chain of labels has in place of whether its records are clean passes.
pub(super) const KIND: i64 = 2;
/// What it has in place of a tenant.
const NOBODY: i64 = 0;

/// What somebody said of an evaluation.
#[derive(Debug, PartialEq)]
pub(super) struct Label {
    pub(super) id: [u8; 16],
    pub(super) is_bad: bool,
    pub(super) at: i64,
    pub(super) note: Option<String>,
}

impl Label {
    fn hash(&self, before: &Hash) -> Hash {
        let mut bytes = Vec::with_capacity(64);
        bytes.extend_from_slice(before);
        bytes.extend_from_slice(&self.id);
        bytes.push(u8::from(self.is_bad));
        bytes.extend_from_slice(&self.at.to_be_bytes());
        bytes.push(u8::from(self.note.is_some()));
        bytes.extend_from_slice(self.note.as_deref().unwrap_or_default().as_bytes());
        Sha256::digest(&bytes).into()
    }

    /// Says so in the chain, and lets it hold.
    pub(super) fn put(&self, db: &Db) -> Result<(), AuditError> {
        let mut head = Head::of(db, NOBODY, KIND)?;
        head.hash = self.hash(&head.hash);
        head.length += 1;
        let said = "INSERT INTO labelling (evaluation_id, is_bad, at, note, hash) VALUES (?1, ?2, ?3, ?4, ?5)";
        let note = self.note.as_deref();
        db.execute(said, &[(&self.id).into(), self.is_bad.into(), self.at.into(), note.into(), (&head.hash).into()])?;
        let holds = "INSERT INTO label (evaluation_id, is_bad, at, note) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (evaluation_id) DO UPDATE SET is_bad = excluded.is_bad, at = excluded.at, note = excluded.note";
        db.execute(holds, &[(&self.id).into(), self.is_bad.into(), self.at.into(), note.into()])?;
        head.put(db)
    }
}

/// Puts labels into the chain that were given before there was one.
pub(super) fn chain_old(db: &Db) -> Result<(), AuditError> {
    let labels = db.all("SELECT evaluation_id, is_bad, at, note FROM label ORDER BY at, evaluation_id", &[], |row| {
        Ok(Label { id: row.get(0)?, is_bad: row.get(1)?, at: row.get(2)?, note: row.get(3)? })
    })?;
    labels.iter().try_for_each(|label| label.put(db))
}

/// Takes out labels of evaluations that were taken out; of the chain, as far as its beginning says nothing of any other.
pub(super) fn prune(db: &Db) -> Result<(), AuditError> {
    db.execute("DELETE FROM label WHERE evaluation_id NOT IN (SELECT evaluation_id FROM record)", &[])?;
    let kept = "SELECT min(seq) FROM labelling WHERE EXISTS (SELECT 1 FROM record WHERE record.evaluation_id = labelling.evaluation_id)";
    let kept: Option<i64> = db.row(kept, &[], |row| row.get(0))?;
    let last = "SELECT seq, hash FROM labelling WHERE seq < ?1 ORDER BY seq DESC LIMIT 1";
    let last: Option<(i64, Hash)> = db.one(last, &[kept.unwrap_or(i64::MAX).into()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let Some((seq, anchor)) = last else { return Ok(()) };
    let count = db.execute("DELETE FROM labelling WHERE seq <= ?1", &[seq.into()])?;
    let head = Head::of(db, NOBODY, KIND)?;
    let cut = "UPDATE chain SET pruned = pruned + ?2, anchor = ?3 WHERE id = ?1";
    db.execute(cut, &[head.id.into(), i64::try_from(count).unwrap_or(i64::MAX).into(), (&anchor).into()])?;
    Ok(())
}

/// What is wrong with what people said.
pub(super) fn fault(db: &Db) -> Result<Option<String>, AuditError> {
    let chain = "SELECT length, head, pruned, anchor FROM chain WHERE tenant = ?1 AND is_clean = ?2";
    let chain: Option<(u64, Hash, u64, Hash)> =
        db.one(chain, &[NOBODY.into(), KIND.into()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
    let (length, head, pruned, anchor) = chain.unwrap_or((0, ORIGIN, 0, ORIGIN));
    let said = db.all("SELECT evaluation_id, is_bad, at, note, hash FROM labelling ORDER BY seq", &[], |row| {
        Ok((Label { id: row.get(0)?, is_bad: row.get(1)?, at: row.get(2)?, note: row.get(3)? }, row.get::<Hash>(4)?))
    })?;
    let (mut last, count) = (anchor, said.len() as u64);
    let mut holds: BTreeMap<[u8; 16], Label> = BTreeMap::new();
    for (label, hash) in said {
        last = label.hash(&last);
        if last != hash {
            let id = Id::from_bytes(label.id);
            return Ok(Some(format!("the label of {id} was changed, or labels before it were changed, added or taken away")));
        }
        holds.insert(label.id, label);
    }
    if last != head || count + pruned != length {
        return Ok(Some("the last labels were taken away".to_owned()));
    }
    differing(db, holds)
}

/// Where what holds is not what was said last.
fn differing(db: &Db, mut holds: BTreeMap<[u8; 16], Label>) -> Result<Option<String>, AuditError> {
    let stored = db.all("SELECT evaluation_id, is_bad, at, note FROM label", &[], |row| {
        Ok(Label { id: row.get(0)?, is_bad: row.get(1)?, at: row.get(2)?, note: row.get(3)? })
    })?;
    for label in stored {
        if holds.remove(&label.id).as_ref() != Some(&label) {
            return Ok(Some(format!("the label of {} is not what was said of it", Id::from_bytes(label.id))));
        }
    }
    for id in holds.into_keys() {
        if db.one("SELECT 1 FROM record WHERE evaluation_id = ?1", &[(&id).into()], |_| Ok(()))?.is_some() {
            return Ok(Some(format!("the label of {} was taken away", Id::from_bytes(id))));
        }
    }
    Ok(None)
}
