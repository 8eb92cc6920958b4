//! Hazards: places at which a script reaches for what lies outside its sandbox, or takes more than its share.

use crate::value::span::Span;

/// A place at which a script does what its sandbox is there to prevent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hazard {
    /// What it does.
    pub kind: HazardKind,
    /// Where.
    pub span: Span,
    /// What was seen, in a sentence without a full stop.
    pub note: String,
    /// How sure it is that no harmless script does it.
    pub strength: Strength,
}

/// What a script does at a hazard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HazardKind {
    /// It walks from a value to its constructor or prototype.
    Chain,
    /// It turns text into code.
    Evaluation,
    /// It touches what belongs to the host or to the sandbox itself.
    Host,
    /// It loads a module.
    Loading,
    /// It reads or changes the call stack.
    Stack,
    /// It hooks into how the language treats values.
    Hook,
    /// It changes what all values inherit.
    Pollution,
    /// It runs longer than anything bounds.
    Endless,
    /// It takes more memory than a script needs.
    Memory,
    /// It has a regular expression that can take exponential time.
    Backtracking,
}

impl HazardKind {
    /// Whether it takes more than its share, instead of reaching outside.
    pub fn exhausts(self) -> bool {
        match self {
            Self::Endless | Self::Memory | Self::Backtracking => true,
            Self::Chain | Self::Evaluation | Self::Host | Self::Loading | Self::Stack | Self::Hook | Self::Pollution => false,
        }
    }
}

/// How sure it is that no harmless script does the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// A harmless script might do it, though it has no need to.
    Probing,
    /// No harmless script does it.
    Clear,
}
