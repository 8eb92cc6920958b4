//! Appending records: each batch is in the store whole or not at all, and stays there when the process is killed.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension as _, Statement, TransactionBehavior, params};

use crate::audit::chain::{self, Hash};
use crate::audit::names::Names;
use crate::audit::record::{Pending, Record};
use crate::audit::session;
use crate::audit::store::Store;
use crate::audit::{AuditError, counters};
use crate::history::metrics::Metrics;

impl Store {
    /// Appends records in their order, and what each adds to its session.
    ///
    /// # Errors
    ///
    /// When they cannot be written; then none of them is.
    pub fn append(&mut self, batch: &[Pending]) -> Result<(), AuditError> {
        if batch.is_empty() {
            return Ok(());
        }
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let written = Writer::new(&transaction, &mut self.names)
            .and_then(|mut writer| {
                batch.iter().try_for_each(|pending| writer.append(pending))?;
                writer.put_heads()?;
                counters::put(writer.connection, &writer.counted)
            })
            .and_then(|()| transaction.commit());
        if written.is_err() {
            // Names that were added are gone with the transaction.
            self.names.clear();
        }
        Ok(written?)
    }
}

/// Where a chain ends.
struct Head {
    id: i64,
    length: i64,
    hash: Hash,
}

struct Writer<'c, 'n> {
    connection: &'c Connection,
    names: Names<'c, 'n>,
    insert: Statement<'c>,
    /// The chains that were appended to, by tenant and whether they are of clean passes.
    heads: HashMap<(i64, bool), Head>,
    /// What was appended, by tenant.
    counted: HashMap<i64, Metrics>,
}

impl<'c, 'n> Writer<'c, 'n> {
    fn new(connection: &'c Connection, known: &'n mut HashMap<String, i64>) -> rusqlite::Result<Self> {
        let insert = connection.prepare(
            "INSERT INTO record (evaluation_id, chain, tenant, at, verdict, action, reason, models, library, version, path, number, kind,
                lifecycle, subject, duration, session, agent, tool, tool_call_id, input_timestamp, patterns, match_count, score, scores,
                severity, rule, undetermined, hash)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25,
                ?26, ?27, ?28, ?29)",
        )?;
        Ok(Self { connection, names: Names::of(connection, known)?, insert, heads: HashMap::new(), counted: HashMap::new() })
    }

    fn append(&mut self, pending: &Pending) -> rusqlite::Result<()> {
        let Pending { record, step } = pending;
        let tenant = self.names.id(record.tenant.as_deref().unwrap_or_default())?;
        let session = match &record.session {
            Some(name) => {
                let session = session::enter(self.connection, tenant, name, record.at)?;
                session::note(self.connection, session, step, record.at)?;
                Some(session)
            }
            None => None,
        };
        counters::count(&mut self.counted, tenant, record);
        let head = head(self.connection, &mut self.heads, tenant, record.is_clean())?;
        head.hash = chain::hash(&head.hash, record);
        head.length += 1;
        let (chain, hash) = (head.id, head.hash);
        self.insert(record, [chain, tenant], session, &hash)
    }

    fn insert(&mut self, record: &Record, [chain, tenant]: [i64; 2], session: Option<i64>, hash: &Hash) -> rusqlite::Result<()> {
        let names = &mut self.names;
        self.insert.execute(params![
            record.id.as_bytes(),
            chain,
            tenant,
            record.at,
            record.verdict as i64,
            names.id(&record.action)?,
            names.id(&record.reason)?,
            names.id(&record.models)?,
            names.id(&record.library)?,
            names.id(&record.version)?,
            record.path,
            record.number,
            names.optional(record.kind.as_deref())?,
            names.optional(record.lifecycle.as_deref())?,
            record.subject,
            record.duration,
            session,
            names.optional(record.agent.as_deref())?,
            names.optional(record.tool.as_deref())?,
            record.tool_call_id,
            record.input_timestamp,
            names.optional(record.patterns.as_deref())?,
            (0 < record.match_count).then_some(record.match_count),
            record.score,
            record.scores,
            record.severity.map(|severity| severity as i64 + 1),
            names.optional(record.rule.as_deref())?,
            names.optional(record.undetermined.as_deref())?,
            hash,
        ])?;
        Ok(())
    }

    fn put_heads(&mut self) -> rusqlite::Result<()> {
        let mut put = self.connection.prepare("UPDATE chain SET length = ?2, head = ?3 WHERE id = ?1")?;
        self.heads.values().try_for_each(|head| put.execute(params![head.id, head.length, head.hash]).map(|_| ()))
    }
}

/// Where a chain ends; one that does not exist yet begins.
fn head<'h>(
    connection: &Connection,
    heads: &'h mut HashMap<(i64, bool), Head>,
    tenant: i64,
    is_clean: bool,
) -> rusqlite::Result<&'h mut Head> {
    use std::collections::hash_map::Entry;
    match heads.entry((tenant, is_clean)) {
        Entry::Occupied(known) => Ok(known.into_mut()),
        Entry::Vacant(vacant) => {
            let found = connection
                .query_row("SELECT id, length, head FROM chain WHERE tenant = ?1 AND is_clean = ?2", params![tenant, is_clean], |row| {
                    Ok(Head { id: row.get(0)?, length: row.get(1)?, hash: row.get(2)? })
                })
                .optional()?;
            let head = match found {
                Some(head) => head,
                None => {
                    connection.execute(
                        "INSERT INTO chain (tenant, is_clean, length, head, pruned, anchor) VALUES (?1, ?2, 0, ?3, 0, ?3)",
                        params![tenant, is_clean, chain::ORIGIN],
                    )?;
                    Head { id: connection.last_insert_rowid(), length: 0, hash: chain::ORIGIN }
                }
            };
            Ok(vacant.insert(head))
        }
    }
}
