//! Properties and elements: what they hold, and how they are set.

use std::rc::Rc;

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::call::TOOL_FUNCTIONS;
use crate::format::script::interpret::exhaustion::Bound;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::steps::StepId;
use crate::format::script::interpret::taint::{Change, Taint};
use crate::format::script::interpret::text::Text;
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::subject::segment::HOLE;
use crate::value::span::Span;

/// How long chains of prototypes are followed.
const PROTOTYPES: usize = 1_000;
/// The most elements of a list that are known one by one.
const ELEMENTS: usize = 4_096;
/// The most elements that are pushed one by one.
const PUSHED: usize = 512;

/// Properties that tell how much there is, or how a call went, not what it is.
const MEASURES: &[&str] = &["length", "size", "byteLength", "status", "statusText", "ok", "statusCode", "headersSent", "redirected"];

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
    /// What a property holds.
    pub fn get(&mut self, object: Val, key: &Key, span: Span) -> Val {
        match &key.name {
            Some(name) => {
                let value = self.property(object, name, span);
                // Which entry of a table is read tells what it was looked up with.
                if key.carried.0.is_none() { value } else { self.values.with_taint(value, key.carried.0).through(key.carried.1) }
            }
            None => {
                let any = self.elements(object).any;
                let taint = key.carried.0;
                if taint.is_none() {
                    return any;
                }
                let via = self.steps.joined(any.via, key.carried.1);
                self.values.with_taint(any, taint).through(via)
            }
        }
    }

    /// What a property of a known name holds.
    pub fn property(&mut self, base: Val, name: &str, span: Span) -> Val {
        if base.id == Val::NEVER.id {
            return Val::NEVER;
        }
        if super::DEPTH < self.depth || !self.spend() {
            self.exhaust(Bound::Depth);
            return Val::UNKNOWN;
        }
        self.depth += 1;
        let value = self.property_of(base, name, span);
        self.depth -= 1;
        value
    }

    fn property_of(&mut self, base: Val, name: &str, span: Span) -> Val {
        let shape = self.values.shape(base.id).clone();
        let mut result = Val::NEVER;
        let mut is_own = false;
        for atom in shape.atoms.iter() {
            let one = match atom {
                Atom::Object(object) => self.object_property(*object, name, span),
                Atom::Native(path) => {
                    let path = Rc::clone(self.values.texts.get(*path));
                    let value = self.native_property(&path, name, span);
                    is_own |= !self.values.taint(value.id).is_none();
                    value
                }
                Atom::Text(text) => {
                    let text = Rc::clone(self.values.texts.get(*text));
                    self.text_property(&text, name)
                }
                Atom::Undefined | Atom::Null => continue,
                Atom::Boolean(_) | Atom::Number(_) | Atom::Partial(_) => Val::UNKNOWN,
            };
            result = self.values.join(result, one);
        }
        if shape.is_open {
            let mut one = Val::UNKNOWN;
            if TOOL_FUNCTIONS.contains(&name) || self.is_named_method(name) {
                one = self.values.native(name);
            }
            result = self.values.join(result, one);
        }
        if result.id == Val::NEVER.id {
            result = Val::UNDEFINED;
        }
        if shape.taint.is_none() || is_own || MEASURES.contains(&name) {
            return if MEASURES.contains(&name) { self.values.without_taint(result) } else { result };
        }
        let change = if is_index(name) { Change::Element } else { Change::Field(self.values.texts.intern(name)) };
        let taint = self.values.changed(shape.taint, change);
        self.values.with_taint(result, taint).through(base.via)
    }

    fn is_named_method(&self, name: &str) -> bool {
        !name.contains('.') && self.named.whole.contains(name)
    }

    fn text_property(&mut self, text: &str, name: &str) -> Val {
        if name == "length" {
            return self.values.number(text.encode_utf16().count() as f64);
        }
        match name.parse::<usize>() {
            Ok(at) => match text.chars().nth(at) {
                Some(character) => self.values.string(character.encode_utf8(&mut [0; 4])),
                None => Val::UNDEFINED,
            },
            Err(_) if name == "constructor" => self.values.native("String"),
            Err(_) => Val::UNKNOWN,
        }
    }

    /// A field of an object, of its prototypes, or what its kind offers.
    fn object_property(&mut self, object: ObjectId, name: &str, span: Span) -> Val {
        if let Some(value) = self.own_or_inherited(object, name) {
            return value;
        }
        if name == "prototype"
            && matches!(self.heap.object(object).kind, ObjectKind::Function { .. })
            && let Some(prototype) = self.function_prototype(object)
        {
            return self.values.object(prototype);
        }
        if name == "constructor" {
            let path = match self.heap.object(object).kind {
                ObjectKind::Function { .. } | ObjectKind::Bound { .. } | ObjectKind::Class { .. } => "Function",
                ObjectKind::Array => "Array",
                _ => "Object",
            };
            return self.values.native(path);
        }
        let own = self.heap.object(object);
        let rest = own.rest;
        match own.kind.clone() {
            ObjectKind::Instance { path, made_with } => {
                let path = Rc::clone(self.values.texts.get(path));
                let value = self.native_property(&path, name, span);
                let value = if rest.id == Val::NEVER.id {
                    value
                } else {
                    let (taint, via) = self.carried(rest);
                    self.values.with_taint(value, taint).through(via)
                };
                // Methods need to know what their object was made with.
                match &*self.values.shape(value.id).atoms.clone() {
                    [Atom::Native(method)] if !made_with.is_empty() => {
                        let instance = self.heap.allocate(span.start, object.0, 3, ObjectKind::Instance { path: *method, made_with });
                        let taint = self.values.taint(value.id);
                        let value = self.values.object(instance);
                        self.values.with_taint(value, taint)
                    }
                    _ => value,
                }
            }
            ObjectKind::Encoded(inner) => {
                if name == "length" {
                    return Val::UNKNOWN;
                }
                let (taint, via) = self.carried(inner);
                self.values.opaque(taint, via)
            }
            ObjectKind::Array if name == "length" => Val::UNKNOWN,
            ObjectKind::Collection if name == "size" => Val::UNKNOWN,
            ObjectKind::Class { parent, .. } => self.property(parent, name, span),
            _ if rest.id != Val::NEVER.id => rest,
            ObjectKind::Plain(_)
            | ObjectKind::Promise(_)
            | ObjectKind::Array
            | ObjectKind::Function { .. }
            | ObjectKind::Bound { .. }
            | ObjectKind::Collection
            | ObjectKind::Environment { .. } => Val::UNDEFINED,
        }
    }

    /// A field of an object or of its prototypes.
    pub fn own_or_inherited(&mut self, object: ObjectId, name: &str) -> Option<Val> {
        let key = self.values.texts.known(name);
        let getter = self.values.texts.known(&format!("get {name}"));
        let this = self.values.object(object);
        let mut owner = Some(object);
        for _ in 0..PROTOTYPES {
            let Some(id) = owner else { break };
            if let Some(key) = key
                && let Some(value) = self.heap.get(Place::Field(id, key))
            {
                return Some(match self.heap.object(id).rest {
                    // A key that is not known may have been set, too.
                    rest if rest.id != Val::NEVER.id && self.heap.object(id).is_summary => self.values.join(value, rest),
                    _ => value,
                });
            }
            if let Some(getter) = getter
                && let Some(function) = self.heap.get(Place::Field(id, getter))
            {
                return Some(self.call_value(function, this, &Arguments::default(), Span::default()));
            }
            owner = self.heap.object(id).prototype;
        }
        if matches!(self.heap.object(object).kind, ObjectKind::Plain(_)) && !name.starts_with("proxy ") {
            let key = self.values.string(name);
            return self.proxied(object, "get", &Arguments::of(vec![key, this]), Span::default());
        }
        None
    }

    /// Sets a property.
    pub fn set_property(&mut self, base: Val, key: Key, value: Val) {
        let atoms = self.values.atoms(base.id);
        let objects = atoms.iter().filter(|atom| matches!(atom, Atom::Object(_) | Atom::Native(_))).count();
        let is_only = objects == 1 && !self.values.shape(base.id).is_open;
        for atom in atoms.iter() {
            match atom {
                Atom::Object(object) => self.set_field(*object, &key, value, is_only),
                Atom::Native(path) => {
                    let path = Rc::clone(self.values.texts.get(*path));
                    if &*path == "globalThis"
                        && let Some(name) = &key.name
                    {
                        let key = self.values.texts.intern(name);
                        self.store(Place::Field(self.globals, key), value, None);
                    } else if &*path == "module" || &*path == "exports" || &*path == "module.exports" {
                        let name = key.name.clone().unwrap_or_default();
                        self.export(if name == "exports" { "default" } else { &name }, value);
                    } else if let Some(name) = &key.name {
                        let key = self.values.texts.intern(&format!("{path}.{name}"));
                        self.store(Place::Field(self.globals, key), value, None);
                    }
                }
                _ => {}
            }
        }
    }

    fn set_field(&mut self, object: ObjectId, key: &Key, value: Val, is_only: bool) {
        let value = if key.carried.0.is_none() {
            value
        } else {
            // A value kept under a secret key tells the key.
            let via = self.steps.joined(value.via, key.carried.1);
            self.values.with_taint(value, key.carried.0).through(via)
        };
        let Some(name) = &key.name else {
            self.add_rest(object, value);
            if matches!(self.heap.object(object).kind, ObjectKind::Array) {
                self.set_length(object, None);
            }
            return;
        };
        if let Some(setter) = self.values.texts.known(&format!("set {name}")) {
            let mut owner = Some(object);
            for _ in 0..PROTOTYPES {
                let Some(id) = owner else { break };
                if let Some(function) = self.heap.get(Place::Field(id, setter)) {
                    let this = self.values.object(object);
                    self.call_value(function, this, &Arguments::of(vec![value]), Span::default());
                    return;
                }
                owner = self.heap.object(id).prototype;
            }
        }
        self.set_address_part(object, name, value);
        let key = self.values.texts.intern(name);
        let place = Place::Field(object, key);
        let value = match self.heap.get(place) {
            Some(before) if !is_only => self.values.join(before, value),
            _ => value,
        };
        self.store(place, value, None);
        if matches!(self.heap.object(object).kind, ObjectKind::Array)
            && let Ok(at) = name.parse::<usize>()
        {
            match self.length(object) {
                Some(length) if at < length => {}
                Some(length) if at == length => self.set_length(object, Some(at + 1)),
                _ => self.set_length(object, None),
            }
        }
    }

    /// Sets a getter or setter.
    pub fn set_accessor(&mut self, object: ObjectId, kind: &str, name: &str, function: Val) {
        let key = self.values.texts.intern(&format!("{kind}{name}"));
        self.heap.set(Place::Field(object, key), function);
    }

    /// The key of an array's element.
    pub fn index_key(&mut self, at: usize) -> Text {
        self.values.texts.intern(&at.to_string())
    }

    /// The length of an array, if it is known.
    pub fn length(&self, array: ObjectId) -> Option<usize> {
        let key = self.values.texts.known("length")?;
        let value = self.heap.get(Place::Field(array, key))?;
        let length = self.values.known(value.id)?.to_number();
        (0.0 <= length && length <= ELEMENTS as f64).then_some(length as usize)
    }

    /// How many elements an array has, if that is known though not what they are.
    fn counted(&self, array: ObjectId) -> Option<u32> {
        let key = self.values.texts.known("length")?;
        let value = self.heap.get(Place::Field(array, key))?;
        let length = self.values.known(value.id)?.to_number();
        (0.0..1e9).contains(&length).then_some(length as u32)
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
    }

    /// The elements of a value, as `for … of` sees them.
    pub fn elements(&mut self, value: Val) -> Elements {
        let shape = self.values.shape(value.id).clone();
        let mut any = Val::NEVER;
        let mut known = None;
        let mut count = None;
        for atom in shape.atoms.iter() {
            match atom {
                Atom::Object(object) => {
                    let (own, all) = self.object_elements(*object);
                    any = self.values.join(any, all);
                    known = own;
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
                        known = Some(characters);
                    } else {
                        any = self.values.join(any, Val::UNKNOWN);
                    }
                }
                Atom::Native(path) => {
                    let path = Rc::clone(self.values.texts.get(*path));
                    let one = self.native_property(&path, "[]", Span::default());
                    any = self.values.join(any, one);
                }
                Atom::Undefined | Atom::Null | Atom::Boolean(_) | Atom::Number(_) => {}
                Atom::Partial(_) => any = self.values.join(any, Val::UNKNOWN),
            }
        }
        if shape.is_open {
            any = self.values.join(any, Val::UNKNOWN);
        }
        let is_only = shape.atoms.len() == 1 && !shape.is_open;
        let mut known = known.filter(|_| is_only);
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

    fn object_elements(&mut self, object: ObjectId) -> (Option<Vec<Val>>, Val) {
        let length_key = self.values.texts.intern("length");
        let sent_key = self.values.texts.intern("sent");
        let own = self.heap.object(object);
        let kind = own.kind.clone();
        let rest = own.rest;
        let fields: Vec<(Text, Val)> = own.fields.iter().map(|(key, value)| (*key, *value)).collect();
        match kind {
            ObjectKind::Array => {
                let mut any = rest;
                for (key, value) in &fields {
                    if *key != length_key && *key != sent_key {
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
                    let name = Rc::clone(self.values.texts.get(*key));
                    let name = self.values.string(name.strip_prefix("key ").unwrap_or(&name));
                    let pair = self.pair(object, *key, name, *value);
                    any = self.joined_with_way(any, pair);
                    known.push(pair);
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
                    let is_list = self
                        .values
                        .atoms(made.id)
                        .iter()
                        .any(|atom| matches!(atom, Atom::Object(list) if matches!(self.heap.object(*list).kind, ObjectKind::Array)));
                    if is_list {
                        let elements = self.elements(made);
                        return (elements.known, elements.any);
                    }
                    let next = self.property(made, "next", Span::default());
                    let step = self.call_value(next, made, &Arguments::default(), Span::default());
                    return (None, self.property(step, "value", Span::default()));
                }
                let mut any = rest;
                for (_, value) in &fields {
                    any = self.joined_with_way(any, *value);
                }
                (None, any)
            }
            ObjectKind::Function { .. }
            | ObjectKind::Class { .. }
            | ObjectKind::Bound { .. }
            | ObjectKind::Promise(_)
            | ObjectKind::Environment { .. } => (None, Val::UNKNOWN),
        }
    }

    /// Either value; its way is that of both.
    pub fn joined_with_way(&mut self, left: Val, right: Val) -> Val {
        let tainted = |values: &super::value::Values, value: Val| if values.may_carry(value) { value.via } else { StepId::NONE };
        let via = self.steps.joined(tainted(&self.values, left), tainted(&self.values, right));
        self.values.join(left, right).through(via)
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
        let any = self.values.opaque(taint, value.via);
        if let ([Atom::Object(object)], false) = (&*shape.atoms, shape.is_open)
            && self.heap.object(*object).rest.id == Val::NEVER.id
            && !self.heap.object(*object).is_summary
        {
            let is_array = matches!(self.heap.object(*object).kind, ObjectKind::Array);
            let names: Vec<Rc<str>> = self.heap.object(*object).fields.keys().map(|key| Rc::clone(self.values.texts.get(*key))).collect();
            let names = names.iter().filter(|name| !(is_array && &***name == "length"));
            let known: Vec<Val> = names.map(|name| self.values.string(name.strip_prefix("get ").unwrap_or(name))).collect();
            return Elements { known: Some(known), any, count: None };
        }
        Elements { known: None, any, count: None }
    }

    /// A key and a value that stand for all of an object's.
    pub fn any_entry(&mut self, value: Val) -> (Val, Val) {
        let taint = self.values.taint(value.id);
        let taint = self.values.changed(taint, Change::Outline);
        let any = self.elements(value).any;
        (self.values.opaque(taint, value.via), any)
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

/// A text with something in it that is not known.
pub fn has_hole(text: &str) -> bool {
    text.contains(HOLE)
}

/// No data.
pub const NOTHING: (Taint, StepId) = (Taint::NONE, StepId::NONE);
