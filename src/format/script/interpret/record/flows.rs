//! The flows of data into a call.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::exhaustion::Bound;
use crate::format::script::interpret::heap::{Object, ObjectKind};
use crate::format::script::interpret::record::{DEPTH, PARTS};
use crate::format::script::interpret::steps::StepId;
use crate::format::script::interpret::taint::{Label, Taint};
use crate::format::script::interpret::text::{Slot, Text};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::knowledge::command::list;
use crate::knowledge::secret::is_secret_variable;
use crate::knowledge::sensitivity::category;
use crate::knowledge::{Sensitivity, tool};
use crate::subject::flow::{CallRef, OriginKind, SYSTEM, Strength, is_obeyed_role};
use crate::value::words::words;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many flows are kept of one script, beyond which a call gets only few more that are equally bad.
const FLOWS: usize = 100_000;

/// How many flows that are equally bad each call gets from then on.
const FEW_FLOWS: u32 = 4;

/// On how many ways to one object its fields are told apart.
const VISITS: u32 = 40;

/// How many flows are kept of one script in any case.
const MOST_FLOWS: usize = 400_000;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FlowKey {
    pub origin: u32,
    pub field: Text,
    pub sink: CallRef,
    pub argument: Text,
    pub strength: Strength,
    pub is_plain: bool,
    /// It is of one element of a list that stands at a place that is written out.
    pub is_one: bool,
}

/// How bad a flow may be.
pub type Gravity = (Strength, Option<Sensitivity>);

