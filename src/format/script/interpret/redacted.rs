//! Functions that say that they redact: what they altered of data counts as redacted.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::heap::Place;
use crate::format::script::interpret::taint::{Change, is_put_together};
use crate::format::script::interpret::value::{Atom, Val};

impl Interpreter<'_> {
    /// What a function of this name returns.
    pub fn redacted_by(&mut self, name: Option<&str>, result: Val) -> Val {
        if name.is_some_and(tells_redaction) && !self.is_put_together(result) {
            self.stamp += 1;
            self.redact(result, 4)
        } else {
            result
        }
    }

    /// Returns true if and only if the fields of an object hold so many pieces of the same data that they are all of it.
    fn is_put_together(&mut self, value: Val) -> bool {
        let mut taint = self.values.taint(value.id);
        for atom in self.values.atoms(value.id).iter() {
            let Atom::Object(object) = atom else { continue };
            let fields: Vec<Val> = self.heap.object(*object).fields.iter().map(|(_, value)| *value).collect();
            for field in fields {
                let one = self.values.taint(field.id);
                taint = self.values.taints.union(taint, one);
            }
        }
        let labels = self.values.taints.labels(taint);
        labels.iter().any(|label| is_put_together(label, labels))
    }

    /// A value whose altered data counts as redacted, in its fields too; each object is looked at once.
    fn redact(&mut self, value: Val, depth: u32) -> Val {
        if let Some(depth) = depth.checked_sub(1).filter(|_| self.values.taints.has_any()) {
            for atom in self.values.atoms(value.id).iter() {
                let Atom::Object(object) = atom else { continue };
                if !self.heap.stamp(*object, self.stamp) || !self.spend() {
                    continue;
                }
                let fields = self.heap.object(*object).fields.iter().filter(|(_, value)| self.values.may_carry(**value));
                let fields: Vec<_> = fields.map(|(key, value)| (*key, *value)).collect();
                for (key, field) in fields {
                    let redacted = self.redact(field, depth);
                    if redacted.id != field.id {
                        self.heap.set(Place::Field(*object, key), redacted);
                    }
                }
                let rest = self.heap.object(*object).rest;
                let redacted = self.values.with_change(rest, Change::Redacted);
                if redacted.id != rest.id {
                    self.heap.set(Place::Rest(*object), redacted);
                }
            }
        }
        self.values.with_change(value, Change::Redacted)
    }
}

/// Words of functions that say that they redact.
const REDACTION: &[&str] =
    &["redact", "mask", "anonym", "sanitiz", "sanitis", "scrub", "pseudonym", "censor", "obfuscate", "hash", "strip"];

/// Returns true if and only if a function says by its name that it redacts.
fn tells_redaction(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    REDACTION.iter().any(|word| name.contains(word))
}
