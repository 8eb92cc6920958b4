//! Methods of arrays.

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::function::Invocation;
use crate::format::script::interpret::heap::derived;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::method::iteration::EACH;
use crate::format::script::interpret::property::elements::Elements;
use crate::format::script::interpret::taint::Change;
use crate::format::script::interpret::text::{Slot, Text};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::format::script::js;
use crate::format::script::js::constant::Constant;
use crate::value::span::Span;

/// How long a line is of which it is worth to know how it reads, in bytes.
const LINE: usize = 16;

impl<'a> Interpreter<'a> {
    pub fn array_method(&mut self, array: ObjectId, name: &str, invocation: Invocation<'_>) -> Val {
        let Invocation { this, arguments, span } = invocation;
        let elements = match name {
            "push" | "unshift" | "splice" | "fill" | "copyWithin" | "then" | "catch" | "finally" => {
                Elements { known: None, any: Val::UNKNOWN, count: None }
            }
            _ => self.elements(this),
        };
        let callback = arguments.get(0);
        match name {
            "push" => {
                arguments.known.iter().for_each(|value| self.push(array, *value));
                if let Some(rest) = arguments.rest {
                    self.push_unknown(array, rest);
                }
                self.length(array).map_or(Val::UNKNOWN, |length| self.values.number(length as f64))
            }
            "unshift" | "splice" | "fill" => {
                let before = self.elements(this);
                let skipped = if name == "splice" { 2 } else { 0 };
                if name == "unshift"
                    && let Some(known) = before.known.clone()
                    && arguments.rest.is_none()
                {
                    let all: Vec<Val> = arguments.known.iter().copied().chain(known).collect();
                    self.refill(array, &all);
                } else if name == "fill"
                    && let (Some(known), [value], None) = (before.known.as_ref(), arguments.known.as_slice(), arguments.rest)
                {
                    self.refill(array, &vec![*value; known.len()]);
                    return this;
                } else {
                    for value in arguments.skip(skipped).iter() {
                        // A list that is filled is as long as before.
                        if name == "fill" { self.add_rest(array, value) } else { self.push_unknown(array, value) }
                    }
                    if name == "splice" {
                        self.set_length(array, None);
                    }
                }
                if name == "fill" {
                    self.blur(array, callback);
                }
                if name == "fill" { this } else { self.array(derived(span, 1), &[], Some(before.any)) }
            }
            "copyWithin" => {
                let moved = self.elements(this).any;
                self.blur(array, moved);
                this
            }
            "pop" | "shift" => {
                if let Some(known) = elements.known.clone()
                    && !known.is_empty()
                    && !self.heap.object(array).is_summary
                {
                    let (taken, left) = if name == "pop" {
                        (known[known.len() - 1], known[..known.len() - 1].to_vec())
                    } else {
                        (known[0], known[1..].to_vec())
                    };
                    if known.len() <= EACH {
                        self.refill(array, &left);
                    } else {
                        self.set_length(array, None);
                    }
                    return taken;
                }
                self.set_length(array, None);
                self.values.join(elements.any, Val::UNDEFINED)
            }
            "filter" if let Some(picked) = self.picked(array, callback, span) => picked,
            "map" | "forEach" | "filter" | "flatMap" | "find" | "findLast" | "some" | "every" | "findIndex" | "findLastIndex"
            | "mapSeries" | "each" | "eachSeries" => self.iterate(name, callback, &elements, span),
            "reduce" | "reduceRight" => self.reduce(name, arguments, &elements, span),
            "sort" | "toSorted" => {
                if self.is_callable(callback) {
                    let passed = Arguments::of(vec![elements.any, elements.any]);
                    self.maybe(|interpreter| interpreter.call_value(callback, Val::UNDEFINED, &passed, span));
                }
                self.unordered((name == "sort").then_some(array), self.is_callable(callback), &elements, span)
            }
            "reverse" | "toReversed" => match elements.known {
                Some(mut known) => {
                    known.reverse();
                    if name == "reverse" {
                        self.refill(array, &known);
                        return this;
                    }
                    self.array(derived(span, 1), &known, None)
                }
                None => this,
            },
            "slice" | "concat" | "flat" | "with" | "toSpliced" => self.array_made(name, arguments, &elements, span),
            "join" | "toString" | "toLocaleString" => self.join_elements(arguments, &elements),
            "at" => match (self.values.known(callback.id), &elements.known) {
                (Some(at), Some(known)) => {
                    let at = js::position::element(Some(&at), known.len());
                    at.and_then(|at| known.get(at)).copied().unwrap_or(Val::UNDEFINED)
                }
                _ => self.values.join(elements.any, Val::UNDEFINED),
            },
            "entries" => {
                let known = elements.known.clone().filter(|known| known.len() <= EACH);
                match known {
                    Some(known) => {
                        let pairs: Vec<Val> = known.into_iter().enumerate().map(|(at, value)| self.numbered(at, value, span)).collect();
                        self.array(derived(span, 2), &pairs, None)
                    }
                    None => {
                        let pair = self.array(derived(span, 1), &[Val::UNKNOWN, elements.any], None);
                        let pairs = self.array(derived(span, 2), &[], Some(pair));
                        self.count_list(pairs, elements.count);
                        pairs
                    }
                }
            }
            "keys" => match elements.count {
                Some(count) if (count as usize) <= EACH => {
                    let numbers: Vec<Val> = (0..count).map(|at| self.values.number(f64::from(at))).collect();
                    self.array(derived(span, 1), &numbers, None)
                }
                count => {
                    let numbers = self.array(derived(span, 1), &[], Some(Val::UNKNOWN));
                    self.count_list(numbers, count);
                    numbers
                }
            },
            "values" | "next" | "return" | "@@iterator" => {
                if name == "next" {
                    if !arguments.known.is_empty() {
                        self.send(array, arguments.get(0), span);
                        let elements = self.elements(this);
                        return self.next(&elements, span);
                    }
                    return self.next(&elements, span);
                }
                this
            }
            "includes" | "indexOf" | "lastIndexOf" => {
                let one = self.carried(this);
                let other = self.carried(callback);
                let (taint, via) = self.both(one, other);
                let known = self.found(name, &elements, arguments);
                let taint = if name == "includes" || other.0.is_none() { self.values.changed(taint, Change::Bit) } else { taint };
                self.values.with_taint(known, taint).through(via)
            }
            _ => self.common_method(this, name, arguments, span),
        }
    }

