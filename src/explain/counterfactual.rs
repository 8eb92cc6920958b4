//! Counterfactuals: which change would lower the verdict, found by judging again without what it takes away.

use std::cmp::Ordering;

use crate::explain::candidate::{self, Candidate, Removed};
use crate::explain::standing::Standing;
use crate::judge::{Case, Judged};
use crate::rule::Match;
use crate::value::span::{Position, Span};
use crate::value::verdict::Verdict;

pub use crate::explain::candidate::Scope;

/// After so many changes found one by one, whole rules are added without comparing them.
const ROUNDS: usize = 16;

/// What would lower a verdict.
#[derive(Clone, Debug, PartialEq)]
pub enum Counterfactual {
    /// Nothing: there is no lower verdict.
    Lowest,
    /// Each of these changes alone, the one that helps most first.
    Single(Vec<Change>),
    /// No change alone, but these together. Each stands with what it and those before it lead to.
    Set(Vec<Change>),
    /// No change of what was found, for this reason.
    Nothing(String),
}

/// A change of a script, as what would then no longer be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// How much it takes away.
    pub scope: Scope,
    /// The rules whose matches it takes away, or the signal.
    pub rules: Vec<String>,
    /// How many matches it takes away.
    pub matches: usize,
    /// Where the first of them stands.
    pub place: Option<Position>,
    /// Where its data is read, if it is a flow.
    pub origin: Option<Position>,
    /// What was found there, in a sentence.
    pub found: String,
    /// What to do, in a sentence; empty if nothing is known.
    pub help: String,
    /// How the subject then stands.
    pub after: Standing,
}

/// Where a place of a subject stands in its source.
type Place<'p> = &'p dyn Fn(Span) -> Position;

/// Finds what would lower the verdict on a subject.
pub fn find(case: &Case<'_>, judged: &Judged<'_>, place: Place<'_>) -> Counterfactual {
    let now = Standing::of(judged);
    if now.verdict == Verdict::Allow {
        return Counterfactual::Lowest;
    }
    let candidates = candidate::all(case);
    if now.verdict <= Removed::by(&candidates).standing(case).verdict {
        return Counterfactual::Nothing(why_nothing(judged));
    }
    let single = single(case, &candidates, now, place);
    if !single.is_empty() {
        return Counterfactual::Single(single);
    }
    let mut removed = Removed::default();
    let set = pruned(case, greedy(case, &candidates, now), now);
    let changes = set.into_iter().map(|candidate| {
        removed.add(candidate);
        change(case, candidate, removed.standing(case), place)
    });
    Counterfactual::Set(changes.collect())
}

fn why_nothing(judged: &Judged<'_>) -> String {
    match &judged.undetermined {
        Some(undetermined) => {
            format!("the script could not be judged, or not wholly ({}); that alone asks for the verdict", undetermined.reason)
        }
        None => "the verdict does not come from what was found".to_owned(),
    }
}

/// The changes that lower the verdict alone, without those that take away more than another for nothing.
fn single(case: &Case<'_>, candidates: &[Candidate], now: Standing, place: Place<'_>) -> Vec<Change> {
    let tried = candidates.iter().map(|candidate| (candidate, Removed::by([candidate]).standing(case)));
    let mut lower: Vec<(&Candidate, Standing)> = tried.filter(|(_, after)| after.verdict < now.verdict).collect();
    lower.sort_by(|(left, after_left), (right, after_right)| {
        after_left.verdict.cmp(&after_right.verdict).then_with(|| left.matches.len().cmp(&right.matches.len()))
    });
    let mut kept: Vec<(&Candidate, Standing)> = Vec::new();
    for (candidate, after) in lower {
        let is_needless = |(smaller, better): &(&Candidate, Standing)| {
            smaller.signal.is_none() && smaller.matches.is_subset(&candidate.matches) && better.verdict <= after.verdict
        };
        if !kept.iter().any(is_needless) {
            kept.push((candidate, after));
        }
    }
    kept.into_iter().map(|(candidate, after)| change(case, candidate, after, place)).collect()
}

/// Takes away what helps most, again and again, until the verdict is lower.
fn greedy<'c>(case: &Case<'_>, candidates: &'c [Candidate], now: Standing) -> Vec<&'c Candidate> {
    let mut set: Vec<&Candidate> = Vec::new();
    let mut removed = Removed::default();
    let mut standing = now;
    while now.verdict <= standing.verdict {
        let mut open = candidates.iter().filter(|candidate| !removed.covers(candidate));
        let best = if set.len() < ROUNDS {
            let tried = open.map(|candidate| {
                let mut with = removed.clone();
                with.add(candidate);
                (candidate, with.standing(case))
            });
            tried.min_by(|(_, left), (_, right)| lower(*left, *right)).map(|(candidate, _)| candidate)
        } else {
            open.find(|candidate| matches!(candidate.scope, Scope::Rule | Scope::Signal)).or_else(|| open.next())
        };
        let Some(best) = best else { break };
        removed.add(best);
        standing = removed.standing(case);
        set.push(best);
    }
    set
}

fn lower(left: Standing, right: Standing) -> Ordering {
    let by_score = left.score.total_cmp(&right.score).then_with(|| left.sum.total_cmp(&right.sum));
    left.verdict.cmp(&right.verdict).then(by_score)
}

/// The set without the changes that are not needed in the end, so that none of it can be left out.
fn pruned<'c>(case: &Case<'_>, mut set: Vec<&'c Candidate>, now: Standing) -> Vec<&'c Candidate> {
    let mut at = 0;
    while at < set.len() {
        let rest = set.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, candidate)| *candidate);
        if Removed::by(rest).standing(case).verdict < now.verdict {
            set.remove(at);
        } else {
            at += 1;
        }
    }
    set
}

fn change(case: &Case<'_>, candidate: &Candidate, after: Standing, place: Place<'_>) -> Change {
    let mut matches = candidate.matches.iter().filter_map(|index| case.matches.get(*index));
    let mut rules: Vec<String> = Vec::new();
    for found in matches.clone() {
        if !rules.iter().any(|known| *known == found.rule.id) {
            rules.push(found.rule.id.to_string());
        }
    }
    rules.extend(candidate.signal.clone());
    let worst: Option<&Match> = matches.next();
    let origin = worst.filter(|found| 1 < found.steps.len()).and_then(|found| found.steps.first());
    Change {
        scope: candidate.scope,
        rules,
        matches: candidate.matches.len(),
        place: worst.map(|found| place(found.span)),
        origin: origin.map(|step| place(step.span)),
        found: worst.map(|found| found.message.clone().unwrap_or_else(|| found.rule.why.to_string())).unwrap_or_default(),
        help: worst.map(|found| found.rule.help.to_string()).unwrap_or_default(),
        after,
    }
}
