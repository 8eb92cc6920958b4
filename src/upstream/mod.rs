//! Released systems repeated to the letter, blind spots included: what each says of a script, or of a call as data.
//!
//! Each system has a room under its own name and sees nothing of callgate: it is handed a text or JSON, and answers in
//! its own words. The edition `upstream` of a model turns that into an evaluation. Nothing here is computed unless such
//! an edition judges.

pub mod attesta;
pub mod enclave;
pub mod python;
