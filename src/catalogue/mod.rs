//! What is known of tools and host APIs: which of them read, and which send, run, write or delete.
//!
//! The knowledge is data (`patterns/catalogue.yaml`, compiled in by `build.rs`); users extend it under `tools:`
//! and `trusted:` of callgate.yaml.

pub mod api;

pub use crate::catalogue::api::{Api, SinkKind};
