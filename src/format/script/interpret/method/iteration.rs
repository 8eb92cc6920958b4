//! Methods that call back for each element.

use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, derived};
use crate::format::script::interpret::property::elements::Elements;
use crate::format::script::interpret::taint::{Change, Label, Taint};
use crate::format::script::interpret::value::{Atom, Val};
use crate::format::script::interpret::{Interpreter, Loop};
use crate::knowledge::words::Tag;
use crate::subject::call::Repeat;
use crate::subject::flow::Strength;
use crate::value::span::Span;

/// How many elements a callback is called for one by one.
pub const EACH: usize = 256;

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
    /// An element that was chosen by the answer of a callback: whether it is there depends on the data of the answer.
    pub fn chosen(&mut self, element: Val, answer: Val, callback: Val) -> Val {
        if self.keeps_all(callback) {
            return element;
        }
        let taint = self.carried(answer).0;
        let taint = self.told_by_answer(self.answer_of(callback), taint);
        let mut taint = self.values.changed(taint, Change::Bit);
        if self.excludes(callback) {
            // What is only not left out is hardly chosen.
            let own = self.carried(element).0;
            let own: Vec<u32> = self.values.taints.labels(own).iter().map(|label| label.origin).collect();
            let weaker = |label: &Label| if own.contains(&label.origin) { Label { strength: Strength::Control, ..*label } } else { *label };
            let labels = self.values.taints.labels(taint).iter().map(weaker).collect();
            taint = self.values.taints.set(labels);
        }
        self.values.with_taint(element, taint)
    }

    /// Calls a callback for each element; returns what it returned for each, and for any.
    pub fn for_elements(&mut self, callback: Val, elements: &Elements, span: Span) -> (Option<Vec<Val>>, Val) {
        // Elements that are written out one by one are no listing, whatever each of them is.
        let over = if elements.known.is_some() { Taint::NONE } else { self.carried(elements.any).0 };
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
        let repeat = elements.count.or_else(|| self.cuts.get(&span).copied()).map_or(Repeat::Each, Repeat::Counted);
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
                None => {
                    let made = self.array(derived(span, 1), &[], Some(any));
                    self.count_list(made, elements.count);
                    made
                }
            },
            "flatMap" => {
                if let Some(flat) = results.and_then(|results| self.flattened(&results)) {
                    return self.array(derived(span, 1), &flat, None);
                }
                let inner = self.elements(any);
                let any = self.joined_with_way(any, inner.any);
                self.array(derived(span, 1), &[], Some(any))
            }
            "filter" => {
                if let (Some(results), Some(known)) = (&results, &elements.known) {
                    let kept: Option<Vec<bool>> = results.iter().map(|result| self.truth(*result)).collect();
                    if let Some(kept) = kept {
                        let left: Vec<Val> = known.iter().zip(kept).filter(|(_, kept)| *kept).map(|(value, _)| *value).collect();
                        return self.array(derived(span, 1), &left, None);
                    }
                }
                let chosen = self.chosen(elements.any, any, callback);
                let left = self.array(derived(span, 1), &[], Some(chosen));
                self.count_list(left, elements.count);
                left
            }
            "find" | "findLast" => {
                if let (Some(results), Some(known)) = (&results, &elements.known) {
                    let truths: Option<Vec<bool>> = results.iter().map(|result| self.truth(*result)).collect();
                    if let Some(truths) = truths {
                        let found = truths.iter().position(|truth| *truth);
                        return found.and_then(|at| known.get(at).copied()).unwrap_or(Val::UNDEFINED);
                    }
                }
                if let Some(line) = self.line_of_variable(elements.any, callback) {
                    return self.values.join(line, Val::UNDEFINED);
                }
                let chosen = self.chosen(elements.any, any, callback);
                self.values.join(chosen, Val::UNDEFINED)
            }
            "some" | "every" | "findIndex" | "findLastIndex" => {
                let (taint, via) = self.carried(any);
                let taint = self.values.changed(taint, Change::Bit);
                self.values.opaque(taint, via)
            }
            _ => Val::UNDEFINED,
        }
    }

    /// The elements of known lists one after the other, and what is no list between them; nothing where one of them is not known.
    fn flattened(&mut self, results: &[Val]) -> Option<Vec<Val>> {
        let mut flat = Vec::new();
        for result in results {
            let is_list = match &*self.values.atoms(result.id) {
                [Atom::Object(object)] => matches!(self.heap.object(*object).kind, ObjectKind::Array),
                [Atom::Text(_) | Atom::Number(_)] => false,
                _ => return None,
            };
            if self.values.shape(result.id).is_open {
                return None;
            }
            if is_list { flat.extend(self.elements(*result).known?) } else { flat.push(*result) }
        }
        (flat.len() <= EACH).then_some(flat)
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
                sum = self.call_value(callback, Val::UNDEFINED, &Arguments::of(vec![sum, element, at, Val::UNKNOWN]), span);
            }
            self.loops.pop();
            return sum;
        }
        let over = self.carried(elements.any).0;
        self.loops.push(Loop { repeat: Repeat::Each, is_statement: false, over });
        let mut sum = arguments.known.get(1).copied().unwrap_or(elements.any);
        for round in 0..ROUNDS {
            let mark = self.heap.branch();
            let passed = Arguments::of(vec![sum, elements.any, Val::UNKNOWN, Val::UNKNOWN]);
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
    ITERATING.contains(&name) || Tag::IteratingMethod.has(name)
}
