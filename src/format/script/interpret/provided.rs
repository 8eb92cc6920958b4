//! Clients that a script gives to a framework under a name, and gets back under it: `app.locals.db`, `decorate('db', pool)`,
//! `c.set('db', pool)` and `c.get('db')`, what a context function returns, containers of dependencies.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::knowledge::form;
use crate::knowledge::specifier::is_foreign_package;

/// How many names of one script are kept.
const NAMES: usize = 64;
/// How many fields of one object are looked at.
const FIELDS: usize = 40;

impl Interpreter<'_> {
    /// Keeps a client that is put under a name into something that is not the script's own.
    pub fn provide(&mut self, base: Val, name: &str, value: Val) {
        if self.is_foreign(base) {
            self.provide_named(name, value);
        }
    }

    /// Keeps the clients that a method of something foreign is passed under a name, or as fields of an object.
    pub fn provide_passed(&mut self, base: Val, arguments: &Arguments) {
        if self.modules.is_empty() || arguments.known.is_empty() || !self.is_foreign(base) {
            return;
        }
        match *arguments.known.as_slice() {
            [name, value, ..]
                if self.is_made(value)
                    && let Some(name) = self.values.text(name.id) =>
            {
                self.provide_named(&name, value)
            }
            _ => {}
        }
        for at in 0..arguments.known.len() {
            self.provide_fields(arguments.get(at));
        }
    }

    /// Keeps the clients that are fields of an object which a framework gets.
    pub fn provide_fields(&mut self, value: Val) {
        let may_hold = |atom: &Atom| match atom {
            Atom::Object(object) => matches!(self.heap.object(*object).kind, ObjectKind::Plain(_) | ObjectKind::Promise(_)),
            _ => false,
        };
        if self.modules.is_empty() || !self.values.atoms(value.id).iter().any(may_hold) {
            return;
        }
        let value = self.settled(value);
        for object in self.plain_objects(value) {
            let fields = self.heap.object(object).fields.iter().take(FIELDS);
            let clients: Vec<_> = fields.filter(|(_, value)| self.is_made(**value)).map(|(name, value)| (*name, *value)).collect();
            for (name, value) in clients {
                let name = self.values.texts.get(name).clone();
                self.provide_named(&name, value);
            }
        }
    }

    /// What may stand under a name in something foreign, besides what is known of it.
    pub fn provided(&self, name: &str) -> Option<Val> {
        if self.provided.is_empty() { None } else { self.provided.get(name).copied() }
    }

    /// What a method of something foreign returns that is asked for a name.
    pub fn provided_for(&self, base: Val, arguments: &Arguments) -> Option<Val> {
        if self.provided.is_empty() || !self.is_foreign(base) {
            return None;
        }
        let name = self.values.text(arguments.known.first()?.id)?;
        self.provided(&name)
    }

    fn provide_named(&mut self, name: &str, value: Val) {
        if !self.is_made(value) {
            return;
        }
        let before = match self.provided.get(name) {
            Some(before) => *before,
            None if NAMES <= self.provided.len() => return,
            None => Val::NEVER,
        };
        let joined = self.values.join(before, value);
        self.provided.insert(name.into(), joined);
    }

    /// Returns true if and only if a value may be what a package or a known service made: a client.
    fn is_made(&self, value: Val) -> bool {
        // What carries data is an answer, not a client.
        self.values.taint(value.id).is_none()
            && self.values.atoms(value.id).iter().any(|atom| match atom {
                Atom::Native(path) => form::is_made_or_typed(self.values.texts.get(*path)),
                Atom::Object(object) => match self.heap.object(*object).kind {
                    ObjectKind::Instance { path, .. } => {
                        let path = self.values.texts.get(path);
                        self.is_of_module(path) || form::is_made_or_typed(path)
                    }
                    _ => false,
                },
                _ => false,
            })
    }

    /// Returns true if and only if a path begins with a module that the script imports.
    fn is_of_module(&self, path: &str) -> bool {
        self.modules.iter().any(|module| {
            let module: &str = self.values.texts.get(*module);
            path.strip_prefix(module).is_some_and(|rest| rest.starts_with(['.', '(']))
        })
    }

    /// Returns true if and only if a path begins with a package that is no part of the runtime.
    pub fn is_of_foreign_module(&self, path: &str) -> bool {
        self.is_of_module(path) && is_foreign_package(path.split(['.', '(']).next().unwrap_or(path))
    }

    /// Returns true if and only if a value may be something that is not of the script's own making.
    fn is_foreign(&self, value: Val) -> bool {
        let shape = self.values.shape(value.id);
        shape.is_open
            || shape.atoms.iter().any(|atom| match atom {
                Atom::Native(_) => true,
                Atom::Object(object) => matches!(self.heap.object(*object).kind, ObjectKind::Instance { .. }),
                _ => false,
            })
    }

    fn plain_objects(&self, value: Val) -> Vec<ObjectId> {
        let plain = |atom: &Atom| match atom {
            Atom::Object(object) if matches!(self.heap.object(*object).kind, ObjectKind::Plain(_)) => Some(*object),
            _ => None,
        };
        self.values.atoms(value.id).iter().filter_map(plain).collect()
    }
}
