//! The way of one source: from a name to what is decided about it.
//!
//! `batch.rs` says which sources come when and on which thread, `source.rs` and `recognise.rs` what each one is, `detect.rs` finds
//! all there is in it, and `finding.rs` has it judged and writes down what is told of it.

pub mod batch;
mod detect;
mod finding;
mod follow;
mod listing;
mod live;
mod mere_words;
mod outcome;
mod passing;
mod problem;
mod recognise;
pub mod session;
mod source;
pub mod stream;

use std::sync::Arc;

use crate::accept::settle::Acceptances;
use crate::analyzer::Analyzers;
use crate::finding::place::Wanted;
use crate::format::{Language, ReadOptions};
use crate::judge::{Bench, Floor};
use crate::knowledge::House;
use crate::model::Model;
use crate::pattern::library::{Library, LibraryError};
use crate::policy::Policy;
use crate::scan::session::Sessions;

/// How much is read of what is too large to be read whole, in bytes.
pub const BEGINNING: u64 = 64 * 1024;

/// Everything that decides how sources are judged.
pub struct Scanner {
    /// Bounds, and the names of functions that call tools.
    pub read: ReadOptions,
    /// The language of every source, whatever its name says.
    pub language: Option<Language>,
    /// All patterns.
    pub library: Library,
    /// Rules and programs of the user's own.
    pub analyzers: Analyzers,
    /// What was found and does not count.
    pub acceptances: Acceptances,
    /// The models that judge.
    pub models: Vec<Box<dyn Model>>,
    /// What users say of their own tools and places.
    pub house: House,
    /// What follows from their opinions.
    pub policy: Policy,
    /// What the report needs beyond the bare places.
    pub wanted: Wanted,
    /// What was called before.
    pub sessions: Sessions,
    /// Whose run it is.
    pub tenant: Option<Arc<str>>,
    /// The least that is answered on what is critical, whatever the models think of it.
    pub floor: Option<Floor>,
    /// How many threads work; as many as there are processors, if none is named.
    pub jobs: Option<usize>,
}

impl Scanner {
    /// A scanner of everything that is built in, which judges by these models and knows nothing of its user, on one thread.
    ///
    /// # Errors
    ///
    /// When the built-in patterns make no library.
    pub fn built_in(models: Vec<Box<dyn Model>>) -> Result<Self, LibraryError> {
        Ok(Self {
            read: ReadOptions::default(),
            language: None,
            library: Library::new(Vec::new())?,
            analyzers: Analyzers::default(),
            acceptances: Acceptances::default(),
            models,
            house: House::default(),
            policy: Policy::default(),
            wanted: Wanted::default(),
            sessions: Sessions::default(),
            tenant: None,
            floor: None,
            jobs: Some(1),
        })
    }

    /// Who judges, and by what.
    fn bench(&self) -> Bench<'_> {
        Bench { models: &self.models, policy: &self.policy, limit: self.read.limits.matches as usize, floor: self.floor.as_ref() }
    }

    /// Whether what was called before tells something of a subject: then one is judged after the other.
    fn numbers_calls(&self) -> bool {
        self.sessions.are_followed() || self.models.iter().any(|model| model.needs_session())
    }
}
