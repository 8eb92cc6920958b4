//! Methods that get one thing which is named, at services whose rows tell only that they list: `customers.retrieve(id)`.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::value::Atom;
use crate::knowledge::command::list;
use crate::value::words::{is_plural, joined, split_owner, words};

impl Interpreter<'_> {
    /// Returns true if and only if a method of this name gets one thing, and is passed which.
    pub fn asks_for_one(&mut self, method: &str, passed: &Arguments) -> bool {
        let said = words(method);
        let is_getter = said.first().is_some_and(|first| list("getters-of-one").contains(&first.as_str()));
        if !is_getter || said.iter().any(|word| is_plural(word) || list("words-of-many").contains(&word.as_str())) {
            return false;
        }
        let first = passed.get(0);
        if passed.known.is_empty() || self.is_function(first) {
            return false;
        }
        match &*self.values.atoms(first.id) {
            [Atom::Object(object)] => match self.heap.object(*object).kind {
                ObjectKind::Plain(_) => {
                    let keys = self.heap.object(*object).fields.keys();
                    let keys: Vec<String> = keys.map(|key| self.values.texts.get(*key).to_string()).collect();
                    keys.iter().any(|key| names_one(key)) && !keys.iter().any(|key| list("keys-of-pages").contains(&joined(key).as_str()))
                }
                ObjectKind::Array | ObjectKind::Collection => false,
                _ => true,
            },
            [Atom::Undefined | Atom::Null | Atom::Boolean(_)] => false,
            _ => true,
        }
    }
}

/// Returns true if and only if a tool's name says that it tells of many things.
pub fn tells_of_many(tool: &str) -> bool {
    words(split_owner(tool).1).first().is_some_and(|verb| matches!(verb.as_str(), "list" | "search" | "query"))
}

/// Returns true if and only if a key says which one is meant: `fileId`, `issue_number`, `ref`.
fn names_one(key: &str) -> bool {
    let said = words(key);
    said.last().is_some_and(|last| list("naming-one").contains(&last.as_str()))
}

#[cfg(test)]
mod tests {
    use super::{names_one, tells_of_many};

    #[test]
    fn one_thing_is_told_from_many() {
        assert!(tells_of_many("stripe:list_payments") && tells_of_many("jira:search_issues"));
        assert!(!tells_of_many("stripe:get_balance"));
        assert!(names_one("issue_number") && names_one("fileId") && !names_one("owner") && !names_one("q"));
    }
}
