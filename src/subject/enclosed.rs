//! A text that stands in its source as part of something else: a script in a tool call, the words of a result.

use crate::value::offset_map::OffsetMap;

/// A text with the places of its parts in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enclosed {
    /// The text as whoever is handed it reads it.
    pub text: String,
    /// Where it stands in the source.
    pub map: OffsetMap,
}

impl Enclosed {
    /// Adds a piece, on a line of its own.
    pub fn add(&mut self, text: &str, map: &OffsetMap) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.map.append(self.text.len(), map);
        self.text.push_str(text);
    }
}
