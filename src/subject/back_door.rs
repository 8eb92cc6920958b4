//! Back doors of servers.

use crate::value::span::Span;

/// A place at which whoever sends a text that stands in the code is made an administrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackDoor {
    /// What makes him one.
    pub span: Span,
    /// The text is compared with a name or password with which people log in.
    pub is_login: bool,
}
