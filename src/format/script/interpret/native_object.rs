//! Functions of `Object` and `Reflect`.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::heap::derived;
use crate::format::script::interpret::property::NOTHING;
use crate::format::script::interpret::text::Slot;
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::value::span::Span;

/// How many entries of objects are told apart in one script; of the objects after them all entries are taken for one.
const PAIRS: usize = 100_000;

impl<'a> Interpreter<'a> {
    pub fn object_function(&mut self, method: &str, arguments: &Arguments, span: Span) -> Option<Val> {
        let first = arguments.get(0);
        Some(match method {
            "keys" | "getOwnPropertyNames" => {
                let keys = self.keys(first);
                match keys.known {
                    Some(known) => self.array(derived(span, 1), &known, None),
                    None => {
                        let list = self.array(derived(span, 1), &[], Some(keys.any));
                        self.note_key_list(list, first, false)
                    }
                }
            }
            "values" => {
                let entries = self.entries(first);
                let is_known = self.keys(first).known.is_some();
                let values: Vec<Val> = entries.into_iter().map(|(_, value)| value).collect();
                if is_known {
                    self.array(derived(span, 1), &values, None)
                } else {
                    self.array(derived(span, 1), &[], values.first().copied())
                }
            }
            "entries" => {
                let known = if self.pairs < PAIRS { self.keys(first).known.map(|known| known.len()) } else { None };
                self.pairs += known.unwrap_or(0);
                let is_known = known.is_some() && self.pairs < PAIRS;
                let entries = if is_known { self.entries(first) } else { vec![self.any_entry(first)] };
                let pairs: Vec<Val> = entries.into_iter().map(|(key, value)| self.entry(key, value, span)).collect();
                if is_known {
                    self.array(derived(span, 1), &pairs, None)
                } else {
                    let list = self.array(derived(span, 1), &[], pairs.first().copied());
                    self.note_key_list(list, first, true)
                }
            }
            "fromEntries" => {
                let object = self.allocate(derived(span, 1), ObjectKind::Plain(None));
                let elements = self.elements(first);
                match elements.known {
                    Some(known) => {
                        for pair in known {
                            let parts = self.elements(pair);
                            let key = self.key_of(parts.at(0));
                            let value = self.values.object(object);
                            self.set_property(value, key, parts.at(1));
                        }
                    }
                    None => {
                        let parts = self.elements(elements.any);
                        match parts.known.as_deref() {
                            Some([key, value]) => {
                                let key = self.key_of(*key);
                                let made = self.values.object(object);
                                // There may be no pair at all.
                                let value = self.values.join(*value, Val::UNDEFINED);
                                self.set_property(made, key, value);
                            }
                            _ => self.add_rest(object, parts.any),
                        }
                    }
                }
                self.values.object(object)
            }
            "assign" => {
                self.alter_rows(first);
                for atom in self.values.atoms(first.id).iter() {
                    if let Atom::Object(object) = atom {
                        for from in arguments.skip(1).iter() {
                            let from = self.all_that_is_kept(from, span).unwrap_or(from);
                            self.copy_fields(*object, from);
                        }
                    }
                }
                if self.values.atoms(first.id).iter().any(|atom| matches!(atom, Atom::Object(_))) {
                    first
                } else {
                    let (mut taint, mut via) = NOTHING;
                    for argument in arguments.iter() {
                        let one = self.carried(argument);
                        (taint, via) = self.both((taint, via), one);
                    }
                    self.values.opaque(taint, via)
                }
            }
            "freeze" | "seal" | "preventExtensions" => first,
            "create" => {
                let object = self.allocate(derived(span, 1), ObjectKind::Plain(None));
                if let [Atom::Object(prototype)] = &*self.values.atoms(first.id) {
                    self.heap.object_mut(object).prototype = Some(*prototype);
                }
                let described = self.entries(arguments.get(1));
                if self.values.atoms(arguments.get(1).id).iter().any(|atom| matches!(atom, Atom::Object(_))) {
                    for (key, descriptor) in described {
                        self.describe(object, key, descriptor);
                    }
                }
                self.values.object(object)
            }
            "defineProperty" => {
                self.alter_rows(first);
                for atom in self.values.atoms(first.id).iter() {
                    if let Atom::Object(object) = atom {
                        self.describe(*object, arguments.get(1), arguments.get(2));
                    }
                }
                first
            }
            "defineProperties" => {
                self.alter_rows(first);
                for (key, descriptor) in self.entries(arguments.get(1)) {
                    for atom in self.values.atoms(first.id).iter() {
                        if let Atom::Object(object) = atom {
                            self.describe(*object, key, descriptor);
                        }
                    }
                }
                first
            }
            "getPrototypeOf" => match self.values.atoms(first.id).first() {
                Some(Atom::Object(object)) => match (self.heap.object(*object).prototype, &self.heap.object(*object).kind) {
                    (Some(prototype), _) => self.values.object(prototype),
                    (None, ObjectKind::Function { .. } | ObjectKind::Bound { .. } | ObjectKind::Settler(_)) => {
                        self.values.native("Function.prototype")
                    }
                    (None, _) => self.values.native("Object.prototype"),
                },
                Some(Atom::Native(_)) => self.values.native("Function.prototype"),
                _ => return None,
            },
            "setPrototypeOf" => {
                if let ([Atom::Object(object)], [Atom::Object(prototype)]) =
                    (&*self.values.atoms(first.id), &*self.values.atoms(arguments.get(1).id))
                {
                    self.heap.object_mut(*object).prototype = Some(*prototype);
                }
                first
            }
            "groupBy" => {
                let elements = self.elements(first);
                let (_, key) = self.for_elements(arguments.get(1), &elements, span);
                let object = self.allocate(derived(span, 1), ObjectKind::Plain(None));
                let list = self.array(derived(span, 2), &[], Some(elements.any));
                let made = self.values.object(object);
                let key = Key { name: None, ..self.key_of(key) };
                self.set_property(made, key, list);
                made
            }
            _ => return None,
        })
    }

