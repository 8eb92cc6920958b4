//! Whether the memory of sessions is what the records say: each record of a session holds what it added, within its hash.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use crate::audit::AuditError;
use crate::audit::db::Db;
use crate::audit::query::Kept;
use crate::finding::trail::{KEY, Step};

/// What a subject adds to the memory of its session, as a record holds it: the keys of its calls, each behind a number and `*` if it is
/// made several times, and behind `+` the kinds of data that it reads.
pub(super) fn text(step: &Step) -> String {
    let mut calls: BTreeMap<i64, u64> = BTreeMap::new();
    step.calls.iter().for_each(|call| *calls.entry(*call).or_default() += 1);
    let mut text = String::new();
    for (call, count) in calls {
        let times = if count == 1 { String::new() } else { format!("{count}*") };
        let _ = write!(text, "{times}{call:x} ");
    }
    step.reads.iter().for_each(|kind| {
        let _ = write!(text, "+{} ", kind.name());
    });
    text.truncate(text.trim_end().len());
    text
}

/// A session: the tenant, and the key of the session.
type Whose = (String, [u8; KEY]);
/// What sessions are called.
type Shown = HashMap<Whose, String>;

/// What is remembered of a session.
#[derive(Clone, Debug, Default, PartialEq)]
struct Memory {
    /// How often each call was made.
    calls: HashMap<i64, u64>,
    /// The kinds of data that were read.
    reads: BTreeSet<String>,
}

impl Memory {
    fn add(&mut self, text: &str) {
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            if let Some(kind) = word.strip_prefix('+') {
                self.reads.insert(kind.to_owned());
                continue;
            }
            let (count, call) = word.split_once('*').map_or((1, word), |(count, call)| (count.parse().unwrap_or(0), call));
            let call = u64::from_str_radix(call, 16).unwrap_or_default().cast_signed();
            *self.calls.entry(call).or_default() += count;
        }
    }

    /// Whether all of another stands here.
    fn holds(&self, other: &Self) -> bool {
        let holds = |(call, count): (&i64, &u64)| self.calls.get(call).is_some_and(|own| count <= own);
        other.calls.iter().all(holds) && other.reads.is_subset(&self.reads)
    }
}

/// What all records say that their sessions did.
#[derive(Debug, Default)]
pub(super) struct Said {
    sessions: HashMap<Whose, Memory>,
    /// Sessions with records from before what they added was stored.
    older: BTreeSet<Whose>,
}

impl Said {
    /// Takes in what a record says.
    pub(super) fn take(&mut self, kept: &Kept) {
        let Some(session) = &kept.record.session else { return };
        let whose = (kept.record.tenant.clone().unwrap_or_default(), session.key);
        match &kept.step {
            Some(step) => self.sessions.entry(whose).or_default().add(step),
            None => {
                self.older.insert(whose);
            }
        }
    }

    /// What is wrong with the memory of sessions. Where records of a tenant were taken out (`pruned`), their sessions remember more than
    /// the others say, but never less.
    pub(super) fn fault(&self, db: &Db, pruned: &BTreeSet<String>) -> Result<Option<String>, AuditError> {
        let (mut remembered, shown) = remembered(db)?;
        let nothing = Memory::default();
        for (whose, said) in &self.sessions {
            let memory = remembered.remove(whose).unwrap_or_default();
            let is_open = pruned.contains(&whose.0) || self.older.contains(whose);
            if !(memory == *said || is_open && memory.holds(said)) {
                return Ok(Some(told(whose, &shown)));
            }
        }
        let unsaid =
            |(whose, memory): &(&Whose, &Memory)| **memory != nothing && !pruned.contains(&whose.0) && !self.older.contains(*whose);
        Ok(remembered.iter().filter(unsaid).map(|(whose, _)| told(whose, &shown)).min())
    }
}

fn told(whose: &Whose, shown: &Shown) -> String {
    let session = shown.get(whose).map(|text| format!(" `{text}`")).unwrap_or_default();
    format!("what is remembered of the session{session} is not what its evaluations say")
}

/// The memory of each session, and what the session is called.
fn remembered(db: &Db) -> Result<(HashMap<Whose, Memory>, Shown), AuditError> {
    let sessions = "SELECT session.id, name.text, session.key, session.text FROM session JOIN name ON name.id = session.tenant";
    let sessions: HashMap<i64, (Whose, String)> =
        db.all(sessions, &[], |row| Ok((row.get(0)?, ((row.get(1)?, row.get(2)?), row.get(3)?))))?.into_iter().collect();
    let mut memories: HashMap<Whose, Memory> = HashMap::new();
    let calls: Vec<(i64, i64, u64)> =
        db.all("SELECT session, call, count FROM session_call", &[], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    for (session, call, count) in calls {
        let Some((whose, _)) = sessions.get(&session) else { continue };
        memories.entry(whose.clone()).or_default().calls.insert(call, count);
    }
    let reads = "SELECT session, text FROM session_read JOIN name ON name.id = kind";
    let reads: Vec<(i64, String)> = db.all(reads, &[], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for (session, kind) in reads {
        let Some((whose, _)) = sessions.get(&session) else { continue };
        memories.entry(whose.clone()).or_default().reads.insert(kind);
    }
    Ok((memories, sessions.into_values().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::Sensitivity;

    #[test]
    fn a_step_says_in_its_text_what_it_adds() {
        let step = Step { session: None, calls: vec![7, -1, 7], reads: BTreeSet::from([Sensitivity::Personal]) };
        let mut memory = Memory::default();
        memory.add(&text(&step));
        memory.add(&text(&Step { calls: vec![7], ..Step::default() }));
        assert_eq!(memory.calls, HashMap::from([(7, 3), (-1, 1)]));
        assert_eq!(memory.reads, BTreeSet::from([Sensitivity::Personal.name().to_owned()]));
        assert_eq!(text(&Step::default()), "");
    }
}
