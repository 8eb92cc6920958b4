//! What callgate does as its users run it: what it reads, writes and ends with.
//!
//! One program for all, since each is linked with the whole library.

mod accept;
mod analyzers;
mod baseline;
mod changes;
mod compare;
mod doctor;
mod external_api;
mod handed_over;
mod hook;
mod hostile;
#[path = "../judge/mod.rs"]
mod judge;
mod leaks;
mod links;
mod outputs;
mod passed_over;
#[path = "../process/mod.rs"]
mod process;
mod staged;
mod streams;
mod table;
mod tenants;
mod texts;
mod tool_calls;
mod trust;
mod tune;
mod views;
mod whole_text;
