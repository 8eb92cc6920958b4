//! Rows of which the statement names all columns: they have these fields and no others.

use std::rc::Rc;

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::property::elements::is_index;
use crate::format::script::interpret::taint::{Altered, Label};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::knowledge::command::list;
use crate::language::sql::selection::columns;
use crate::subject::flow::Strength;
use crate::value::span::Span;

/// The columns that the rows of an answer have.
pub struct Columns {
    names: Rc<[String]>,
    /// The answer is one row, not a list of rows.
    is_row: bool,
}

impl<'a> Interpreter<'a> {
    /// What a statement answers is noted with the columns that it names; `keys` are the arguments of the call by name.
    pub fn note_columns(&mut self, answer: Val, keys: ObjectId, path: &str) {
        let key = self.values.texts.intern("sql");
        let statement = self.heap.get(Place::Field(keys, key)).and_then(|sql| self.values.text(sql.id));
        let names: Option<Rc<[String]>> = statement.as_deref().and_then(columns).map(Rc::from);
        let origins: Vec<u32> = self.values.taints.labels(self.values.taint(answer.id)).iter().map(|label| label.origin).collect();
        let [origin] = origins.as_slice() else { return };
        let is_row = path.rsplit('.').next().is_some_and(|method| list("answers-one-row").contains(&method));
        match self.columns.get(origin) {
            // One call that runs several statements tells nothing of the rows of any.
            Some(Some(known)) if names.as_ref() != Some(&known.names) => {
                self.columns.insert(*origin, None);
            }
            Some(_) => {}
            None => {
                // Rows that stand beside something else in a list are not told from the list.
                let is_apart = list("answers-in-a-pair").iter().any(|package| path.starts_with(package));
                self.columns.insert(*origin, names.filter(|_| !is_apart).map(|names| Columns { names, is_row }));
            }
        }
    }

    /// The columns that a value has, if it is a row of which the statement names all.
    pub fn columns_of(&self, value: Val) -> Option<Rc<[String]>> {
        if self.columns.is_empty() {
            return None;
        }
        let shape = self.values.shape(value.id);
        let is_opaque = shape.atoms.iter().all(|atom| match atom {
            Atom::Undefined | Atom::Null => true,
            Atom::Object(object) => {
                let object = self.heap.object(*object);
                matches!(object.kind, ObjectKind::Instance { .. }) && object.fields.is_empty() && object.rest.id == Val::NEVER.id
            }
            _ => false,
        });
        let labels = self.values.taints.labels(shape.taint);
        let mut whole = labels.iter().filter(|label| Strength::Bit < label.strength);
        let first = whole.next().filter(|_| is_opaque)?;
        let columns = self.columns.get(&first.origin)?.as_ref()?;
        let is_row = |label: &Label| {
            let field = &**self.values.texts.get(label.field);
            let place = field.strip_prefix("rows.").unwrap_or(field);
            let is_element = place == "[]" || is_index(place) || columns.is_row && place.is_empty();
            label.origin == first.origin && label.altered == Altered::No && is_element
        };
        (is_row(first) && whole.all(is_row)).then(|| Rc::clone(&columns.names))
    }

    /// The row as an object with the fields that it has.
    pub fn row(&mut self, value: Val, place: u32) -> Option<Val> {
        self.columns_of(value)?;
        let object = self.allocate(place, ObjectKind::Plain(None));
        self.copy_fields(object, value);
        Some(self.values.object(object))
    }

    /// Copies the columns of a row into an object; false if it is none.
    pub fn copy_columns(&mut self, into: ObjectId, row: Val) -> bool {
        let Some(names) = self.columns_of(row) else { return false };
        for name in names.iter() {
            let value = self.property(row, name, Span::default());
            let key = self.values.texts.intern(name);
            self.store(Place::Field(into, key), value, None);
        }
        true
    }
}
