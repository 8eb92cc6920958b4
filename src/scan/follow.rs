//! A subject beside what its session did before.

use std::collections::BTreeSet;

use crate::check::exfiltration_sequence::{self, across, reads};
use crate::check::registry as checks;
use crate::finding::trail::{Past, Step, call_key};
use crate::knowledge::Sensitivity;
use crate::scan::Scanner;
use crate::scan::detect::{Detected, sorted};
use crate::scan::session::Added;

impl Scanner {
    /// Numbers the calls of a subject, and looks at them beside what its session did before.
    pub(super) fn follow(&self, detected: &mut Detected) {
        let in_input = detected.subject.record.as_ref().and_then(|record| record.session_id.clone());
        let session = self.sessions.named.clone().or(in_input);
        let is_followed = session.is_some() && self.sessions.are_followed();
        self.sessions.go_on(session.as_deref(), |past| {
            let calls = number(detected, past);
            let mut reads = BTreeSet::new();
            if is_followed {
                reads = self.look_back(detected, past);
                past.reads.extend(&reads);
                detected.step = Step { session: session.clone(), calls: calls.clone(), reads: reads.clone() };
            }
            Added { calls, reads }
        });
    }

    /// Finds what only the past of its session tells of a subject; returns what it reads itself.
    fn look_back(&self, detected: &mut Detected, past: &Past) -> BTreeSet<Sensitivity> {
        let Detected { subject, features, matches, .. } = detected;
        let read = reads(subject, features, matches);
        let rule = checks::rules().iter().find(|rule| rule.id == exfiltration_sequence::CHECK.id);
        let found = rule.map(|rule| across(rule, subject, features, &past.reads)).unwrap_or_default();
        if !found.is_empty() {
            matches.extend(self.policy.adjust(found));
            *matches = sorted(std::mem::take(matches));
        }
        read
    }
}

/// Numbers the calls of a subject, and returns their keys. A call whose tool is not known may be any, so it is always the first.
fn number(detected: &mut Detected, past: &mut Past) -> Vec<i64> {
    let mut keys = Vec::new();
    let mut next = |name: &str| {
        let key = call_key(name);
        keys.push(key);
        let count = past.calls.entry(key).or_default();
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
