//! Literals: templates, arrays, objects and JSX, and what is passed to calls.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::expression::Key;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::steps::StepId;
use crate::format::script::interpret::taint::Taint;
use crate::format::script::interpret::text::{Slot, Text};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::format::script::span::span_of;
use crate::knowledge::words::Tag;
use crate::subject::segment::HOLE;
use crate::value::span::Span;
use oxc_ast::ast::{
    Argument, ArrayExpression, ArrayExpressionElement, Expression, JSXAttributeItem, JSXAttributeValue, JSXChild, JSXElement,
    JSXExpression, ObjectExpression, ObjectPropertyKind, PropertyKind, TaggedTemplateExpression, TemplateLiteral,
};
use std::rc::Rc;

/// How many fields of a spread object are kept apart.
const COPIED: usize = 200;
/// How many elements of a spread list are kept apart.
const SPREAD: usize = 2_000;

/// So many texts one part of a template may be, for each of which the whole is put together.
const ALTERNATIVES: usize = 8;

/// How a statement begins whose values a tag binds.
const BINDING: &[&str] = &["SELECT", "UPDATE", "INSERT", "DELETE", "WITH", "MERGE", "REPLACE"];

impl<'a> Interpreter<'a> {
    pub fn template(&mut self, template: &'a TemplateLiteral<'a>) -> Val {
        let mut parts: Vec<Val> = Vec::with_capacity(template.quasis.len() * 2);
        let mut holes = template.expressions.iter();
        for quasi in &template.quasis {
            let text = quasi.value.cooked.unwrap_or(quasi.value.raw);
            if !text.is_empty() || template.expressions.is_empty() {
                let part = self.literal(text.as_str());
                parts.push(part);
            }
            if let Some(hole) = holes.next() {
                let value = self.evaluate(hole);
                let joint = if parts.len() == 1 { parts.first().map_or("", |before| self.joint(*before, hole, value)) } else { "" };
                if !joint.is_empty() {
                    let part = self.literal(joint);
                    parts.push(part);
                }
                parts.push(value);
            }
        }
        self.concatenate_each(&parts)
    }

    /// A text made of parts, of which one may be one of a few texts.
    pub fn concatenate_each(&mut self, parts: &[Val]) -> Val {
        match self.alternatives(parts).or_else(|| self.alternatives_of_root(parts)) {
            Some(alternatives) => {
                let mut all = Val::NEVER;
                for alternative in alternatives {
                    let one = self.concatenate(&alternative);
                    all = self.joined_with_way(all, one);
                }
                all
            }
            None => self.concatenate(parts),
        }
    }

    /// The texts of which a template is one, if one of its parts is one of a few texts, and no other one is.
    fn alternatives(&mut self, parts: &[Val]) -> Option<Vec<Vec<Val>>> {
        let open = parts.iter().enumerate().filter(|(_, part)| self.values.text(part.id).is_none());
        let is_several = |at: usize, part: &Val| {
            let shape = self.values.shape(part.id);
            !shape.is_open && (2..=ALTERNATIVES).contains(&shape.atoms.len()) && shape.atoms.iter().all(|atom| self.is_text(*atom, at == 0))
        };
        let mut several = open.filter(|(at, part)| is_several(*at, part));
        let (at, part) = several.next().map(|(at, part)| (at, *part)).filter(|_| several.next().is_none())?;
        let (taint, via) = self.carried(part);
        let choices = self.values.atoms(part.id);
        let mut all = Vec::with_capacity(choices.len());
        for choice in choices.iter() {
            let choice = self.values.atom(*choice);
            let choice = self.values.with_taint(choice, taint).through(via);
            let mut own = parts.to_vec();
            *own.get_mut(at)? = choice;
            all.push(own);
        }
        Some(all)
    }

    /// Returns true if and only if it reads as a text that is known to its end, or, as the beginning of one, is a path.
    fn is_text(&self, atom: Atom, is_first: bool) -> bool {
        let is_path = |text: Text| self.values.texts.get(text).trim_start_matches(HOLE).starts_with('/');
        matches!(atom, Atom::Partial(text) if is_first && is_path(text)) || self.values.constant_of(atom).is_some()
    }

