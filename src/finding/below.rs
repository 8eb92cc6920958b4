//! What was found and is not shown, because it is not bad enough for whoever reads.

use crate::value::severity::Severity;

/// How much of a finding is not shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Below {
    /// How many matches.
    pub count: usize,
    /// The worst of them.
    pub worst: Option<Severity>,
}
