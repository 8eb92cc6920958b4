//! The examples of the rows of `knowledge/forms/`, and whether they hold.

use crate::format::script::read;
use crate::format::{Language, ReadOptions};
use crate::knowledge::form::{self, FORMS, Method};
use crate::knowledge::requested::is_requested_by;
use crate::knowledge::text::Name;
use crate::subject::Subject;

/// An example that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenExample {
    /// The row.
    pub row: String,
    /// The example as written.
    pub example: &'static str,
    /// It should have been found.
    pub is_hit: bool,
}

/// How many examples the rows have.
pub fn count() -> usize {
    2 * (FORMS.services.len() + FORMS.methods.len() + FORMS.entries.len() + FORMS.modules.len())
}

/// All examples that do not hold.
pub fn broken() -> Vec<BrokenExample> {
    let services =
        FORMS.services.iter().map(|row| (format!("service {}", row.name.get()), row.hit.get(), row.miss.get(), Kind::Calls(None)));
    let methods = FORMS.methods.iter().map(|row| (method_name(row), row.hit.get(), row.miss.get(), Kind::Calls(row.tool.map(Name::get))));
    let entries = FORMS.entries.iter().map(|row| (format!("entry of {:?}", row.parameters), row.hit.get(), row.miss.get(), Kind::Reads));
    let modules = FORMS.modules.iter().map(|row| (format!("modules of {}", row.path.get()), row.hit.get(), row.miss.get(), Kind::Module));
    let rows = services.chain(methods).chain(entries).chain(modules);
    let examples = rows.flat_map(|(row, hit, miss, kind)| [(row.clone(), hit, true, kind), (row, miss, false, kind)]);
    let wrong = examples.filter(|(_, example, is_hit, kind)| kind.holds(example) != *is_hit);
    wrong.map(|(row, example, is_hit, _)| BrokenExample { row, example, is_hit }).collect()
}

fn method_name(row: &Method) -> String {
    format!("method {}", row.tool.map_or("without a tool", Name::get))
}

/// What is seen of a script by a row.
#[derive(Clone, Copy)]
enum Kind {
    /// It calls a tool, or this one.
    Calls(Option<&'static str>),
    /// It reads what it is passed.
    Reads,
    /// Its name is one of a module that stands for a server.
    Module,
}

impl Kind {
    fn holds(self, example: &str) -> bool {
        match self {
            Self::Calls(None) => !subject(example).calls.is_empty(),
            Self::Calls(Some(tool)) => {
                // `{1}:query` is the tool of whatever service its path names.
                let is_of_any = |name: &str| tool.strip_prefix("{1}").is_some_and(|own| name.ends_with(own));
                let is_it = |name: &str| name == tool || is_of_any(name) || is_requested_by(tool, name);
                // A button that says what it does is a tool of its own name.
                let is_pressed = |name: &str| tool == "web_app:press" && name.starts_with("web_app:");
                subject(example).calls.iter().any(|call| call.tool.name().is_some_and(|name| is_it(name) || is_pressed(name)))
            }
            Self::Reads => !subject(example).origins.is_empty(),
            Self::Module => form::module(example).is_some(),
        }
    }
}

fn subject(example: &str) -> Subject {
    read(example, Language::TypeScript, &ReadOptions::default()).remove(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_forms_holds_its_examples() {
        assert!(broken().is_empty(), "{:#?}", broken());
    }
}
