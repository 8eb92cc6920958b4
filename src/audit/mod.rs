//! The store of evaluations: what was judged when, with what outcome, in a file that many processes write at once.
//!
//! A [`record::Record`] is one evaluation: one subject, judged by all models of a run. It holds no content and no secret; paths, tools
//! and ids are stored as reports show them. What each column means stands at the fields of `Record`, how it lies in the file in
//! `schema.rs`; the view `evaluations` of the file names the columns as operators know them.
//!
//! Records of one tenant make two chains, one of clean passes and one of all others: each record holds a hash over itself and
//! the record before it in its chain (`chain.rs`). Clean passes are many and are kept for a shorter time, so each chain is
//! pruned from its beginning alone, and what is left still verifies from the hash of the last record that was pruned. What people say
//! of evaluations stands in a chain of its own (`label.rs`).
//!
//! A store lies in a file or on a server (`db/`); everything else here is the same for both.
//!
//! Everything that is asked of a store is asked in a [`Scope`]: whoever has a tenant sees nothing of any other.

pub mod chain;
pub mod counters;
pub mod db;
pub mod export;
mod file;
mod head;
pub mod history;
pub mod label;
mod labelling;
mod memory;
mod names;
pub mod prune;
pub mod query;
pub mod record;
pub mod risk;
pub mod schema;
pub mod session;
pub mod store;
pub mod trends;
pub mod verify;
pub mod write;

use std::io;
use std::path::PathBuf;

use crate::value::store_place::StorePlace;

/// Whose history it is: the tenant always counts, the session and the agent narrow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The tenant; none for those who have none.
    pub tenant: Option<String>,
    /// The session, as the user or the input names it.
    pub session: Option<String>,
    /// The agent host.
    pub agent: Option<String>,
}

impl Scope {
    /// All of a tenant's history.
    pub fn of_tenant(tenant: Option<&str>) -> Self {
        Self { tenant: tenant.map(str::to_owned), ..Self::default() }
    }
}

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The file cannot be made or opened.
    #[error("{} cannot be opened", path.display())]
    Unopened {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is something of that name that is no store.
    #[error("{} is {what}, and no store of evaluations", path.display())]
    Other {
        /// What was named.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// A later version of this program made it.
    #[error("{place} has schema {found}, and this version knows schemas up to {known}")]
    Newer {
        /// The store.
        place: StorePlace,
        /// The schema that it has.
        found: i64,
        /// The newest schema that is known.
        known: i64,
    },
    /// What stands in it contradicts itself.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// SQLite says no: the disk is full, the file is damaged, others hold it for too long.
    #[error("{}", said(.0))]
    Refused(#[from] rusqlite::Error),
    /// The connection to a server broke off.
    #[error("{told}")]
    Lost {
        /// What went wrong.
        told: String,
    },
    /// A server says no, or cannot be reached.
    #[error("{told}")]
    Server {
        /// What went wrong.
        told: String,
        /// What to do about it.
        help: &'static str,
    },
}

impl AuditError {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Unopened { .. } => "check that the folder exists and that you may write there",
            Self::Other { .. } => "name another file; only a file that this program made, or one that is not there yet, is a store",
            Self::Newer { .. } => "update callgate, or name another file",
            Self::Damaged(_) => "`callgate audit verify` says where; keep the file, and name another one for now",
            Self::Refused(_) => "check that there is room, that you may write the file and its folder, and that it lies on a local disk",
            Self::Lost { .. } => "check that the server runs and that the network holds; a run connects anew once",
            Self::Server { help, .. } => help,
        }
    }
}

/// What SQLite says, in a sentence.
fn said(error: &rusqlite::Error) -> String {
    use rusqlite::ErrorCode;
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "the disk is full".to_owned(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => "other processes held the store for too long".to_owned(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => "the file is damaged".to_owned(),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            "the file, or its folder, cannot be written".to_owned()
        }
        _ => error.to_string(),
    }
}
