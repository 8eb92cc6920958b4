//! Back doors of servers.

use crate::value::span::Span;

/// A place at which whoever sends a text that stands in the code is let in as somebody he is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackDoor {
    /// What lets him in.
    pub span: Span,
    /// By what.
    pub key: DoorKey,
}

/// What opens a back door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoorKey {
    /// A text that a request carries makes an administrator of whoever sends it.
    Text,
    /// The text is compared with a name or password with which people log in.
    Login,
    /// A password that stands in the code is taken beside that of whoever logs in, for any account.
    MasterPassword,
}
