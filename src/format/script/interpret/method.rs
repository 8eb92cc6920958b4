//! Methods of what JavaScript itself offers: arrays, maps, sets, texts, promises, functions.

use crate::format::script::interpret::function::Invocation;
use std::rc::Rc;

use crate::format::script::constant::Constant;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::derived;
use crate::format::script::interpret::heap::{ObjectKind, Place};
use crate::format::script::interpret::property::{Elements, NOTHING};
use crate::format::script::interpret::taint::{Change, Taint};
use crate::format::script::interpret::value::{Atom, ObjectId, Val};
use crate::format::script::interpret::{Interpreter, Loop};
use crate::subject::call::Repeat;
use crate::value::span::Span;

/// How many elements a callback is called for one by one.
const EACH: usize = 256;
/// How often a callback is called for elements that are not known, until nothing changes.
const ROUNDS: u32 = 4;

/// Methods that call back once per element.
const ITERATING: &[&str] = &[
    "forEach",
    "map",
    "filter",
    "flatMap",
    "some",
    "every",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "sort",
    "toSorted",
    "each",
    "eachSeries",
    "mapSeries",
    "reduce",
    "reduceRight",
    "times",
];

impl<'a> Interpreter<'a> {
    /// A method of an object that does not have its own of that name.
    pub fn object_method(&mut self, object: ObjectId, name: &str, invocation: Invocation<'_>) -> Val {
        let Invocation { this, arguments, span } = invocation;
        if self.is_tool_function(name) {
            return self.call_tool(arguments, span);
        }
        match self.heap.object(object).kind.clone() {
            ObjectKind::Array => self.array_method(object, name, invocation),
            ObjectKind::Collection => self.collection_method(object, name, invocation),
            ObjectKind::Function { .. } | ObjectKind::Bound { .. } | ObjectKind::Class { .. } => match name {
                "call" | "apply" | "bind" => self.function_method(this, name, arguments, span),
                _ => {
                    if let ObjectKind::Class { parent, .. } = self.heap.object(object).kind
                        && parent.id != Val::NEVER.id
                    {
                        let key = super::expression::Key { name: Some(name.to_owned()), carried: NOTHING };
                        return self.call_member(parent, &key, arguments, span);
                    }
                    self.common_method(this, name, arguments, span)
                }
            },
            ObjectKind::Instance { path, made_with } => {
                let path = Rc::clone(self.values.texts.get(path));
                if is_iteration(name)
                    && self.is_callable(arguments.get(0))
                    && let Some(elements) = self.acting_elements(object, &made_with)
                {
                    self.for_elements(arguments.get(0), &Elements { any: this, ..elements }, span);
                    return this;
                }
                if is_promise_method(name) || is_iteration(name) && self.is_callable(arguments.get(0)) {
                    let (taint, via) = self.carried(this);
                    let this = if is_promise_method(name) { this } else { self.values.opaque(taint, via) };
                    return self.opaque_method(this, name, arguments, span);
                }
                let method = format!("{path}.{name}");
                self.call_native_of(&method, &made_with, invocation)
            }
            ObjectKind::Encoded(inner) => {
                let (taint, via) = self.carried(inner);
                let text = self.values.opaque(taint, via);
                self.opaque_method(text, name, arguments, span)
            }
            ObjectKind::Plain(_) | ObjectKind::Environment { .. } | ObjectKind::Promise(_) => {
                if matches!(name, "toString" | "toJSON")
                    && let Some(href) = self.own_or_inherited(object, "href")
                {
                    let (taint, via) = self.carried(this);
                    return self.values.with_taint(href, taint).through(via);
                }
                let rest = self.heap.object(object).rest;
                if rest.id != Val::NEVER.id && !is_promise_method(name) && !matches!(name, "toString" | "hasOwnProperty" | "valueOf") {
                    return self.call_value(rest, this, arguments, span);
                }
                self.common_method(this, name, arguments, span)
            }
        }
    }

