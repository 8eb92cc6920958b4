//! Sessions: what was called before in the same one, so that a call that was never made before is told from one that is made all
//! the time, and a send that follows a read from one that follows none.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::check::exfiltration_sequence::{self, across, reads};
use crate::check::registry as checks;
use crate::finding::trail::{Past, Step, call_key};
use crate::policy::Policy;
use crate::scan::detect::{Detected, sorted};

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

    /// Numbers the calls of a subject, and looks at them beside what its session did before.
    pub(super) fn follow(&self, detected: &mut Detected, policy: &Policy) {
        let session = self.named.clone().or_else(|| detected.subject.record.as_ref()?.session_id.clone());
        let mut known = self.known();
        let Known { pasts, size } = &mut *known;
        if !pasts.contains_key(&session) {
            let past = session.as_deref().zip(self.memory.as_ref()).map(|(session, memory)| memory.past(session));
            *size += 1;
            pasts.insert(session.clone(), past.unwrap_or_default());
        }
        let Some(past) = pasts.get_mut(&session) else { return };
        let calls = number(detected, past, size);
        if session.is_some() && self.are_followed() {
            let read = reads(&detected.subject, &detected.features, &detected.matches);
            let rule = checks::rules().iter().find(|rule| rule.id == exfiltration_sequence::CHECK.id);
            let found = rule.map(|rule| across(rule, &detected.subject, &detected.features, &past.reads)).unwrap_or_default();
            if !found.is_empty() {
                detected.matches.extend(policy.adjust(found));
                detected.matches = sorted(std::mem::take(&mut detected.matches));
            }
            past.reads.extend(&read);
            detected.step = Step { session: session.clone(), calls, reads: read };
        }
        if LARGEST < *size {
            *known = Known::default();
        }
    }

    /// A count is right even where another thread ended while it held the lock.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Numbers the calls of a subject, and returns their keys. A call whose tool is not known may be any, so it is always the first.
fn number(detected: &mut Detected, past: &mut Past, size: &mut usize) -> Vec<i64> {
    let mut keys = Vec::new();
    let mut next = |name: &str| {
        let key = call_key(name);
        keys.push(key);
        let count = past.calls.entry(key).or_insert_with(|| {
            *size += 1;
            0
        });
        *count = count.saturating_add(1);
        *count - 1
    };
    for call in &mut detected.subject.calls {
        call.earlier = call.tool.name().map_or(0, &mut next);
    }
    for call in &mut detected.subject.host_calls {
        call.earlier = next(&call.api);
    }
    keys
}
