//! The examples that signs and threats carry, and whether they hold.

use crate::knowledge::threat::{THREATS, threats};
use crate::pattern::sign::search;
use crate::subject::sign::Sign;
use crate::value::span::Span;

/// An example that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// What the row is called: what the sign tells, or what the program does.
    pub row: &'static str,
    /// The example as written.
    pub example: &'static str,
    /// The row should be found in it.
    pub is_hit: bool,
}

/// How many examples there are.
pub fn count() -> usize {
    2 * rows()
}

/// How many rows carry them.
pub fn rows() -> usize {
    THREATS.signs.len() + THREATS.threats.len()
}

/// The examples that do not hold.
pub fn broken() -> Vec<Broken> {
    let signs = THREATS.signs.iter().flat_map(|own| {
        let row = THREATS.kinds.get(usize::from(own.kind)).copied().unwrap_or_default();
        [(own.hit, true), (own.miss, false)].map(|(example, is_hit)| (Broken { row, example, is_hit }, says(example, own.kind)))
    });
    let threats = THREATS.threats.iter().flat_map(|own| {
        let tells = |example| threats(own.check, &signs_of(example)).iter().any(|(told, _)| told.says == own.says);
        [(own.hit, true), (own.miss, false)].map(|(example, is_hit)| (Broken { row: own.says, example, is_hit }, tells(example)))
    });
    signs.chain(threats).filter(|(broken, is_found)| broken.is_hit != *is_found).map(|(broken, _)| broken).collect()
}

/// Returns true if and only if a sign of a kind stands in some code.
fn says(code: &str, kind: u8) -> bool {
    signs_of(code).iter().any(|sign| sign.kind == kind)
}

/// All signs in some code, in order of place.
fn signs_of(code: &str) -> Vec<Sign> {
    let mut signs = Vec::new();
    search(code, &mut signs, Span::from_offsets);
    signs.sort_by_key(|sign| sign.span);
    signs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_and_threat_holds_its_examples() {
        assert_eq!(broken(), Vec::new());
        assert!(100 < rows());
    }
}
