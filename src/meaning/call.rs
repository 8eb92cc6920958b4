//! The facts that one call tells by itself: its name and its arguments.

use crate::knowledge::House;
use crate::meaning::magnitude::{self, Magnitude};
use crate::meaning::mass::{self, Sign};
use crate::meaning::names::ToolWords;
use crate::meaning::walk::Arguments;
use crate::meaning::wildcard;
use crate::subject::call::{Call, Tool};
use crate::value::span::Span;

/// The facts of one call.
#[derive(Debug)]
pub struct CallFeatures {
    /// The words of the tool's name and what kind of action they tell.
    pub words: ToolWords,
    /// The name is not known before it runs.
    pub is_dynamic: bool,
    /// The name is computed, though its value is known.
    pub is_folded: bool,
    /// Names of all argument fields, at any depth.
    pub keys: Vec<String>,
    /// All numbers that limit how much is returned (`limit`, `pageSize` …).
    pub limits: Vec<Magnitude>,
    /// All other numbers.
    pub numbers: Vec<Magnitude>,
    /// Places of values that match everything (`*`, an empty filter).
    pub wildcards: Vec<Span>,
    /// Signs that it asks for more than anybody reads.
    pub signs: Vec<Sign>,
    /// Something in its argument chooses what is read.
    pub is_narrowed: bool,
    /// How many loops stand around it.
    pub loop_depth: u16,
    /// It runs many times.
    pub is_repeated: bool,
}

/// Counts what one call tells by itself; `house` is what users say of their own tools.
pub fn call_features(call: &Call, argument: &Arguments<'_>, house: &House) -> CallFeatures {
    let name = call.tool.name().unwrap_or_default();
    let words = ToolWords::told(name, house);
    let (limits, numbers) = magnitude::magnitudes(argument);
    CallFeatures {
        wildcards: wildcard::wildcards(argument, words.reads),
        signs: mass::signs(argument, name, house),
        is_narrowed: mass::is_narrowed(argument),
        words,
        is_dynamic: call.tool == Tool::Dynamic,
        is_folded: matches!(call.tool, Tool::Folded(_)),
        keys: argument.properties().map(|(key, _)| key.text.to_owned()).collect(),
        limits,
        numbers,
        loop_depth: call.loop_depth,
        is_repeated: call.is_repeated(),
    }
}
