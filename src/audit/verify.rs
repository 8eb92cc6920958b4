//! Whether a store still says what was written into it.

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::audit::chain::{self, Hash};
use crate::audit::db::Db;
use crate::audit::memory::Said;
use crate::audit::query::{Filter, Kept};
use crate::audit::store::Store;
use crate::audit::{AuditError, label};
use crate::value::time::rfc3339;

/// A chain as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Whose it is.
    pub tenant: Option<String>,
    /// Whether its records are clean passes.
    pub is_clean: bool,
    /// How many records there are.
    pub records: u64,
    /// How many were pruned before them.
    pub pruned: u64,
    /// The hash of the last one.
    pub head: Hash,
}

/// What is wrong with a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The first record that is wrong, as people find it; none where something is wrong with the whole.
    pub record: Option<String>,
    /// What is wrong.
    pub why: String,
}

/// A store that was looked through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// All chains.
    pub chains: Vec<Chain>,
    /// The first thing that is wrong.
    pub broken: Option<Broken>,
}

/// A chain that is followed.
struct Followed {
    chain: Chain,
    length: u64,
    stored_head: Hash,
}

impl Store {
    /// Follows all chains from their beginnings, or from where they were pruned.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn verify(&self) -> Result<Verified, AuditError> {
        if let Some(why) = self.fault_of_file()? {
            return Ok(Verified { broken: Some(Broken { record: None, why }), ..Verified::default() });
        }
        // All is read as of one moment, while others go on writing.
        let _moment = self.db.reading()?;
        match self.follow() {
            Err(AuditError::Damaged(why)) => Ok(Verified { broken: Some(Broken { record: None, why }), ..Verified::default() }),
            other => other,
        }
    }

    /// What a database finds wrong with its own file.
    fn fault_of_file(&self) -> Result<Option<String>, AuditError> {
        let Db::File(_) = &self.db else { return Ok(None) };
        let told: Option<String> = self.db.one("PRAGMA quick_check(1)", &[], |row| row.get(0))?;
        Ok(told.filter(|told| told != "ok"))
    }

    /// Whether a record has this hash (in hexadecimal), or had it when it was pruned last.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn has_hash(&self, hash: &str) -> Result<bool, AuditError> {
        let Some(hash) = chain::from_hex(hash.trim()) else { return Ok(false) };
        let sought = "SELECT 1 FROM record WHERE hash = ?1 UNION ALL SELECT 1 FROM chain WHERE anchor = ?1
            UNION ALL SELECT 1 FROM labelling WHERE hash = ?1 LIMIT 1";
        Ok(self.db.one(sought, &[(&hash).into()], |_| Ok(()))?.is_some())
    }

    fn follow(&self) -> Result<Verified, AuditError> {
        let mut chains = self.chains()?;
        let mut broken = None;
        let mut said = Said::default();
        self.visit_within(&Filter::default(), |kept| {
            broken = broken_at(&mut chains, &kept);
            said.take(&kept);
            if broken.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let mut chains: Vec<(i64, Followed)> = chains.into_iter().collect();
        chains.sort_by_key(|(id, _)| *id);
        if broken.is_none() {
            broken = chains.iter().find_map(|(_, followed)| broken_end(followed));
        }
        if broken.is_none() {
            broken = label::fault(&self.db)?.map(|why| Broken { record: None, why });
        }
        if broken.is_none() {
            let pruned = chains.iter().filter(|(_, followed)| 0 < followed.chain.pruned);
            let pruned = pruned.map(|(_, followed)| followed.chain.tenant.clone().unwrap_or_default()).collect();
            broken = said.fault(&self.db, &pruned)?.map(|why| Broken { record: None, why });
        }
        Ok(Verified { chains: chains.into_iter().map(|(_, followed)| followed.chain).collect(), broken })
    }

    fn chains(&self) -> Result<HashMap<i64, Followed>, AuditError> {
        let all = format!(
            "SELECT chain.id, text, is_clean, length, head, pruned, anchor FROM chain LEFT JOIN name ON name.id = chain.tenant
            WHERE is_clean < {}",
            label::KIND
        );
        let chains = self.db.all(&all, &[], |row| {
            let tenant: Option<String> = row.get(1)?;
            let chain = Chain {
                tenant: tenant.filter(|tenant| !tenant.is_empty()),
                is_clean: row.get(2)?,
                records: 0,
                pruned: row.get(5)?,
                head: row.get(6)?,
            };
            Ok((row.get(0)?, Followed { chain, length: row.get(3)?, stored_head: row.get(4)? }))
        })?;
        Ok(chains.into_iter().collect())
    }
}

/// What is wrong with a record that follows in its chain.
fn broken_at(chains: &mut HashMap<i64, Followed>, kept: &Kept) -> Option<Broken> {
    let record = format!("{} of {}", kept.record.id, rfc3339(kept.record.at));
    let broken = |why: &str| Some(Broken { record: Some(record), why: why.to_owned() });
    let Some(Followed { chain, .. }) = chains.get_mut(&kept.chain) else { return broken("it is in a chain that does not exist") };
    if chain.is_clean != kept.record.is_clean() || chain.tenant != kept.record.tenant {
        return broken("it is in a chain of other records");
    }
    if chain::hash(&chain.head, &kept.record, kept.step.as_deref()) != kept.hash {
        return broken("it was changed, or records before it were changed, added or taken away");
    }
    chain.head = kept.hash;
    chain.records += 1;
    None
}

/// What is wrong with the end of a chain.
fn broken_end(followed: &Followed) -> Option<Broken> {
    let Followed { chain, length, stored_head } = followed;
    let is_whole = chain.head == *stored_head && chain.records + chain.pruned == *length;
    let missing = length.saturating_sub(chain.records + chain.pruned);
    let kind = if chain.is_clean { "clean passes" } else { "findings" };
    (!is_whole).then(|| Broken { record: None, why: format!("the last {missing} of the {kind} were taken away") })
}
