//! Lists of constants.

use crate::format::script::js::constant::Constant;
use crate::format::script::js::operator::{same_value_zero, strictly_equal};
use crate::format::script::js::position::{clamped, element, integer_of, relative};

/// How deep lists in lists are followed.
const DEPTH: u32 = 100;

/// A method of a list; nothing where it is not known.
pub fn method(elements: &[Constant], name: &str, arguments: &[Constant]) -> Option<Constant> {
    match name {
        "join" | "toString" => Some(Constant::String(join(elements, arguments.first().filter(|_| name == "join")))),
        "reverse" | "toReversed" => Some(Constant::Array(elements.iter().rev().cloned().collect())),
        "at" => Some(element(arguments.first(), elements.len()).and_then(|at| elements.get(at)).cloned().unwrap_or(Constant::Undefined)),
        "pop" => Some(elements.last().cloned().unwrap_or(Constant::Undefined)),
        "shift" => Some(elements.first().cloned().unwrap_or(Constant::Undefined)),
        "flat" => {
            let depth = integer_of(arguments.first(), 1.0).clamp(0.0, f64::from(DEPTH)) as u32;
            Some(Constant::Array(flat(elements, depth)))
        }
        "slice" => {
            let (start, end) = bounds(arguments.first(), arguments.get(1), elements.len());
            Some(Constant::Array(elements.get(start..end)?.to_vec()))
        }
        "concat" => Some(Constant::Array(elements.iter().cloned().chain(flat(arguments, 1)).collect())),
        "includes" | "indexOf" | "lastIndexOf" => found(elements, name, arguments),
        _ => None,
    }
}

/// Where a `slice` starts and ends.
pub fn bounds(start: Option<&Constant>, end: Option<&Constant>, length: usize) -> (usize, usize) {
    let start = relative(start, 0, length);
    (start, relative(end, length, length).max(start))
}

fn join(elements: &[Constant], separator: Option<&Constant>) -> String {
    let separator = match separator {
        None | Some(Constant::Undefined) => ",".to_owned(),
        Some(separator) => separator.to_text(),
    };
    elements.iter().map(Constant::to_element_text).collect::<Vec<_>>().join(&separator)
}

/// The elements, and those of lists among them.
fn flat(elements: &[Constant], depth: u32) -> Vec<Constant> {
    let mut all = Vec::with_capacity(elements.len());
    for element in elements {
        match element {
            Constant::Array(inner) if 0 < depth => all.extend(flat(inner, depth - 1)),
            element => all.push(element.clone()),
        }
    }
    all
}

/// The methods that look for an element; nothing where it may be one of the objects.
pub fn found(elements: &[Constant], name: &str, arguments: &[Constant]) -> Option<Constant> {
    let sought = arguments.first().unwrap_or(&Constant::Undefined);
    let from = arguments.get(1);
    let is_it = |at: usize, equal: fn(&Constant, &Constant) -> Option<bool>| equal(elements.get(at)?, sought);
    let position = |at: Option<usize>| Some(Constant::Number(at.map_or(-1.0, |at| at as f64)));
    let start = relative(from, 0, elements.len());
    match name {
        "includes" => first_of(start..elements.len(), |at| is_it(at, same_value_zero)).map(|at| Constant::Boolean(at.is_some())),
        "indexOf" => position(first_of(start..elements.len(), |at| is_it(at, strictly_equal))?),
        _ => {
            let end = match from.map(Constant::to_number) {
                None => elements.len(),
                Some(from) if from < 0.0 => (from.trunc() + elements.len() as f64 + 1.0).max(0.0) as usize,
                Some(_) => clamped(from, 0, elements.len()).saturating_add(1).min(elements.len()),
            };
            position(first_of((0..end).rev(), |at| is_it(at, strictly_equal))?)
        }
    }
}

/// The first position for which the answer is yes; nothing where none is known before it.
fn first_of(positions: impl Iterator<Item = usize>, is_it: impl Fn(usize) -> Option<bool>) -> Option<Option<usize>> {
    for at in positions {
        if is_it(at)? {
            return Some(Some(at));
        }
    }
    Some(None)
}
