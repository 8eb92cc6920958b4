//! Matches with their places for people.

use std::sync::Arc;

use crate::finding::excerpt::Excerpt;
use crate::rule::Rule;
use crate::subject::Reason;
use crate::value::severity::Severity;
use crate::value::span::{Position, Span};
use crate::value::verdict::Action;

/// Why not all of a subject could be judged, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndeterminedPlace {
    /// The kind of reason.
    pub reason: Reason,
    /// What exactly.
    pub detail: String,
    /// Where, when it is a place.
    pub position: Option<Position>,
}

/// A match with its place for people, and nothing in it that must not be shown.
#[derive(Debug)]
pub struct PlacedMatch {
    /// The rule that hit.
    pub rule: Arc<Rule>,
    /// How bad this hit is.
    pub severity: Severity,
    /// What this hit asks for.
    pub action: Action,
    /// Where it starts.
    pub start: Position,
    /// Where it ends, one column past its last character.
    pub end: Position,
    /// Where it stands, in bytes of the decoded text.
    pub span: Span,
    /// What stands there, shortened; secrets in it are masked.
    pub evidence: String,
    /// What was found, in a sentence.
    pub message: String,
    /// Other places that belong to it.
    pub steps: Vec<PlacedStep>,
    /// The other rules that hit for the same cause, each once; the match stands for their hits.
    pub also: Vec<Arc<Rule>>,
    /// The lines around it, if that was asked for.
    pub excerpt: Option<Excerpt>,
    /// The hash by which GitHub's code scanning knows its line, if that was asked for.
    pub line_hash: Option<String>,
}

impl PlacedMatch {
    /// The rules of all hits of the cause, its own first.
    pub fn rules(&self) -> impl Iterator<Item = &Arc<Rule>> {
        std::iter::once(&self.rule).chain(&self.also)
    }

    /// The flow that ends in the match: its steps, from the origin to the sink. A single step is no flow but another place.
    pub fn flow(&self) -> Option<Flow<'_>> {
        match self.steps.as_slice() {
            [origin, .., sink] => Some(Flow { origin, sink, steps: &self.steps }),
            _ => None,
        }
    }
}

/// The flow of a match.
#[derive(Clone, Copy, Debug)]
pub struct Flow<'f> {
    /// Where the data is read.
    pub origin: &'f PlacedStep,
    /// Where it gets to.
    pub sink: &'f PlacedStep,
    /// The whole way, with both ends.
    pub steps: &'f [PlacedStep],
}

impl Flow<'_> {
    /// Returns true if and only if both lead from the same place to the same place.
    pub fn has_ends_of(&self, other: &Self) -> bool {
        let ends = |flow: &Self| (flow.origin.start, flow.origin.end, flow.sink.start, flow.sink.end);
        ends(self) == ends(other)
    }
}

/// A step of a flow with its place for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedStep {
    /// Where it starts.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// What happens there.
    pub note: String,
}
