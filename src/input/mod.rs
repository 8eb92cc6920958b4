//! Input: from what the user named to texts with names.

pub mod decode;
pub mod folder;
pub mod globs;
pub mod identity;
pub mod ignored;
pub mod lines;
pub mod list;
pub mod manifest;
pub mod pointer;
pub mod read;
pub mod record;
pub mod roots;
pub mod vouched;
pub mod walk;
