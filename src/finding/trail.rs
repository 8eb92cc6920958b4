//! What is kept of a subject beside what is told of it: for a store of evaluations and for the memory of a session.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use crate::knowledge::Sensitivity;

/// How many bytes of a hash tell texts apart.
pub const KEY: usize = 16;

/// What is kept of a subject.
#[derive(Debug)]
pub struct Trail {
    /// The first bytes of the SHA-256 of its text: the record that it is, or the whole source.
    pub subject: [u8; KEY],
    /// How long it took to find all there is in it and to judge it.
    pub took: Duration,
    /// What it adds to its session.
    pub step: Step,
    /// What it is stored as, if it is.
    pub stored: Option<Stored>,
}

/// What a subject adds to its session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The session, as the user or the input names it.
    pub session: Option<String>,
    /// Everything that it calls, each as often as it does, by `call_key`.
    pub calls: Vec<i64>,
    /// What kinds of sensitive data it reads.
    pub reads: BTreeSet<Sensitivity>,
}

/// What an evaluation is stored as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its id: a UUID, unique and in order of time.
    pub evaluation_id: String,
    /// When it was made, RFC 3339 in UTC.
    pub timestamp: String,
    /// Whose it is.
    pub tenant: Option<String>,
}

/// What a session did before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// How often it called what, by `call_key`.
    pub calls: HashMap<i64, u32>,
    /// What kinds of sensitive data it read.
    pub reads: BTreeSet<Sensitivity>,
}

/// By what the name of a tool or API is remembered: a name may be long, or hold what nobody should keep.
pub fn call_key(name: &str) -> i64 {
    let digest = Sha256::digest(name.as_bytes());
    let mut bytes = [0_u8; 8];
    bytes.iter_mut().zip(digest).for_each(|(byte, digest)| *byte = digest);
    i64::from_be_bytes(bytes)
}

/// By what a text is remembered without being kept.
pub fn text_key(text: &str) -> [u8; KEY] {
    let digest = Sha256::digest(text.as_bytes());
    let mut bytes = [0_u8; KEY];
    bytes.iter_mut().zip(digest).for_each(|(byte, digest)| *byte = digest);
    bytes
}
