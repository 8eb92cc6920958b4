//! Sources that could not be judged, each told by itself.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::accept::baseline::Content;
use crate::finding::{Entry, Problem};
use crate::pattern::search::secrets_in;
use crate::scan::Scanner;
use crate::subject::{Reason, Undetermined};
use crate::value::source::SourceName;
use crate::value::verdict::Verdict;

impl Scanner {
    /// A source that could not be judged.
    pub fn problem(&self, name: &SourceName, undetermined: Undetermined) -> Entry {
        self.problem_of(name, undetermined, || None)
    }

    /// The same of a source of which all bytes are known, by their hash.
    pub(super) fn problem_of(&self, name: &SourceName, undetermined: Undetermined, content: impl FnOnce() -> Option<Content>) -> Entry {
        let mut secrets = secrets_in(&self.library, &name.as_text());
        secrets.append(&mut secrets_in(&self.library, &undetermined.detail));
        let accepted = self.acceptances.problem(name, &undetermined, content);
        let verdict = if accepted.is_some() { Verdict::Allow } else { self.policy.decide_problem() };
        Entry::Problem(Problem {
            name: name.clone(),
            reason: undetermined.reason,
            detail: undetermined.detail,
            verdict,
            accepted,
            stream_line: None,
            secrets: secrets.into_iter().collect(),
        })
    }

    /// Runs a judgement so that a fault in one source is told and does not hide any other.
    pub(super) fn guarded(&self, name: &SourceName, judge: impl FnOnce() -> Vec<Entry>) -> Vec<Entry> {
        catch_unwind(AssertUnwindSafe(judge)).unwrap_or_else(|fault| vec![self.failed(name, &*fault)])
    }

    pub(super) fn failed(&self, name: &SourceName, fault: &(dyn Any + Send)) -> Entry {
        let words = fault.downcast_ref::<String>().map(String::as_str).or(fault.downcast_ref::<&str>().copied());
        self.problem(name, Undetermined::new(Reason::Internal, words.unwrap_or("the scan of it failed")))
    }
}
