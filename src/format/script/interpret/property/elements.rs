//! The elements, keys and entries of a value.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::taint::Change;
use crate::format::script::interpret::text::{Slot, Text};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::format::script::js::constant::Constant;
use crate::subject::call::Repeat;
use crate::value::span::Span;
use std::rc::Rc;

/// The most elements of a list that are known one by one.
const ELEMENTS: usize = 4_096;

/// The most elements that are pushed one by one.
const PUSHED: usize = 512;

/// The elements of a value.
pub struct Elements {
    /// Each of them, if they are known.
    pub known: Option<Vec<Val>>,
    /// Any of them.
    pub any: Val,
    /// How many there are at most, if that is known.
    pub count: Option<u32>,
}

impl Elements {
    /// The element at a position.
    pub fn at(&self, at: usize) -> Val {
        match &self.known {
            Some(known) => known.get(at).copied().unwrap_or(Val::UNDEFINED),
            None => self.any,
        }
    }
}

impl<'a> Interpreter<'a> {
    /// The key of an array's element.
    pub fn index_key(&mut self, at: usize) -> Text {
        self.values.texts.intern(&at.to_string())
    }

    /// The length of an array, if it is known.
    pub fn length(&self, array: ObjectId) -> Option<usize> {
        let key = self.values.texts.known("length")?;
        let value = self.heap.get(Place::Field(array, key))?;
        // A list that is made on one way only has a length wherever it is.
        let shape = self.values.shape(value.id);
        let mut numbers = shape.atoms.iter().filter(|atom| !matches!(atom, Atom::Undefined));
        let length = match (numbers.next()?, numbers.next()) {
            (Atom::Number(bits), None) if !shape.is_open => f64::from_bits(*bits),
            _ => return None,
        };
        (0.0 <= length && length <= ELEMENTS as f64).then_some(length as usize)
    }

    /// How many elements an array has at most, if that is known though not what they are.
    pub fn counted(&self, array: ObjectId) -> Option<u32> {
        let key = self.values.texts.known("length")?;
        let length = self.heap.get(Place::Field(array, key)).and_then(|length| self.most_of(length));
        length.or_else(|| {
            let key = self.values.texts.known_slot(Slot::Most, Text::EMPTY)?;
            self.heap.get(Place::Field(array, key)).and_then(|most| self.most_of(most))
        })
    }

    /// The greatest of the numbers that a value can be.
    fn most_of(&self, value: Val) -> Option<u32> {
        let numbers = self.values.all_known(value.id)?;
        let most = numbers.iter().map(Constant::to_number).fold(f64::NAN, f64::max);
        (0.0..1e9).contains(&most).then_some(most as u32)
    }

    /// Notes of a list of which only any element is known how many there are at most; of one that is made anew at the same place, that
    /// nobody knows.
    pub fn count_list(&mut self, list: Val, count: Option<u32>) {
        let [Atom::Object(array)] = *self.values.atoms(list.id) else { return };
        let is_anew = self.heap.object(array).is_summary;
        match count {
            Some(count) if !is_anew => self.note_most(array, count),
            _ => self.forget_most(array),
        }
    }

    fn forget_most(&mut self, array: ObjectId) {
        let key = self.values.texts.known_slot(Slot::Most, Text::EMPTY);
        if let Some(key) = key.filter(|key| self.heap.get(Place::Field(array, *key)).is_some()) {
            self.heap.set(Place::Field(array, key), Val::UNKNOWN);
        }
    }

    /// Notes how many elements something has at most.
    pub fn note_most(&mut self, object: ObjectId, count: u32) {
        let most = self.values.number(f64::from(count));
        let key = self.values.texts.slot(Slot::Most, Text::EMPTY);
        self.heap.set(Place::Field(object, key), most);
    }

