//! Rows of which the statement names all columns: they have these fields and no others.

use std::rc::Rc;

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::taint::{Altered, Label};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::format::script::js::constant::Constant;
use crate::knowledge::command::list;
use crate::knowledge::sensitivity::category;
use crate::language::sql::selection::columns;
use crate::subject::flow::Strength;
use crate::value::span::Span;
use crate::value::words::words;

/// The fields of an answer in which its rows stand.
const ROWS: [&str; 2] = ["rows", "data"];

/// The name of a column without its table: `department` of `d.name as department`. What tells something of somebody tells it under
/// whatever name.
fn own_name(column: &str) -> &str {
    let (column, renamed) = column.split_once(" as ").map_or((column, None), |(column, name)| (column.trim(), Some(name.trim())));
    let name = column.rsplit('.').next().unwrap_or(column);
    renamed.filter(|_| category(&words(name)).is_none()).unwrap_or(name)
}

/// The columns that the rows of an answer have.
pub struct Columns {
    names: Rc<[String]>,
    /// The answer is one row, not a list of rows.
    is_row: bool,
}

impl<'a> Interpreter<'a> {
    /// What a call answers is noted with the columns that it asks for; `keys` are its arguments by name.
    pub fn note_columns(&mut self, answer: Val, keys: ObjectId, path: &str) {
        let origins: Vec<u32> = self.values.taints.labels(self.values.taint(answer.id)).iter().map(|label| label.origin).collect();
        let [origin] = origins.as_slice() else { return };
        // Elsewhere what is asked for by name stands in parts of what is answered.
        let owner = self.recorder.origin(*origin).and_then(|origin| Some(origin.name.split_once(':')?.0.to_owned()));
        let is_of_columns = owner.is_some_and(|owner| list("answers-with-columns").contains(&owner.as_str()));
        let names: Option<Rc<[String]>> = self.asked_columns(keys, path).filter(|_| is_of_columns).map(Rc::from);
        let is_row = method_of(path).is_some_and(|method| list("answers-one-row").contains(&method));
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

    /// A further call of a chain may ask for more columns, unless it only says which rows.
    pub fn widen_columns(&mut self, answer: Val, path: &str) {
        if self.columns.is_empty() || method_of(path).is_some_and(|method| list("chooses-rows").contains(&method)) {
            return;
        }
        let origins: Vec<u32> = self.values.taints.labels(self.values.taint(answer.id)).iter().map(|label| label.origin).collect();
        self.columns.extend(origins.into_iter().map(|origin| (origin, None)));
    }

    /// Something is put into rows: they have no longer what their statement names.
    pub fn alter_rows(&mut self, rows: Val) {
        if self.columns.is_empty() {
            return;
        }
        let labels = self.values.taints.labels(self.values.taint(rows.id));
        for label in labels.iter().filter(|label| is_of_rows(self.values.texts.get(label.field))) {
            if let Some(known) = self.columns.get_mut(&label.origin) {
                *known = None;
            }
        }
    }

    /// The columns that a call asks for: by a statement, by their names, or by an object of them.
    fn asked_columns(&mut self, keys: ObjectId, path: &str) -> Option<Vec<String>> {
        if let Some(statement) = self.argument_of(keys, "sql") {
            return columns(&self.values.text(statement.id)?);
        }
        let member = method_of(path)?;
        if let Some(first) = self.argument_of(keys, "fields") {
            let further: Vec<Val> = (1..).map_while(|at| self.argument_of(keys, &format!("{member}{at}"))).collect();
            let mut names = Vec::new();
            for value in std::iter::once(first).chain(further) {
                names.extend(self.listed_names(value)?);
            }
            return Some(names);
        }
        if self.argument_of(keys, "include").is_some() {
            return None;
        }
        let selected = self.argument_of(keys, "select")?;
        let names = self.keys(selected).known?;
        let mut asked = Vec::new();
        for name in names {
            let name = self.values.text(name.id)?;
            let value = self.property(selected, &name, Span::default());
            if self.values.known(value.id)? != Constant::Boolean(true) {
                return None;
            }
            asked.push(name.to_string());
        }
        Some(asked)
    }

    fn argument_of(&mut self, keys: ObjectId, name: &str) -> Option<Val> {
        let key = self.values.texts.intern(name);
        self.heap.get(Place::Field(keys, key))
    }

    /// The names that a text lists, or a list of texts; none, if one of them is anything else than a name.
    fn listed_names(&mut self, value: Val) -> Option<Vec<String>> {
        let texts = match self.values.text(value.id) {
            Some(text) => vec![text],
            None => self.elements(value).known?.iter().map(|element| self.values.text(element.id)).collect::<Option<Vec<_>>>()?,
        };
        let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let names = texts.iter().flat_map(|text| text.split(',').map(|name| own_name(name.trim()).to_owned()));
        names.map(|name| Some(name).filter(|name| is_name(name))).collect()
    }

    /// Data of rows by their columns: what leaves with all of a row is what stands in it.
    pub fn by_columns(&mut self, labels: Vec<Label>) -> Vec<Label> {
        if self.columns.is_empty() {
            return labels;
        }
        let mut apart = Vec::new();
        for label in labels {
            let field = Rc::clone(self.values.texts.get(label.field));
            let (names, is_row) = match self.columns.get(&label.origin) {
                Some(Some(columns)) if is_of_rows(&field) && label.altered == Altered::No => {
                    (Rc::clone(&columns.names), columns.is_row || field.ends_with("[]"))
                }
                _ => {
                    apart.push(label);
                    continue;
                }
            };
            for name in names.iter() {
                let keys = [&*field, if is_row { "" } else { "[]" }, name];
                let field = keys.into_iter().filter(|key| !key.is_empty()).collect::<Vec<_>>().join(".");
                apart.push(Label { field: self.values.texts.intern(&field), ..label });
            }
        }
        apart
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
            let place = ROWS.iter().find_map(|rows| field.strip_prefix(rows)?.strip_prefix('.')).unwrap_or(field);
            let is_element = place == "[]" || columns.is_row && place.is_empty();
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
    pub fn copy_columns(&mut self, into: ObjectId, row: Val, but: &[String]) -> bool {
        let Some(names) = self.columns_of(row) else { return false };
        for name in names.iter().filter(|name| !but.iter().any(|but| *but == ***name)) {
            let value = self.property(row, name, Span::default());
            let key = self.values.texts.intern(name);
            self.store(Place::Field(into, key), value, None);
        }
        true
    }
}

/// The method at the end of a path.
fn method_of(path: &str) -> Option<&str> {
    path.rsplit('.').next()
}

/// Returns true if and only if a field of an answer is rows of it, or one row.
fn is_of_rows(field: &str) -> bool {
    let field = field.strip_suffix("[]").map_or(field, |around| around.trim_end_matches('.'));
    field.is_empty() || ROWS.contains(&field)
}
