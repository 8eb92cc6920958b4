//! Languages that stand in texts: how they are read, without a word of what they do.

pub mod schedule;
pub mod shell;
pub mod sql;
