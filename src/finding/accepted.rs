//! What was found and does not count.

use std::sync::Arc;

use crate::accept::acceptance::{Acceptance, Remark};
use crate::finding::placed::{PlacedMatch, UndeterminedPlace};

/// What was found in a subject and does not count, because somebody accepted it.
#[derive(Debug, Default)]
pub struct Accepted {
    /// The matches, each with the reason.
    pub matches: Vec<(PlacedMatch, Arc<Acceptance>)>,
    /// Why not all of it could be judged.
    pub undetermined: Option<(UndeterminedPlace, Arc<Acceptance>)>,
    /// What models think of it as a whole, in the place of a rule.
    pub opinion: Option<(String, Arc<Acceptance>)>,
    /// What is the matter with acceptances in it.
    pub remarks: Vec<Remark>,
}

impl Accepted {
    /// The acceptance of each thing that was accepted.
    pub fn acceptances(&self) -> impl Iterator<Item = &Acceptance> {
        let undetermined = self.undetermined.iter().map(|(_, acceptance)| &**acceptance);
        let opinion = self.opinion.iter().map(|(_, acceptance)| &**acceptance);
        self.matches.iter().map(|(_, acceptance)| &**acceptance).chain(undetermined).chain(opinion)
    }
}
