//! What a command or statement does to what is there, and how bad that is.

use crate::value::severity::Severity;

/// Harm that a command, a statement or a call does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harm {
    /// How bad it is.
    pub severity: Severity,
    /// What happens, for people: follows "it".
    pub what: String,
}

impl Harm {
    /// Harm that a person can hardly mean.
    pub fn critical(what: impl Into<String>) -> Self {
        Self { severity: Severity::Critical, what: what.into() }
    }

    /// Harm that is sometimes meant.
    pub fn high(what: impl Into<String>) -> Self {
        Self { severity: Severity::High, what: what.into() }
    }

    /// Something to look at.
    pub fn medium(what: impl Into<String>) -> Self {
        Self { severity: Severity::Medium, what: what.into() }
    }
}

/// The worse of two harms, the first of equals.
pub fn worse(first: Option<Harm>, second: Option<Harm>) -> Option<Harm> {
    match (first, second) {
        (Some(first), Some(second)) => Some(if first.severity < second.severity { second } else { first }),
        (first, second) => first.or(second),
    }
}

/// The worst of several harms, the first of equals.
pub fn worst(harms: impl IntoIterator<Item = Harm>) -> Option<Harm> {
    harms.into_iter().fold(None, |worst, harm| worse(worst, Some(harm)))
}
