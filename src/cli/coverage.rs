//! How many of the files that a run came upon were judged wholly, and which were not.

use crate::cli::failure::Failure;
use crate::finding::Entry;
use crate::finding::listed::{Listed, Listing};
use crate::subject::passed::{Meaning, Passed, PassedCounts};
use crate::value::source::SourceName;

/// How many names are told.
const MOST_NAMES: usize = 10;

/// How much was judged so far.
#[derive(Debug, Default)]
pub struct Coverage {
    sources: usize,
    /// The source whose entries come at present, and whether all of them were judged wholly.
    current: Option<SourceName>,
    is_whole: bool,
    lacking: usize,
    names: Vec<String>,
}

impl Coverage {
    /// Takes an outcome in; those of one source come one after another.
    pub fn take(&mut self, entry: &Entry) {
        if matches!(entry, Entry::PassedOver(_)) {
            return;
        }
        if self.current.as_ref() != Some(entry.name()) {
            self.current = Some(entry.name().clone());
            self.is_whole = true;
            self.sources += 1;
        }
        if self.is_whole && !is_whole(entry) {
            self.is_whole = false;
            let reason = entry.reason().map(|reason| format!(" ({reason})")).unwrap_or_default();
            self.lack(format!("{}{reason}", entry.name().as_shown()));
        }
    }

    fn lack(&mut self, name: String) {
        self.lacking += 1;
        if self.names.len() < MOST_NAMES {
            self.names.push(name);
        }
    }

    /// Counts the files that have no reader; `listed` names them as far as they are known.
    pub fn take_passed(&mut self, passed_over: &PassedCounts, listed: &[Listed]) {
        let count: usize = passed_over.iter().filter(|(kind, _)| is_unread_file(*kind)).map(|(_, count)| count).sum();
        self.sources += count;
        self.lacking += count;
        let unread = listed.iter().filter_map(|file| match file.listing {
            Listing::PassedOver(kind) if is_unread_file(kind) => Some(format!("{} ({}: no reader yet)", file.name.as_shown(), kind.noun())),
            Listing::PassedOver(_) | Listing::Judged(_) | Listing::Undetermined(_) => None,
        });
        self.names.extend(unread.take(MOST_NAMES.saturating_sub(self.names.len())));
    }

    /// The share of the files that were judged wholly, in percent; all, where there is none.
    pub fn share(&self) -> f64 {
        if self.sources == 0 { 100.0 } else { (self.sources - self.lacking) as f64 * 100.0 / self.sources as f64 }
    }

    /// Why the run fails, if less was judged than is asked for.
    pub fn failure(self, required: f64) -> Option<Failure> {
        (self.share() < required).then(|| Failure::Coverage {
            share: self.share(),
            required,
            sources: self.sources,
            lacking: self.lacking,
            names: self.names,
        })
    }
}

/// Whether all of it was judged. What somebody accepted unjudged was not judged all the same.
fn is_whole(entry: &Entry) -> bool {
    match entry {
        Entry::Finding(finding) => finding.undetermined.is_none() && finding.accepted.undetermined.is_none(),
        Entry::Problem(_) => false,
        Entry::PassedOver(_) => true,
    }
}

/// Whether it is a file that agents run or obey and no reader exists for. Blocks in a text are no files.
fn is_unread_file(kind: Passed) -> bool {
    kind.meaning() == Meaning::NoReader && !matches!(kind, Passed::FencedShell | Passed::FencedScript | Passed::FencedCode)
}
