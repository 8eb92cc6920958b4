//! What becomes of every file that a scan comes upon, without judging it.

use std::path::PathBuf;

use rayon::prelude::*;

use crate::finding::listed::{Listed, Listing};
use crate::format::Language;
use crate::format::registry as formats;
use crate::input::pointer;
use crate::input::read::{Content, read_beginning, read_file};
use crate::input::roots::walk;
use crate::input::walk::{Found, Given, WalkOptions};
use crate::scan::batch::BATCH;
use crate::scan::recognise::{is_run, unrecognised};
use crate::scan::{BEGINNING, Scanner};
use crate::subject::passed::{Meaning, Passed, PassedCounts};
use crate::subject::{Reason, Undetermined};
use crate::value::source::{Source, SourceName};

impl Scanner {
    /// Hands on what becomes of everything that the roots lead to, in order.
    ///
    /// # Errors
    ///
    /// When the workers cannot be started.
    pub fn list_paths(
        &self,
        roots: &[PathBuf],
        options: &WalkOptions,
        emit: impl FnMut(Listed),
    ) -> Result<(), rayon::ThreadPoolBuildError> {
        self.list_found(walk(roots, options), emit)
    }

    /// Hands on what becomes of everything that was found elsewhere, as `list_paths`.
    ///
    /// # Errors
    ///
    /// When the workers cannot be started.
    pub fn list_found(
        &self,
        mut found: impl Iterator<Item = Found>,
        mut emit: impl FnMut(Listed),
    ) -> Result<(), rayon::ThreadPoolBuildError> {
        let workers = rayon::ThreadPoolBuilder::new().num_threads(self.jobs.unwrap_or(0)).build()?;
        loop {
            let batch: Vec<Found> = found.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                return Ok(());
            }
            let listed: Vec<Listed> = workers.install(|| batch.into_par_iter().map(|found| self.list(found)).collect());
            listed.into_iter().for_each(&mut emit);
        }
    }

    /// What becomes of a stream of this name; nothing of it is read.
    pub fn list_stream(&self, name: SourceName) -> Listed {
        let source = Source { name, text: String::new(), has_bom: false };
        let recognised = self.recognise(&source);
        let listing = recognised.map_or_else(|| Listing::Undetermined(unrecognised(&source)), |known| Listing::Judged(known.format.name));
        Listed { name: source.name, listing, fenced: PassedCounts::default() }
    }

    fn list(&self, found: Found) -> Listed {
        let (name, (listing, fenced)) = match found {
            Found::File(name) => {
                let listed = self.list_file(&name);
                (name, listed)
            }
            Found::Handed { name, is_told } => {
                let listed = match self.list_file(&name) {
                    (Listing::PassedOver(_), fenced) if !is_told => (Listing::PassedOver(Passed::Excluded), fenced),
                    listed => listed,
                };
                (name, listed)
            }
            Found::Given(Given { name, content, beginning, digest: _ }) => {
                let listed = self.list_content(&name, content, || Some(beginning));
                (name, listed)
            }
            Found::Unwalkable(name, undetermined) => (name, (Listing::Undetermined(undetermined), PassedCounts::default())),
            Found::LeftOut(name, kind) => (name, (Listing::PassedOver(kind), PassedCounts::default())),
        };
        Listed { name, listing, fenced }
    }

    fn list_file(&self, name: &SourceName) -> (Listing, PassedCounts) {
        let listing = match self.unread(name) {
            Some(kind) if self.read.strict && kind.meaning() == Meaning::NoReader => {
                Listing::Undetermined(Undetermined::new(Reason::NoReader, kind.unread()))
            }
            Some(kind) => Listing::PassedOver(kind),
            None => {
                let content = read_file(name.path(), self.read.limits.file_size);
                return self.list_content(name, content, || read_beginning(name.path(), BEGINNING).ok());
            }
        };
        (listing, PassedCounts::default())
    }

    fn list_content(
        &self,
        name: &SourceName,
        content: Result<Content, Undetermined>,
        beginning: impl FnOnce() -> Option<String>,
    ) -> (Listing, PassedCounts) {
        let listing = match content {
            Ok(Content::Text(text, has_bom)) => match pointer::object(&text) {
                None => return self.list_text(&Source { name: name.clone(), text, has_bom }, None),
                Some(object) => Listing::Undetermined(Undetermined::new(Reason::Unreadable, pointer::told(object))),
            },
            Ok(Content::Garbled(text, fault)) => {
                return self.list_text(&Source { name: name.clone(), text, has_bom: false }, Some(fault));
            }
            Ok(Content::Binary) if !name.explicit && !is_run(name) => Listing::PassedOver(Passed::Binary),
            Ok(Content::Binary) => Listing::Undetermined(Undetermined::new(Reason::Binary, "a binary file")),
            Err(fault) if fault.reason == Reason::FileSize && self.is_something_else(name, beginning) => {
                Listing::PassedOver(Passed::TooLarge)
            }
            Err(undetermined) => Listing::Undetermined(undetermined),
        };
        (listing, PassedCounts::default())
    }

    fn list_text(&self, source: &Source, garbled: Option<Undetermined>) -> (Listing, PassedCounts) {
        if let Some(fault) = garbled.filter(|_| !self.reads_garbled(source)) {
            return (Listing::Undetermined(fault), PassedCounts::default());
        }
        let Some(recognised) = self.recognise(source) else {
            return (Listing::Undetermined(unrecognised(source)), PassedCounts::default());
        };
        let format = recognised.format;
        // Only JSON is mostly something else than its extension may mean; reading the others would take long.
        let is_none = recognised.language == Language::ToolCall && (format.read)(&source.text, recognised.language, &self.read).is_empty();
        let is_named = source.name.explicit || self.language.is_some();
        let listing = match (is_none, is_named) {
            (false, _) => Listing::Judged(format.name),
            (true, true) => Listing::Undetermined((format.why_none)(&source.text, &self.read)),
            (true, false) => Listing::PassedOver(Passed::NoToolCall),
        };
        let unread = formats::fenced(source.name.path(), &source.text).first().map(|(kind, _)| *kind).filter(|_| self.read.strict);
        match unread {
            Some(kind) => (Listing::Undetermined(Undetermined::new(Reason::NoReader, kind.unread())), PassedCounts::default()),
            None => (listing, self.fenced(source)),
        }
    }
}
