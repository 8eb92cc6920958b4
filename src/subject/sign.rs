//! Signs: words in a program that tell what it knows or does, whatever way it takes.

use crate::value::span::Span;

/// A sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sign {
    /// What it tells: a number of the rows of signs.
    pub kind: u8,
    /// Whose it is; what differs in this counts as different.
    pub whose: (u16, u16),
    /// Where it stands.
    pub span: Span,
}