    fn entry(&mut self, key: Val, value: Val, span: Span) -> Val {
        let context = self.new_context();
        let pair = self.heap.allocate(span.start, context, 17, ObjectKind::Array);
        self.fill(pair, &[key, value]);
        self.values.object(pair)
    }

    /// Sets a property by its descriptor.
    fn describe(&mut self, object: ObjectId, key: Val, descriptor: Val) {
        let Some(name) = self.values.text(key.id) else { return };
        let [Atom::Object(own)] = &*self.values.atoms(descriptor.id) else { return };
        let own = *own;
        if let Some(getter) = self.own_or_inherited(own, "get") {
            self.set_accessor(object, Slot::Getter, &Key::named(&*name), getter);
        }
        if let Some(setter) = self.own_or_inherited(own, "set") {
            self.set_accessor(object, Slot::Setter, &Key::named(&*name), setter);
        }
        if let Some(value) = self.own_or_inherited(own, "value") {
            let base = self.values.object(object);
            self.set_property(base, Key::named(&*name), value);
        }
    }

    pub fn reflect_function(&mut self, method: &str, arguments: &Arguments, span: Span) -> Option<Val> {
        let first = arguments.get(0);
        Some(match method {
            "apply" => {
                let passed = self.listed(arguments.get(2));
                self.call_value(first, arguments.get(1), &passed, span)
            }
            "construct" => {
                let passed = self.listed(arguments.get(1));
                self.call_value(first, Val::UNKNOWN, &passed, span)
            }
            "get" => {
                let key = self.key_of(arguments.get(1));
                self.get(first, &key, span)
            }
            "set" => {
                let key = self.key_of(arguments.get(1));
                self.set_property(first, key, arguments.get(2));
                Val::UNKNOWN
            }
            "deleteProperty" => {
                let key = self.key_of(arguments.get(1));
                self.call_delete_trap(first, &key);
                self.set_property(first, key, Val::UNDEFINED);
                Val::UNKNOWN
            }
            "ownKeys" => {
                let keys = self.keys(first);
                match keys.known {
                    Some(known) => self.array(derived(span, 1), &known, None),
                    None => self.array(derived(span, 1), &[], Some(keys.any)),
                }
            }
            _ => return None,
        })
    }
}
