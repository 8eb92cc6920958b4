//! What a source is: by what the user said, by its name, by what runs it.

use crate::format::registry::{self as formats, Recognised};
use crate::scan::Scanner;
use crate::subject::{Reason, Undetermined};
use crate::value::source::{Source, SourceName};

impl Scanner {
    pub(super) fn recognise(&self, source: &Source) -> Option<Recognised> {
        match self.language {
            Some(language) => Some(formats::by_language(language)),
            None => formats::by_path(source.name.path()).or_else(|| formats::by_interpreter(&source.text)),
        }
    }

    /// Whether what is said in a text matters even where some of its bytes are no text.
    pub(super) fn reads_garbled(&self, source: &Source) -> bool {
        self.recognise(source).is_some_and(|recognised| !recognised.format.is_run)
    }
}

/// Why a source cannot be read whose language is not known, or is none that is read.
pub fn unrecognised(source: &Source) -> Undetermined {
    let without_reader = formats::without_reader(source.name.path()).or_else(|| formats::without_reader_by_interpreter(&source.text));
    match without_reader {
        Some(kind) => Undetermined::new(Reason::NoReader, kind.unread()),
        None => Undetermined::new(Reason::UnknownLanguage, "neither its name nor its first line tells its language"),
    }
}

/// Whether something runs what has this name.
pub fn is_run(name: &SourceName) -> bool {
    formats::by_path(name.path()).is_some_and(|recognised| recognised.format.is_run)
}
