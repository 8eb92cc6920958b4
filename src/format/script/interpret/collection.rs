//! Methods of maps, sets and what is like them: form data, headers, the query of a URL.

use rustc_hash::FxHashSet;

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::function::Invocation;
use crate::format::script::interpret::heap::derived;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::property::elements::Elements;
use crate::format::script::interpret::taint::Change;
use crate::format::script::interpret::text::{Slot, Text};
use crate::format::script::interpret::value::{Atom, Id, ObjectId, Val};
use crate::format::script::js::constant::Constant;
use crate::subject::segment::HOLE;
use crate::value::span::Span;
impl<'a> Interpreter<'a> {
    pub fn collection_method(&mut self, collection: ObjectId, name: &str, invocation: Invocation<'_>) -> Val {
        let Invocation { this, arguments, span } = invocation;
        let (key, value) = (arguments.get(0), arguments.get(1));
        self.forget_by(collection, name);
        match name {
            "set" | "append" | "add" => {
                let value = if name == "add" { key } else { value };
                match self.values.text(key.id).filter(|text| name != "add" && !text.contains(HOLE)) {
                    Some(text) => {
                        let place = Place::Field(collection, self.values.texts.slot_named(Slot::Entry, &text));
                        self.store(place, value, None);
                    }
                    None => {
                        let entry = if name == "add" { value } else { self.numbered_pair(key, value, span) };
                        self.add_rest(collection, entry);
                    }
                }
                this
            }
            "get" | "getAll" => {
                let known = self.known_entry(key);
                match known.and_then(|key| self.heap.get(Place::Field(collection, key))) {
                    Some(value) => value,
                    None => {
                        let rest = self.heap.object(collection).rest;
                        if rest.id == Val::NEVER.id {
                            if self.values.known(key.id).is_some() {
                                return Val::UNDEFINED;
                            }
                            let all: Vec<Val> = self.heap.object(collection).fields.values().copied().collect();
                            return all.into_iter().fold(Val::UNDEFINED, |any, value| self.joined_with_way(any, value));
                        }
                        if let Some(mut value) = self.part_of_entries(rest, 1) {
                            if self.values.known(key.id).is_none() {
                                let named: Vec<Val> = self.heap.object(collection).fields.values().copied().collect();
                                value = named.into_iter().fold(value, |any, value| self.joined_with_way(any, value));
                            }
                            return self.values.join(value, Val::UNDEFINED);
                        }
                        let pair = self.elements(rest);
                        let any = self.joined_with_way(rest, pair.any);
                        self.values.text(key.id).map_or(any, |name| self.variable_of(any, &name))
                    }
                }
            }
            "has" => match self.is_member(collection, key) {
                Some(known) => known,
                // Whether it is one of a few that are written out tells something of what is looked up.
                None if self.heap.object(collection).rest.id == Val::NEVER.id => {
                    let (taint, via) = self.carried(key);
                    let taint = self.values.changed(taint, Change::Bit);
                    self.values.opaque(taint, via)
                }
                None => Val::UNKNOWN,
            },
            "delete" => {
                let known = self.known_entry(key);
                if let Some(known) = known
                    && self.heap.get(Place::Field(collection, known)).is_some()
                {
                    self.heap.set(Place::Field(collection, known), Val::UNDEFINED);
                }
                Val::UNKNOWN
            }
            "values" | "keys" | "entries" | "@@iterator" => {
                let fields: Vec<_> = self.heap.object(collection).fields.iter().map(|(key, value)| (*key, *value)).collect();
                let rest = self.heap.object(collection).rest;
                let known: Vec<Val> = fields
                    .iter()
                    .map(|(key, value)| match name {
                        "keys" => {
                            let text = self.values.texts.get(*key).clone();
                            self.values.string(&text)
                        }
                        "values" => *value,
                        "@@iterator" if self.sets.contains_key(&collection) => *value,
                        _ => {
                            let text = self.values.texts.get(*key).clone();
                            let key_value = self.values.string(&text);
                            self.pair(collection, *key, key_value, *value)
                        }
                    })
                    .collect();
                let rest = (rest.id != Val::NEVER.id).then_some(rest).map(|rest| {
                    let at = if name == "values" {
                        Some(1)
                    } else if name == "keys" {
                        Some(0)
                    } else {
                        None
                    };
                    if let Some(part) = at.and_then(|at| self.part_of_entries(rest, at)) {
                        return part;
                    }
                    if name == "values" {
                        let inner = self.elements(rest);
                        self.joined_with_way(rest, inner.any)
                    } else {
                        rest
                    }
                });
                self.array(derived(span, 1), &known, rest)
            }
            "forEach" => {
                let fields: Vec<_> = self.heap.object(collection).fields.iter().map(|(key, value)| (*key, *value)).collect();
                let rest = self.heap.object(collection).rest;
                for (key_text, value) in fields {
                    let text = self.values.texts.get(key_text).clone();
                    let name = self.values.string(&text);
                    self.call_value(key, Val::UNDEFINED, &Arguments::of(vec![value, name]), span);
                }
                if rest.id != Val::NEVER.id {
                    let any = match self.part_of_entries(rest, 1) {
                        Some(value) => value,
                        None => {
                            let inner = self.elements(rest);
                            self.joined_with_way(rest, inner.any)
                        }
                    };
                    self.iterate("forEach", key, &Elements { known: None, any, count: None }, span);
                }
                Val::UNDEFINED
            }
            // The query of a URL, every name of which is known, is read as what was put into it.
            "toString" if self.heap.object(collection).rest.id == Val::NEVER.id && !self.sets.contains_key(&collection) => {
                self.written(this, span)
            }
            "toString" | "join" | "toJSON" => {
                let (taint, via) = self.carried(this);
                // The names of the fields stand in the text.
                self.values.opaque(taint, via)
            }
            "clear" => Val::UNDEFINED,
            _ => self.common_method(this, name, arguments, span),
        }
    }

