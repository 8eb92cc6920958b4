//! What becomes of the files that a scan comes upon.

use crate::subject::Undetermined;
use crate::subject::passed::{Meaning, Passed, PassedCounts};
use crate::value::source::SourceName;

/// A file or folder that a scan comes upon.
#[derive(Debug)]
pub struct Listed {
    /// Its name.
    pub name: SourceName,
    /// What becomes of it.
    pub listing: Listing,
    /// What in it is passed over.
    pub fenced: PassedCounts,
}

/// What becomes of a file or folder.
#[derive(Debug, PartialEq, Eq)]
pub enum Listing {
    /// It is judged as this.
    Judged(&'static str),
    /// It is passed over, or left out with all that is in it.
    PassedOver(Passed),
    /// It cannot be judged.
    Undetermined(Undetermined),
}

impl Listing {
    /// The name used in every output of machines.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Judged(_) => "judged",
            Self::PassedOver(kind) if kind.meaning() == Meaning::LeftOut => "left-out",
            Self::PassedOver(_) => "passed-over",
            Self::Undetermined(_) => "undetermined",
        }
    }

    /// What it is told by: the format, the kind or the reason.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Judged(format) => format,
            Self::PassedOver(kind) => kind.name(),
            Self::Undetermined(undetermined) => undetermined.reason.name(),
        }
    }
}
