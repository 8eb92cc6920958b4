//! Counters of all evaluations that a store was ever told of: they go on where old records are taken out.

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::audit::db::Db;
use crate::audit::record::Record;
use crate::audit::store::Store;
use crate::audit::{AuditError, names};
use crate::history::metrics::{Metrics, Sample};

impl Store {
    /// The counters of a tenant.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn counters(&self, tenant: Option<&str>) -> Result<Metrics, AuditError> {
        let mut metrics = Metrics::default();
        let Some(tenant) = names::tenant(&self.db, tenant)? else { return Ok(metrics) };
        self.db.visit("SELECT name, count FROM counter WHERE tenant = ?1", &[tenant.into()], |row| {
            metrics.count(row.get(0)?, row.get(1)?);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(metrics)
    }
}

/// Counts a record.
pub(super) fn count(counted: &mut HashMap<i64, Metrics>, tenant: i64, record: &Record) {
    let named = record.patterns.as_deref().unwrap_or_default().split(' ').filter(|rule| !rule.is_empty());
    let rules = named.map(|rule| rule.split_once('*').map_or((rule, 1), |(count, rule)| (rule, count.parse().unwrap_or(1))));
    counted.entry(tenant).or_default().add(&Sample {
        verdict: record.verdict,
        is_undetermined: record.undetermined.is_some(),
        accepted: record.accepted_count,
        rules: rules.collect(),
        score: record.score,
        micros: record.duration,
    });
}

/// Adds what was counted to the counters of the store.
pub(super) fn put(db: &Db, counted: &HashMap<i64, Metrics>) -> Result<(), AuditError> {
    let add = "INSERT INTO counter (tenant, name, count) VALUES (?1, ?2, ?3)
        ON CONFLICT (tenant, name) DO UPDATE SET count = counter.count + excluded.count";
    for (tenant, metrics) in counted {
        for (name, count) in metrics.iter() {
            db.execute(add, &[(*tenant).into(), name.into(), count.into()])?;
        }
    }
    Ok(())
}