    fn numbered(&mut self, at: usize, value: Val, span: Span) -> Val {
        let number = self.values.number(at as f64);
        let context = self.new_context();
        let pair = self.heap.allocate(span.start, context, 11, ObjectKind::Array);
        let (zero, one) = (self.index_key(0), self.index_key(1));
        self.heap.set(Place::Field(pair, zero), number);
        self.heap.set(Place::Field(pair, one), value);
        self.set_length(pair, Some(2));
        self.values.object(pair)
    }

    /// Where an element is, or whether, if that is known of all of them.
    fn found(&mut self, name: &str, elements: &Elements, arguments: &Arguments) -> Val {
        let all = |values: &[Val], interpreter: &Self| values.iter().map(|value| interpreter.values.known(value.id)).collect();
        let known: Option<Vec<Constant>> = elements.known.as_ref().and_then(|known| all(known, self));
        if known.as_ref().is_some_and(Vec::is_empty) {
            // Nothing is in an empty list, whatever is sought.
            return if name == "includes" { self.values.boolean(false) } else { self.values.number(-1.0) };
        }
        let passed: Option<Vec<Constant>> = if arguments.rest.is_none() { all(&arguments.known, self) } else { None };
        let found = known.zip(passed).and_then(|(known, passed)| js::array::found(&known, name, &passed));
        found.and_then(|found| self.values.constant(&found)).unwrap_or(Val::UNKNOWN)
    }

    /// Passes a value to a generator: it is followed again with it.
    fn send(&mut self, generator: ObjectId, value: Val, span: Span) {
        let Some((function, this, arguments)) = self.generators.get(&generator).cloned() else { return };
        let key = self.values.texts.slot(Slot::Sent, Text::EMPTY);
        let before = self.heap.get(Place::Field(generator, key)).unwrap_or(Val::UNKNOWN);
        let sent = self.joined_with_way(before, value);
        self.heap.set(Place::Field(generator, key), sent);
        self.set_length(generator, None);
        let context = self.heap.context_of(generator);
        self.maybe(|interpreter| interpreter.follow(function, Invocation { this, arguments: &arguments, span }, context));
    }

    /// What the `next` of an iterator returns.
    pub fn next(&mut self, elements: &Elements, span: Span) -> Val {
        let object = self.allocate(derived(span, 3), ObjectKind::Plain(None));
        let key = self.values.texts.intern("value");
        // Behind the last one there is none.
        let is_open = self.values.shape(elements.any.id).is_open;
        let value = if is_open { elements.any } else { self.values.join(elements.any, Val::UNDEFINED) };
        self.heap.set(Place::Field(object, key), value);
        let key = self.values.texts.intern("done");
        self.heap.set(Place::Field(object, key), Val::UNKNOWN);
        self.values.object(object)
    }

    fn refill(&mut self, array: ObjectId, elements: &[Val]) {
        for (at, value) in elements.iter().enumerate() {
            let key = self.index_key(at);
            self.heap.set(Place::Field(array, key), *value);
        }
        self.set_length(array, Some(elements.len()));
    }

