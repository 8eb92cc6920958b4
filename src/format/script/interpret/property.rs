//! Properties and elements: what they hold, and how they are set.

mod blur;
pub mod elements;

use std::rc::Rc;

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::call::join_path;
use crate::format::script::interpret::call::tool::TOOL_FUNCTIONS;
use crate::format::script::interpret::exhaustion::Bound;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::property::elements::is_index;
use crate::format::script::interpret::steps::StepId;
use crate::format::script::interpret::taint::{Change, Label, Taint};
use crate::format::script::interpret::text::{Slot, Text};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::format::script::js;
use crate::knowledge::command::list;
use crate::knowledge::form;
use crate::subject::flow::{OriginKind, Strength};
use crate::subject::segment::HOLE;
use crate::value::account::is_bank_account;
use crate::value::span::Span;
use crate::value::words::{split_owner, words};

/// How long chains of prototypes are followed.
const PROTOTYPES: usize = 1_000;

/// Properties that tell how much there is, or how a call went, not what it is.
const MEASURES: &[&str] = &["length", "size", "byteLength", "status", "statusText", "ok", "statusCode", "headersSent", "redirected"];

/// What a member of a client is called whose name is not known.
const ANY_MEMBER: &str = "any";

/// Those of them that tell how much there is.
const SIZES: &[&str] = &["length", "size", "byteLength"];

/// The most entries of a table of which each tells no more than an answer.
const ENTRIES: usize = 12;
/// The fewest letters of a word, and not of a sign that is spelt.
const WORD: usize = 2;

/// How the paths end of what a form holds.
const FIELDS: &str = ").elements";
/// What gives a field of a page by its name.
const FIELD_BY_NAME: &str = "document.getElementById";

impl<'a> Interpreter<'a> {
    /// What a property holds.
    pub fn get(&mut self, object: Val, key: &Key, span: Span) -> Val {
        match &key.name {
            Some(name) => {
                let value = if key.is_private { self.private_property(object, name) } else { self.property(object, name, span) };
                // Which entry of a table is read tells what it was looked up with.
                if key.carried.0.is_none() { value } else { self.values.with_taint(value, key.carried.0).through(key.carried.1) }
            }
            None => {
                let mut any = self.elements(object).any;
                // A proxy answers for any name.
                if let [Atom::Object(own)] = *self.values.atoms(object.id)
                    && self.proxy_target(own).is_some()
                {
                    let name = self.values.opaque(key.carried.0, key.carried.1);
                    if let Some(answer) = self.proxied(own, "get", &Arguments::of(vec![name, object]), span) {
                        any = self.values.join(any, answer);
                    }
                }
                if self.is_client(object) {
                    let member = self.property(object, ANY_MEMBER, span);
                    any = self.values.join(any, member);
                }
                if self.is_table(object) {
                    any = self.values.join(any, Val::UNDEFINED);
                }
                let taint = key.carried.0;
                if taint.is_none() {
                    return any;
                }
                // What is looked up may be any text; which of a few whole words is no more than an answer.
                let is_answer = self.is_small_table(object);
                let taint = self.values.changed(taint, if is_answer { Change::Bit } else { Change::Rewritten });
                let via = self.steps.joined(any.via, key.carried.1);
                self.values.with_taint(any, taint).through(via)
            }
        }
    }

    /// Returns true if and only if a value may be an object or array of the script's own, which need not have an entry of any name.
    fn is_table(&self, value: Val) -> bool {
        self.values.atoms(value.id).iter().any(|atom| match atom {
            Atom::Object(object) => matches!(self.heap.object(*object).kind, ObjectKind::Plain(_) | ObjectKind::Array),
            _ => false,
        })
    }

