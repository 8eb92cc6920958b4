//! Why a text is no pattern.

/// A pattern is not one that can be searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at character {at} of the pattern")]
pub struct PatternError {
    /// What is wrong.
    pub message: &'static str,
    /// Before which character, from 0.
    pub at: usize,
}
