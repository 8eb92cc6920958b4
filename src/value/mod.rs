//! The plain values every other layer speaks in: places, texts, severities, scores, verdicts.

pub mod account;
pub mod csv;
pub mod encoding;
pub mod js_number;
pub mod limits;
pub mod mail;
pub mod offset_map;
pub mod score;
pub mod severity;
pub mod source;
pub mod span;
pub mod store_place;
pub mod time;
pub mod verdict;
pub mod words;
