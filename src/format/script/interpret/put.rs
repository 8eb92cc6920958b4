//! What a script puts into something that it only read: `policy.bindings.push({ … })` before `setIamPolicy({ policy })`.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, derived};
use crate::format::script::interpret::taint::{Label, Taint};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::subject::call::{Property, Value};
use crate::subject::flow::{OriginKind, Strength};
use crate::value::account::is_bank_account;
use crate::value::span::Span;

/// So much that is put into one result is remembered.
const REMEMBERED: usize = 16;

/// Something that was put into what an origin returned.
#[derive(Clone)]
pub struct Put {
    key: String,
    value: Val,
}

impl Interpreter<'_> {
    /// Notes that an object or a text of the script's own is put into something of which only the origin is known.
    pub fn put_into(&mut self, into: Val, key: Option<&str>, value: Val) {
        if !self.is_plain(value) && self.values.text(value.id).is_none() {
            return;
        }
        for (origin, field) in self.whole_origins(into) {
            let last = field.rsplit('.').next().map(|last| last.trim_end_matches("[]")).filter(|last| !last.is_empty());
            let key = key.or(last).unwrap_or("items").to_owned();
            let put = self.put.entry(origin).or_default();
            if put.len() < REMEMBERED {
                put.push(Put { key, value });
            }
        }
    }

    /// Notes the data that is put under a name into an element of what a tool returned: whoever reads that name of an element again may
    /// be given it.
    pub fn keep_in_field(&mut self, into: Val, key: Option<&str>, value: Val) {
        let Some(key) = key.filter(|_| !self.values.taint(into.id).is_none()) else { return };
        let (taint, via) = self.carried(value);
        if taint.is_none() {
            return;
        }
        let content = self.values.opaque(taint, via);
        let key = self.values.texts.intern(key);
        let labels = self.values.taints.labels(self.values.taint(into.id));
        let is_element = |label: &&Label| {
            let is_of_tool = self.recorder.origin(label.origin).is_some_and(|origin| origin.kind == OriginKind::Tool);
            is_of_tool && label.strength == Strength::Whole && self.values.texts.get(label.field).contains("[]")
        };
        let origins: Vec<u32> = labels.iter().filter(is_element).map(|label| label.origin).collect();
        for origin in origins {
            let before = self.put_fields.get(&(origin, key)).copied().unwrap_or(Val::NEVER);
            let content = self.joined_with_way(before, content);
            self.put_fields.insert((origin, key), content);
        }
    }

    /// What was put under a name into parts of what carries this data.
    pub fn kept_in_field(&mut self, of: Taint, key: &str) -> Option<Val> {
        if self.put_fields.is_empty() {
            return None;
        }
        let key = self.values.texts.known(key)?;
        let origins: Vec<u32> = self.values.taints.labels(of).iter().map(|label| label.origin).collect();
        let kept: Vec<Val> = origins.into_iter().filter_map(|origin| self.put_fields.get(&(origin, key)).copied()).collect();
        (!kept.is_empty()).then(|| kept.into_iter().fold(Val::NEVER, |any, one| self.joined_with_way(any, one)))
    }

    /// Adds to the keys of a call what was put into what it passes on.
    pub fn add_put(&mut self, keys: ObjectId, span: Span) {
        if self.put.is_empty() {
            return;
        }
        let passed = self.values.object(keys);
        let mut origins: Vec<u32> = self.whole_origins(passed).into_iter().map(|(origin, _)| origin).collect();
        origins.sort_unstable();
        origins.dedup();
        let all: Vec<Put> = origins.iter().filter_map(|origin| self.put.get(origin)).flatten().cloned().collect();
        for put in all {
            if !self.is_plain(put.value) {
                continue;
            }
            let known = self.field_of(keys, &put.key);
            let value = match known.filter(|known| self.is_plain(*known)) {
                Some(before) => self.array(span.start, &[before, put.value], None),
                None => put.value,
            };
            self.set_key(keys, &put.key, value);
        }
    }

    /// Adds to what a tool is passed the accounts of banks that were written into records that it is of: they stand there instead of
    /// theirs, or of some of them.
    pub fn with_accounts(&mut self, argument: &mut Value, passed: &Arguments) {
        let Value::Object(properties, span) = argument else { return };
        if self.put.is_empty() {
            return;
        }
        let origins: Vec<u32> = passed.iter().flat_map(|value| self.whole_origins(value)).map(|(origin, _)| origin).collect();
        let put = origins.iter().filter_map(|origin| self.put.get(origin)).flatten();
        let accounts = put.filter_map(|put| self.values.text(put.value.id).map(|text| (put.key.clone(), text)));
        for (key, account) in accounts.filter(|(_, text)| is_bank_account(text)) {
            let either = Value::OneOf(vec![Value::String(account.to_string(), *span), Value::Dynamic(*span)], *span);
            properties.push(Property { key, key_span: *span, value: either });
        }
    }

    /// What a function puts under a name of an object, or deeper: the object.
    pub fn put_deep(&mut self, arguments: &Arguments) -> Val {
        let (object, value) = (arguments.get(0), arguments.get(2));
        let name = self.values.text(arguments.get(1).id);
        let first = name.as_deref().and_then(|name| name.split(['.', '[']).next()).filter(|first| !first.is_empty());
        match (first, name.as_deref()) {
            (Some(first), Some(name)) if first == name => self.set_property(object, Key::named(first), value),
            (Some(first), _) => {
                let (taint, via) = self.carried(value);
                let part = self.values.opaque(taint, via);
                let before = self.property(object, first, Span::default());
                let joined = self.joined_with_way(before, part);
                self.set_property(object, Key::named(first), joined);
            }
            (None, _) => {
                let carried = self.carried(arguments.get(1));
                self.set_property(object, Key { name: None, is_private: false, carried }, value);
            }
        }
        object
    }

    /// What was only read and is written anew, with what was put into it: `JSON.stringify(settings)`.
    pub fn with_put(&mut self, value: Val, span: Span) -> Option<Val> {
        if self.put.is_empty() || !self.values.atoms(value.id).is_empty() {
            return None;
        }
        let origins: Vec<u32> = self.whole_origins(value).into_iter().map(|(origin, _)| origin).collect();
        let all: Vec<Put> = origins.iter().filter_map(|origin| self.put.get(origin)).flatten().cloned().collect();
        if all.is_empty() {
            return None;
        }
        let object = self.allocate(derived(span, 5), ObjectKind::Plain(None));
        for put in all {
            self.set_key(object, &put.key, put.value);
        }
        self.add_rest(object, value);
        Some(self.values.object(object))
    }

    fn is_plain(&self, value: Val) -> bool {
        self.values.atoms(value.id).iter().any(|atom| match atom {
            Atom::Object(object) => matches!(self.heap.object(*object).kind, ObjectKind::Plain(_) | ObjectKind::Array),
            _ => false,
        })
    }

    /// The origins of which a value is, each with what of them it is.
    fn whole_origins(&mut self, value: Val) -> Vec<(u32, String)> {
        let (taint, _) = self.carried(value);
        let labels = self.values.taints.labels(taint).iter().filter(|label| label.strength == Strength::Whole);
        labels.map(|label| (label.origin, self.values.texts.get(label.field).to_string())).collect()
    }
}
