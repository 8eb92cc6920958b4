//! What a scan passes over, and as what.

use crate::format::registry as formats;
use crate::input::read::{is_executable, read_beginning};
use crate::scan::Scanner;
use crate::scan::outcome::Outcome;
use crate::subject::passed::{Meaning, Passed, PassedCounts};
use crate::subject::{Completeness, Reason, Subject, Undetermined};
use crate::value::source::{Source, SourceName};

/// How much is read of a file to tell what runs it, in bytes; longer `#!` lines are cut off by systems too.
const FIRST_LINE: u64 = 256;

impl Scanner {
    /// What a file is that a walk found and that is not read; none, if it is to be read.
    pub(super) fn unread(&self, name: &SourceName) -> Option<Passed> {
        let is_known = name.explicit || self.language.is_some() || formats::by_path(name.path()).is_some();
        if is_known { None } else { formats::without_reader(name.path()).or_else(|| unread_by_beginning(name)) }
    }

    /// Passes over what is not read, unless the user wants to know that it could not be.
    pub(super) fn pass_over(&self, name: &SourceName, kind: Passed) -> Outcome {
        if self.read.strict && kind.meaning() == Meaning::NoReader {
            return Outcome::Entries(vec![self.problem(name, Undetermined::new(Reason::NoReader, kind.unread()))]);
        }
        Outcome::PassedOver(kind)
    }

    /// The code in a text that agents may run and that is not read; nothing where the text's own entry tells it.
    pub fn fenced(&self, source: &Source) -> PassedCounts {
        let mut counts = PassedCounts::default();
        if !self.read.strict {
            formats::fenced(source.name.path(), &source.text).into_iter().for_each(|(kind, _)| counts.add(kind));
        }
        counts
    }

    /// Says of a text that code in it was not read, if the user wants to know.
    pub(super) fn mark_fenced(&self, source: &Source, subjects: &mut [Subject]) {
        if !self.read.strict {
            return;
        }
        let fenced = formats::fenced(source.name.path(), &source.text);
        let (Some((kind, span)), Some(subject)) = (fenced.first(), subjects.first_mut()) else { return };
        if subject.completeness == Completeness::Complete {
            let more = fenced.len() - 1;
            let others = if more == 0 { String::new() } else { format!(" (nor have {more} more blocks)") };
            let detail = format!("the {} has no reader yet{others}", kind.noun());
            subject.completeness = Completeness::Undetermined(Undetermined::at(Reason::NoReader, detail, *span));
        }
    }

    /// Whether the beginning of a file that a walk found tells that it is something else than its extension says.
    pub(super) fn is_something_else(&self, name: &SourceName, beginning: impl FnOnce() -> Option<String>) -> bool {
        let format = formats::by_path(name.path()).map(|recognised| recognised.format);
        let may_skip = !name.explicit && self.language.is_none();
        may_skip && format.is_some_and(|format| beginning().is_some_and(|text| !(format.may_begin)(&text)))
    }
}

/// What a file is that its name does not tell; none, if it is to be read.
fn unread_by_beginning(name: &SourceName) -> Option<Passed> {
    let has_extension = name.path().extension().is_some();
    let is_executable = is_executable(name.path());
    // Most of what a walk finds is data with an extension, and need not be opened.
    if has_extension && !is_executable {
        return Some(Passed::Other);
    }
    match read_beginning(name.path(), FIRST_LINE) {
        Ok(text) => unread_by_text(&text, is_executable && !has_extension),
        Err(_) => Some(Passed::Other),
    }
}

/// What a text is that its name does not tell; none, if it is to be read.
pub(super) fn unread_by_text(beginning: &str, is_executable: bool) -> Option<Passed> {
    if formats::by_interpreter(beginning).is_some() {
        return None;
    }
    let otherwise = if beginning.contains('\0') {
        Passed::Binary
    } else if is_executable && !beginning.trim().is_empty() {
        Passed::Executable
    } else {
        Passed::Other
    };
    formats::without_reader_by_interpreter(beginning).or(Some(otherwise))
}
