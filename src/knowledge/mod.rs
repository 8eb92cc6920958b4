//! What is known of tools and host APIs: which of them read, and which send, run, write or delete; and which
//! places lie inside.
//!
//! The knowledge is data (`knowledge/`, compiled in by `build.rs`); users extend it under `tools:`
//! and `trusted:` of callgate.yaml ([`House`]).

pub mod act;
pub mod api;
pub mod command;
pub mod compound;
pub mod definition;
pub mod destination;
pub mod effect;
pub mod files;
pub mod form;
pub mod host;
pub mod house;
pub mod manifest;
pub mod named;
pub mod own;
pub mod own_rows;
mod path;
pub mod persistence;
pub mod phrase;
pub mod provider;
pub mod query;
pub mod reach;
pub mod requested;
pub mod row;
pub mod secret;
pub mod sensitivity;
pub mod severity;
mod slots;
pub mod specifier;
pub mod statement;
pub mod target;
pub mod text;
pub mod threat;
pub mod tool;
pub mod usage;
pub mod vault;
pub mod wildcard;
mod word_hash;
pub mod words;

pub use crate::knowledge::api::{Api, SinkKind, api};
pub use crate::knowledge::destination::{Destination, Side, destination};
pub use crate::knowledge::house::House;
pub use crate::knowledge::sensitivity::Sensitivity;
pub use crate::knowledge::tool::{ToolProfile, tool};
