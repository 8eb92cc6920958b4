//! Functions of packages such as lodash that take lists and objects apart and put them together: they do what the language's own
//! methods do, with names of fields in place of functions.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, derived};
use crate::format::script::interpret::property::elements::Elements;
use crate::format::script::interpret::value::{Atom, Val};
use crate::knowledge::command::list;
use crate::value::span::Span;

impl<'a> Interpreter<'a> {
    /// The result of such a function, if the path is one and what it is passed is known well enough.
    pub fn taken_apart(&mut self, path: &str, arguments: &Arguments, span: Span) -> Option<Val> {
        let function = function_of(path).filter(|_| arguments.rest.is_none())?;
        let (first, second) = (arguments.known.first().copied()?, arguments.get(1));
        if matches!(function, "debounce" | "throttle" | "once" | "memoize") {
            return self.is_function(first).then_some(first);
        }
        // With the data last, a function of a list is made.
        if self.is_function(first) {
            return None;
        }
        match function {
            "get" => self.at_path(first, second, arguments.known.get(2).copied(), span),
            "omit" => {
                let names = self.names_of(arguments)?;
                let is_known = self.is_plain_object(first) || self.columns_of(first).is_some();
                is_known.then(|| self.without(first, &names, derived(span, 1)))
            }
            "clone" | "cloneDeep" => {
                let is_known = self.is_plain_object(first) || self.columns_of(first).is_some();
                is_known.then(|| self.without(first, &[], derived(span, 1)))
            }
            "map" | "flatMap" | "filter" | "reject" | "find" | "forEach" | "each" | "some" | "every" => {
                self.each_of(function, first, second, span)
            }
            "uniq" | "uniqBy" | "sortBy" | "orderBy" | "compact" | "shuffle" | "take" | "takeRight" | "drop" | "dropRight" | "slice"
            | "tail" | "initial" | "sampleSize" => {
                let any = self.members(first).any;
                Some(self.array(derived(span, 1), &[], Some(any)))
            }
            "head" | "first" | "last" | "nth" | "sample" | "maxBy" | "minBy" => {
                let any = self.members(first).any;
                Some(self.values.join(any, Val::UNDEFINED))
            }
            "keyBy" | "groupBy" | "mapValues" => self.keyed(function, first, second, span),
            "values" | "keys" => self.object_function(function, &Arguments::of(vec![first]), span),
            "toPairs" | "entries" => self.object_function("entries", &Arguments::of(vec![first]), span),
            "fromPairs" => self.object_function("fromEntries", &Arguments::of(vec![first]), span),
            _ => None,
        }
    }

    /// A field of a field, by the names between dots, or what stands in for it.
    fn at_path(&mut self, object: Val, path: Val, default: Option<Val>, span: Span) -> Option<Val> {
        let names: Vec<String> = match self.values.text(path.id) {
            Some(text) => text.split(['.', '[', ']']).filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            None => self.elements(path).known?.iter().map(|name| Some(self.values.text(name.id)?.to_string())).collect::<Option<_>>()?,
        };
        let found = names.iter().fold(object, |object, name| self.property(object, name, span));
        Some(default.map_or(found, |default| self.values.join(found, default)))
    }

    /// The names that a function is told behind the object: each by itself, or in a list.
    fn names_of(&mut self, arguments: &Arguments) -> Option<Vec<String>> {
        let mut names = Vec::new();
        for value in arguments.known.iter().skip(1) {
            match self.values.text(value.id) {
                Some(name) => names.push(name.to_string()),
                None => {
                    let listed = self.elements(*value).known?;
                    names.extend(listed.iter().map(|name| Some(self.values.text(name.id)?.to_string())).collect::<Option<Vec<_>>>()?);
                }
            }
        }
        Some(names)
    }

    /// What a function over a list gives, where each element is asked by a function or by the name of a field.
    fn each_of(&mut self, function: &str, over: Val, by: Val, span: Span) -> Option<Val> {
        let elements = self.members(over);
        if self.is_callable(by) {
            let method = match function {
                "reject" => "filter",
                "each" => "forEach",
                same => same,
            };
            return Some(self.iterate(method, by, &elements, span));
        }
        match function {
            "map" | "flatMap" => {
                let name = self.values.text(by.id)?;
                let field = self.at_field(&elements, &name, span);
                Some(self.array(derived(span, 1), &[], Some(field)))
            }
            "filter" | "reject" => Some(self.array(derived(span, 1), &[], Some(elements.any))),
            "find" => Some(self.values.join(elements.any, Val::UNDEFINED)),
            _ => None,
        }
    }

    fn at_field(&mut self, elements: &Elements, name: &str, span: Span) -> Val {
        name.split('.').fold(elements.any, |object, name| self.property(object, name, span))
    }

    /// An object with what stands in a list or another object, under keys that are not known.
    fn keyed(&mut self, function: &str, over: Val, by: Val, span: Span) -> Option<Val> {
        let elements = self.members(over);
        let member = match function {
            "groupBy" => self.array(derived(span, 2), &[], Some(elements.any)),
            "mapValues" if self.is_callable(by) => self.for_elements(by, &elements, span).1,
            "mapValues" => {
                let name = self.values.text(by.id)?;
                self.at_field(&elements, &name, span)
            }
            _ => elements.any,
        };
        let object = self.allocate(derived(span, 1), ObjectKind::Plain(None));
        let made = self.values.object(object);
        if function == "mapValues" {
            self.add_rest(object, member);
            return Some(made);
        }
        // What it is keyed by stands in the keys: the values alone would not tell it.
        let key = if self.is_callable(by) {
            self.for_elements(by, &elements, span).1
        } else {
            let name = self.values.text(by.id)?;
            self.at_field(&elements, &name, span)
        };
        let key = Key { name: None, ..self.key_of(key) };
        self.set_property(made, key, member);
        Some(made)
    }

    /// The elements of a list, or the values of an object.
    pub fn members(&mut self, value: Val) -> Elements {
        if !self.is_plain_object(value) {
            return self.elements(value);
        }
        let entries = self.entries(value);
        let known = self.keys(value).known.is_some();
        let values: Vec<Val> = entries.into_iter().map(|(_, value)| value).collect();
        let mut any = values.iter().fold(Val::NEVER, |any, value| self.joined_with_way(any, *value));
        for atom in self.values.atoms(value.id).iter() {
            if let Atom::Object(object) = atom {
                let rest = self.heap.object(*object).rest;
                any = self.joined_with_way(any, rest);
            }
        }
        Elements { known: known.then_some(values), any, count: None }
    }

    fn is_plain_object(&self, value: Val) -> bool {
        let shape = self.values.shape(value.id);
        !shape.is_open
            && !shape.atoms.is_empty()
            && shape
                .atoms
                .iter()
                .all(|atom| matches!(atom, Atom::Object(object) if matches!(self.heap.object(*object).kind, ObjectKind::Plain(_))))
    }
}

/// The function of a package of this kind that a path names.
fn function_of(path: &str) -> Option<&str> {
    let path = path.strip_suffix(".default").unwrap_or(path);
    let path = path.strip_suffix(".js").unwrap_or(path);
    let (package, function) = path.rsplit_once(['.', '/'])?;
    let package = package.strip_suffix(".default").unwrap_or(package);
    list("collection-packages").contains(&package).then_some(function)
}
