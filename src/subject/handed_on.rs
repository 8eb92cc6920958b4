//! What the JSON of a tool call tells beside what is passed: how it is passed, and what is said of the call.

use crate::subject::call::Property;

/// How a call was handed on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HandedOn {
    /// How its argument is passed.
    pub passing: Passing,
    /// What it says by itself that its tool does; `Call::doc` is also what others say.
    pub doc: Option<String>,
    /// All that it says by itself of its risk; `Call::hints` are flags and numbers, also of others.
    pub hints: Vec<Property>,
    /// Where it says that it runs (`production`), as written.
    pub environment: Option<String>,
}

/// How the argument of a call is passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passing {
    /// Its properties are passed by name, if it has any.
    #[default]
    ByName,
    /// It is the only value, and passed by position.
    Alone,
    /// So many of its properties, the first, are passed by position, and the others by name.
    Numbered(usize),
}
