//! Sessions: what was called before in the same one, so that a call that was never made before is told from one that is made all
//! the time, and a send that follows a read from one that follows none.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::finding::trail::Past;

/// How many calls and sessions are remembered in one run; any other counts as the first.
const LARGEST: usize = 100_000;

/// Where sessions are remembered from one run to the next.
pub trait Memory: Send + Sync {
    /// What a session did before this run; nothing, if nobody knows.
    fn past(&self, session: &str) -> Past;
}

/// The sessions of a run. What belongs to none that is named belongs to one of its own: the run.
#[derive(Default)]
pub struct Sessions {
    /// The session that the user says it all belongs to, whatever the input says.
    pub named: Option<String>,
    /// What they did in earlier runs.
    pub memory: Option<Box<dyn Memory>>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    pasts: HashMap<Option<String>, Past>,
    /// How many entries they have in all.
    size: usize,
}

impl Sessions {
    /// Returns true if and only if what is done in one subject tells something of the next.
    pub fn are_followed(&self) -> bool {
        self.named.is_some() || self.memory.is_some()
    }

    /// Forgets what was done in this run.
    pub fn forget(&mut self) {
        self.known = Mutex::default();
    }

    /// Goes on with a session: with what it did so far, to which something may be added.
    pub(super) fn go_on<T>(&self, session: Option<&str>, step: impl FnOnce(&mut Past) -> T) -> Option<T> {
        let mut known = self.known();
        let key = session.map(str::to_owned);
        if !known.pasts.contains_key(&key) {
            let past = session.zip(self.memory.as_ref()).map(|(session, memory)| memory.past(session));
            known.pasts.insert(key.clone(), past.unwrap_or_default());
            known.size += 1;
        }
        let past = known.pasts.get_mut(&key)?;
        let before = past.calls.len();
        let done = step(past);
        known.size += known.pasts.get(&key).map_or(0, |past| past.calls.len().saturating_sub(before));
        if LARGEST < known.size {
            *known = Known::default();
        }
        Some(done)
    }

    /// A count is right even where another thread ended while it held the lock.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
