//! One source: from what a walk found to what becomes of it.

use crate::accept::baseline;
use crate::finding::Entry;
use crate::format::registry::Recognised;
use crate::input::pointer;
use crate::input::read::{Content, digest, read_beginning, read_file};
use crate::input::walk::{Found, Given};
use crate::scan::detect::{Detected, Read};
use crate::scan::outcome::Outcome;
use crate::scan::recognise::is_run;
use crate::scan::{BEGINNING, Scanner};
use crate::subject::passed::{Passed, PassedCounts};
use crate::subject::{Reason, Undetermined};
use crate::value::source::{Source, SourceName};

/// What is asked of a source that could not be read: how it begins, and the hash of all of it.
struct Known<B, D> {
    beginning: B,
    digest: D,
}

impl Scanner {
    /// Judges what a walk found; counts also what is passed over inside a text.
    pub(super) fn judge_found(&self, found: Found) -> (Outcome, PassedCounts) {
        match found {
            Found::File(name) => self.judge_file(&name),
            Found::Handed { name, is_told } => self.judge_handed(&name, is_told),
            Found::Given(Given { name, content, beginning, digest }) => {
                self.judge_content(&name, content, Known { beginning: || Some(beginning), digest: || digest })
            }
            Found::Unwalkable(name, undetermined) => (Outcome::Entries(vec![self.problem(&name, undetermined)]), PassedCounts::default()),
            Found::LeftOut(name, kind) => (self.pass_over(&name, kind), PassedCounts::default()),
        }
    }

    /// Judges a file that is left out unless it holds what an agent hands over.
    fn judge_handed(&self, name: &SourceName, is_told: bool) -> (Outcome, PassedCounts) {
        let (outcome, fenced) = self.judge_file(name);
        match outcome {
            Outcome::PassedOver(_) if !is_told => (Outcome::PassedOver(Passed::Excluded), fenced),
            outcome => (outcome, fenced),
        }
    }

    fn judge_file(&self, name: &SourceName) -> (Outcome, PassedCounts) {
        // A walk only reads what its name or its beginning tells to be judged; what the user named is always read.
        match self.unread(name) {
            Some(kind) => (self.pass_over(name, kind), PassedCounts::default()),
            // What cannot be read may be anything.
            None => {
                let beginning = || read_beginning(name.path(), BEGINNING).ok();
                let known = Known { beginning, digest: || digest(name.path()) };
                self.judge_content(name, read_file(name.path(), self.read.limits.file_size), known)
            }
        }
    }

    fn judge_content(
        &self,
        name: &SourceName,
        content: Result<Content, Undetermined>,
        Known { beginning, digest }: Known<impl FnOnce() -> Option<String>, impl FnOnce() -> Option<baseline::Content>>,
    ) -> (Outcome, PassedCounts) {
        let judge = self.of_name(name);
        let of_name = |text, has_bom| Source { name: name.clone(), text, has_bom };
        let outcome = match content {
            Ok(Content::Text(text, has_bom)) => match pointer::object(&text) {
                None => return self.judge_text(of_name(text, has_bom)),
                Some(object) => {
                    Outcome::Entries(vec![judge.problem_of(name, Undetermined::new(Reason::Unreadable, pointer::told(object)), digest)])
                }
            },
            Ok(Content::Garbled(text, fault)) => {
                let source = of_name(text, false);
                if self.reads_garbled(&source) {
                    return self.judge_text(source);
                }
                Outcome::Entries(vec![judge.problem_of(name, fault, digest)])
            }
            // What is named like a script runs as one, whatever bytes stand in it.
            Ok(Content::Binary) if !name.explicit && !is_run(name) => Outcome::PassedOver(Passed::Binary),
            Ok(Content::Binary) => {
                Outcome::Entries(vec![judge.problem_of(name, Undetermined::new(Reason::Binary, "a binary file"), digest)])
            }
            Err(fault) if fault.reason == Reason::FileSize && self.is_something_else(name, beginning) => {
                Outcome::PassedOver(Passed::TooLarge)
            }
            Err(undetermined) => Outcome::Entries(vec![judge.problem_of(name, undetermined, digest)]),
        };
        (outcome, PassedCounts::default())
    }

    /// Judges the text of a file, or only finds what there is in it where calls are numbered before they are judged.
    fn judge_text(&self, source: Source) -> (Outcome, PassedCounts) {
        let judge = self.of_source(&source);
        let fenced = judge.fenced(&source);
        let recognised = judge.recognise(&source);
        (judge.judge_as(source, recognised), fenced)
    }

    /// Judges a text as what it was recognised to be.
    pub(super) fn judge_as(&self, source: Source, recognised: Option<Recognised>) -> Outcome {
        let is_sure = source.name.explicit || recognised.is_some_and(|recognised| recognised.is_said);
        let read = self.read_guarded(&source, recognised);
        self.judge_read(source, read, is_sure)
    }

    /// Judges what was found in a text, or keeps it where calls are numbered before they are judged. What is not sure to be
    /// of its kind is passed over if nothing of it is judged.
    pub(super) fn judge_read(&self, source: Source, read: Read, is_sure: bool) -> Outcome {
        match read {
            Read::Subjects(subjects) if !is_sure && subjects.is_empty() => Outcome::PassedOver(Passed::NoToolCall),
            Read::Subjects(subjects) if !is_sure && !self.judges_any(&source.name, &subjects) => Outcome::PassedOver(Passed::NotJudged),
            Read::Subjects(detected) if self.numbers_calls() => Outcome::Detected(source, detected),
            Read::Subjects(detected) => Outcome::Entries(self.guarded(&source.name, || self.judge_all(&source, detected))),
            Read::Problem(entry) => Outcome::Entries(vec![entry]),
        }
    }

    /// Whether any model has an opinion of any of these.
    fn judges_any(&self, name: &SourceName, detected: &[Detected]) -> bool {
        detected.iter().any(|detected| self.seat(name, &detected.subject).bench().judges(detected.subject.kind))
    }

    /// Judges one text on this thread, which must have the stack that `nesting` counts on.
    pub fn judge(&self, source: &Source) -> Vec<Entry> {
        match self.detect(source) {
            Read::Subjects(mut detected) => {
                detected.iter_mut().for_each(|detected| self.follow(detected));
                self.judge_all(source, detected)
            }
            Read::Problem(entry) => vec![entry],
        }
    }
}
