//! What is answered (verdict), and what a rule asks for (action).

use std::fmt;

use crate::value::severity::Severity;

/// The answer of the gate. The order is the order of strictness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Let it run.
    #[default]
    Allow,
    /// Let a person look at it.
    Warn,
    /// Do not let it run.
    Block,
}

impl Verdict {
    /// All verdicts, the mildest first.
    pub const ALL: [Self; 3] = [Self::Allow, Self::Warn, Self::Block];

    /// The name used in settings and every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Block => "block",
        }
    }

    /// The verdict of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.name() == name)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a rule asks for when it matches. The order is the order of strictness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Nothing.
    Allow,
    /// Note it.
    Log,
    /// Tell a person.
    Warn,
    /// Ask a person first.
    Confirm,
    /// Let it pass without the part that matched.
    Redact,
    /// Stop it.
    Block,
}

impl Action {
    /// What a hit of this severity asks for, unless somebody says otherwise.
    pub fn usual(severity: Severity) -> Self {
        match severity {
            Severity::Low => Self::Log,
            Severity::Medium => Self::Warn,
            Severity::High => Self::Confirm,
            Severity::Critical => Self::Block,
        }
    }

    /// All actions, the mildest first.
    pub const ALL: [Self; 6] = [Self::Allow, Self::Log, Self::Warn, Self::Confirm, Self::Redact, Self::Block];

    /// The name used in settings, patterns and every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Log => "log",
            Self::Warn => "warn",
            Self::Confirm => "confirm",
            Self::Redact => "redact",
            Self::Block => "block",
        }
    }

    /// The action of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.name() == name)
    }

    /// The verdict that stands for the action unless the settings say otherwise.
    pub fn verdict(self) -> Verdict {
        match self {
            Self::Allow | Self::Log => Verdict::Allow,
            Self::Warn | Self::Confirm | Self::Redact => Verdict::Warn,
            Self::Block => Verdict::Block,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