    /// The texts that begin with the folder of a web server which stands in the script, or with what a setting says instead:
    /// `process.env.ROOT ?? '/var/www'`.
    fn alternatives_of_root(&mut self, parts: &[Val]) -> Option<Vec<Vec<Val>>> {
        let root = *parts.first()?;
        let shape = self.values.shape(root.id);
        let (true, [Atom::Text(text)]) = (shape.is_open, &*shape.atoms) else { return None };
        let text = Rc::clone(self.values.texts.get(*text));
        if !text.starts_with('/') || !Tag::WebRoot.words().any(|part| format!("{text}/").contains(part)) {
            return None;
        }
        let (taint, via) = self.carried(root);
        let written = self.values.string(&text);
        let set = self.values.opaque(taint, via);
        Some([written, set].map(|first| [&[first], parts.get(1..).unwrap_or_default()].concat()).to_vec())
    }

    /// A text made of parts: what is known of it, and the data of all.
    pub fn concatenate(&mut self, parts: &[Val]) -> Val {
        if let Some(encoded) = self.only_encoded(parts) {
            return encoded;
        }
        let mut text = String::new();
        let (mut taint, mut via) = (Taint::NONE, StepId::NONE);
        let mut previous: Option<Rc<str>> = None;
        let mut ends = Vec::with_capacity(parts.len());
        for part in parts {
            let own = self.carried(*part);
            let (part, is_all) = &self.textual(*part);
            let mut one = self.carried(*part);
            if !is_all {
                one = self.both(own, one);
            }
            (taint, via) = self.both((taint, via), one);
            match self.values.text(part.id) {
                Some(known) => {
                    if let Some(previous) = &previous {
                        self.recorder.put_together(previous, &known, &mut self.values.texts);
                    }
                    text.push_str(&known);
                    previous = Some(known);
                }
                None => {
                    text.push(HOLE);
                    previous = None;
                }
            }
            ends.push((text.len(), one.0, one.1));
        }
        self.remember_addresses(&text, &ends);
        let split = self.recorder.take_split();
        let value = self.values.partial(&text);
        if split && let Some(id) = self.values.texts.known(&text) {
            self.recorder.disguise(id, false);
        }
        self.values.with_taint(value, taint).through(via)
    }

    /// What is written as JSON, if nothing but blanks stands beside it: `JSON.stringify(all) + '\n'` is read as the same.
    fn only_encoded(&self, parts: &[Val]) -> Option<Val> {
        let is_blank = |part: &&Val| self.values.text(part.id).is_some_and(|text| text.trim().is_empty());
        let mut written = parts.iter().filter(|part| !is_blank(part));
        let (only, None) = (*written.next()?, written.next()) else { return None };
        match &*self.values.atoms(only.id) {
            [Atom::Object(object)] => matches!(self.heap.object(*object).kind, ObjectKind::Encoded(_)).then_some(only),
            _ => None,
        }
    }

    /// What an object reads as when it is put into a text: a URL, or what its own `toString` gives; and whether that is all of it.
    fn textual(&mut self, value: Val) -> (Val, bool) {
        if let Some(each) = self.each_object(value) {
            let read: Vec<(Val, bool)> = each.into_iter().map(|one| self.textual(one)).collect();
            let is_all = read.iter().all(|(_, is_all)| *is_all);
            let joined = read.into_iter().fold(Val::NEVER, |all, (one, _)| self.joined_with_way(all, one));
            return if is_all { (joined, true) } else { (value, false) };
        }
        let [Atom::Object(object)] = *self.values.atoms(value.id) else { return (value, false) };
        match self.heap.object(object).kind {
            ObjectKind::Plain(_) => {}
            // A list reads as its elements do.
            ObjectKind::Array if self.values.texts.known("toString").is_some() => {
                let rest = self.heap.object(object).rest;
                let is_only = self.heap.object(object).fields.keys().all(|key| &**self.values.texts.get(*key) == "length");
                // Lists may hold each other.
                let is_plain = |atom: &Atom| match atom {
                    Atom::Object(inner) => matches!(self.heap.object(*inner).kind, ObjectKind::Plain(_)),
                    _ => false,
                };
                if is_only && rest.id != Val::NEVER.id && self.values.atoms(rest.id).iter().all(is_plain) {
                    let (read, is_all) = self.textual(rest);
                    let shape = self.values.shape(read.id).clone();
                    return (self.values.opaque(shape.taint, read.via), is_all);
                }
                return (value, false);
            }
            _ => return (value, false),
        }
        for name in ["href", "@@toPrimitive", "toString"] {
            let Some(own) = self.own_or_inherited(object, name) else { continue };
            let hint = Arguments::of(vec![Val::UNKNOWN]);
            if name == "href" {
                return (self.address_of(object).unwrap_or(own), false);
            }
            // Where it is added to a text, `valueOf` is asked before `toString`.
            let is_asked = name == "@@toPrimitive" || self.own_or_inherited(object, "valueOf").is_none();
            let is_own = is_asked && self.is_function(own);
            return (self.call_value(own, value, &hint, Span::default()), is_own);
        }
        (value, false)
    }