    /// Methods that every value may have: promises are taken for what they resolve to.
    pub fn common_method(&mut self, this: Val, name: &str, arguments: &Arguments, span: Span) -> Val {
        if is_promise_method(name) {
            return self.promise_method(this, name, arguments, span);
        }
        match name {
            "hasOwnProperty" | "isPrototypeOf" | "propertyIsEnumerable" => Val::UNKNOWN,
            "valueOf" => this,
            "on" | "once" | "addListener" | "addEventListener" | "subscribe" => self.listen(this, arguments, span),
            "emit" | "dispatchEvent" | "next" => self.emit(this, arguments, span),
            _ => {
                // A class of the runtime's that the script extends, or a method that is not there.
                let (mut taint, mut via) = self.carried(this);
                for argument in arguments.iter() {
                    let one = self.carried(argument);
                    (taint, via) = self.both((taint, via), one);
                }
                let passed = self.values.opaque(taint, via);
                self.call_back(arguments, &Arguments { known: Vec::new(), rest: Some(passed) }, span);
                passed
            }
        }
    }

    /// Returns true if and only if a value can be called.
    pub fn is_callable(&self, value: Val) -> bool {
        self.is_function(value) || self.values.shape(value.id).atoms.iter().any(|atom| matches!(atom, Atom::Native(_)))
    }

    /// An element that was chosen by an answer: whether it is there depends on the data of the answer.
    fn chosen(&mut self, element: Val, answer: Val) -> Val {
        let taint = self.carried(answer).0;
        let taint = self.values.changed(taint, Change::Bit);
        self.values.with_taint(element, taint)
    }

    /// Calls a callback for each element; returns what it returned for each, and for any.
    fn for_elements(&mut self, callback: Val, elements: &Elements, span: Span) -> (Option<Vec<Val>>, Val) {
        let over = self.carried(elements.any).0;
        if let Some(known) = &elements.known
            && known.len() <= EACH
            && self.inline_fuel < self.fuel
        {
            let count = u32::try_from(known.len()).unwrap_or(u32::MAX);
            self.loops.push(Loop { repeat: Repeat::Counted(count), is_statement: false, over });
            let mut results = Vec::with_capacity(known.len());
            let mut any = Val::NEVER;
            for (at, element) in known.iter().enumerate() {
                let at = self.values.number(at as f64);
                let result = self.call_value(callback, Val::UNDEFINED, &Arguments::of(vec![*element, at, Val::UNKNOWN]), span);
                any = self.joined_with_way(any, result);
                results.push(result);
            }
            self.loops.pop();
            return (Some(results), any);
        }
        let repeat = elements.count.or(self.cut.take()).map_or(Repeat::Each, Repeat::Counted);
        self.loops.push(Loop { repeat, is_statement: false, over });
        let mut any = Val::NEVER;
        for round in 0..ROUNDS {
            let mark = self.heap.branch();
            let passed = Arguments::of(vec![elements.any, Val::UNKNOWN, Val::UNKNOWN]);
            let result = self.call_value(callback, Val::UNDEFINED, &passed, span);
            any = self.joined_with_way(any, result);
            let writes = self.heap.undo(mark);
            if !self.heap.join(&writes, &mut self.values, 1 < round) {
                break;
            }
        }
        self.loops.pop();
        (None, any)
    }

