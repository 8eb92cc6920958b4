//! Acceptances: findings that somebody has looked at and lets stand, each with a reason.
//!
//! What is accepted is taken out before the subject is judged, is told apart in every report, and is counted. An acceptance is
//! written in a comment beside the finding (`inline.rs`), in the settings (`listed.rs`), or in a baseline of what stood there before
//! (`baseline.rs`). What an agent hands over at run time never accepts itself: comments and baselines count only in files.

pub mod acceptance;
pub mod baseline;
pub mod entry;
pub mod fingerprint;
pub mod given;
pub mod inline;
pub mod listed;
pub mod opinion;
pub mod settle;
pub mod vouched;