    /// `Map.groupBy`: the elements of a list, each under what a function answers for it.
    pub fn grouped_in_map(&mut self, arguments: &Arguments, span: Span) -> Val {
        let elements = self.elements(arguments.get(0));
        let (_, key) = self.for_elements(arguments.get(1), &elements, span);
        let context = self.frames.last().map_or(0, |frame| frame.context);
        let map = self.heap.allocate(span.start, context, 19, ObjectKind::Collection);
        let group = self.array(derived(span, 2), &[], Some(elements.any));
        let entry = self.numbered_pair(key, group, span);
        self.add_rest(map, entry);
        self.values.object(map)
    }

    /// Forgets the members of a set on which a method is called, or whose method is handed to somebody, if that changes them.
    pub fn forget_by(&mut self, set: ObjectId, method: &str) {
        if matches!(method, "add" | "delete" | "clear")
            && let Some(members) = self.sets.get_mut(&set)
        {
            *members = None;
        }
    }

    /// A set may be changed: its members are no longer known.
    pub fn forget_members(&mut self, set: Val) {
        for atom in self.values.atoms(set.id).iter() {
            if let Atom::Object(object) = atom
                && let Some(members) = self.sets.get_mut(object)
            {
                *members = None;
            }
        }
    }

    /// The members of a list of constants; none, if it is anything else.
    pub fn members_of(&mut self, list: Val) -> Option<FxHashSet<Id>> {
        // An empty one is there to be filled.
        let known = self.elements(list).known.filter(|known| !known.is_empty())?;
        let is_constant = known.iter().all(|element| self.values.known(element.id).is_some());
        is_constant.then(|| known.iter().map(|element| element.id).collect())
    }

    /// Whether a constant is a member of a set, if the set is one of constants and stays the same.
    fn is_member(&mut self, set: ObjectId, key: Val) -> Option<Val> {
        // A script may have put something else in the place of the method.
        if self.values.texts.known("Set.prototype.has").is_some() {
            return None;
        }
        let is_member = self.sets.get(&set)?.as_ref()?.contains(&key.id);
        self.values.known(key.id)?;
        self.values.constant(&Constant::Boolean(is_member))
    }

    /// The key of what a collection holds under a value, if anything was ever kept under that.
    fn known_entry(&self, key: Val) -> Option<Text> {
        let name = self.values.texts.known(&self.values.text(key.id)?)?;
        self.values.texts.known_slot(Slot::Entry, name)
    }

    pub fn numbered_pair(&mut self, key: Val, value: Val, span: Span) -> Val {
        let context = self.new_context();
        let pair = self.heap.allocate(span.start, context, 12, ObjectKind::Array);
        let (zero, one) = (self.index_key(0), self.index_key(1));
        self.heap.set(Place::Field(pair, zero), key);
        self.heap.set(Place::Field(pair, one), value);
        self.set_length(pair, Some(2));
        self.map_pairs.insert(pair);
        self.values.object(pair)
    }

    /// What stands at one place of the entries that were put into a map under names that are not known, if nothing else was put there.
    fn part_of_entries(&mut self, rest: Val, at: usize) -> Option<Val> {
        let shape = self.values.shape(rest.id).clone();
        let is_entry = |atom: &Atom| matches!(atom, Atom::Object(pair) if self.map_pairs.contains(pair));
        if shape.is_open || !shape.taint.is_none() || shape.atoms.is_empty() || !shape.atoms.iter().all(is_entry) {
            return None;
        }
        let key = self.index_key(at);
        let mut any = Val::NEVER;
        for atom in shape.atoms.iter() {
            let Atom::Object(pair) = atom else { continue };
            let part = self.heap.get(Place::Field(*pair, key))?;
            any = self.joined_with_way(any, part);
        }
        Some(any)
    }
}
