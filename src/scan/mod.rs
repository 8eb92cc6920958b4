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
pub mod overrides;
mod passing;
mod problem;
mod recognise;
mod seat;
pub mod session;
mod source;
pub mod stream;

use std::sync::Arc;

use crate::accept::settle::Acceptances;
use crate::analyzer::Analyzers;
use crate::finding::place::Wanted;
use crate::format::registry as formats;
use crate::format::{Language, ReadOptions};
use crate::judge::Floor;
use crate::knowledge::House;
use crate::model::Model;
use crate::pattern::library::{Library, LibraryError};
use crate::policy::Policy;
use crate::scan::overrides::Override;
use crate::scan::session::Sessions;
use crate::value::source::{Source, SourceName};

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
    /// What is chosen for some files only.
    pub overrides: Vec<Override>,
    /// What the report needs beyond the bare places.
    pub wanted: Wanted,
    /// What was called before.
    pub sessions: Arc<Sessions>,
    /// Whose run it is.
    pub tenant: Option<Arc<str>>,
    /// The least that is answered on what is critical, whatever the models think of it.
    pub floor: Option<Floor>,
    /// How many threads work; as many as there are processors, if none is named.
    pub jobs: Option<usize>,
    /// Who judges what an agent hands over, where the settings make that milder and may be the agent's own.
    pub for_handed: Option<Box<Self>>,
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
            sessions: Arc::default(),
            tenant: None,
            floor: None,
            jobs: Some(1),
            for_handed: None,
        })
    }

    /// Lets it remember sessions, and with it who judges what an agent hands over: both see what one and the same session did.
    pub fn remember(&mut self, sessions: Sessions) {
        self.sessions = Arc::new(sessions);
        if let Some(handed) = &mut self.for_handed {
            handed.sessions = Arc::clone(&self.sessions);
        }
    }

    /// Who judges what an agent hands over.
    pub fn of_handed(&self) -> &Self {
        self.for_handed.as_deref().unwrap_or(self)
    }

    /// Who judges a source of which only the name is known.
    fn of_name(&self, name: &SourceName) -> &Self {
        let is_handed = name.is_stream || formats::by_path(name.path()).is_some_and(|recognised| recognised.language == Language::ToolCall);
        if is_handed { self.of_handed() } else { self }
    }

    /// Who judges a source.
    fn of_source(&self, source: &Source) -> &Self {
        let is_handed = |handed: &&Self| {
            let recognised = || handed.recognise(source);
            source.name.is_stream || recognised().is_some_and(|recognised| recognised.language == Language::ToolCall)
        };
        self.for_handed.as_deref().filter(is_handed).unwrap_or(self)
    }

    /// Whether what was called before tells something of a subject: then one is judged after the other.
    fn numbers_calls(&self) -> bool {
        let chosen = self.overrides.iter().filter_map(|chosen| chosen.models.as_ref()).flatten();
        self.sessions.are_followed() || self.models.iter().chain(chosen).any(|model| model.needs_session())
    }
}
