//! How bad a match is.

use std::fmt;

/// How bad a match is, from context to certain harm. The order is the order of badness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Context: worth knowing, never worth stopping for.
    Low,
    /// Worth a look.
    Medium,
    /// Dangerous, though sometimes meant.
    High,
    /// Nobody does this by accident or in good faith.
    Critical,
}

impl Severity {
    /// All severities, the least first.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The name used in settings, patterns and every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// The severity of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.name() == name)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
