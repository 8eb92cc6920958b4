//! Sides: whether something is the organisation's own or somebody else's.

/// On which side something lies, from the least to the most worrying.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// It is the organisation's own.
    Inside,
    /// Nothing tells.
    Unknown,
    /// It belongs to somebody else.
    Outside,
}
