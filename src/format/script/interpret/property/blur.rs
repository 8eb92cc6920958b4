//! Fields that something may have been written over, without a name that says which.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::heap::Place;
use crate::format::script::interpret::text::Text;
use crate::format::script::interpret::value::{Atom, ObjectId, Val};

/// Objects with more fields than this are tables.
const TABLE: usize = 512;

impl Interpreter<'_> {
    /// Adds to what each field of an object can be that decides something: `flags[name] = false`, `{ safe: true, ...given }`. An address
    /// that is written out is what the script means, whatever a caller may do to it.
    pub fn blur(&mut self, object: ObjectId, value: Val) {
        // A table of so many entries decides nothing by one of them that is written once more.
        if !self.blurred.insert(object) && TABLE < self.heap.object(object).fields.len() {
            return;
        }
        let length = self.values.texts.known("length");
        let fields = self.heap.object(object).fields.iter().filter(|(key, _)| Some(**key) != length);
        let deciding: Vec<(Text, Val)> = fields
            .filter(|(key, held)| self.values.texts.slot_of(**key).is_none() && self.decides(**held))
            .map(|(key, held)| (*key, *held))
            .collect();
        for (key, held) in deciding {
            let joined = self.values.join(held, value);
            if joined.id != held.id {
                self.heap.set(Place::Field(object, key), joined);
            }
        }
    }

    /// Returns true if and only if a value is a constant that says yes or no, how many or which.
    fn decides(&self, value: Val) -> bool {
        let shape = self.values.shape(value.id);
        let is_one = |atom: &Atom| match atom {
            Atom::Boolean(_) | Atom::Number(_) | Atom::Null | Atom::Undefined => true,
            Atom::Text(text) => !self.values.texts.get(*text).contains(['/', '@', '.', ':', ' ']),
            _ => false,
        };
        !shape.is_open && shape.atoms.iter().all(is_one)
    }
}
