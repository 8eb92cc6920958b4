//! Values as plain data: what is known of an argument when all is done.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::ObjectKind;
use crate::format::script::interpret::record::{ALTERNATIVES, DEPTH, PARTS};
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::span::span_of;
use crate::knowledge::command::list;
use crate::subject::call::{Property, Repeat, Value};
use crate::value::span::Span;
use oxc_ast::ast::{ObjectExpression, ObjectPropertyKind};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::rc::Rc;

/// How many parts of all arguments together are kept before fewer are kept of each.
const ALL_PARTS: u32 = 400_000;
/// How many parts are kept of each argument from then on.
const FEW_PARTS: u32 = 200;

/// By the name of a field, the places of its key and of its value.
pub type FieldPlaces<'a> = FxHashMap<Cow<'a, str>, (Span, Span)>;

/// The name of a constant that a package lists under a name of its own, which tells what it stands for: `Administrator` of
/// `discord.js.PermissionFlagsBits.Administrator`.
fn named_constant(path: &str) -> Option<&str> {
    let (holder, name) = path.rsplit_once('.')?;
    // What is as much as there can be is called so by whatever package names it.
    if list("greatest-numbers").contains(&name) {
        return Some(name);
    }
    let (package, list) = holder.rsplit_once('.')?;
    let is_name = |part: &str| part.starts_with(|first: char| first.is_ascii_uppercase());
    (is_name(name) && is_name(list) && !package.is_empty() && !path.contains('(')).then_some(name)
}

/// How many things one value is taken for.
const CHOICES: usize = 32;

impl<'a> Interpreter<'a> {
    /// The text of an argument, if it is known.
    pub fn argument_text(&mut self, arguments: &Arguments, made_with: &Rc<[Val]>, at: &str) -> Option<String> {
        let mut keys = at.split('.');
        let first = keys.next()?;
        let mut value =
            if first == "this" { *made_with.get(keys.next()?.parse::<usize>().ok()?)? } else { arguments.get(first.parse().ok()?) };
        for key in keys {
            value = self.property(value, key, Span::default());
        }
        self.values.text(value.id).map(|text| text.to_string())
    }

    /// A value as plain data.
    pub fn plain(&mut self, value: Val, span: Span) -> Value {
        let most = if self.plain_parts < ALL_PARTS { PARTS } else { FEW_PARTS };
        let mut left = most;
        let plain = self.plain_at(value, span, DEPTH, &mut left);
        self.plain_parts += most - left;
        plain
    }

