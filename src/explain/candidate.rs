//! Candidates: changes of a script that might lower its verdict, as what would then no longer be found.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::explain::standing::Standing;
use crate::judge::Case;
use crate::model::Evaluation;
use crate::rule::Match;
use crate::rule::cause::standing;
use crate::value::span::Span;

/// How many matches are tried one by one, the worst first; rules are always tried as a whole.
const SINGLE: usize = 100;

/// How much a change takes away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// What one rule finds at one place.
    Match,
    /// All that is found of one cause, whatever rules find it.
    Cause,
    /// All that is found in one flow, whatever rule finds it.
    Flow,
    /// All that begins at one place, whatever rule finds it.
    Place,
    /// All that one rule finds.
    Rule,
    /// A signal of a model that no rule stands for.
    Signal,
}

impl Scope {
    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Match => "match",
            Self::Cause => "cause",
            Self::Flow => "flow",
            Self::Place => "place",
            Self::Rule => "rule",
            Self::Signal => "signal",
        }
    }
}

/// A change that might lower the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub scope: Scope,
    /// Indices of the matches that it takes away.
    pub matches: BTreeSet<usize>,
    /// Id of the signal that it takes away, if it is one.
    pub signal: Option<String>,
}

/// All changes that are tried, the smallest first. No two take away the same.
pub fn all(case: &Case<'_>) -> Vec<Candidate> {
    let mut groups: BTreeMap<(Scope, usize), BTreeSet<usize>> = BTreeMap::new();
    let mut firsts: BTreeMap<(Scope, &str, Span, Span), usize> = BTreeMap::new();
    let none = Span::default();
    let standing = standing(case.matches);
    for (index, found) in case.matches.iter().enumerate() {
        let id = found.rule.id.as_ref();
        let mut join = |scope, id, from, to| {
            let first = *firsts.entry((scope, id, from, to)).or_insert(index);
            groups.entry((scope, first)).or_default().insert(index);
        };
        join(Scope::Rule, id, none, none);
        join(Scope::Match, id, found.span, none);
        // What begins at one place is mostly one expression and its parts.
        join(Scope::Place, "", Span::new(found.span.start, found.span.start), none);
        if let Some((origin, sink)) = found.ends() {
            join(Scope::Flow, "", origin, sink);
        }
        if let Some(first) = standing.get(index) {
            groups.entry((Scope::Cause, *first)).or_default().insert(index);
        }
    }
    let mut seen = HashSet::new();
    let is_tried = |scope: Scope, first: usize| scope == Scope::Rule || first < SINGLE;
    let groups = groups.into_iter().filter(|((scope, first), _)| is_tried(*scope, *first));
    let by_match = groups.filter(|(_, matches)| seen.insert(matches.clone()));
    let mut all: Vec<Candidate> = by_match.map(|((scope, _), matches)| Candidate { scope, matches, signal: None }).collect();
    all.extend(signals(case));
    all
}

/// The signals that stay when all matches are gone.
fn signals(case: &Case<'_>) -> Vec<Candidate> {
    let rules: HashSet<&str> = case.matches.iter().map(|found| found.rule.id.as_ref()).collect();
    let judged = case.judge_without(&[], &|id| rules.contains(id));
    let found = judged.evaluations().flat_map(Evaluation::found_signals);
    let ids: BTreeSet<String> = found.map(|signal| signal.id.clone()).collect();
    ids.into_iter().map(|id| Candidate { scope: Scope::Signal, matches: BTreeSet::new(), signal: Some(id) }).collect()
}

/// What is taken away by several changes together.
#[derive(Clone, Debug, Default)]
pub struct Removed {
    matches: BTreeSet<usize>,
    signals: BTreeSet<String>,
}

impl Removed {
    /// What is taken away by these changes.
    pub fn by<'c>(candidates: impl IntoIterator<Item = &'c Candidate>) -> Self {
        let mut removed = Self::default();
        candidates.into_iter().for_each(|candidate| removed.add(candidate));
        removed
    }

    /// Takes away more.
    pub fn add(&mut self, candidate: &Candidate) {
        self.matches.extend(&candidate.matches);
        self.signals.extend(candidate.signal.clone());
    }

    /// Returns true if and only if the change would take away nothing more.
    pub fn covers(&self, candidate: &Candidate) -> bool {
        candidate.matches.is_subset(&self.matches) && candidate.signal.as_ref().is_none_or(|id| self.signals.contains(id))
    }

    /// How the subject stands without all of it: judged again by the same models and the same policy.
    pub fn standing(&self, case: &Case<'_>) -> Standing {
        let left = case.matches.iter().enumerate().filter(|(index, _)| !self.matches.contains(index)).map(|(_, found)| found);
        let staying: HashSet<&str> = left.clone().map(|found| found.rule.id.as_ref()).collect();
        let removed = self.matches.iter().filter_map(|index| case.matches.get(*index)).map(|found| found.rule.id.as_ref());
        let gone: HashSet<&str> = removed.filter(|id| !staying.contains(id)).collect();
        let matches: Vec<Match> = left.cloned().collect();
        Standing::of(&case.judge_without(&matches, &|id| gone.contains(id) || self.signals.contains(id)))
    }
}
