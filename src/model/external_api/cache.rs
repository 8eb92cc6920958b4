//! Answers that are remembered for a while, so that the same question is asked once.
//!
//! Source of size and time: agentfront/enclave, `libs/core/src/scoring`, at 7ac44b0a.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// How long an answer is remembered.
pub const TIME_TO_LIVE: Duration = Duration::from_secs(300);
/// How many answers are remembered.
pub const MOST_ENTRIES: usize = 1_000;

/// What is remembered, the least recently used of too many forgotten. Times are counted from any fixed moment.
#[derive(Debug)]
pub struct Cache<K, V> {
    entries: HashMap<K, Entry<V>>,
    time_to_live: Duration,
    most: usize,
    is_enabled: bool,
    /// How often anything was looked up or put in; tells which entry was used last.
    clock: u64,
    counts: Counts,
}

/// How often the cache was of use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Questions that were answered.
    pub hits: u64,
    /// Questions that were not.
    pub misses: u64,
}

impl Counts {
    /// The share of the questions that were answered, 0–1; 0 of none.
    pub fn hit_rate(self) -> f64 {
        let all = self.hits + self.misses;
        if all == 0 { 0.0 } else { self.hits as f64 / all as f64 }
    }
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    since: Duration,
    used: u64,
}

/// What becomes of a key that is put in while the cache is full and holds it already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenFull {
    /// Its value is replaced.
    Replace,
    /// Another is forgotten all the same, as the released software does.
    ForgetAnyway,
}

impl<K: Clone + Eq + Hash, V: Clone> Cache<K, V> {
    /// An empty cache. One that is not enabled never remembers anything.
    pub fn new(most: usize, time_to_live: Duration, is_enabled: bool) -> Self {
        Self { entries: HashMap::new(), time_to_live, most, is_enabled, clock: 0, counts: Counts::default() }
    }

    /// The value of a key, unless it is older than the time to live; counts the question.
    pub fn get(&mut self, key: &K, now: Duration) -> Option<V> {
        if !self.is_enabled {
            return None;
        }
        self.drop_if_old(key, now);
        self.clock += 1;
        match self.entries.get_mut(key) {
            Some(entry) => {
                entry.used = self.clock;
                self.counts.hits += 1;
                Some(entry.value.clone())
            }
            None => {
                self.counts.misses += 1;
                None
            }
        }
    }

    /// Returns true if and only if there is a value that is not too old. That is no question that counts.
    pub fn has(&mut self, key: &K, now: Duration) -> bool {
        self.drop_if_old(key, now);
        self.is_enabled && self.entries.contains_key(key)
    }

    /// Remembers a value.
    pub fn put(&mut self, key: K, value: V, now: Duration, when_full: WhenFull) {
        if !self.is_enabled {
            return;
        }
        let is_known = when_full == WhenFull::Replace && self.entries.contains_key(&key);
        while !is_known && self.most <= self.entries.len() {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone());
            let Some(oldest) = oldest else { break };
            self.entries.remove(&oldest);
        }
        self.clock += 1;
        self.entries.insert(key, Entry { value, since: now, used: self.clock });
    }

    /// Forgets a value; returns true if and only if there was one.
    pub fn remove(&mut self, key: &K) -> bool {
        self.entries.remove(key).is_some()
    }

    /// Forgets all that is too old; returns how many that were.
    pub fn prune(&mut self, now: Duration) -> usize {
        let before = self.entries.len();
        let time_to_live = self.time_to_live;
        self.entries.retain(|_, entry| now.saturating_sub(entry.since) <= time_to_live);
        before - self.entries.len()
    }

    /// Forgets all, and how often it was asked.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.counts = Counts::default();
    }

    /// How many values are remembered.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if and only if nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How often it was of use.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    fn drop_if_old(&mut self, key: &K, now: Duration) {
        if self.entries.get(key).is_some_and(|entry| self.time_to_live < now.saturating_sub(entry.since)) {
            self.entries.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn an_answer_is_remembered_up_to_its_last_moment() {
        let mut cache = Cache::new(2, at(100), true);
        cache.put("a", 1, at(0), WhenFull::Replace);
        assert_eq!((cache.get(&"a", at(100)), cache.get(&"a", at(101)), cache.len()), (Some(1), None, 0));
    }

    #[test]
    fn the_least_recently_used_is_forgotten() {
        let mut cache = Cache::new(2, at(100), true);
        cache.put("a", 1, at(0), WhenFull::Replace);
        cache.put("b", 2, at(0), WhenFull::Replace);
        assert_eq!(cache.get(&"a", at(1)), Some(1));
        cache.put("c", 3, at(2), WhenFull::Replace);
        assert_eq!(["a", "b", "c"].map(|key| cache.has(&key, at(3))), [true, false, true]);
    }

    #[test]
    fn what_is_known_already_needs_no_room_but_in_the_released_software() {
        for (when_full, expected) in [(WhenFull::Replace, [true, true]), (WhenFull::ForgetAnyway, [false, true])] {
            let mut cache = Cache::new(2, at(100), true);
            cache.put("a", 1, at(0), when_full);
            cache.put("b", 2, at(0), when_full);
            cache.put("b", 9, at(0), when_full);
            assert_eq!(["a", "b"].map(|key| cache.has(&key, at(0))), expected, "{when_full:?}");
        }
    }
}