    /// The places of an object's fields, found once for each object that is written.
    fn field_places(&mut self, node: &'a ObjectExpression<'a>) -> Rc<FieldPlaces<'a>> {
        Rc::clone(self.field_places.entry(node.span.start).or_insert_with(|| Rc::new(field_places(node))))
    }

    fn plain_at(&mut self, value: Val, span: Span, depth: u32, parts: &mut u32) -> Value {
        let (Some(depth), Some(left)) = (depth.checked_sub(1), parts.checked_sub(1)) else { return Value::Dynamic(span) };
        *parts = left;
        let shape = self.values.shape(value.id).clone();
        let mut alternatives: Vec<Value> = Vec::new();
        for atom in shape.atoms.iter().filter(|atom| !matches!(atom, Atom::Time(_))).take(CHOICES) {
            alternatives.push(self.plain_atom(*atom, span, depth, parts));
        }
        if shape.is_open || alternatives.is_empty() {
            alternatives.push(Value::Dynamic(span));
        }
        match alternatives.len() {
            1 => alternatives.remove(0),
            _ => Value::OneOf(alternatives, span),
        }
    }

    fn plain_atom(&mut self, atom: Atom, span: Span, depth: u32, parts: &mut u32) -> Value {
        let object = match atom {
            Atom::Undefined | Atom::Null => return Value::Null(span),
            Atom::Boolean(value) => return Value::Boolean(value, span),
            Atom::BigInt(digits) => return Value::Number(self.values.texts.get(digits).parse().unwrap_or(f64::NAN), span),
            Atom::Number(bits) => return Value::Number(f64::from_bits(bits), span),
            Atom::Text(text) => return Value::String(self.values.texts.get(text).to_string(), span),
            Atom::Partial(text) => return Value::Partial(self.values.texts.get(text).to_string(), span),
            Atom::Native(path) => {
                return named_constant(self.values.texts.get(path))
                    .map_or(Value::Dynamic(span), |name| Value::String(name.to_owned(), span));
            }
            Atom::Time(_) => return Value::Dynamic(span),
            Atom::Object(object) => object,
        };
        let kind = self.heap.object(object).kind.clone();
        match kind {
            // What stands for a file is as good as its path: `Bun.write(Bun.file(path), text)`.
            ObjectKind::Instance { path, made_with } if matches!(&**self.values.texts.get(path), "Bun.file()" | "bun.file()") => {
                made_with.first().map_or(Value::Dynamic(span), |named| self.plain_at(*named, span, depth, parts))
            }
            // Whom a policy lets in: `new iam.ArnPrincipal('arn:aws:iam::…:root')`, `new iam.AnyPrincipal()`.
            ObjectKind::Instance { path, made_with }
                if self.values.texts.get(path).ends_with(".AnyPrincipal()") && made_with.is_empty() =>
            {
                Value::String("*".to_owned(), span)
            }
            ObjectKind::Instance { path, made_with } if self.values.texts.get(path).ends_with("Principal()") => {
                made_with.first().map_or(Value::Dynamic(span), |named| self.plain_at(*named, span, depth, parts))
            }
            ObjectKind::Plain(node) => {
                let all = &self.heap.object(object).fields;
                let most = *parts as usize + 1;
                let is_cut = most < all.len();
                let listed = all.iter().take(most).filter(|(key, _)| self.values.texts.is_listed(**key));
                let fields: Vec<(Rc<str>, Val)> = listed.map(|(key, value)| (Rc::clone(self.values.texts.get(*key)), *value)).collect();
                let target = self.proxy_target(object);
                let rest = self.heap.object(object).rest;
                let own = node.map_or(span, span_of);
                let places = node.map(|node| self.field_places(node));
                let mut properties = Vec::with_capacity(fields.len());
                for (key, value) in fields {
                    let (key_span, value_span) = places.as_ref().and_then(|places| places.get(&*key).copied()).unwrap_or((own, own));
                    let value = self.plain_at(value, value_span, depth, parts);
                    properties.push(Property { key: key.to_string(), key_span, value });
                }
                // A proxy has what it stands for, where its handlers do not answer otherwise.
                match target.map(|target| self.plain_at(target, span, depth, parts)) {
                    Some(Value::Object(more, _)) => properties.extend(more),
                    Some(value) => properties.push(Property { key: "...".to_owned(), key_span: own, value }),
                    None => {}
                }
                // What is left out is as unknown as what a spread brings.
                if rest.id != Val::NEVER.id || is_cut {
                    properties.push(Property { key: "...".to_owned(), key_span: own, value: Value::Dynamic(own) });
                }
                Value::Object(properties, own)
            }
            ObjectKind::Array => {
                let value = self.values.object(object);
                let elements = self.elements(value);
                match elements.known {
                    Some(known) => Value::Array(known.into_iter().map(|one| self.plain_at(one, span, depth, parts)).collect(), span),
                    None => Value::Array(vec![self.plain_at(elements.any, span, depth, parts)], span),
                }
            }
            ObjectKind::Encoded(inner) => self.plain_at(inner, span, depth, parts),
            ObjectKind::Collection => {
                let value = self.values.object(object);
                let entries: Vec<Value> = self
                    .collected_entries(value)
                    .into_iter()
                    .map(|(key, value)| {
                        let key_span = span;
                        let value = self.plain_at(value, span, depth, parts);
                        Value::Object(vec![Property { key, key_span, value }], span)
                    })
                    .collect();
                Value::Array(entries, span)
            }
            ObjectKind::Function { .. }
            | ObjectKind::Class { .. }
            | ObjectKind::Bound { .. }
            | ObjectKind::Settler(_)
            | ObjectKind::Instance { .. }
            | ObjectKind::Promise(_)
            | ObjectKind::Environment { .. } => Value::Dynamic(span),
        }
    }

    fn collected_entries(&mut self, value: Val) -> Vec<(String, Val)> {
        let mut entries = Vec::new();
        for atom in self.values.atoms(value.id).iter() {
            let Atom::Object(object) = atom else { continue };
            for (key, value) in &self.heap.object(*object).fields {
                let key = self.values.texts.get(*key);
                entries.push((key.to_string(), *value));
            }
        }
        entries
    }
}

/// The places of each field's key and value in the expression that makes the object; of several of one name the last.
fn field_places<'a>(node: &'a ObjectExpression<'a>) -> FieldPlaces<'a> {
    let fields = node.properties.iter().filter_map(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) => {
            Some((property.key.static_name()?, (span_of(&property.key), span_of(&property.value))))
        }
        ObjectPropertyKind::SpreadProperty(_) => None,
    });
    fields.collect()
}

/// Of two runs of one place, the one that runs more often.
pub fn wider(left: Repeat, right: Repeat) -> Repeat {
    let rank = |repeat: Repeat| match repeat {
        Repeat::Once => 0,
        Repeat::Counted(count) => 1 + u64::from(count),
        Repeat::Each => u64::from(u32::MAX) + 2,
        Repeat::Open => u64::from(u32::MAX) + 3,
    };
    if rank(left) < rank(right) { right } else { left }
}

/// One of two values.
pub fn merged(left: Value, right: Value) -> Value {
    if left == right {
        return left;
    }
    let span = right.span();
    let mut alternatives = match left {
        Value::OneOf(values, _) => values,
        Value::Missing => return right,
        value => vec![value],
    };
    let more = match right {
        Value::OneOf(values, _) => values,
        value => vec![value],
    };
    for value in more {
        if alternatives.len() < ALTERNATIVES && !alternatives.contains(&value) {
            alternatives.push(value);
        }
    }
    Value::OneOf(alternatives, span)
}
