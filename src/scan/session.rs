//! Sessions: what was called before in the same one, so that a call that was never made before is told from one that is made all
//! the time, and a send that follows a read from one that follows none.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::finding::trail::Past;
use crate::knowledge::Sensitivity;

/// How many calls and sessions are remembered in one run; then calls count as the first again.
const LARGEST: usize = 100_000;

/// Where sessions are remembered from one run to the next.
pub trait Memory: Send + Sync {
    /// What a session did in other runs, before this one and beside it; nothing, if nobody knows.
    fn past(&self, session: &str) -> Past;

    /// A number that is another one whenever other runs have added something.
    fn version(&self) -> i64;

    /// From here on, what this run has added is of the past, too.
    fn settle(&self);
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
    sessions: HashMap<Option<String>, Session>,
    /// How many entries they have in all.
    size: usize,
    /// What sessions read that are forgotten: each of those that are not known may be one of them.
    lost: BTreeSet<Sensitivity>,
}

impl Known {
    /// Forgets which calls were made, so that each is the first again, but not what was read: whoever makes up sessions or calls
    /// without end must not make a gate forget that.
    fn shrink(&mut self) {
        self.sessions.retain(|_, session| !session.past.reads.is_empty());
        if LARGEST / 2 < self.sessions.len() {
            self.lost.extend(self.sessions.drain().flat_map(|(_, session)| session.past.reads));
        }
        self.sessions.values_mut().for_each(|session| session.past.calls.clear());
        self.size = self.sessions.len();
    }
}

/// A session as it is known.
#[derive(Default)]
struct Session {
    /// All that it did.
    past: Past,
    /// What it did in this run.
    own: Past,
    /// The version of the memory from which its past comes.
    version: i64,
}

impl Session {
    /// What other runs did, as of this version, and what this one did.
    fn of(elsewhere: Past, own: Past, version: i64) -> Self {
        let mut past = elsewhere;
        past.reads.extend(&own.reads);
        for (call, count) in &own.calls {
            let known = past.calls.entry(*call).or_default();
            *known = known.saturating_add(*count);
        }
        Self { past, own, version }
    }

    /// Notes what a step added to the past as done in this run.
    fn note(&mut self, calls: &[i64], reads: &BTreeSet<Sensitivity>) {
        for call in calls {
            let count = self.own.calls.entry(*call).or_default();
            *count = count.saturating_add(1);
        }
        self.own.reads.extend(reads);
    }
}

/// What a step added to its session.
pub(super) struct Added {
    /// The key of each call, as often as it was made.
    pub calls: Vec<i64>,
    /// The kinds of data that were read.
    pub reads: BTreeSet<Sensitivity>,
}

impl Sessions {
    /// The sessions of a run: all of it is the one that the user names, if there is one.
    pub fn new(named: Option<String>, memory: Option<Box<dyn Memory>>) -> Self {
        Self { named, memory, known: Mutex::default() }
    }

    /// Returns true if and only if what is done in one subject tells something of the next.
    pub fn are_followed(&self) -> bool {
        self.named.is_some() || self.memory.is_some()
    }

    /// Forgets what was done in this run.
    pub fn forget(&self) {
        *self.known() = Known::default();
    }

    /// Goes on with a session: with what it did so far, here and in other runs, to which the step may add something.
    pub(super) fn go_on(&self, session: Option<&str>, step: impl FnOnce(&mut Past) -> Added) {
        let mut guard = self.known();
        let known = &mut *guard;
        let key = session.map(str::to_owned);
        let before = known.sessions.get(&key).map_or(0, |session| session.past.calls.len() + 1);
        let lost = &known.lost;
        let begun = || Session { past: Past { reads: lost.clone(), ..Past::default() }, ..Session::default() };
        let entry = known.sessions.entry(key).or_insert_with(begun);
        if let Some((session, memory)) = session.zip(self.memory.as_ref()) {
            let version = memory.version();
            if entry.version != version {
                *entry = Session::of(memory.past(session), std::mem::take(&mut entry.own), version);
            }
        }
        let Added { calls, reads } = step(&mut entry.past);
        if self.memory.is_some() && session.is_some() {
            entry.note(&calls, &reads);
        }
        known.size += (entry.past.calls.len() + 1).saturating_sub(before);
        match &self.memory {
            Some(memory) if LARGEST < known.size => {
                *known = Known::default();
                memory.settle();
            }
            None if LARGEST < known.size => known.shrink(),
            Some(_) | None => {}
        }
    }

    /// A count is right even where another thread ended while it held the lock.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    /// A memory to which others add a call each time its version changes.
    struct Growing(Arc<AtomicI64>);

    impl Memory for Growing {
        fn past(&self, _: &str) -> Past {
            let count = u32::try_from(self.0.load(Ordering::SeqCst)).unwrap_or_default();
            Past { calls: [(7, count)].into(), ..Past::default() }
        }

        fn version(&self) -> i64 {
            self.0.load(Ordering::SeqCst)
        }

        fn settle(&self) {}
    }

    #[test]
    fn what_other_runs_add_is_seen_beside_what_this_one_did() {
        let version = Arc::new(AtomicI64::new(1));
        let sessions = Sessions { memory: Some(Box::new(Growing(Arc::clone(&version)))), ..Sessions::default() };
        let call = || {
            let mut before = 0;
            sessions.go_on(Some("s"), |past| {
                let count = past.calls.entry(7).or_default();
                before = *count;
                *count += 1;
                Added { calls: vec![7], reads: BTreeSet::new() }
            });
            before
        };
        assert_eq!([call(), call()], [1, 2]);
        version.store(5, Ordering::SeqCst);
        assert_eq!([call(), call()], [7, 8]);
    }

    #[test]
    fn what_a_session_read_is_not_forgotten_whoever_makes_up_others() {
        let sessions = Sessions::default();
        let read = BTreeSet::from([Sensitivity::Personal]);
        let step = |session: &str, reads: &BTreeSet<Sensitivity>| {
            let mut known = BTreeSet::new();
            sessions.go_on(Some(session), |past| {
                known.clone_from(&past.reads);
                past.reads.extend(reads);
                Added { calls: Vec::new(), reads: reads.clone() }
            });
            known
        };
        step("a", &read);
        for nth in 0..=LARGEST {
            step(&format!("empty {nth}"), &BTreeSet::new());
        }
        assert!(sessions.known().sessions.len() < LARGEST / 2);
        assert_eq!((step("a", &BTreeSet::new()), step("b", &BTreeSet::new())), (read.clone(), BTreeSet::new()));
        for nth in 0..=LARGEST {
            step(&format!("full {nth}"), &read);
        }
        assert_eq!((step("a", &BTreeSet::new()), step("c", &BTreeSet::new())), (read.clone(), read));
    }
}
