//! In which ways data may leave.

use crate::knowledge::SinkKind;
use crate::meaning::passage::Passage;
use crate::meaning::reach::Place;

/// What makes a passage a leak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeakKind {
    /// Data leaves in its usual place.
    Plain,
    /// A whole collection leaves.
    Mass,
    /// Data leaves where one does not look for it: in a URL, a host name, a title.
    Covert,
    /// What leaves is how to get in.
    Secret,
}

impl LeakKind {
    /// In which way data leaves by a passage.
    pub fn of(passage: &Passage, sink: SinkKind) -> Self {
        let read = &passage.read;
        let is_covert = match passage.place {
            Place::Target => true,
            // A mail's subject is read like its text; a file's name in an upload is not.
            Place::Cover => sink != SinkKind::Chat,
            Place::Entrance | Place::Setting | Place::Data => false,
        };
        if read.is_secret() {
            Self::Secret
        } else if is_covert && read.sensitivity.is_some() {
            Self::Covert
        } else if read.is_many && !passage.is_to_oneself {
            Self::Mass
        } else {
            Self::Plain
        }
    }
}
