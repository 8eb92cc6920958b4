//! What is thought of one call.

use crate::upstream::attesta::level::Level;
use crate::value::span::Span;

/// What is thought of one call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallOpinion {
    /// The function's name, for people.
    pub name: String,
    /// How risky the call is, 0–1.
    pub risk: f64,
    /// The level of the risk.
    pub level: Level,
    /// What the risk is made of, in the order in which it is reckoned.
    pub factors: Vec<CallFactor>,
    /// The call.
    pub span: Span,
}

/// One factor of a call's risk.
#[derive(Clone, Debug, PartialEq)]
pub struct CallFactor {
    /// Its name.
    pub name: String,
    /// What it adds to the risk, 0–1, or takes away.
    pub added: f64,
    /// What it rests on.
    pub because: String,
}