    /// Notes how many elements an array has at most that a loop puts in one by one.
    fn count_pushed(&mut self, array: ObjectId) {
        let key = self.values.texts.slot(Slot::Most, Text::EMPTY);
        let turns = match self.loops.last().map(|around| around.repeat) {
            Some(Repeat::Counted(turns)) if PUSHED < turns as usize => turns,
            Some(Repeat::Counted(_)) | None => return,
            Some(_) => return self.forget_most(array),
        };
        let before = self.heap.get(Place::Field(array, key)).and_then(|most| self.most_of(most));
        self.note_most(array, turns.max(before.unwrap_or(0)));
    }

    /// Notes the length of an array.
    pub fn set_length(&mut self, array: ObjectId, length: Option<usize>) {
        let key = self.values.texts.intern("length");
        let value = length.map_or(Val::UNKNOWN, |length| self.values.number(length as f64));
        self.heap.set(Place::Field(array, key), value);
    }

    /// Adds an element at the end of an array.
    pub fn push(&mut self, array: ObjectId, value: Val) {
        match self.length(array) {
            Some(length) if length < PUSHED && !self.heap.object(array).is_summary => {
                let key = self.index_key(length);
                self.store(Place::Field(array, key), value, None);
                self.set_length(array, Some(length + 1));
            }
            _ => self.push_unknown(array, value),
        }
    }

    /// Adds an element to an array whose length is not known.
    pub fn push_unknown(&mut self, array: ObjectId, value: Val) {
        self.add_rest(array, value);
        self.set_length(array, None);
        self.count_pushed(array);
    }

    /// The elements of a value, as `for … of` sees them.
    pub fn elements(&mut self, value: Val) -> Elements {
        let shape = self.values.shape(value.id).clone();
        let mut any = Val::NEVER;
        let mut known: Option<Option<Vec<Val>>> = None;
        let mut count = None;
        for atom in shape.atoms.iter() {
            match atom {
                Atom::Object(object) => {
                    let (own, all) = self.object_elements(*object);
                    any = self.values.join(any, all);
                    known = match known.take() {
                        None => Some(own),
                        Some(before) => Some(self.either_of(before, own)),
                    };
                    count = self.counted(*object);
                }
                Atom::Text(text) => {
                    let text = Rc::clone(self.values.texts.get(*text));
                    if text.len() <= ELEMENTS {
                        let characters: Vec<Val> =
                            text.chars().map(|character| self.values.string(character.encode_utf8(&mut [0; 4]))).collect();
                        for character in &characters {
                            any = self.values.join(any, *character);
                        }
                        known = Some(Some(characters));
                    } else {
                        any = self.values.join(any, Val::UNKNOWN);
                    }
                }
                Atom::Native(path) => {
                    let path = Rc::clone(self.values.texts.get(*path));
                    let one = self.native_property(&path, "[]", Span::default());
                    any = self.values.join(any, one);
                }
                Atom::Undefined | Atom::Null | Atom::Boolean(_) | Atom::Number(_) | Atom::BigInt(_) | Atom::Time(_) => {}
                Atom::Partial(_) => any = self.values.join(any, Val::UNKNOWN),
            }
        }
        if shape.is_open {
            any = self.values.join(any, Val::UNKNOWN);
        }
        // One of several lists that are as long as each other: each place is one of several.
        // What is nothing has no elements: whoever asks for them throws.
        let there = || shape.atoms.iter().filter(|atom| !matches!(atom, Atom::Undefined | Atom::Null));
        let are_lists = there().all(|atom| matches!(atom, Atom::Object(_)));
        let mut known = known.flatten().filter(|_| !shape.is_open && (there().count() == 1 || are_lists));
        let count = count.filter(|_| there().count() == 1 || known.is_some());
        if !shape.taint.is_none() {
            let taint = self.values.changed(shape.taint, Change::Element);
            any = self.values.with_taint(any, taint).through(value.via);
            if let Some(known) = &mut known {
                for one in known.iter_mut() {
                    *one = self.values.with_taint(*one, taint).through(value.via);
                }
            }
        }
        if any.id == Val::NEVER.id {
            any = if known.is_some() { Val::UNDEFINED } else { Val::UNKNOWN };
        }
        let count = count.or_else(|| known.as_ref().and_then(|known| u32::try_from(known.len()).ok()));
        Elements { known, any, count }
    }