    fn array_method(&mut self, array: ObjectId, name: &str, invocation: Invocation<'_>) -> Val {
        let Invocation { this, arguments, span } = invocation;
        let elements = match name {
            "push" | "unshift" | "splice" | "fill" | "then" | "catch" | "finally" => {
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
                } else {
                    for value in arguments.skip(skipped).iter() {
                        self.push_unknown(array, value);
                    }
                }
                if name == "fill" { this } else { self.array(derived(span, 1), &[], Some(before.any)) }
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
                    }
                    return taken;
                }
                elements.any
            }
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
            "slice" | "concat" | "flat" | "with" | "toSpliced" | "copyWithin" => self.array_made(name, arguments, &elements, span),
            "join" | "toString" | "toLocaleString" => self.join_elements(arguments, &elements),
            "at" => match (self.values.known(callback.id), &elements.known) {
                (Some(at), Some(known)) => {
                    let at = at.to_number();
                    let at = if at < 0.0 { at + known.len() as f64 } else { at };
                    known.get(at as usize).copied().unwrap_or(Val::UNDEFINED)
                }
                _ => elements.any,
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
                        self.array(derived(span, 2), &[], Some(pair))
                    }
                }
            }
            "keys" => match elements.count {
                Some(count) if (count as usize) <= EACH => {
                    let numbers: Vec<Val> = (0..count).map(|at| self.values.number(f64::from(at))).collect();
                    self.array(derived(span, 1), &numbers, None)
                }
                _ => self.array(derived(span, 1), &[], Some(Val::UNKNOWN)),
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
                let known = self.index_of(name, &elements, callback);
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

    fn index_of(&mut self, name: &str, elements: &Elements, sought: Val) -> Val {
        let Some(known) = &elements.known else { return Val::UNKNOWN };
        let Some(sought) = self.values.known(sought.id) else { return Val::UNKNOWN };
        let constants: Option<Vec<Constant>> = known.iter().map(|value| self.values.known(value.id)).collect();
        let Some(constants) = constants else { return Val::UNKNOWN };
        let found = constants.iter().position(|constant| *constant == sought);
        match name {
            "includes" => self.values.boolean(found.is_some()),
            _ => self.values.number(found.map_or(-1.0, |at| at as f64)),
        }
    }

    /// Passes a value to a generator: it is followed again with it.
    fn send(&mut self, generator: ObjectId, value: Val, span: Span) {
        let Some((function, this, arguments)) = self.generators.get(&generator).cloned() else { return };
        let key = self.values.texts.intern("sent");
        let before = self.heap.get(Place::Field(generator, key)).unwrap_or(Val::UNKNOWN);
        let sent = self.joined_with_way(before, value);
        self.heap.set(Place::Field(generator, key), sent);
        self.set_length(generator, None);
        let context = self.heap.context_of(generator);
        self.maybe(|interpreter| interpreter.follow(function, Invocation { this, arguments: &arguments, span }, context));
    }

    /// What the `next` of an iterator returns.
    fn next(&mut self, elements: &Elements, span: Span) -> Val {
        let object = self.allocate(derived(span, 3), ObjectKind::Plain(None));
        let key = self.values.texts.intern("value");
        self.heap.set(Place::Field(object, key), elements.any);
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
            order.sort_by_key(|at| constants.get(*at).map(Constant::to_text));
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
                    let position = |at: usize, missing: usize| match bounds.get(at) {
                        None | Some(Constant::Undefined) => missing,
                        Some(bound) => {
                            let bound = bound.to_number();
                            let bound = if bound < 0.0 { bound + known.len() as f64 } else { bound };
                            (bound.max(0.0) as usize).min(known.len())
                        }
                    };
                    let (start, end) = (position(0, 0), position(1, known.len()));
                    let part = known.get(start..end.max(start)).unwrap_or_default().to_vec();
                    return self.array(derived(span, 1), &part, None);
                }
                self.array(derived(span, 1), &[], Some(elements.any))
            }
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

    fn join_elements(&mut self, arguments: &Arguments, elements: &Elements) -> Val {
        let separator = match arguments.known.first() {
            Some(separator) => *separator,
            None => self.values.string(","),
        };
        let Some(known) = &elements.known else {
            let one = self.carried(elements.any);
            let other = self.carried(separator);
            let (taint, via) = self.both(one, other);
            return self.values.opaque(taint, via);
        };
        let mut parts = Vec::with_capacity(known.len() * 2);
        for (at, element) in known.iter().enumerate() {
            if 0 < at {
                parts.push(separator);
            }
            // `null` and `undefined` are joined as nothing.
            if self.is_given(*element) != Some(false) {
                parts.push(*element);
            }
        }
        self.concatenate(&parts)
    }

    /// The methods that call back for each element.
    pub fn iterate(&mut self, name: &str, callback: Val, elements: &Elements, span: Span) -> Val {
        if !self.is_callable(callback) {
            if name == "filter" || name == "find" {
                return elements.any;
            }
            return Val::UNKNOWN;
        }
        let (results, any) = self.for_elements(callback, elements, span);
        match name {
            "map" | "mapSeries" => match results {
                Some(results) => self.array(derived(span, 1), &results, None),
                None => self.array(derived(span, 1), &[], Some(any)),
            },
            "flatMap" => {
                let inner = self.elements(any);
                let any = self.joined_with_way(any, inner.any);
                self.array(derived(span, 1), &[], Some(any))
            }
            "filter" => {
                if let (Some(results), Some(known)) = (&results, &elements.known) {
                    let kept: Option<Vec<bool>> = results.iter().map(|result| self.values.truth(result.id)).collect();
                    if let Some(kept) = kept {
                        let left: Vec<Val> = known.iter().zip(kept).filter(|(_, kept)| *kept).map(|(value, _)| *value).collect();
                        return self.array(derived(span, 1), &left, None);
                    }
                }
                let chosen = self.chosen(elements.any, any);
                self.array(derived(span, 1), &[], Some(chosen))
            }
            "find" | "findLast" => {
                if let (Some(results), Some(known)) = (&results, &elements.known) {
                    let truths: Option<Vec<bool>> = results.iter().map(|result| self.values.truth(result.id)).collect();
                    if let Some(truths) = truths {
                        let found = truths.iter().position(|truth| *truth);
                        return found.and_then(|at| known.get(at).copied()).unwrap_or(Val::UNDEFINED);
                    }
                }
                elements.any
            }
            "some" | "every" | "findIndex" | "findLastIndex" => {
                let (taint, via) = self.carried(any);
                let taint = self.values.changed(taint, Change::Bit);
                self.values.opaque(taint, via)
            }
            _ => Val::UNDEFINED,
        }
    }

    pub fn reduce(&mut self, name: &str, arguments: &Arguments, elements: &Elements, span: Span) -> Val {
        let callback = arguments.get(0);
        if !self.is_callable(callback) {
            return elements.any;
        }
        if let Some(known) = &elements.known
            && known.len() <= EACH
            && self.inline_fuel < self.fuel
        {
            let mut known = known.clone();
            if name == "reduceRight" {
                known.reverse();
            }
            let mut known = known.into_iter();
            let mut sum = match arguments.known.get(1) {
                Some(initial) => *initial,
                None => known.next().unwrap_or(Val::UNDEFINED),
            };
            let count = u32::try_from(known.len()).unwrap_or(u32::MAX);
            self.loops.push(Loop { repeat: Repeat::Counted(count), is_statement: false, over: Taint::NONE });
            for (at, element) in known.enumerate() {
                let at = self.values.number(at as f64);
                sum = self.call_value(callback, Val::UNDEFINED, &Arguments::of(vec![sum, element, at]), span);
            }
            self.loops.pop();
            return sum;
        }
        let over = self.carried(elements.any).0;
        self.loops.push(Loop { repeat: Repeat::Each, is_statement: false, over });
        let mut sum = arguments.known.get(1).copied().unwrap_or(elements.any);
        for round in 0..ROUNDS {
            let mark = self.heap.branch();
            let passed = Arguments::of(vec![sum, elements.any, Val::UNKNOWN]);
            let next = self.call_value(callback, Val::UNDEFINED, &passed, span);
            let writes = self.heap.undo(mark);
            let changed = self.heap.join(&writes, &mut self.values, 1 < round);
            let joined = self.joined_with_way(sum, next);
            if joined.id == sum.id && !changed {
                break;
            }
            sum = joined;
        }
        self.loops.pop();
        sum
    }
}

/// Returns true if and only if a method calls back once per element.
pub fn is_iteration(name: &str) -> bool {
    ITERATING.contains(&name)
}

/// Returns true if and only if a method is one of promises.
pub fn is_promise_method(name: &str) -> bool {
    matches!(name, "then" | "catch" | "finally")
}
