//! What kind of data a whole name tells.

use crate::knowledge::sensitivity::{Sensitivity, category};
use crate::knowledge::tool::noun;
use crate::value::words::words;

/// What kind of data a name tells, by what its words tell together and by each thing that they name.
pub fn named_sensitivity(name: &str) -> Option<Sensitivity> {
    let words = words(name);
    let things = words.iter().filter_map(|word| noun(word)?.sensitivity).max();
    category(&words).max(things)
}