    /// The elements of one list or another, if both are known and as long.
    fn either_of(&mut self, one: Option<Vec<Val>>, other: Option<Vec<Val>>) -> Option<Vec<Val>> {
        let (mut one, mut other) = one.zip(other)?;
        // Of a list or an empty one, `found ?? []`, each place may have nothing.
        match (one.len(), other.len()) {
            (0, most) => one.resize(most, Val::UNDEFINED),
            (most, 0) => other.resize(most, Val::UNDEFINED),
            (one, other) if one != other => return None,
            _ => {}
        }
        Some(one.into_iter().zip(other).map(|(one, other)| self.joined_with_way(one, other)).collect())
    }

    fn object_elements(&mut self, object: ObjectId) -> (Option<Vec<Val>>, Val) {
        if let Some(given) = self.streamed(object) {
            return (None, given);
        }
        let length_key = self.values.texts.intern("length");
        let own = self.heap.object(object);
        let kind = own.kind.clone();
        let rest = own.rest;
        let fields: Vec<(Text, Val)> = own.fields.iter().map(|(key, value)| (*key, *value)).collect();
        match kind {
            ObjectKind::Array => {
                let mut any = rest;
                for (key, value) in &fields {
                    if *key != length_key && self.values.texts.is_listed(*key) {
                        any = self.joined_with_way(any, *value);
                    }
                }
                let known = self.length(object).filter(|_| rest.id == Val::NEVER.id).map(|length| {
                    (0..length)
                        .map(|at| {
                            let key = self.index_key(at);
                            self.heap.get(Place::Field(object, key)).unwrap_or(Val::UNDEFINED)
                        })
                        .collect()
                });
                (known, any)
            }
            ObjectKind::Collection => {
                let mut any = rest;
                let mut known = Vec::new();
                for (key, value) in &fields {
                    let entry = if self.sets.contains_key(&object) {
                        *value
                    } else {
                        let name = Rc::clone(self.values.texts.get(*key));
                        let name = self.values.string(&name);
                        self.pair(object, *key, name, *value)
                    };
                    any = self.joined_with_way(any, entry);
                    known.push(entry);
                }
                ((rest.id == Val::NEVER.id).then_some(known), any)
            }
            ObjectKind::Encoded(inner) => {
                let (taint, via) = self.carried(inner);
                (None, self.values.opaque(taint, via))
            }
            ObjectKind::Instance { made_with, .. } if self.acting_elements(object, &made_with).is_some() => {
                (None, self.values.object(object))
            }
            ObjectKind::Instance { .. } => (None, if rest.id == Val::NEVER.id { Val::UNKNOWN } else { rest }),
            ObjectKind::Plain(_) => {
                // An object with its own iterator.
                let iterator = self.own_or_inherited(object, "@@iterator").or_else(|| self.own_or_inherited(object, "@@asyncIterator"));
                if let Some(iterator) = iterator {
                    let this = self.values.object(object);
                    let made = self.call_value(iterator, this, &Arguments::default(), Span::default());
                    let atoms = self.values.atoms(made.id);
                    let as_list = |atom: &Atom| match atom {
                        Atom::Object(list) if matches!(self.heap.object(*list).kind, ObjectKind::Array) => Some(*list),
                        _ => None,
                    };
                    // What hands out itself beside a list is not asked again.
                    let lists: Vec<ObjectId> = atoms.iter().filter_map(as_list).collect();
                    if let [only] = lists.as_slice()
                        && atoms.len() == 1
                    {
                        if let Some(count) = self.counted(*only) {
                            self.note_most(object, count);
                        }
                        return self.object_elements(*only);
                    }
                    if !lists.is_empty() {
                        let mut any = Val::NEVER;
                        for list in lists {
                            let (_, all) = self.object_elements(list);
                            any = self.joined_with_way(any, all);
                        }
                        return (None, any);
                    }
                    let next = self.property(made, "next", Span::default());
                    let step = self.call_value(next, made, &Arguments::default(), Span::default());
                    return (None, self.property(step, "value", Span::default()));
                }
                let mut any = rest;
                for (key, value) in &fields {
                    let is_target = matches!(self.values.texts.slot_of(*key), Some((Slot::Target, _)));
                    if is_target || self.values.texts.is_listed(*key) {
                        any = self.joined_with_way(any, *value);
                    }
                }
                (None, any)
            }
            ObjectKind::Function { .. }
            | ObjectKind::Class { .. }
            | ObjectKind::Bound { .. }
            | ObjectKind::Settler(_)
            | ObjectKind::Promise(_)
            | ObjectKind::Environment { .. } => (None, Val::UNKNOWN),
        }
    }

