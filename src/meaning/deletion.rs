//! Words of names that say that something is deleted, and how dear it is.

use crate::knowledge::words::Tag;
use crate::meaning::argument::{is_name, texts};
use crate::meaning::tool_kind::ToolName;
use crate::subject::call::Value;
use crate::value::words::words;

/// So many turns of a loop are a few.
pub const FEW: u32 = 5;

/// Returns true if and only if the name of a tool says that it deletes, in one of several languages.
pub fn says_delete(tool: &str) -> bool {
    let name = ToolName::of(tool);
    name.verb
        .iter()
        .map(String::as_str)
        .find(|word| Tag::Destroying.has(word) || Tag::NotDestroying.has(word))
        .is_some_and(|verb| Tag::Destroying.has(verb))
        || name.verb.iter().any(|word| word == "deletion")
}

/// Returns true if and only if a name in an argument is one of a thing to try things out on: `vm-lab-3`.
pub fn is_spare(argument: &Value) -> bool {
    texts(argument).iter().any(|text| is_name(text.text) && Tag::Spare.has_any(words(text.text)))
}
