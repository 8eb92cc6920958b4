//! Functions that run later: handlers, timers and other callbacks, with what they are passed.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::format::script::interpret::value::{Id, Val, Values};

/// How many callbacks are followed again at the end.
const DEFERRED: usize = 20_000;
/// How many calls of one function are told apart; further ones are one call that passes all that these pass.
const OF_ONE: u32 = 24;

/// Calls that happen later. A call that passes the same as one before is that call.
#[derive(Default)]
pub struct Deferred {
    calls: Vec<(Val, Vec<Val>)>,
    known: FxHashSet<(Id, Vec<Id>)>,
    /// By functions: how many of their calls are kept, and the last of them.
    by_function: FxHashMap<Id, (u32, usize)>,
}

impl Deferred {
    /// The calls, in order.
    pub fn calls(&self) -> &[(Val, Vec<Val>)] {
        &self.calls
    }

    /// Adds a call of a function; false where there are too many.
    pub fn add(&mut self, function: Val, passed: Vec<Val>, values: &mut Values) -> bool {
        let key = (function.id, passed.iter().map(|value| value.id).collect());
        if self.known.contains(&key) {
            return true;
        }
        let (count, last) = self.by_function.get(&function.id).copied().unwrap_or_default();
        if OF_ONE <= count
            && let Some((_, all)) = self.calls.get_mut(last)
        {
            for (at, value) in passed.into_iter().enumerate() {
                match all.get_mut(at) {
                    Some(all) => *all = values.join(*all, value),
                    None => all.push(value),
                }
            }
        } else if self.calls.len() < DEFERRED {
            self.by_function.insert(function.id, (count + 1, self.calls.len()));
            self.calls.push((function, passed));
        } else {
            return false;
        }
        self.known.insert(key);
        true
    }
}
