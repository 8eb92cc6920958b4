//! Files as they are in a revision that is trusted: what stands there already is not what a change made of itself.

use std::fmt;
use std::path::Path;

/// Reads a file of this absolute path as it is in the revision, if it is there.
type ReadOld = Box<dyn Fn(&Path) -> Option<String> + Send + Sync>;

/// The files of a revision that is trusted.
pub struct Vouched {
    /// The revision, as it is told.
    pub revision: String,
    read: ReadOld,
}

impl Vouched {
    /// The files of a revision.
    pub fn new(revision: String, read: ReadOld) -> Self {
        Self { revision, read }
    }

    /// The lines of a file as they are in the revision; none, if it is not there.
    pub fn lines(&self, path: &Path) -> Vec<String> {
        (self.read)(path).map(|text| text.lines().map(collapsed).collect()).unwrap_or_default()
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
