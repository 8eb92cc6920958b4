//! How lists are written, as it is typed.

use clap::ValueEnum;

/// How lists are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// For people.
    Table,
    /// For machines.
    Json,
}
