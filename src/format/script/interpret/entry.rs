//! What a script exports, which its host calls: with what, rows say.

use oxc_ast::ast::BindingIdentifier;

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::value::{Atom, Val};
use crate::knowledge::form;
use crate::value::span::Span;

/// How many exports of one script are followed.
const EXPORTS: usize = 500;

impl<'a> Interpreter<'a> {
    /// Notes that a value is exported: `default`, or by a name.
    pub fn export(&mut self, name: &str, value: Val) {
        if self.exports.len() < EXPORTS {
            self.exports.push((format!("export.{name}"), value));
        }
    }

    /// Notes that a variable is exported by its own name.
    pub fn export_variable(&mut self, identifier: &BindingIdentifier<'a>) {
        if let Some(symbol) = identifier.symbol_id.get() {
            let value = self.read(symbol);
            self.export(identifier.name.as_str(), value);
        }
    }

    /// Calls what was exported, as its host does.
    pub fn call_exported(&mut self) {
        for (path, value) in std::mem::take(&mut self.exports) {
            self.call_entry(&path, value);
            let fields: Vec<(String, Val)> = match &*self.values.atoms(value.id) {
                [Atom::Object(object)] if matches!(self.heap.object(*object).kind, ObjectKind::Plain(_)) => {
                    let fields = self.heap.object(*object).fields.iter();
                    fields.map(|(key, value)| (format!("{path}.{}", self.values.texts.get(*key)), *value)).collect()
                }
                _ => Vec::new(),
            };
            for (path, value) in fields {
                self.call_entry(&path, value);
            }
        }
    }

    fn call_entry(&mut self, path: &str, value: Val) {
        let Some(entry) = form::entry(path) else { return };
        let parameters = self.passed_to_entry(entry.parameters);
        self.call_back(&Arguments::of(vec![value]), &parameters, Span::default());
    }
}
