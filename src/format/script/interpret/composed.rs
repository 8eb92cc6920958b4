//! Functions that are put together from others: `pipe`, `flow`, `compose`, `curry`, `partial`, and functions of packages that take
//! the data last (`R.map(f)` is a function of a list).

use crate::format::script::interpret::Interpreter;
use crate::format::script::interpret::call::puts_together;
use crate::format::script::interpret::function::Arguments;
use crate::format::script::interpret::heap::{ObjectKind, derived};
use crate::format::script::interpret::value::{Atom, Val};
use crate::knowledge::command::list;
use crate::value::span::Span;

/// What calls one function after the other.
const COMPOSED: &str = "(composed)";
/// What calls a function once it has all of its arguments.
const CURRIED: &str = "(curried)";
/// With what the path of a function begins that takes the data last, before its name.
const LAST: &str = "(data last) ";
/// How many functions of one chain are followed.
const CHAIN: usize = 32;

impl Interpreter<'_> {
    /// What a function of a package that puts functions together makes or returns, or one that such a function made.
    pub fn composed(&mut self, path: &str, this: Val, arguments: &Arguments, span: Span) -> Option<Val> {
        if arguments.rest.is_some() {
            return None;
        }
        match path {
            COMPOSED => {
                let functions = self.elements(this).known?;
                let (first, rest) = functions.split_first()?;
                let begun = self.call_value(*first, Val::UNDEFINED, arguments, span);
                return Some(self.through(begun, rest, span));
            }
            CURRIED => return self.call_curried(this, arguments, span),
            _ => {}
        }
        if let Some(function) = path.strip_prefix(LAST) {
            return Some(self.apply_last(function, this, arguments.get(0), span));
        }
        let (package, function) = path.rsplit_once(['.', '/'])?;
        if !puts_together(package) {
            return None;
        }
        let is_of_values = list("value-packages").contains(&package);
        let first = *arguments.known.first()?;
        let all_functions = |interpreter: &Self| arguments.known.iter().all(|value| interpreter.is_function(*value));
        match function {
            "pipe" | "flow" | "chain" if 1 < arguments.known.len() && all_functions(self) => {
                Some(self.composition(arguments.known.clone(), span))
            }
            "compose" | "flowRight" if all_functions(self) => Some(self.composition(arguments.known.iter().rev().copied().collect(), span)),
            "pipe" if 1 < arguments.known.len() && !self.is_function(first) => Some(self.through(first, arguments.known.get(1..)?, span)),
            "curry" if self.is_function(first) => Some(self.curried(vec![first], span)),
            "partial" if self.is_function(first) => {
                let mut given: Vec<Val> = arguments.known.iter().skip(1).copied().collect();
                // Ramda takes what is given as a list.
                if package == "ramda"
                    && let [only] = *given.as_slice()
                    && let Some(listed) = self.elements(only).known
                {
                    given = listed;
                }
                let bound = ObjectKind::Bound { target: first, this: Val::UNDEFINED, arguments: given.into() };
                let bound = self.allocate(derived(span, 2), bound);
                Some(self.values.object(bound))
            }
            // What makes such a value does it by a function.
            "tryPromise" | "promise" | "sync" | "try" | "tryCatch" | "suspend" if is_of_values && self.is_function(first) => {
                let made = self.call_value(first, Val::UNDEFINED, &Arguments::default(), span);
                Some(self.settled(made))
            }
            _ => {
                let function = applied_as(function, is_of_values)?;
                match *arguments.known.as_slice() {
                    [one] if self.is_function(one) || function == "andThen" => {
                        Some(self.native_for(&format!("{LAST}{function}"), one, span))
                    }
                    [one, data] if self.is_function(one) && !self.is_function(data) => Some(self.apply_last(function, one, data, span)),
                    [data, one] if is_of_values && self.is_function(one) => Some(self.apply_last(function, one, data, span)),
                    _ => None,
                }
            }
        }
    }

    /// A value that functions are called with, one after the other.
    pub fn through(&mut self, value: Val, functions: &[Val], span: Span) -> Val {
        functions
            .iter()
            .take(CHAIN)
            .fold(value, |value, function| self.call_value(*function, Val::UNDEFINED, &Arguments::of(vec![value]), span))
    }

    fn composition(&mut self, functions: Vec<Val>, span: Span) -> Val {
        let functions = self.array(derived(span, 6), &functions, None);
        self.native_for(COMPOSED, functions, span)
    }

    fn curried(&mut self, function_and_given: Vec<Val>, span: Span) -> Val {
        let kept = self.array(derived(span, 6), &function_and_given, None);
        self.native_for(CURRIED, kept, span)
    }

    /// A function that was given some of its arguments gets more.
    fn call_curried(&mut self, kept: Val, arguments: &Arguments, span: Span) -> Option<Val> {
        let mut known = self.elements(kept).known?;
        known.extend(&arguments.known);
        let (function, given) = known.split_first()?;
        let asks = self.property(*function, "length", span);
        let asks = self.values.known(asks.id).map_or(1.0, |asks| asks.to_number());
        if asks <= given.len() as f64 {
            return Some(self.call_value(*function, Val::UNDEFINED, &Arguments::of(given.to_vec()), span));
        }
        Some(self.curried(known, span))
    }

    /// Calls a function with data, in the way that a name says.
    fn apply_last(&mut self, function: &str, by: Val, data: Val, span: Span) -> Val {
        match function {
            "andThen" | "tap" => {
                let settled = self.settled(data);
                let result = self.call_value(by, Val::UNDEFINED, &Arguments::of(vec![settled]), span);
                if function == "tap" { data } else { self.settled(result) }
            }
            method => {
                let elements = self.members(data);
                let result = self.iterate(method, by, &elements, span);
                if method == "forEach" { data } else { result }
            }
        }
    }

    /// A method of a value of such a package that puts functions behind each other: `effect.pipe(f, g)`.
    pub fn piped(&mut self, from: Val, functions: &[Val], span: Span) -> Option<Val> {
        let is_function = |value: &Val| matches!(&*self.values.atoms(value.id), [Atom::Object(_)]) && self.is_function(*value);
        functions.iter().any(is_function).then(|| self.through(from, functions, span))
    }
}

/// What a function of such a package does with the elements of its data, or with the data as a whole.
fn applied_as(function: &str, is_of_values: bool) -> Option<&'static str> {
    Some(match function {
        "map" | "flatMap" | "chain" | "andThen" if is_of_values => "andThen",
        "andThen" | "then" => "andThen",
        "tap" => "tap",
        "map" => "map",
        "forEach" | "each" => "forEach",
        "filter" | "reject" => "filter",
        "flatMap" | "chain" | "switchMap" | "mergeMap" | "concatMap" | "exhaustMap" => "flatMap",
        _ => return None,
    })
}
