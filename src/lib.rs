//! callgate reads what an agent is about to run, finds what is risky in it, and answers allow, warn or block.
//!
//! The way of one source is `input` → `format` → (`meaning`, `pattern`, `check`) → `model` →
//! `policy` → `report`; `scan` walks it. See ARCHITECTURE.md.

pub mod accept;
pub mod analyzer;
#[cfg(feature = "audit")]
pub mod audit;
pub mod check;
pub mod cli;
pub mod compare;
pub mod explain;
pub mod finding;
pub mod format;
pub mod history;
pub mod input;
pub mod judge;
pub mod knowledge;
pub mod language;
pub mod meaning;
pub mod model;
pub mod pattern;
pub mod policy;
pub mod remote;
pub mod report;
pub mod rule;
pub mod scan;
pub mod subject;
pub mod tune;
pub mod upstream;
pub mod value;
pub mod yaml;
