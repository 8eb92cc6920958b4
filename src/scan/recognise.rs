//! What a source is: by what the user said, by its name, by what runs it.

use crate::format::Language;
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
        self.recognise(source).is_some_and(|recognised| is_read_garbled(recognised, &source.text))
    }
}

/// Whether a text some of whose bytes are no text is judged: where nothing runs it, or where all who run it read the same. Encodings
/// take the byte after such a one to its letter, never one of a line's end or a quote; where that would be a letter, nothing changes
/// outside of names, in which no replacement character stands.
pub fn is_read_garbled(recognised: Recognised, text: &str) -> bool {
    let is_taken =
        |next: Option<char>| next.is_some_and(|next| matches!(next, '@' | '[' | '\\' | ']' | '^' | '_' | '`' | '{' | '|' | '}' | '~'));
    let is_script = !matches!(recognised.language, Language::ToolCall | Language::Text);
    !recognised.format.is_run || is_script && text.split(char::REPLACEMENT_CHARACTER).skip(1).all(|after| !is_taken(after.chars().next()))
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