impl<'a> Interpreter<'a> {
    /// Notes the data that a value brings to a call.
    pub fn record_flows(&mut self, sink: CallRef, value: Val, path: &str) {
        let mut pending = vec![(value, path.to_owned(), 0_u32)];
        let mut seen = FxHashSet::default();
        let mut written: Vec<(Taint, StepId, String)> = Vec::new();
        let mut found: FxHashSet<(u32, Text, Strength)> = FxHashSet::default();
        let mut visits: FxHashMap<ObjectId, u32> = FxHashMap::default();
        let mut parts = 0;
        while let Some((value, path, depth)) = pending.pop() {
            parts += 1;
            if !self.spend() {
                break;
            }
            if PARTS < parts && self.fuel <= self.inline_fuel {
                // Of a big program, what is left is covered by what the script leaves open.
                self.exhaust(Bound::Parts);
                break;
            }
            if PARTS < parts {
                // What is left is not told apart any more: all that it carries goes to the field in which it stands.
                let around = path.rsplit_once('.').map_or("", |(around, _)| around).to_owned();
                let (taint, via) = self.carried(value);
                self.record_labels(sink, taint, via, &around);
                continue;
            }
            let taint = self.values.taint(value.id);
            let path = if self.is_system_message(value) && path.rsplit('.').next() != Some(SYSTEM) { below(&path, SYSTEM) } else { path };
            if self.is_written_out(value) {
                // Its fields are told where they stand in it.
                written.push((taint, value.via, path.clone()));
            } else {
                found.extend(self.values.taints.labels(taint).iter().map(|label| (label.origin, label.field, label.strength)));
                self.record_labels(sink, taint, value.via, &path);
            }
            if self.only_looks() {
                break;
            }
            for atom in self.values.atoms(value.id).iter() {
                let Atom::Object(object) = atom else { continue };
                if DEPTH < depth || !seen.insert((*object, path.clone())) {
                    continue;
                }
                let visits = visits.entry(*object).or_default();
                *visits += 1;
                if VISITS < *visits {
                    // Objects that hold one another have ways without end: on the further ones, what all of it carries is enough.
                    let (taint, via) = self.carried(value);
                    self.record_labels(sink, taint, via, &path);
                    break;
                }
                let is_made = matches!(self.heap.object(*object).kind, ObjectKind::Instance { .. });
                let is_data = || !path.split('.').any(|key| list("signing-options").contains(&key));
                if let Some(passed) = (is_made && is_data()).then(|| self.passed_to_package(*object)).flatten() {
                    pending.extend(passed.iter().map(|value| (*value, path.clone(), depth + 1)));
                }
                let object = self.heap.object(*object);
                match &object.kind {
                    ObjectKind::Function { .. } | ObjectKind::Settler(_) | ObjectKind::Class { .. } | ObjectKind::Environment { .. } => {
                        continue;
                    }
                    ObjectKind::Encoded(inner) => pending.push((*inner, path.clone(), depth + 1)),
                    ObjectKind::Collection => {
                        let texts = &self.values.texts;
                        let fields = object.fields.iter().filter(|(_, value)| self.values.may_carry(**value));
                        // The query of an address is a place by itself.
                        let is_query = matches!(path.rsplit('.').next(), Some("search" | "searchParams"));
                        pending.extend(fields.map(|(key, value)| match texts.slot_of(*key) {
                            Some((Slot::Entry, _)) if !is_query => (*value, below(&path, texts.get(*key)), depth + 1),
                            _ => (*value, path.clone(), depth + 1),
                        }));
                    }
                    ObjectKind::Array => {
                        let path = if self.is_system_pair(object) { below(&path, SYSTEM) } else { path.clone() };
                        let values = object.fields.values().copied().filter(|value| self.values.may_carry(*value));
                        pending.extend(values.map(|value| (value, path.clone(), depth + 1)));
                    }
                    ObjectKind::Promise(kept) => pending.push((self.heap.object(*kept).rest, path.clone(), depth + 1)),
                    ObjectKind::Plain(_) | ObjectKind::Instance { .. } | ObjectKind::Bound { .. } => {
                        let texts = &self.values.texts;
                        let is_obeyed = self.has_obeyed_role(object);
                        let fields = object.fields.iter().filter(|(_, value)| self.values.may_carry(**value));
                        pending.extend(fields.filter_map(|(key, value)| match texts.slot_of(*key) {
                            Some((Slot::Private, _)) => None,
                            // What a proxy stands for is had under its own names.
                            Some((Slot::Target, _)) => Some((*value, path.clone(), depth + 1)),
                            _ if is_obeyed && &**texts.get(*key) == "content" => Some((*value, below(&path, SYSTEM), depth + 1)),
                            _ => Some((*value, below(&path, texts.get(*key)), depth + 1)),
                        }));
                    }
                }
                if object.rest.id != Val::NEVER.id {
                    pending.push((object.rest, path.clone(), depth + 1));
                }
            }
        }
        // What of a text stands in none of its fields is told of all of it.
        for (taint, via, path) in written {
            let labels = self.values.taints.labels(taint).iter();
            let left = labels.filter(|label| !found.contains(&(label.origin, label.field, label.strength))).copied().collect();
            self.note_labels(sink, left, via, &path);
        }
    }

    /// Returns true if and only if an object is a message whose role says that a model obeys it.
    fn has_obeyed_role(&self, message: &Object<'_>) -> bool {
        let role = self.values.texts.known("role").and_then(|key| message.fields.get(&key));
        role.and_then(|role| self.values.text(role.id)).is_some_and(|role| is_obeyed_role(&role))
    }

    /// Returns true if and only if a value is a message made by a class whose messages a model obeys: `new SystemMessage(text)`.
    fn is_system_message(&self, value: Val) -> bool {
        let [Atom::Object(object)] = &*self.values.atoms(value.id) else { return false };
        let ObjectKind::Instance { path, .. } = &self.heap.object(*object).kind else { return false };
        let path = self.values.texts.get(*path);
        let class = path.strip_suffix("()").and_then(|path| path.rsplit('.').next());
        class.is_some_and(|class| list("system-messages").contains(&class))
    }

