//! The steps that data takes, so that a flow can be shown.
//!
//! Steps form a graph: each knows the one or two before it. They are no part of a value, so that a loop ends
//! once its values stay the same.

use oxc_syntax::symbol::SymbolId;
use rustc_hash::FxHashMap;

use crate::value::span::Span;

/// A step of the way that some data took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepId(u32);

impl StepId {
    /// No data, or it is not known how it came here.
    pub const NONE: Self = Self(0);
}

/// What happens in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepKind {
    /// Data is read from an origin.
    Read(u32),
    /// Data is kept in a variable or passed to a parameter.
    Kept(SymbolId),
    /// Two ways come together.
    Joined,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Step {
    kind: StepKind,
    span: Span,
    before: (StepId, StepId),
}

/// All steps of one script.
pub struct Steps {
    steps: Vec<Step>,
    ids: FxHashMap<Step, StepId>,
}

/// How many steps are looked at to find the way from an origin.
const LOOKED_AT: usize = 4_096;
/// How many steps are looked at for all ways together before only short ways are looked for.
pub const ALL_LOOKED_AT: usize = 2_000_000;
/// How many steps are looked at from then on.
const FEW_LOOKED_AT: usize = 32;
/// The most steps of one way.
const LONGEST: usize = 64;

impl Steps {
    /// No steps yet.
    pub fn new() -> Self {
        let none = Step { kind: StepKind::Joined, span: Span::default(), before: (StepId::NONE, StepId::NONE) };
        Self { steps: vec![none], ids: FxHashMap::default() }
    }

    fn intern(&mut self, step: Step) -> StepId {
        if let Some(known) = self.ids.get(&step) {
            return *known;
        }
        let id = StepId(u32::try_from(self.steps.len()).unwrap_or(u32::MAX));
        self.steps.push(step);
        self.ids.insert(step, id);
        id
    }

    /// A step after another.
    pub fn after(&mut self, before: StepId, kind: StepKind, span: Span) -> StepId {
        self.intern(Step { kind, span, before: (before, StepId::NONE) })
    }

    /// Where two ways come together.
    pub fn joined(&mut self, left: StepId, right: StepId) -> StepId {
        if left == right || right == StepId::NONE {
            return left;
        }
        if left == StepId::NONE {
            return right;
        }
        self.intern(Step { kind: StepKind::Joined, span: Span::default(), before: (left, right) })
    }

    /// The way from an origin to a step, as variables with their places, each once. `left` is how many steps may be looked at
    /// for all ways that are still asked for.
    pub fn way(&self, origin: u32, last: StepId, left: &mut usize) -> Vec<(SymbolId, Span)> {
        let most = if 0 < *left { LOOKED_AT } else { FEW_LOOKED_AT };
        let mut seen = rustc_hash::FxHashSet::default();
        // Each entry: a step, and the entry that it leads to.
        let mut entries: Vec<(StepId, usize)> = vec![(last, usize::MAX)];
        let mut next = 0;
        while let Some(&(id, _)) = entries.get(next) {
            let Some(step) = self.steps.get(id.0 as usize) else { break };
            if step.kind == StepKind::Read(origin) {
                *left = left.saturating_sub(next);
                return self.variables(&entries, next);
            }
            for before in [step.before.0, step.before.1] {
                if before != StepId::NONE && entries.len() < most && seen.insert(before) {
                    entries.push((before, next));
                }
            }
            next += 1;
        }
        *left = left.saturating_sub(next);
        Vec::new()
    }

    fn variables(&self, entries: &[(StepId, usize)], first: usize) -> Vec<(SymbolId, Span)> {
        let mut way = Vec::new();
        let mut at = first;
        while let Some(&(id, leads_to)) = entries.get(at) {
            if let Some(Step { kind: StepKind::Kept(symbol), span, .. }) = self.steps.get(id.0 as usize)
                && !way.iter().any(|(_, known)| known == span)
                && way.len() < LONGEST
            {
                way.push((*symbol, *span));
            }
            at = leads_to;
        }
        way
    }
}
