//! Acceptances: findings that somebody has looked at and lets stand, each with a reason.
//!
//! What is accepted is taken out before the subject is judged, is told apart in every report, and is counted. An acceptance is
//! written in a comment beside the finding (`inline.rs`) or in the settings (`listed.rs`). What an agent hands over at run time
//! never accepts itself: comments count only in files.

pub mod acceptance;
pub mod inline;
pub mod listed;
pub mod settle;