    /// Returns true if and only if a list is a message whose first element is a role that a model obeys: `['system', text]`.
    fn is_system_pair(&self, list: &Object<'_>) -> bool {
        let at = |index: &str| self.values.texts.known(index).and_then(|key| list.fields.get(&key));
        let role = at("0").filter(|_| at("1").is_some() && at("2").is_none());
        role.and_then(|role| self.values.text(role.id)).is_some_and(|role| is_obeyed_role(&role))
    }

    /// Returns true if and only if a value is the text of another one, whose fields are known.
    fn is_written_out(&self, value: Val) -> bool {
        let shape = self.values.shape(value.id);
        let [Atom::Object(object)] = &*shape.atoms else { return false };
        !shape.is_open && matches!(self.heap.object(*object).kind, ObjectKind::Encoded(_))
    }

    fn record_labels(&mut self, sink: CallRef, taint: Taint, via: StepId, path: &str) {
        if !taint.is_none() {
            let labels = self.values.taints.labels(taint).to_vec();
            self.note_labels(sink, labels, via, path);
        }
    }

    fn note_labels(&mut self, sink: CallRef, labels: Vec<Label>, via: StepId, path: &str) {
        let labels = self.by_columns(labels);
        let argument = self.values.texts.intern(path);
        for label in labels {
            let key = FlowKey {
                origin: label.origin,
                field: label.field,
                sink,
                argument,
                strength: label.strength,
                is_plain: label.is_plain,
                is_one: label.is_one,
            };
            self.note_flow(key, via);
        }
    }

    fn note_flow(&mut self, key: FlowKey, via: StepId) {
        if FLOWS <= self.recorder.flows.len() && !self.recorder.flows.contains_key(&key) {
            let count = self.recorder.further.entry((key.sink, self.gravity(&key))).or_default();
            if FEW_FLOWS <= *count {
                return;
            }
            *count += 1;
            if MOST_FLOWS <= self.recorder.flows.len() {
                self.exhaust(Bound::Flows);
                return;
            }
        }
        self.recorder.flows.entry(key).or_insert(via);
    }

    /// How bad it would be if a flow left: how much of what it is, and how sensitive that is.
    pub fn gravity(&self, key: &FlowKey) -> Gravity {
        let field = self.values.texts.get(key.field);
        let own = field.rsplit('.').next().and_then(|last| category(&words(last)));
        let origin = self.recorder.origins.get_index(key.origin as usize).map(|(_, origin)| match origin.kind {
            OriginKind::Tool => tool(&origin.name).sensitivity,
            _ => Some(Sensitivity::Authentication),
        });
        (key.strength, own.max(origin.flatten()))
    }

    /// Notes the data on which it depends whether a call happens.
    pub fn record_control(&mut self, sink: CallRef) {
        let labels: Vec<Label> = self.values.taints.labels(self.control).to_vec();
        for label in labels {
            let key = FlowKey {
                origin: label.origin,
                field: label.field,
                sink,
                argument: Text::EMPTY,
                strength: Strength::Control,
                is_plain: false,
                is_one: false,
            };
            self.note_flow(key, StepId::NONE);
        }
    }

    /// Returns true if and only if data comes from where such data comes from.
    pub fn is_of_kind(&self, origin: u32, kind: OriginKind) -> bool {
        self.recorder.origins.get_index(origin as usize).is_some_and(|(_, origin)| origin.kind == kind)
    }

    /// Returns true if and only if an origin is one secret: a variable or a tool that keeps secrets.
    pub fn is_one_secret(&self, origin: u32) -> bool {
        let Some((_, origin)) = self.recorder.origins.get_index(origin as usize) else { return false };
        match origin.kind {
            OriginKind::Environment => {
                let name = origin.detail.as_deref().or_else(|| origin.name.strip_prefix("process.env."));
                name.is_some_and(|name| is_secret_variable(Some(name)))
            }
            OriginKind::Tool => tool(&origin.name).sensitivity == Some(Sensitivity::Authentication),
            _ => false,
        }
    }
}

/// The path of what stands under a key.
fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
