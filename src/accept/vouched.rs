//! Files as they are in a revision that is trusted: what stands there already is not what a change made of itself.

use std::fmt;
use std::path::Path;

use crate::accept::baseline::Baseline;

/// Reads a file of this absolute path as it is in the revision, if it is there.
type ReadOld = Box<dyn Fn(&Path) -> Option<String> + Send + Sync>;

/// The files of a revision that is trusted.
pub struct Vouched {
    /// The revision, as it is told.
    pub revision: String,
    /// What was found in those of its files that hold comments and were changed since.
    pub known: Option<Baseline>,
    read: ReadOld,
}

impl Vouched {
    /// The files of a revision.
    pub fn new(revision: String, read: ReadOld) -> Self {
        Self { revision, known: None, read }
    }

    /// A file as it is in the revision, if it is there.
    pub fn text(&self, path: &Path) -> Option<String> {
        (self.read)(path)
    }
}

impl fmt::Debug for Vouched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vouched").field("revision", &self.revision).finish_non_exhaustive()
    }
}

/// A line however it is indented.
pub fn collapsed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
