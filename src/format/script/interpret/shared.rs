//! What the functions of a graph share: its state is passed to each, and what each returns is put into it.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::entry::Handed;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, Place, derived};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::knowledge::form::Entry;
use crate::value::span::Span;

/// How a row says that a parameter is the state: what whoever starts the graph may put into it, and after a dot the fields that
/// it does put there.
const STATE: &str = "state.";
/// Which of the objects of a script its states are.
const SHARED: u8 = 42;
/// The field of what a node returns in which the changes of the state stand, if it also says which node is next.
const UPDATE: &str = "update";

impl<'a> Interpreter<'a> {
    /// The state that a row says is passed.
    pub fn state_of(&mut self, entry: &Entry) -> Option<ObjectId> {
        let named = entry.parameters.first()?.strip_prefix(STATE)?;
        let (from, field) = match named.split_once(">.") {
            Some((from, field)) => (format!("{from}>"), Some(field)),
            None => (named.to_owned(), None),
        };
        let path = self.values.texts.intern(&from);
        if let Some(state) = self.states.get(&path) {
            return Some(*state);
        }
        let made_with = Vec::new().into();
        let state = self.heap.allocate(derived(Span::default(), 7), 0, SHARED, ObjectKind::Instance { path, made_with });
        self.states.insert(path, state);
        if let Some(field) = field {
            let given = self.given(&from);
            let key = self.values.texts.intern(field);
            self.heap.set(Place::Field(state, key), given);
        }
        Some(state)
    }

    /// The state that a parameter of a row is, if it is one that was made.
    pub fn state_parameter(&mut self, path: &str) -> Option<Val> {
        let from = path.strip_prefix(STATE)?;
        let from = from.split_inclusive('>').next().unwrap_or(from);
        let state = *self.states.get(&self.values.texts.known(from)?)?;
        Some(self.values.object(state))
    }

    /// A field of a state that no node returned: whoever starts the graph may have put it there.
    pub fn given_to_state(&mut self, object: ObjectId) -> Option<Val> {
        let ObjectKind::Instance { path, .. } = self.heap.object(object).kind else { return None };
        if self.states.get(&path) != Some(&object) {
            return None;
        }
        let from = self.values.texts.get(path).to_string();
        Some(self.given(&from))
    }

    fn given(&mut self, from: &str) -> Val {
        self.held(from, Span::default()).unwrap_or(Val::UNKNOWN)
    }

    /// Calls a function with the state, and puts what it returns into it.
    pub fn call_with_state(&mut self, function: Val, handed: &Handed<'_>, state: ObjectId) {
        self.maybe(|interpreter| {
            let returned = interpreter.call_value(function, Val::UNKNOWN, handed.parameters, handed.span);
            let returned = interpreter.settled(returned);
            interpreter.put_into_state(state, returned);
        });
        // Once more when all nodes were seen, which may stand in any order.
        self.call_back(&Arguments::of(vec![function]), handed.parameters, handed.span);
    }

    /// Puts the fields of a value into a state: of what a node returns, or of what a graph is started with.
    pub fn put_into_state(&mut self, state: ObjectId, value: Val) {
        let shape = self.values.shape(value.id).clone();
        for atom in shape.atoms.iter() {
            let Atom::Object(object) = atom else { continue };
            let changes = match &self.heap.object(*object).kind {
                ObjectKind::Instance { made_with, .. } => match made_with.first().map(|first| self.values.atoms(first.id)).as_deref() {
                    Some([Atom::Object(told)]) => self.field_of(*told, UPDATE),
                    _ => None,
                },
                ObjectKind::Plain(_) => Some(self.values.object(*object)),
                _ => None,
            };
            if let Some(changes) = changes {
                self.copy_fields(state, changes);
            }
        }
        if shape.is_open && !shape.taint.is_none() {
            let all = self.values.opaque(shape.taint, value.via);
            self.add_rest(state, all);
        }
    }
}