    fn unordered(&mut self, in_place: Option<ObjectId>, is_compared: bool, elements: &Elements, span: Span) -> Val {
        let all: Option<Vec<Constant>> =
            elements.known.as_ref().and_then(|known| known.iter().map(|value| self.values.known(value.id)).collect());
        if let Some(known) = &elements.known
            && let Some(constants) = all
            && !is_compared
        {
            let mut order: Vec<usize> = (0..known.len()).collect();
            // By UTF-16 units, what is undefined at the end.
            order.sort_by_cached_key(|at| {
                constants
                    .get(*at)
                    .map(|constant| (*constant == Constant::Undefined, constant.to_text().encode_utf16().collect::<Vec<u16>>()))
            });
            let sorted: Vec<Val> = order.into_iter().filter_map(|at| known.get(at).copied()).collect();
            if let Some(array) = in_place {
                self.refill(array, &sorted);
                return self.values.object(array);
            }
            return self.array(derived(span, 1), &sorted, None);
        }
        // Any element can stand anywhere.
        if let Some(array) = in_place {
            for at in 0..elements.known.as_ref().map_or(0, Vec::len).min(EACH) {
                let key = self.index_key(at);
                self.heap.set(Place::Field(array, key), elements.any);
            }
            return self.values.object(array);
        }
        let known = elements.known.as_ref().map(|known| vec![elements.any; known.len()]);
        match known {
            Some(known) => self.array(derived(span, 1), &known, None),
            None => self.array(derived(span, 1), &[], Some(elements.any)),
        }
    }

    fn array_made(&mut self, name: &str, arguments: &Arguments, elements: &Elements, span: Span) -> Val {
        match (name, &elements.known) {
            ("slice", Some(known)) => {
                let bounds: Option<Vec<Constant>> = arguments.known.iter().map(|value| self.values.known(value.id)).collect();
                if let Some(bounds) = bounds {
                    let (start, end) = js::array::bounds(bounds.first(), bounds.get(1), known.len());
                    let part = known.get(start..end).unwrap_or_default().to_vec();
                    return self.array(derived(span, 1), &part, None);
                }
                self.array(derived(span, 1), &[], Some(elements.any))
            }
            // From where to where is no element of it.
            ("slice", None) => self.array(derived(span, 1), &[], Some(elements.any)),
            ("concat" | "flat", known) => {
                let mut all = known.clone().unwrap_or_default();
                let mut rest = if known.is_none() { Some(elements.any) } else { None };
                let lists: Vec<Val> = if name == "flat" { std::mem::take(&mut all) } else { arguments.iter().collect() };
                for list in lists {
                    let is_list =
                        self.values.atoms(list.id).iter().any(
                            |atom| matches!(atom, Atom::Object(object) if matches!(self.heap.object(*object).kind, ObjectKind::Array)),
                        ) || self.values.shape(list.id).is_open;
                    if !is_list {
                        all.push(list);
                        continue;
                    }
                    let inner = self.elements(list);
                    match (inner.known, rest) {
                        (Some(more), None) => all.extend(more),
                        (_, before) => rest = Some(self.joined_with_way(before.unwrap_or(Val::NEVER), inner.any)),
                    }
                }
                if name == "flat" && known.is_none() {
                    let inner = self.elements(elements.any);
                    rest = Some(self.joined_with_way(elements.any, inner.any));
                }
                self.array(derived(span, 1), &all, rest)
            }
            _ => {
                let mut any = elements.any;
                for argument in arguments.iter() {
                    any = self.joined_with_way(any, argument);
                }
                self.array(derived(span, 1), &[], Some(any))
            }
        }
    }

    /// An array as it reads in a text, if all of it is known.
    fn listed_text(&mut self, value: Val) -> Val {
        if !self.is_array(value) {
            return value;
        }
        let Some(constant) = self.constant_value(value) else { return value };
        let (taint, via) = self.carried(value);
        let text = self.values.string(&constant.to_text());
        self.values.with_taint(text, taint).through(via)
    }

    fn join_elements(&mut self, arguments: &Arguments, elements: &Elements) -> Val {
        let separator = match arguments.known.first() {
            Some(separator) if separator.id != Val::UNDEFINED.id => *separator,
            Some(_) | None => self.values.string(","),
        };
        let Some(known) = &elements.known else {
            let one = self.carried(elements.any);
            let other = self.carried(separator);
            let (taint, via) = self.both(one, other);
            // Of a list of lines it is known how each reads, if not how many there are.
            let lines = self.values.atoms(elements.any.id);
            let length = |atom: &Atom| match atom {
                Atom::Text(text) | Atom::Partial(text) => Some(self.values.texts.get(*text).len()),
                _ => None,
            };
            if lines.iter().all(|line| length(line).is_some()) && lines.iter().filter_map(length).any(|length| LINE <= length) {
                let mut parts = Vec::new();
                for line in lines.iter() {
                    let line = self.values.atom(*line);
                    parts.extend([line, separator]);
                }
                parts.push(Val::UNKNOWN);
                let lines = self.concatenate(&parts);
                return self.values.with_taint(lines, taint).through(via);
            }
            return self.values.opaque(taint, via);
        };
        let mut parts = Vec::with_capacity(known.len() * 2);
        for (at, element) in known.iter().enumerate() {
            if 0 < at {
                parts.push(separator);
            }
            // `null` and `undefined` are joined as nothing.
            if self.is_given(*element) != Some(false) {
                parts.push(self.listed_text(*element));
            }
        }
        self.concatenate(&parts)
    }
}