    /// Returns true if and only if a value is a table of the script's own with a few entries, all of which are named by words.
    fn is_small_table(&self, value: Val) -> bool {
        let shape = self.values.shape(value.id);
        let is_word = |key: &Text| WORD <= self.values.texts.get(*key).len() && self.values.texts.slot_of(*key).is_none();
        let is_small = |atom: &Atom| match atom {
            Atom::Object(object) => {
                let object = self.heap.object(*object);
                let is_closed =
                    matches!(object.kind, ObjectKind::Plain(_)) && object.rest.id == Val::NEVER.id && object.prototype.is_none();
                is_closed && object.fields.len() <= ENTRIES && object.fields.keys().all(is_word)
            }
            Atom::Undefined | Atom::Null => true,
            _ => false,
        };
        !shape.is_open && !shape.atoms.is_empty() && shape.atoms.iter().all(is_small)
    }

    /// Returns true if and only if a value is nothing but what a known type offers: a client, whose members act whichever is taken.
    fn is_client(&self, value: Val) -> bool {
        let [atom] = &*self.values.atoms(value.id) else { return false };
        let path = match atom {
            Atom::Native(path) => *path,
            Atom::Object(object) => match self.heap.object(*object).kind {
                ObjectKind::Instance { path, .. } => path,
                _ => return false,
            },
            _ => return false,
        };
        let path = self.values.texts.get(path);
        form::is_made_or_typed(path) && form::held(path).is_none()
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
        match self.kept_in_field(self.values.taint(base.id), name) {
            Some(kept) => self.joined_with_way(value, kept),
            None => value,
        }
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
                Atom::Undefined | Atom::Null | Atom::Time(_) => continue,
                Atom::Boolean(_) | Atom::Number(_) | Atom::BigInt(_) | Atom::Partial(_) => Val::UNKNOWN,
            };
            result = self.values.join(result, one);
        }
        if shape.is_open {
            let mut one = Val::UNKNOWN;
            if TOOL_FUNCTIONS.contains(&name) || self.is_named_method(name) {
                one = self.values.native(name);
            } else if let Some(provided) = self.provided(name) {
                one = self.values.join(one, provided);
            }
            result = self.values.join(result, one);
        }
        if result.id == Val::NEVER.id {
            result = Val::UNDEFINED;
        }
        if MEASURES.contains(&name) {
            let (made_with, via) = if SIZES.contains(&name) { self.carried_whole(base, &shape.atoms) } else { NOTHING };
            let mut taint = self.values.changed(made_with, Change::Measured);
            // How large one of a listing is, or how it stands, tells which it is.
            let is_state = || name == "status" && self.is_record_of_approval(shape.taint);
            if name != "length" && self.is_listed_element(shape.taint) || is_state() {
                let key = self.values.texts.intern(name);
                let told = self.values.changed(shape.taint, Change::Field(key));
                let told = self.values.changed(told, Change::Bit);
                taint = self.values.taints.union(taint, told);
            }
            let via = if taint.is_none() { via } else { base.via };
            let bare = self.values.without_taint(result);
            return if taint.is_none() { bare } else { self.values.with_taint(bare, taint).through(via) };
        }
        if shape.taint.is_none() || is_own {
            return result;
        }
        let change = if is_index(name) { Change::Place } else { Change::Field(self.values.texts.intern(name)) };
        let held = if list("numbers-of-things").contains(&name) { self.without_what_is_kept(shape.taint) } else { shape.taint };
        let taint = self.values.changed(held, change);
        self.values.with_taint(result, taint).through(base.via)
    }

    /// What a database answers about a row that was put into it is of the database where it tells the row's number: nobody sent that in.
    fn without_what_is_kept(&mut self, taint: Taint) -> Taint {
        let labels = self.values.taints.labels(taint);
        let origin = |label: &Label| self.recorder.origin(label.origin);
        let keeps = |label: &Label| {
            origin(label).is_some_and(|origin| origin.kind == OriginKind::Tool && list("puts-a-row").contains(&split_owner(&origin.name).1))
        };
        if !labels.iter().any(keeps) {
            return taint;
        }
        let is_sent_in = |label: &Label| origin(label).is_some_and(|origin| origin.kind == OriginKind::Incoming);
        let kept: Vec<Label> = labels.iter().filter(|label| !is_sent_in(label)).copied().collect();
        self.values.taints.set(kept)
    }

    /// The data of which something is made that has a length: of a list only what it is, not what stands in it.
    fn carried_whole(&mut self, base: Val, atoms: &[Atom]) -> (Taint, StepId) {
        let holds = |atom: &Atom| match atom {
            Atom::Object(object) => matches!(self.heap.object(*object).kind, ObjectKind::Collection | ObjectKind::Encoded(_)),
            _ => false,
        };
        if atoms.iter().any(holds) { self.carried(base) } else { (self.values.taint(base.id), base.via) }
    }

    /// Returns true if and only if data is what a tool keeps of who approves: how it stands decides what may be done.
    fn is_record_of_approval(&self, taint: Taint) -> bool {
        let says = |name: &str| words(name).iter().any(|word| list("records-of-approval").contains(&word.as_str()));
        let is_one = |label: &Label| {
            let origin = self.recorder.origin(label.origin).filter(|origin| origin.kind == OriginKind::Tool);
            Strength::Bit < label.strength && origin.is_some_and(|origin| says(&origin.name))
        };
        self.values.taints.labels(taint).iter().any(is_one)
    }

    /// Returns true if and only if data is elements of what tools and services answered; what only decides whether it is there is none of it.
    fn is_listed_element(&self, taint: Taint) -> bool {
        let labels: Vec<&Label> = self.values.taints.labels(taint).iter().filter(|label| Strength::Bit < label.strength).collect();
        let is_told = |kind: OriginKind| matches!(kind, OriginKind::Tool | OriginKind::Network);
        let is_element = |label: &&Label| {
            self.values.texts.get(label.field).ends_with("[]")
                && self.recorder.origin(label.origin).is_some_and(|origin| is_told(origin.kind))
        };
        !labels.is_empty() && labels.iter().all(is_element)
    }

    fn is_named_method(&self, name: &str) -> bool {
        !name.contains('.') && self.named.whole.contains(name)
    }

    fn text_property(&mut self, text: &str, name: &str) -> Val {
        if name == "constructor" {
            return self.values.native("String");
        }
        let held = js::property::text_property(text, name);
        held.and_then(|held| self.values.constant(&held)).unwrap_or(Val::UNKNOWN)
    }

    /// A field of an object, of its prototypes, or what its kind offers.
    fn object_property(&mut self, object: ObjectId, name: &str, span: Span) -> Val {
        if name == "href"
            && let Some(address) = self.address_of(object)
        {
            return address;
        }
        // Whoever is handed the method may call it.
        self.forget_by(object, name);
        if let Some(value) = self.own_or_inherited(object, name) {
            return value;
        }
        if name == "prototype"
            && matches!(self.heap.object(object).kind, ObjectKind::Function { .. })
            && let Some(prototype) = self.function_prototype(object)
        {
            return self.values.object(prototype);
        }
        if name == "length"
            && let ObjectKind::Function { code, .. } = self.heap.object(object).kind
        {
            return self.values.number(code.parameters() as f64);
        }
        if name == "constructor" {
            let path = match self.heap.object(object).kind {
                ObjectKind::Function { .. } | ObjectKind::Bound { .. } | ObjectKind::Settler(_) | ObjectKind::Class { .. } => "Function",
                ObjectKind::Array => "Array",
                _ => "Object",
            };
            return self.values.native(path);
        }
        if let Some(value) = self.inherited_of_package(object, name, span) {
            return value;
        }
        let own = self.heap.object(object);
        let rest = own.rest;
        match own.kind.clone() {
            ObjectKind::Instance { path, made_with } => {
                if let Some(given) = self.given_to_state(object) {
                    return self.property(given, name, span);
                }
                let path = Rc::clone(self.values.texts.get(path));
                if &*path == "RegExp()"
                    && name == "source"
                    && let Some(source) = made_with.first()
                {
                    return *source;
                }
                if let Some(held) = self.held_of(&join_path(&path, name), &made_with, span) {
                    return held;
                }
                if path.ends_with(FIELDS)
                    && name.chars().all(|character| character.is_alphanumeric() || "-_".contains(character))
                    && name != "length"
                {
                    // `form.elements.cvc` is the field of that name.
                    let of: Rc<[Val]> = Rc::from([self.values.string(name)]);
                    return self.instance(FIELD_BY_NAME, of, span, Val::UNKNOWN);
                }
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
            ObjectKind::Plain(_) if let Some(copied) = self.copied_into(object) => self.property(copied, name, span),
            ObjectKind::Plain(_) | ObjectKind::Collection if rest.id != Val::NEVER.id => self.variable_of(rest, name),
            // Whether a list of unknown length has an element at a place is not known.
            ObjectKind::Array if rest.id != Val::NEVER.id => self.values.join(rest, Val::UNDEFINED),
            _ if rest.id != Val::NEVER.id => rest,
            ObjectKind::Plain(_) if let Some(part) = self.address_part(object, name) => part,
            ObjectKind::Plain(_)
            | ObjectKind::Promise(_)
            | ObjectKind::Array
            | ObjectKind::Function { .. }
            | ObjectKind::Bound { .. }
            | ObjectKind::Settler(_)
            | ObjectKind::Collection
            | ObjectKind::Environment { .. } => Val::UNDEFINED,
        }
    }

    /// What a private field holds.
    fn private_property(&mut self, base: Val, name: &str) -> Val {
        if super::DEPTH < self.depth || !self.spend() {
            self.exhaust(Bound::Depth);
            return Val::UNKNOWN;
        }
        self.depth += 1;
        let shape = self.values.shape(base.id).clone();
        let field = self.values.texts.intern(name);
        let key = self.values.texts.slot(Slot::Private, field);
        let mut result = if shape.is_open { Val::UNKNOWN } else { Val::NEVER };
        for atom in shape.atoms.iter() {
            if let Atom::Object(object) = atom {
                let one = self.inherited(*object, key).unwrap_or(Val::UNDEFINED);
                result = self.values.join(result, one);
            }
        }
        self.depth -= 1;
        if result.id == Val::NEVER.id {
            result = Val::UNDEFINED;
        }
        if shape.taint.is_none() {
            return result;
        }
        let taint = self.values.changed(shape.taint, Change::Field(field));
        self.values.with_taint(result, taint).through(base.via)
    }

    /// A field of an object or of its prototypes, or what the handlers of a proxy give for it.
    pub fn own_or_inherited(&mut self, object: ObjectId, name: &str) -> Option<Val> {
        if let Some(key) = self.values.texts.known(name)
            && let Some(value) = self.inherited(object, key)
        {
            return Some(value);
        }
        if matches!(self.heap.object(object).kind, ObjectKind::Plain(_)) {
            let (key, this) = (self.values.string(name), self.values.object(object));
            return self.proxied(object, "get", &Arguments::of(vec![key, this]), Span::default());
        }
        None
    }

    /// A field of an object or of its prototypes.
    fn inherited(&mut self, object: ObjectId, key: Text) -> Option<Val> {
        let getter = self.values.texts.known_slot(Slot::Getter, key);
        let this = self.values.object(object);
        let mut owner = Some(object);
        for _ in 0..PROTOTYPES {
            let Some(id) = owner else { break };
            if let Some(value) = self.heap.get(Place::Field(id, key)) {
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
        None
    }

    /// The key of a field, if its name is known.
    pub fn field(&mut self, key: &Key) -> Option<Text> {
        let name = self.values.texts.intern(key.name.as_ref()?);
        Some(if key.is_private { self.values.texts.slot(Slot::Private, name) } else { name })
    }

    /// Sets a property.
    pub fn set_property(&mut self, base: Val, key: Key, value: Val) {
        if self.narrows {
            self.forget_narrowed(key.name.as_deref());
        }
        let atoms = self.values.atoms(base.id);
        let objects = atoms.iter().filter(|atom| matches!(atom, Atom::Object(_) | Atom::Native(_))).count();
        let is_only = objects == 1 && !self.values.shape(base.id).is_open;
        self.alter_rows(base);
        self.keep_in_field(base, key.name.as_deref(), value);
        if let Some(name) = key.name.as_deref().filter(|_| !key.is_private) {
            self.provide(base, name, value);
        }
        if objects == 0 || self.values.text(value.id).is_some_and(|text| is_bank_account(&text)) {
            self.put_into(base, key.name.as_deref(), value);
        }
        for atom in atoms.iter() {
            match atom {
                Atom::Object(object) => self.set_field(*object, &key, value, is_only),
                Atom::Native(path) if !key.is_private => {
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
            // A value kept under a secret key tells the key, or where the keys are kept by themselves, whether it is one.
            let has_keys = key.name.is_none() && self.note_keys(object, key);
            let taint = if has_keys { self.values.changed(key.carried.0, Change::Bit) } else { key.carried.0 };
            let via = self.steps.joined(value.via, key.carried.1);
            self.values.with_taint(value, taint).through(via)
        };
        let (Some(name), Some(field)) = (&key.name, self.field(key)) else {
            self.call_set_trap(object, key, value);
            self.add_rest(object, value);
            self.blur(object, if value.id == Val::UNDEFINED.id { value } else { Val::UNKNOWN });
            if matches!(self.heap.object(object).kind, ObjectKind::Array) {
                self.set_length(object, None);
            }
            return;
        };
        self.call_set_trap(object, key, value);
        if let Some(setter) = self.values.texts.known_slot(Slot::Setter, field) {
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
        let place = Place::Field(object, field);
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

    /// Keeps what the keys of an object are made of; false, if it is none that has keys of its own.
    fn note_keys(&mut self, object: ObjectId, key: &Key) -> bool {
        if !matches!(self.heap.object(object).kind, ObjectKind::Plain(_)) {
            return false;
        }
        let slot = self.values.texts.slot(Slot::Keys, Text::EMPTY);
        let keys = self.values.opaque(key.carried.0, key.carried.1);
        let before = self.heap.get(Place::Field(object, slot)).unwrap_or(Val::NEVER);
        let keys = self.joined_with_way(before, keys);
        self.heap.set(Place::Field(object, slot), keys);
        true
    }

    /// What the keys of an object are made of that are not known.
    pub fn keys_kept(&mut self, value: Val) -> Option<Val> {
        let slot = self.values.texts.known_slot(Slot::Keys, Text::EMPTY)?;
        let atoms = self.values.atoms(value.id);
        let objects = atoms.iter().filter_map(|atom| if let Atom::Object(object) = atom { Some(*object) } else { None });
        let kept: Vec<Val> = objects.filter_map(|object| self.heap.get(Place::Field(object, slot))).collect();
        (!kept.is_empty()).then(|| kept.into_iter().fold(Val::NEVER, |any, one| self.joined_with_way(any, one)))
    }

    /// Sets a getter or setter.
    pub fn set_accessor(&mut self, object: ObjectId, slot: Slot, key: &Key, function: Val) {
        let Some(field) = self.field(key) else { return };
        let accessor = self.values.texts.slot(slot, field);
        self.heap.set(Place::Field(object, accessor), function);
    }

    /// Either value; its way is that of both.
    pub fn joined_with_way(&mut self, left: Val, right: Val) -> Val {
        let tainted = |values: &super::value::Values, value: Val| if values.may_carry(value) { value.via } else { StepId::NONE };
        let via = self.steps.joined(tainted(&self.values, left), tainted(&self.values, right));
        self.values.join(left, right).through(via)
    }
}

/// A text with something in it that is not known.
pub fn has_hole(text: &str) -> bool {
    text.contains(HOLE)
}

/// No data.
pub const NOTHING: (Taint, StepId) = (Taint::NONE, StepId::NONE);
