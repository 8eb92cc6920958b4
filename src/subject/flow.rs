//! Flows: data that reaches a call from an earlier call's result.

use crate::value::span::Span;

/// Data that reaches a call's argument from an earlier call's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Index of the call whose result it is.
    pub origin: usize,
    /// Index of the call that it reaches.
    pub sink: usize,
    /// The way it takes, from the origin to the sink, both included.
    pub steps: Vec<Step>,
}

/// One step of a flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where it happens.
    pub span: Span,
    /// What happens there, for people.
    pub note: String,
}
