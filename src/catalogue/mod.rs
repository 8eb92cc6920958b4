//! What is known of tools and host APIs: which of them read, and which send, run, write or delete; and which
//! places lie inside.
//!
//! The knowledge is data (`patterns/catalogue.yaml`, compiled in by `build.rs`); users extend it under `tools:`
//! and `trusted:` of callgate.yaml ([`House`]).

pub mod api;
pub mod destination;
pub mod host;
pub mod house;
pub mod manifest;
pub mod own;
pub mod persistence;
pub mod phrase;
pub mod secret;
pub mod sensitivity;
pub mod table;
pub mod target;
pub mod tool;
pub mod vault;
pub mod wildcard;

pub use crate::catalogue::api::{Api, SinkKind, api};
pub use crate::catalogue::destination::{Destination, Side, destination};
pub use crate::catalogue::house::House;
pub use crate::catalogue::sensitivity::Sensitivity;
pub use crate::catalogue::tool::{ToolProfile, tool};
