//! What a store of evaluations says of the past, as plain data: evaluations, sessions, trends, and what is rising.

pub mod metrics;
pub mod period;
pub mod rising;
pub mod trends;

use serde_json::{Map, Value};

/// Evaluations with everything that is stored of them, by the names of the columns; the newest first.
#[derive(Clone, Debug, Default)]
pub struct Evaluations {
    /// The evaluations.
    pub rows: Vec<Map<String, Value>>,
    /// There are more than were asked for.
    pub has_more: bool,
}

/// A session, as its evaluations tell it.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Its id, as it is stored.
    pub id: String,
    /// Whose it is.
    pub tenant: Option<String>,
    /// The agent host of its last evaluation that names one.
    pub agent: Option<String>,
    /// How many evaluations there were of each verdict, the mildest first.
    pub verdicts: [u64; 3],
    /// The highest score of any.
    pub highest_score: Option<f64>,
    /// When the first of them was made, in milliseconds since 1970.
    pub first: i64,
    /// When the last of them was made, in milliseconds since 1970.
    pub last: i64,
}

impl Session {
    /// How many evaluations it has.
    pub fn evaluations(&self) -> u64 {
        self.verdicts.iter().sum()
    }
}

/// Sessions, the one with the newest evaluation first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sessions {
    /// The sessions.
    pub rows: Vec<Session>,
    /// There are more than were asked for.
    pub has_more: bool,
}
