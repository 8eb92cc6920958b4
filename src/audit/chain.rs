//! The hash chain: each record holds a hash over itself and the hash of the record before it in its chain.
//!
//! Whoever changes, adds or takes away a record without computing all later hashes anew is found out. Whoever does compute them
//! is found out by a head that was noted elsewhere (`callgate audit verify` prints it and compares it).

use sha2::{Digest as _, Sha256};

use crate::audit::record::Record;
use crate::value::severity::Severity;

/// A hash of a chain.
pub type Hash = [u8; 32];

/// The hash before the first record of a chain.
pub const ORIGIN: Hash = [0; 32];

/// The hash of a record behind that of the one before it. All that is said of it is in it, spelled out: not the numbers by which
/// the file names it. `step` is what it added to the memory of its session.
pub fn hash(before: &Hash, record: &Record, step: Option<&str>) -> Hash {
    let mut bytes = Vec::with_capacity(512);
    bytes.extend_from_slice(before);
    bytes.extend_from_slice(record.id.as_bytes());
    bytes.extend_from_slice(&record.at.to_be_bytes());
    let session = record.session.as_ref();
    blob(&mut bytes, session.map(|session| session.key.as_slice()));
    blob(&mut bytes, record.subject.as_ref().map(|subject| subject.as_slice()));
    let texts = [
        record.tenant.as_deref(),
        session.map(|session| session.text.as_str()),
        record.agent.as_deref(),
        Some(record.path.as_str()),
        record.kind.as_deref(),
        record.lifecycle.as_deref(),
        record.tool.as_deref(),
        record.tool_call_id.as_deref(),
        record.input_timestamp.as_deref(),
        record.patterns.as_deref(),
        record.severity.map(Severity::name),
        Some(&*record.action),
        Some(&*record.reason),
        record.rule.as_deref(),
        Some(record.verdict.name()),
        record.undetermined.as_deref(),
        Some(record.models.as_str()),
        record.scores.as_deref(),
        Some(record.library.as_str()),
        Some(&*record.version),
    ];
    texts.into_iter().for_each(|text| blob(&mut bytes, text.map(str::as_bytes)));
    number(&mut bytes, record.number.map(u64::from));
    number(&mut bytes, Some(u64::from(record.match_count)));
    number(&mut bytes, record.score.map(f64::to_bits));
    number(&mut bytes, record.duration.map(u64::from));
    // Records from before acceptances were stored have the same hash as ever.
    if 0 < record.accepted_count {
        blob(&mut bytes, record.accepted.as_deref().map(str::as_bytes));
        number(&mut bytes, Some(u64::from(record.accepted_count)));
    }
    // So have those from before it was stored what they added to their sessions.
    if let Some(step) = step {
        blob(&mut bytes, Some(b"step"));
        blob(&mut bytes, Some(step.as_bytes()));
    }
    Sha256::digest(&bytes).into()
}

/// Appends bytes with their length, so that no two lists of them look alike.
fn blob(to: &mut Vec<u8>, bytes: Option<&[u8]>) {
    number(to, bytes.map(|bytes| bytes.len() as u64));
    to.extend_from_slice(bytes.unwrap_or_default());
}

fn number(to: &mut Vec<u8>, number: Option<u64>) {
    to.push(u8::from(number.is_some()));
    to.extend_from_slice(&number.unwrap_or_default().to_be_bytes());
}

/// A hash for people.
pub fn hex(hash: &[u8]) -> String {
    use std::fmt::Write as _;
    hash.iter().fold(String::with_capacity(hash.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// What `hex` wrote.
pub fn from_hex(text: &str) -> Option<Hash> {
    let mut hash = ORIGIN;
    if text.len() != hash.len() * 2 || !text.is_ascii() {
        return None;
    }
    for (at, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(at * 2..at * 2 + 2)?, 16).ok()?;
    }
    Some(hash)
}
