//! What a schema that stands beside a handler says of what the handler is passed: the fields that are one of several written texts, and
//! those that are numbers.
//!
//! Only schemas of `zod` count: the frameworks that take them refuse what does not fit. A schema as JSON tells a model what to send, and
//! holds it to nothing.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::taint::Change;
use crate::format::script::interpret::text::Text;
use crate::format::script::interpret::value::{Atom, Val};
use crate::value::span::Span;

/// The package whose schemas are held to.
const PACKAGE: &str = "zod";

/// The call that makes the schema of a choice.
const CHOICE: &str = ".enum()";

/// The calls that make schemas of what is no text that anybody could write: numbers, yes or no, what is made anew to tell things apart.
const NUMBERS: &[&str] =
    &[".number()", ".int()", ".int32()", ".bigint()", ".boolean()", ".uuid()", ".guid()", ".uuidv4()", ".cuid()", ".cuid2()", ".ulid()"];

/// Schemas are looked into up to this depth: options, schema, object of fields, field.
const DEPTH: u32 = 5;

/// The nth object made at the place of a call, so that it is not taken for what else is made there.
const NARROWED: u8 = 31;
/// The same of what a schema made of a value.
const PARSED: u8 = 32;

/// Calls by which a schema lets more in than its choices, or hands on something else.
const WIDENING: &[&str] = &[".or(", ".transform(", ".pipe(", ".catch(", ".preprocess("];

/// The fields of schemas.
#[derive(Default)]
struct Fields {
    /// Those that are one of several texts.
    chosen: Vec<(Text, Val)>,
    /// Those that are numbers.
    numbers: Vec<Text>,
    /// All others.
    open: Vec<Text>,
}

impl<'a> Interpreter<'a> {
    /// The first parameter of a handler, of whose fields a schema among the arguments that hand it over says what they may be.
    pub fn narrowed_by_schema(&mut self, passed: Val, arguments: &Arguments, span: Span) -> Val {
        let mut found = Fields::default();
        for argument in arguments.iter() {
            self.choices_in(argument, DEPTH, &mut found);
        }
        // Where the same name is an open text too, on whatever level, it is not known which of them the handler reads.
        let fields: Vec<(Text, Val)> = found.chosen.into_iter().filter(|(key, _)| !found.open.contains(key)).collect();
        let numbers: Vec<Text> = found.numbers.into_iter().filter(|key| !found.open.contains(key)).collect();
        if fields.is_empty() && numbers.is_empty() {
            return passed;
        }
        let object = self.heap.allocate(span.end, 0, NARROWED, ObjectKind::Plain(None));
        self.add_rest(object, passed);
        let (taint, via) = self.carried(passed);
        for (key, texts) in fields {
            // Which of them it is was still said by whoever calls.
            let taint = self.values.changed(taint, Change::Field(key));
            let taint = self.values.changed(taint, Change::Bit);
            let value = self.values.with_taint(texts, taint).through(via);
            self.heap.set(Place::Field(object, key), value);
        }
        for key in numbers {
            let taint = self.values.changed(taint, Change::Field(key));
            let taint = self.values.changed(taint, Change::Plain);
            let value = self.values.opaque(taint, via);
            self.heap.set(Place::Field(object, key), value);
        }
        self.values.object(object)
    }

    /// What the schema of a choice makes of a value: one of its texts, or an error.
    pub fn parsed_by_schema(&mut self, schema: Val, key: &Key, value: Val, span: Span) -> Option<Val> {
        let is_safe = match key.name.as_deref() {
            Some("parse" | "parseAsync") => false,
            Some("safeParse" | "safeParseAsync") => true,
            _ => return None,
        };
        let texts = self.choice(schema)?;
        let (taint, via) = self.carried(value);
        let taint = self.values.changed(taint, Change::Bit);
        let texts = self.values.with_taint(texts, taint).through(via);
        if !is_safe {
            return Some(texts);
        }
        let object = self.heap.allocate(span.end, 0, PARSED, ObjectKind::Plain(None));
        for (name, value) in [("success", self.values.opaque(taint, via)), ("data", texts), ("error", Val::UNKNOWN)] {
            let key = self.values.texts.intern(name);
            self.heap.set(Place::Field(object, key), value);
        }
        Some(self.values.object(object))
    }

    fn choices_in(&mut self, value: Val, depth: u32, found: &mut Fields) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for atom in self.values.atoms(value.id).iter() {
            let Atom::Object(object) = atom else { continue };
            match self.heap.object(*object).kind.clone() {
                ObjectKind::Plain(_) => {
                    let fields: Vec<(Text, Val)> = self.heap.object(*object).fields.iter().map(|(key, value)| (*key, *value)).collect();
                    for (key, field) in fields {
                        match self.choice(field) {
                            Some(texts) => {
                                let known = found.chosen.iter().find(|(known, _)| *known == key).map_or(Val::NEVER, |(_, texts)| *texts);
                                found.chosen.retain(|(known, _)| *known != key);
                                found.chosen.push((key, self.values.join(known, texts)));
                            }
                            None if self.lets_no_text_through(field) => found.numbers.push(key),
                            None => {
                                found.open.push(key);
                                self.choices_in(field, depth, found);
                            }
                        }
                    }
                }
                ObjectKind::Instance { path, made_with } if self.values.texts.get(path).starts_with(PACKAGE) => {
                    for inner in made_with.iter() {
                        self.choices_in(*inner, depth, found);
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns true if and only if a schema lets no text through.
    fn lets_no_text_through(&self, schema: Val) -> bool {
        let [Atom::Object(object)] = &*self.values.atoms(schema.id) else { return false };
        let ObjectKind::Instance { path, .. } = &self.heap.object(*object).kind else { return false };
        let path = self.values.texts.get(*path);
        path.starts_with(PACKAGE) && NUMBERS.iter().any(|call| path.contains(call)) && !WIDENING.iter().any(|call| path.contains(call))
    }

    /// The texts of which a schema allows one.
    fn choice(&mut self, schema: Val) -> Option<Val> {
        let [Atom::Object(object)] = &*self.values.atoms(schema.id) else { return None };
        let ObjectKind::Instance { path, made_with } = self.heap.object(*object).kind.clone() else { return None };
        let path = self.values.texts.get(path);
        if !path.starts_with(PACKAGE) || !path.contains(CHOICE) || WIDENING.iter().any(|call| path.contains(call)) {
            return None;
        }
        let lists: Vec<Val> = made_with.to_vec();
        let known = lists.into_iter().find_map(|list| self.elements(list).known.filter(|known| !known.is_empty()))?;
        let are_texts = known.iter().all(|one| self.values.text(one.id).is_some());
        are_texts.then(|| known.into_iter().reduce(|any, one| self.values.join(any, one)).unwrap_or(Val::UNDEFINED))
    }
}
