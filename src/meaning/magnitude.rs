//! Numbers in arguments, and which of them limit how much is returned.

use std::collections::HashSet;

use crate::knowledge::words::Tag;
use crate::meaning::walk::Arguments;
use crate::subject::call::Value;
use crate::value::span::Span;

/// A number in a call's argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Magnitude {
    /// The key under which it stands, empty at the top.
    pub key: String,
    /// The number.
    pub number: f64,
    /// Where it stands.
    pub span: Span,
}

/// The numbers of an argument at any depth: those that limit how much is returned, and the others that are
/// amounts. Digits in a string count as the number they write.
pub fn magnitudes(argument: &Arguments<'_>) -> (Vec<Magnitude>, Vec<Magnitude>) {
    let (mut limits, mut numbers) = (Vec::new(), Vec::new());
    let mut cells = HashSet::new();
    add_cells(argument.whole, 0, &mut cells);
    for (key, value) in argument.values() {
        let (number, span) = match value {
            Value::Number(number, span) => (*number, *span),
            Value::String(text, span) => match digits(text) {
                Some(number) => (number, *span),
                None => continue,
            },
            Value::Missing
            | Value::Boolean(..)
            | Value::Null(_)
            | Value::Array(..)
            | Value::Object(..)
            | Value::Partial(..)
            | Value::OneOf(..)
            | Value::Dynamic(_) => continue,
        };
        let magnitude = Magnitude { key: key.text.to_owned(), number, span };
        if is_limit(&key.words) {
            limits.push(magnitude);
        } else if matches!(value, Value::Number(..)) && !key.has(Tag::NoAmountKey) && !cells.contains(&span) {
            numbers.push(magnitude);
        }
    }
    (once(limits), once(numbers))
}

/// The numbers in lists of lists: cells of a table are data, not amounts that the call is about.
fn add_cells(value: &Value, depth: usize, cells: &mut HashSet<Span>) {
    match value {
        Value::Number(_, span) if 1 < depth => {
            cells.insert(*span);
        }
        Value::Array(elements, _) => elements.iter().for_each(|element| add_cells(element, depth + 1, cells)),
        Value::OneOf(choices, _) => choices.iter().for_each(|choice| add_cells(choice, depth, cells)),
        Value::Object(properties, _) => properties.iter().for_each(|property| add_cells(&property.value, 0, cells)),
        _ => {}
    }
}

/// Each number at a place once: a value that is one of several holds most of them again and again.
fn once(mut found: Vec<Magnitude>) -> Vec<Magnitude> {
    let mut seen = HashSet::new();
    found.retain(|magnitude| seen.insert((magnitude.span, magnitude.number.to_bits())));
    found
}

/// Returns true if and only if the words of a key say that its number limits how much is returned.
pub fn is_limit(words: &[String]) -> bool {
    let is_per_page = matches!(words, [.., per, page] if per == "per" && page == "page");
    let is_fuel = Tag::FuelWord.has_any(words.iter());
    !is_fuel && (is_per_page || words.last().is_some_and(|last| Tag::LimitKey.has(last) || last == "perpage"))
}

/// The number that a string of digits writes.
fn digits(text: &str) -> Option<f64> {
    let is_number =
        !text.is_empty() && text.len() < 20 && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'_' | b'e' | b'.'));
    is_number.then(|| text.replace('_', "").parse().ok())?
}

/// Returns true if and only if a number is likely a point in time: seconds or milliseconds since 1970
/// between the years 2001 and 2100.
pub fn is_timestamp(number: f64) -> bool {
    (1e9..4.2e9).contains(&number) || (1e12..4.2e12).contains(&number)
}