    /// A pair of a key and a value, as an entry of a map.
    pub fn pair(&mut self, object: ObjectId, key: Text, name: Val, value: Val) -> Val {
        let site = 0x4000_0000 | object.0;
        let nth = self.values.texts.get(key).len() as u32;
        let pair = self.heap.allocate(site, nth.wrapping_mul(31).wrapping_add(self.contexts), 4, ObjectKind::Array);
        let (zero, one) = (self.index_key(0), self.index_key(1));
        self.heap.set(Place::Field(pair, zero), name);
        self.heap.set(Place::Field(pair, one), value);
        self.contexts += 1;
        self.set_length(pair, Some(2));
        self.values.object(pair)
    }

    /// The keys of a value, as `for … in` sees them.
    pub fn keys(&mut self, value: Val) -> Elements {
        let shape = self.values.shape(value.id).clone();
        let taint = self.values.changed(shape.taint, Change::Outline);
        let mut any = self.values.opaque(taint, value.via);
        if let Some(kept) = self.keys_kept(value) {
            any = self.joined_with_way(any, kept);
        }
        if let Some(names) = self.columns_of(value) {
            let known = names.iter().map(|name| self.values.string(name)).collect();
            return Elements { known: Some(known), any, count: None };
        }
        if let ([Atom::Object(object)], false) = (&*shape.atoms, shape.is_open)
            && self.heap.object(*object).rest.id == Val::NEVER.id
            && !self.heap.object(*object).is_summary
            && !matches!(self.heap.object(*object).kind, ObjectKind::Instance { .. } | ObjectKind::Encoded(_))
            && self.proxy_target(*object).is_none()
        {
            let is_array = matches!(self.heap.object(*object).kind, ObjectKind::Array);
            let keys = self.heap.object(*object).fields.keys().filter(|key| self.values.texts.is_listed(**key));
            let names: Vec<Rc<str>> = keys.map(|key| Rc::clone(self.values.texts.get(*key))).collect();
            let names = names.iter().filter(|name| !(is_array && &***name == "length"));
            let known: Vec<Val> = names.map(|name| self.values.string(name)).collect();
            return Elements { known: Some(known), any, count: None };
        }
        Elements { known: None, any, count: None }
    }

    /// A key and a value that stand for all of an object's.
    pub fn any_entry(&mut self, value: Val) -> (Val, Val) {
        let any = self.elements(value).any;
        (self.keys(value).any, any)
    }

    /// The keys and values of a value, as `Object.entries` gives them.
    pub fn entries(&mut self, value: Val) -> Vec<(Val, Val)> {
        let keys = self.keys(value);
        match keys.known {
            Some(known) => {
                let mut entries = Vec::new();
                for key in known {
                    let name = self.values.text(key.id).unwrap_or_else(|| Rc::from(""));
                    let field = self.property(value, &name, Span::default());
                    entries.push((key, field));
                }
                entries
            }
            None => {
                let any = self.elements(value).any;
                vec![(keys.any, any)]
            }
        }
    }
}

/// Returns true if and only if a key is that of an element.
pub fn is_index(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}
