//! The way of one source: from a name to what is decided about it.
//!
//! `batch.rs` says which sources come when and on which thread, `source.rs` and `recognise.rs` what each one is, `detect.rs` finds
//! all there is in it, and `finding.rs` has it judged and writes down what is told of it.

pub mod batch;
mod detect;
mod finding;
mod listing;
mod live;
mod mere_words;
mod outcome;
pub mod overrides;
mod passing;
mod problem;
mod recognise;
mod seat;
mod source;
pub mod stream;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::accept::settle::Acceptances;
use crate::analyzer::Analyzers;
use crate::finding::place::Wanted;
use crate::format::{Language, ReadOptions};
use crate::knowledge::House;
use crate::model::Model;
use crate::pattern::library::{Library, LibraryError};
use crate::policy::Policy;
use crate::scan::overrides::Override;
use crate::subject::Subject;

/// How much is read of what is too large to be read whole, in bytes.
pub const BEGINNING: u64 = 64 * 1024;
/// How many names of calls are remembered; any other counts as called for the first time.
const LARGEST_SESSION: usize = 100_000;

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
    /// What is chosen for some files only.
    pub overrides: Vec<Override>,
    /// What the report needs beyond the bare places.
    pub wanted: Wanted,
    /// The calls that were made before.
    pub session: Session,
    /// How many threads work; as many as there are processors, if none is named.
    pub jobs: Option<usize>,
}

/// What was called so far, so that a call that was never made before is told from one that is made all the time.
#[derive(Debug, Default)]
pub struct Session {
    calls: Mutex<HashMap<String, u32>>,
}

impl Session {
    /// Numbers the calls of a subject. A call whose tool is not known may be any, so it is always the first.
    pub(super) fn number(&self, subject: &mut Subject) {
        // A count is right even where another thread ended while it held the lock.
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut next = |name: &str| match calls.get_mut(name) {
            Some(count) => {
                *count = count.saturating_add(1);
                *count - 1
            }
            None => {
                if calls.len() < LARGEST_SESSION {
                    calls.insert(name.to_owned(), 1);
                }
                0
            }
        };
        for call in &mut subject.calls {
            call.earlier = call.tool.name().map_or(0, &mut next);
        }
        for call in &mut subject.host_calls {
            call.earlier = next(&call.api);
        }
    }
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
            overrides: Vec::new(),
            wanted: Wanted::default(),
            session: Session::default(),
            jobs: Some(1),
        })
    }

    /// Whether a model looks at how often a call was made before.
    fn numbers_calls(&self) -> bool {
        let chosen = self.overrides.iter().filter_map(|chosen| chosen.models.as_ref()).flatten();
        self.models.iter().chain(chosen).any(|model| model.needs_session())
    }
}
