//! What folding the expressions of one script may cost.

use std::cell::Cell;

/// What folding all expressions of one script may cost, in steps and in sixteen bytes of text built.
const BUDGET: u64 = 4_000_000;

/// What is left of the cost that folding one script may have.
pub struct Budget(Cell<u64>);

impl Default for Budget {
    fn default() -> Self {
        Self(Cell::new(BUDGET))
    }
}

impl Budget {
    /// Takes a cost off; nothing, where that much is not left.
    pub fn spend(&self, cost: u64) -> Option<()> {
        let left = self.0.get().checked_sub(cost);
        self.0.set(left.unwrap_or(0));
        left.map(|_| ())
    }

    /// Returns true if and only if nothing is left, so that some expressions were not folded.
    pub fn is_spent(&self) -> bool {
        self.0.get() == 0
    }
}
