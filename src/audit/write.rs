//! Appending records: each batch is in the store whole or not at all, and stays there when the process is killed.

use std::collections::HashMap;

use crate::audit::chain::{self, Hash};
use crate::audit::db::Db;
use crate::audit::head::Head;
use crate::audit::names::Names;
use crate::audit::record::{Pending, Record};
use crate::audit::store::Store;
use crate::audit::{AuditError, counters};
use crate::audit::{memory, session};
use crate::history::metrics::Metrics;

impl Store {
    /// Appends records in their order, and what each adds to its session.
    ///
    /// # Errors
    ///
    /// When they cannot be written; then none of them is.
    pub fn append(&mut self, batch: &[Pending]) -> Result<(), AuditError> {
        let Some(first) = batch.first() else { return Ok(()) };
        if self.is_anew.get() && self.has(&first.record)? {
            return Ok(());
        }
        let transaction = self.db.writing()?;
        let mut writer = Writer::new(&self.db, &mut self.names);
        let written = batch
            .iter()
            .try_for_each(|pending| writer.append(pending))
            .and_then(|()| writer.put_heads())
            .and_then(|()| counters::put(&self.db, &writer.counted))
            .and_then(|()| transaction.commit());
        match &written {
            Ok(()) => self.written.set(self.written.get() + i64::try_from(batch.len()).unwrap_or(i64::MAX)),
            // Names that were added are gone with the transaction.
            Err(_) => self.names.clear(),
        }
        written
    }

    /// Whether a record stands in the store, and with it all that was appended together with it.
    fn has(&self, record: &Record) -> Result<bool, AuditError> {
        let sought = "SELECT 1 FROM record WHERE evaluation_id = ?1";
        Ok(self.db.one(sought, &[record.id.as_bytes().into()], |_| Ok(()))?.is_some())
    }
}

/// Puts a record into the table.
const INSERT: &str =
    "INSERT INTO record (evaluation_id, chain, tenant, at, verdict, action, reason, models, library, version, path, number, kind,
        lifecycle, subject, duration, session, agent, tool, tool_call_id, input_timestamp, patterns, match_count, score, scores,
        severity, rule, undetermined, accepted, accepted_count, hash, step)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25,
        ?26, ?27, ?28, ?29, ?30, ?31, ?32)";

struct Writer<'c, 'n> {
    db: &'c Db,
    names: Names<'c, 'n>,
    /// The chains that were appended to, by tenant and whether they are of clean passes.
    heads: HashMap<(i64, bool), Head>,
    /// What was appended, by tenant.
    counted: HashMap<i64, Metrics>,
}

impl<'c, 'n> Writer<'c, 'n> {
    fn new(db: &'c Db, known: &'n mut HashMap<String, i64>) -> Self {
        Self { db, names: Names::of(db, known), heads: HashMap::new(), counted: HashMap::new() }
    }

    fn append(&mut self, pending: &Pending) -> Result<(), AuditError> {
        let Pending { record, step } = pending;
        let tenant = self.names.id(record.tenant.as_deref().unwrap_or_default())?;
        let session = match &record.session {
            Some(name) => {
                let session = session::enter(self.db, tenant, name, record.at)?;
                session::note(self.db, session, step, record.at)?;
                Some(session)
            }
            None => None,
        };
        counters::count(&mut self.counted, tenant, record);
        let head = head(self.db, &mut self.heads, tenant, record.is_clean())?;
        let step = session.map(|_| memory::text(step));
        head.hash = chain::hash(&head.hash, record, step.as_deref());
        head.length += 1;
        let (chain, hash) = (head.id, head.hash);
        self.insert(record, [chain, tenant], (session, step.as_deref()), &hash)
    }

    fn insert(
        &mut self,
        record: &Record,
        [chain, tenant]: [i64; 2],
        (session, step): (Option<i64>, Option<&str>),
        hash: &Hash,
    ) -> Result<(), AuditError> {
        let names = &mut self.names;
        self.db.execute(
            INSERT,
            &[
                record.id.as_bytes().into(),
                chain.into(),
                tenant.into(),
                record.at.into(),
                (record.verdict as i64).into(),
                names.id(&record.action)?.into(),
                names.id(&record.reason)?.into(),
                names.id(&record.models)?.into(),
                names.id(&record.library)?.into(),
                names.id(&record.version)?.into(),
                record.path.as_str().into(),
                record.number.into(),
                names.optional(record.kind.as_deref())?.into(),
                names.optional(record.lifecycle.as_deref())?.into(),
                record.subject.as_ref().into(),
                record.duration.into(),
                session.into(),
                names.optional(record.agent.as_deref())?.into(),
                names.optional(record.tool.as_deref())?.into(),
                record.tool_call_id.as_deref().into(),
                record.input_timestamp.as_deref().into(),
                names.optional(record.patterns.as_deref())?.into(),
                (0 < record.match_count).then_some(record.match_count).into(),
                record.score.into(),
                record.scores.as_deref().into(),
                record.severity.map(|severity| severity as i64 + 1).into(),
                names.optional(record.rule.as_deref())?.into(),
                names.optional(record.undetermined.as_deref())?.into(),
                names.optional(record.accepted.as_deref())?.into(),
                (0 < record.accepted_count).then_some(record.accepted_count).into(),
                hash.into(),
                step.into(),
            ],
        )?;
        Ok(())
    }

    fn put_heads(&self) -> Result<(), AuditError> {
        self.heads.values().try_for_each(|head| head.put(self.db))
    }
}

/// Where a chain ends; one that does not exist yet begins.
fn head<'h>(db: &Db, heads: &'h mut HashMap<(i64, bool), Head>, tenant: i64, is_clean: bool) -> Result<&'h mut Head, AuditError> {
    use std::collections::hash_map::Entry;
    match heads.entry((tenant, is_clean)) {
        Entry::Occupied(known) => Ok(known.into_mut()),
        Entry::Vacant(vacant) => Ok(vacant.insert(Head::of(db, tenant, i64::from(is_clean))?)),
    }
}