    pub fn tagged(&mut self, tagged: &'a TaggedTemplateExpression<'a>) -> Val {
        let tag = self.evaluate(&tagged.tag);
        let text = self.template(&tagged.quasi);
        let is_raw = self.values.atoms(tag.id).iter().any(|atom| match atom {
            Atom::Native(path) => &**self.values.texts.get(*path) == "String.raw",
            _ => false,
        });
        if is_raw {
            return text;
        }
        let mut known = Vec::new();
        let quasis: Vec<Val> =
            tagged.quasi.quasis.iter().map(|quasi| self.values.string(quasi.value.cooked.unwrap_or(quasi.value.raw).as_str())).collect();
        let strings = self.array(tagged.span.start, &quasis, None);
        let raw = Key::named("raw");
        self.set_property(strings, raw, strings);
        known.push(strings);
        for hole in &tagged.quasi.expressions {
            known.push(self.evaluate(hole));
        }
        if !self.is_function(tag) {
            // Tags of the runtime's (`$` of zx, `sql`) get the text as one.
            let text = self.with_values_quoted(&quasis, &known[1..]).unwrap_or(text);
            known = vec![self.bound_by_tag(text)];
        }
        if self.is_statement_tag(tag) {
            return known[0];
        }
        let is_shell = matches!(&*self.values.atoms(tag.id), [Atom::Native(path)] if &**self.values.texts.get(*path) == "$");
        let tag = if is_shell { self.values.native("zx.$") } else { tag };
        self.call_value(tag, Val::UNDEFINED, &Arguments::of(known), span_of(tagged))
    }

    /// The statement that a tag makes of a template, with the texts of the script that it binds as values; nothing where it is none.
    fn with_values_quoted(&mut self, quasis: &[Val], holes: &[Val]) -> Option<Val> {
        let first = self.values.text(quasis.first()?.id)?;
        let verb = first.split_whitespace().next()?.to_uppercase();
        if !BINDING.contains(&verb.as_str()) {
            return None;
        }
        let quote = self.values.string("'");
        let mut parts = Vec::with_capacity(2 * quasis.len());
        for (at, quasi) in quasis.iter().enumerate() {
            parts.push(*quasi);
            let Some(hole) = holes.get(at) else { continue };
            let is_value = self.values.text(quasi.id).is_some_and(|before| before.trim_end().ends_with(['=', ',', '(', '>', '<']));
            let is_word = self.values.text(hole.id).is_some_and(|text| !text.contains([HOLE, ' ', '\n', '\'', '(', '"']));
            if is_value && is_word { parts.extend([quote, *hole, quote]) } else { parts.push(*hole) }
        }
        Some(self.concatenate(&parts))
    }

    /// Returns true if and only if a tag makes a statement of the text of its template.
    fn is_statement_tag(&self, tag: Val) -> bool {
        let path = match &*self.values.atoms(tag.id) {
            [Atom::Native(path)] => *path,
            [Atom::Object(object)] => match self.heap.object(*object).kind {
                ObjectKind::Instance { path, .. } => path,
                _ => return false,
            },
            _ => return false,
        };
        Tag::StatementTag.has(self.values.texts.get(path))
    }

    pub fn array_expression(&mut self, array: &'a ArrayExpression<'a>) -> Val {
        let mut known = Vec::with_capacity(array.elements.len());
        let mut rest: Option<Val> = None;
        let mut count = Some(0_u32);
        for element in &array.elements {
            match element {
                ArrayExpressionElement::SpreadElement(spread) => {
                    let value = self.evaluate(&spread.argument);
                    let elements = self.elements(value);
                    count = count.zip(elements.count).map(|(all, more)| all.saturating_add(more));
                    match (elements.known, rest) {
                        (Some(more), None) if known.len() + more.len() <= SPREAD => known.extend(more),
                        (more, _) => {
                            let mut joined = rest.unwrap_or(Val::NEVER);
                            for one in more.unwrap_or_else(|| vec![elements.any]) {
                                joined = self.values.join(joined, one);
                            }
                            rest = Some(joined);
                        }
                    }
                }
                ArrayExpressionElement::Elision(_) => known.push(Val::UNDEFINED),
                element => {
                    let value = element.as_expression().map_or(Val::UNKNOWN, |element| self.evaluate(element));
                    count = count.map(|count| count.saturating_add(1));
                    match rest {
                        None => known.push(value),
                        Some(before) => rest = Some(self.values.join(before, value)),
                    }
                }
            }
        }
        let made = self.array(array.span.start, &known, rest);
        if rest.is_some() {
            self.count_list(made, count);
        }
        made
    }

