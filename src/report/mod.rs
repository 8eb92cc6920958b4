//! Reporters: each writes a report in one format. A reporter is one file with one row in the registry. It takes what it
//! writes without the secrets in it.

pub mod audit;
pub mod compare;
pub mod concise;
pub mod github;
pub mod gitlab;
pub mod history;
pub mod html;
pub mod json;
pub mod junit;
pub mod listing;
pub mod markdown;
pub mod registry;
pub mod replay;
pub mod sarif;
pub mod table;
pub mod tune;

use std::io;

use crate::compare::Comparison;
use crate::compare::replay::Replay;
use crate::finding::audit::Audit;
use crate::finding::hide::Hidden;
use crate::finding::listed::Listed;
use crate::finding::place::Wanted;
use crate::finding::{Entry, Report};
use crate::tune::Tuning;
use crate::value::verdict::Verdict;

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// With colours.
    pub colour: bool,
    /// Everything: allowed subjects, all matches, all steps.
    pub verbose: bool,
    /// Nothing but the verdict's own lines.
    pub quiet: bool,
    /// Width of the terminal, in columns.
    pub width: usize,
}

impl Style {
    /// Whether an entry is reported by what reports single entries: if quiet, not what is allowed. What could not be judged is
    /// reported even where the user allows it.
    pub fn shows(&self, entry: &Entry) -> bool {
        !self.quiet || Verdict::Allow < entry.verdict() || entry.is_undetermined()
    }
}

/// Writes a whole report.
pub type Write = fn(Hidden<'_, Report>, Style, &mut dyn io::Write) -> io::Result<()>;
/// Writes one entry of a report.
pub type WriteEntry = fn(Hidden<'_, Entry>, &mut dyn io::Write) -> io::Result<()>;

/// Writes what holds for a whole run, after all of its entries.
pub type WriteRun = fn(Hidden<'_, Report>, &mut dyn io::Write) -> io::Result<()>;

/// A reporter, as it stands in the registry.
pub struct Reporter {
    /// The name used on the command line.
    pub name: &'static str,
    /// What it writes, in one sentence.
    pub summary: &'static str,
    /// What it needs beyond the bare places.
    pub wanted: Wanted,
    /// The options of the command line that change what it writes.
    pub heeds: &'static [&'static str],
    /// Writes a whole report.
    pub write: Write,
    /// Writes one entry as soon as it is there, for formats that are streams.
    pub write_entry: Option<WriteEntry>,
    /// Writes what holds for the whole run, for formats that are streams.
    pub write_run: Option<WriteRun>,
}

/// Writes a comparison of models.
pub type WriteComparison = fn(Hidden<'_, Comparison>, Style, &mut dyn io::Write) -> io::Result<()>;

/// A writer of comparisons, as it stands in the registry.
pub struct Comparer {
    /// The name used on the command line.
    pub name: &'static str,
    /// What it writes, in one sentence.
    pub summary: &'static str,
    /// What it needs beyond the bare places.
    pub wanted: Wanted,
    /// Writes a comparison.
    pub write: WriteComparison,
}

/// Writes what becomes of the same subjects by other settings.
pub type WriteReplay = fn(Hidden<'_, Replay>, Style, &mut dyn io::Write) -> io::Result<()>;

/// A writer of replays, as it stands in the registry.
pub struct Replayer {
    /// The name used on the command line.
    pub name: &'static str,
    /// What it writes, in one sentence.
    pub summary: &'static str,
    /// Writes a replay.
    pub write: WriteReplay,
}

/// Writes what labelled files say of models.
pub type WriteTuning = fn(Hidden<'_, Tuning>, Style, &mut dyn io::Write) -> io::Result<()>;

/// A writer of tunings, as it stands in the registry.
pub struct Tuner {
    /// The name used on the command line.
    pub name: &'static str,
    /// What it writes, in one sentence.
    pub summary: &'static str,
    /// Writes a tuning.
    pub write: WriteTuning,
}

/// Writes a list of files with what becomes of each.
pub type WriteListing = fn(&[Listed], Style, &mut dyn io::Write) -> io::Result<()>;

/// A writer of lists of files, as it stands in the registry.
pub struct Lister {
    /// The name used on the command line.
    pub name: &'static str,
    /// Writes a list.
    pub write: WriteListing,
}

/// A writer of audits of tools, as it stands in the registry.
pub struct Auditor {
    /// The name used on the command line.
    pub name: &'static str,
    /// What it writes, in one sentence.
    pub summary: &'static str,
    /// Writes a whole audit.
    pub write: fn(Hidden<'_, Audit>, Style, &mut dyn io::Write) -> io::Result<()>,
}

/// A writer of what a store says, as it stands in the registry.
pub struct Writer<T> {
    /// The name used on the command line.
    pub name: &'static str,
    /// What it writes, in one sentence.
    pub summary: &'static str,
    /// Writes it.
    pub write: fn(Hidden<'_, T>, Style, &mut dyn io::Write) -> io::Result<()>,
}
