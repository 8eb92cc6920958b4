//! Replays: for people, and as one document.

pub mod json;
pub mod table;