    /// An array made at a place.
    pub fn array(&mut self, site: u32, known: &[Val], rest: Option<Val>) -> Val {
        let array = self.allocate(site, ObjectKind::Array);
        let is_summary = self.heap.object(array).is_summary;
        let before = self.length(array);
        for (at, value) in known.iter().enumerate().take(SPREAD) {
            let key = self.index_key(at);
            self.store(Place::Field(array, key), *value, None);
        }
        if let Some(rest) = rest {
            self.store(Place::Rest(array), rest, None);
        }
        for value in known.iter().skip(SPREAD) {
            let joined = self.values.join(self.heap.object(array).rest, *value);
            self.heap.set(Place::Rest(array), joined);
        }
        // One that is made again has as many elements as before, unless something was added to it.
        let is_same = !is_summary || before == Some(known.len());
        let is_known = rest.is_none() && known.len() <= SPREAD && is_same;
        self.set_length(array, is_known.then_some(known.len()));
        self.values.object(array)
    }

    pub fn object_expression(&mut self, expression: &'a ObjectExpression<'a>) -> Val {
        let object = self.allocate(expression.span.start, ObjectKind::Plain(Some(expression)));
        let value = self.values.object(object);
        for property in &expression.properties {
            match property {
                ObjectPropertyKind::ObjectProperty(property) => {
                    let key = self.key(&property.key);
                    if let (Some(name), Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_)) =
                        (&key.name, &property.value)
                    {
                        self.note_name(&property.value, &name.clone());
                    }
                    let own = self.evaluate(&property.value);
                    match (property.kind, &key.name) {
                        (PropertyKind::Init, _) => self.set_property(value, key, own),
                        (PropertyKind::Get, Some(_)) => self.set_accessor(object, Slot::Getter, &key, own),
                        (PropertyKind::Set, Some(_)) => self.set_accessor(object, Slot::Setter, &key, own),
                        (PropertyKind::Get | PropertyKind::Set, None) => {}
                    }
                }
                ObjectPropertyKind::SpreadProperty(spread) => {
                    let from = self.evaluate(&spread.argument);
                    let from = self.all_that_is_kept(from, span_of(&**spread)).unwrap_or(from);
                    self.copy_fields(object, from);
                }
            }
        }
        value
    }

    /// Copies the fields of a value into an object, as a spread does.
    pub fn copy_fields(&mut self, into: ObjectId, from: Val) {
        self.copy_fields_but(into, from, &[]);
    }

    /// Copies the fields of a value into an object, but for some that are known by name.
    pub fn copy_fields_but(&mut self, into: ObjectId, from: Val, but: &[String]) {
        let shape = self.values.shape(from.id).clone();
        let is_only = shape.atoms.len() == 1 && !shape.is_open;
        for atom in shape.atoms.iter() {
            match atom {
                Atom::Object(object) => {
                    let fields: Vec<_> = self.heap.object(*object).fields.iter().map(|(key, value)| (*key, *value)).collect();
                    let rest = self.heap.object(*object).rest;
                    for (nth, (key, value)) in fields.into_iter().enumerate() {
                        if COPIED < nth {
                            self.add_rest(into, value);
                            continue;
                        }
                        let name = self.values.texts.get(key).clone();
                        // Of an object that may have any field, one that is not there is one that was taken out of it.
                        let is_gone = rest.id != Val::NEVER.id && value.id == Val::UNDEFINED.id;
                        if is_gone || but.iter().any(|but| **but == *name) {
                            continue;
                        }
                        let (key, value) = match self.values.texts.slot_of(key) {
                            None | Some((Slot::Target | Slot::Trap | Slot::Keys, _)) => (key, value),
                            Some((Slot::Entry, of)) => (of, value),
                            Some((Slot::Getter, of)) if self.values.texts.is_listed(key) => {
                                let this = self.values.object(*object);
                                (of, self.property(this, &name, Span::default()))
                            }
                            Some(_) => continue,
                        };
                        let value = match self.heap.get(Place::Field(into, key)) {
                            Some(before) if !is_only => self.values.join(before, value),
                            _ => value,
                        };
                        self.set_address_part(into, &name, value);
                        self.store(Place::Field(into, key), value, None);
                    }
                    if rest.id != Val::NEVER.id {
                        self.add_rest(into, rest);
                        if self.blurred.contains(object) {
                            self.blur(into, Val::UNKNOWN);
                        }
                        if let Some(copied) = self.copied_into(*object) {
                            self.note_copied(into, copied);
                        }
                    }
                    if let Some(given) = self.given_to_state(*object) {
                        self.add_rest(into, given);
                    }
                }
                Atom::Native(_) => {
                    let taint = self.values.taint(from.id);
                    let all = self.values.opaque(taint, from.via);
                    self.add_rest(into, all);
                    self.blur(into, Val::UNKNOWN);
                }
                _ => {}
            }
        }
        if (shape.is_open || !shape.taint.is_none()) && !self.copy_columns(into, from, but) {
            let all = self.values.opaque(shape.taint, from.via);
            self.add_rest(into, all);
            if shape.is_open {
                self.blur(into, Val::UNKNOWN);
            }
            self.note_copied(into, all);
        }
    }

    fn note_copied(&mut self, into: ObjectId, all: Val) {
        let before = self.copied.get(&into).copied().unwrap_or(Val::NEVER);
        let copied = self.values.join(before, all);
        self.copied.insert(into, copied);
    }

    /// What is copied into an object of something whose fields are not known, where nothing else was put under names that are not: a
    /// field of the one is that field of the other.
    pub fn copied_into(&self, object: ObjectId) -> Option<Val> {
        let rest = self.heap.object(object).rest;
        self.copied.get(&object).copied().filter(|copied| copied.id == rest.id)
    }

    /// Adds to what the unknown fields of an object can be.
    pub fn add_rest(&mut self, object: ObjectId, value: Val) {
        let joined = self.values.join(self.heap.object(object).rest, value);
        self.heap.set(Place::Rest(object), joined);
    }

    /// The arguments of a call.
    pub fn arguments(&mut self, arguments: &'a [Argument<'a>]) -> Arguments {
        let mut passed = Arguments::default();
        for argument in arguments {
            match argument {
                Argument::SpreadElement(spread) => {
                    let value = self.evaluate(&spread.argument);
                    let elements = self.elements(value);
                    match (elements.known, passed.rest) {
                        (Some(more), None) => passed.known.extend(more.into_iter().take(SPREAD)),
                        (more, rest) => {
                            let mut joined = rest.unwrap_or(Val::NEVER);
                            for one in more.unwrap_or_else(|| vec![elements.any]) {
                                joined = self.values.join(joined, one);
                            }
                            passed.rest = Some(joined);
                        }
                    }
                }
                argument => {
                    let value = argument.as_expression().map_or(Val::UNKNOWN, |argument| self.evaluate(argument));
                    match passed.rest {
                        None => passed.known.push(value),
                        Some(rest) => passed.rest = Some(self.values.join(rest, value)),
                    }
                }
            }
        }
        passed
    }

    pub fn jsx(&mut self, element: &'a JSXElement<'a>) -> Val {
        for attribute in &element.opening_element.attributes {
            match attribute {
                JSXAttributeItem::Attribute(attribute) => {
                    if let Some(JSXAttributeValue::ExpressionContainer(container)) = &attribute.value {
                        self.jsx_expression(&container.expression);
                    }
                }
                JSXAttributeItem::SpreadAttribute(spread) => {
                    self.evaluate(&spread.argument);
                }
            }
        }
        self.jsx_children(&element.children);
        Val::UNKNOWN
    }

    pub fn jsx_children(&mut self, children: &'a [JSXChild<'a>]) {
        for child in children {
            match child {
                JSXChild::Element(element) => {
                    self.jsx(element);
                }
                JSXChild::Fragment(fragment) => self.jsx_children(&fragment.children),
                JSXChild::ExpressionContainer(container) => self.jsx_expression(&container.expression),
                JSXChild::Spread(spread) => {
                    self.evaluate(&spread.expression);
                }
                JSXChild::Text(_) => {}
            }
        }
    }

    fn jsx_expression(&mut self, expression: &'a JSXExpression<'a>) {
        if let Some(expression) = expression.as_expression() {
            let value = self.evaluate(expression);
            if self.is_function(value) {
                self.call_back(&Arguments::of(vec![value]), &Arguments { known: Vec::new(), rest: Some(Val::UNKNOWN) }, Span::default());
            }
        }
    }
}
