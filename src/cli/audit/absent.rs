//! Where this program was built without a store: whoever wants one is told.

use crate::cli::audit::Chosen;
use crate::cli::failure::Failure;
use crate::cli::settings::Settings;
use crate::finding::Entry;
use crate::history::metrics::Metrics;
use crate::pattern::mask::Mask;

/// Stores nothing.
pub struct Keeper {
    chosen: Chosen,
}

impl Keeper {
    /// Opens nothing.
    pub fn open(chosen: Chosen, _: &mut Settings, _: Option<&str>) -> Self {
        Self { chosen }
    }

    /// Takes nothing.
    pub fn take(&mut self, _: &mut Entry, _: &Mask) {}

    /// Stores nothing.
    pub fn store(&mut self) {}

    /// Counts nothing.
    pub fn counted(&mut self) -> Option<(Metrics, Option<String>)> {
        None
    }

    /// What went wrong, and whether the run fails for it.
    pub fn finish(self) -> Option<(Failure, bool)> {
        let Chosen { place, is_required, .. } = self.chosen;
        Some((
            Failure::Audit {
                place: place.to_string(),
                fault: "this callgate was built without a store".to_owned(),
                help: "install one with the feature `audit`",
            },
            is_required,
        ))
    }
}
