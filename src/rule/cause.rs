//! Causes: which hits tell one and the same thing, so that it is told once and counted once.
//!
//! Hits are of one cause where they tell of one flow, from the same origin to the same sink; or where rules about the
//! same harm hit the same text, or a call and the text that it is given. What the user's own rules find stands by itself,
//! and so do different findings of one rule.

use std::collections::{BTreeMap, HashMap};

use crate::rule::{Match, Origin};
use crate::subject::flow::Step;
use crate::value::span::Span;

/// Categories that name one harm differently, by how it is done or what it is found in.
const HARMS: &[(&str, &str)] =
    &[("destructive-shell", "destruction"), ("destructive-sql", "destruction"), ("exfiltration-endpoints", "exfiltration")];

/// How many texts before the end of a hit are compared with it.
const NEIGHBOURS: usize = 8;

/// The matches, each cause once: the first of its hits stands for the others, in their order. The worst come first.
pub fn merged(matches: Vec<Match>) -> Vec<Match> {
    if matches.len() <= 1 {
        return matches;
    }
    let standing = standing(&matches);
    let mut merged: Vec<Match> = Vec::with_capacity(matches.len());
    // Where in the new list the match of an old index is.
    let mut places: HashMap<usize, usize> = HashMap::new();
    for (index, (found, stands)) in matches.into_iter().zip(standing).enumerate() {
        match places.get(&stands).and_then(|place| merged.get_mut(*place)) {
            Some(first) => stand_for(first, found),
            None => {
                places.insert(index, merged.len());
                merged.push(found);
            }
        }
    }
    merged
}

/// Lets a match stand for another of its cause, whose flow, or place in it, it takes over where it has none of its own.
fn stand_for(first: &mut Match, found: Match) {
    if first.ends().is_none() && found.ends().is_some() {
        first.steps.clone_from(&found.steps);
    } else if first.steps.is_empty() && first.span != found.span && first.span.contains(found.span) {
        first.steps.push(Step { span: found.span, note: format!("found by {}", found.rule.id) });
    }
    first.also.push(found);
}

/// For each match the index of the one that stands for its cause: its own, or that of an earlier match.
pub fn standing(matches: &[Match]) -> Vec<usize> {
    let around = calls_around(matches);
    let mut causes = Causes::default();
    let mut standing = Vec::with_capacity(matches.len());
    for (index, (found, around)) in matches.iter().zip(around).enumerate() {
        let spot = Spot { harm: harm(found), span: found.span, around };
        let own = found.rule.origin.is_own();
        let known = if own { None } else { causes.of(found, spot, matches) };
        let first = known.unwrap_or(index);
        if !own {
            causes.add(first, found, spot);
        }
        standing.push(first);
    }
    standing
}

fn harm(found: &Match) -> &str {
    let category = found.rule.category.as_ref();
    HARMS.iter().find(|(known, _)| *known == category).map_or(category, |(_, harm)| *harm)
}

/// Where a match stands, by what its rule is about.
#[derive(Clone, Copy)]
struct Spot<'m> {
    harm: &'m str,
    span: Span,
    /// The innermost call with a hit about the same harm that holds the text, for hits in texts.
    around: Option<Span>,
}

/// The causes that are known so far, each by the index of the match that stands for it.
#[derive(Default)]
struct Causes<'m> {
    by_flow: HashMap<(Span, Span), usize>,
    /// By what a check hit.
    calls: HashMap<(&'m str, Span), usize>,
    /// By the start of a text that patterns hit, with its end. Texts of one harm hardly overlap: those that do are one cause.
    texts: BTreeMap<(&'m str, u32), (u32, usize)>,
    /// The first text in a call that no hit of a check stands for yet.
    waiting: HashMap<(&'m str, Span), (Span, usize)>,
    /// The text that a call's hit stands for. Of several in one call, each of the others is a cause of its own.
    told: HashMap<(&'m str, Span), Span>,
}

impl<'m> Causes<'m> {
    fn of(&self, found: &Match, spot: Spot<'m>, matches: &[Match]) -> Option<usize> {
        if let Some(known) = found.ends().and_then(|ends| self.by_flow.get(&ends)) {
            return Some(*known);
        }
        let is_same = |index: &usize| matches.get(*index).is_some_and(|first| may_be_one(first, found));
        self.by_place(found.rule.origin, spot).filter(is_same)
    }

    fn by_place(&self, origin: Origin, Spot { harm, span, around }: Spot<'m>) -> Option<usize> {
        if origin == Origin::Check {
            let waiting = || self.waiting.get(&(harm, span)).map(|(_, index)| *index);
            return self.calls.get(&(harm, span)).copied().or_else(waiting);
        }
        self.text_at(harm, span).or_else(|| {
            let call = (harm, around?);
            let is_told = self.told.get(&call).is_none_or(|text| is_same_text(*text, span));
            self.calls.get(&call).copied().filter(|_| is_told)
        })
    }

    /// The cause of the text that is the same as that of a span. As texts hardly overlap, it is one of the last that start
    /// before the span's end.
    fn text_at(&self, harm: &'m str, span: Span) -> Option<usize> {
        let end = span.end.max(span.start.saturating_add(1));
        let mut last = self.texts.range((harm, 0)..(harm, end)).rev().take(NEIGHBOURS);
        last.find(|((_, start), (end, _))| is_same_text(Span::new(*start, *end), span)).map(|(_, (_, index))| *index)
    }

    fn add(&mut self, first: usize, found: &Match, Spot { harm, span, around }: Spot<'m>) {
        if let Some(ends) = found.ends() {
            self.by_flow.entry(ends).or_insert(first);
        }
        if found.rule.origin == Origin::Check {
            self.calls.entry((harm, span)).or_insert(first);
            if let Some((text, _)) = self.waiting.get(&(harm, span)).filter(|(_, index)| *index == first) {
                self.told.entry((harm, span)).or_insert(*text);
            }
            return;
        }
        if self.text_at(harm, span).is_none() {
            self.texts.insert((harm, span.start), (span.end, first));
        }
        if let Some(call) = around {
            self.waiting.entry((harm, call)).or_insert((span, first));
            if self.calls.get(&(harm, call)) == Some(&first) {
                self.told.entry((harm, call)).or_insert(span);
            }
        }
    }
}

/// Returns true if and only if two hits share more than half of the shorter: hits often take in what stands between commands.
fn is_same_text(left: Span, right: Span) -> bool {
    let shared = left.end.min(right.end).saturating_sub(left.start.max(right.start));
    let shorter = (left.end - left.start).min(right.end - right.start);
    shorter < shared.saturating_mul(2)
}

/// Different findings of one rule, and different flows, are no one cause wherever they meet.
fn may_be_one(first: &Match, found: &Match) -> bool {
    // A pattern says the same of all its hits, but for what it reads in a text that is decoded.
    let is_check = found.rule.origin == Origin::Check;
    let is_other_finding = is_check && first.rule.id == found.rule.id && first.message != found.message;
    let is_other_flow = first.ends().zip(found.ends()).is_some_and(|(left, right)| left != right);
    !is_other_finding && !is_other_flow
}

/// For each hit of a pattern the innermost call around it that a check about the same harm hit.
fn calls_around(matches: &[Match]) -> Vec<Option<Span>> {
    let mut order: Vec<usize> = (0..matches.len()).collect();
    let key = |index: &usize| {
        let found = matches.get(*index);
        // What starts at the same place is ordered from the widest on, calls before texts.
        found.map(|found| (harm(found), found.span.start, std::cmp::Reverse(found.span.end), found.rule.origin != Origin::Check))
    };
    order.sort_by_key(key);
    let mut around = vec![None; matches.len()];
    let mut open: Vec<(&str, Span)> = Vec::new();
    for index in order {
        let Some(found) = matches.get(index) else { continue };
        let harm = harm(found);
        while open.last().is_some_and(|(known, span)| *known != harm || span.end < found.span.end) {
            open.pop();
        }
        if found.rule.origin == Origin::Check {
            open.push((harm, found.span));
        } else if let (Some(place), Some((_, call))) = (around.get_mut(index), open.last()) {
            *place = Some(*call);
        }
    }
    around
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::rule::Rule;
    use crate::value::severity::Severity;
    use crate::value::verdict::Action;

    fn hit(id: &'static str, origin: Origin, category: &'static str, span: (u32, u32)) -> Match {
        let rule = Rule {
            id: id.into(),
            origin,
            category: category.into(),
            severity: Severity::High,
            action: Action::Warn,
            why: "Because.".into(),
            help: "Do not.".into(),
            secret: false,
        };
        Match::new(&Arc::new(rule), Span::new(span.0, span.1))
    }

    fn flow(id: &'static str, origin: u32, sink: (u32, u32)) -> Match {
        let step = |start, end| Step { span: Span::new(start, end), note: String::new() };
        hit(id, Origin::Check, "exfiltration", sink).with_steps(vec![step(origin, origin + 1), step(sink.0, sink.1)])
    }

    fn text(id: &'static str, span: (u32, u32)) -> Match {
        hit(id, Origin::Pattern, "destructive-shell", span)
    }

    fn call(id: &'static str, span: (u32, u32)) -> Match {
        hit(id, Origin::Check, "destruction", span)
    }

    /// Each cause as the ids of its rules, the one that stands for it first.
    fn check(matches: Vec<Match>, expected: &[&str]) {
        let count = matches.len();
        let merged = merged(matches);
        let told: Vec<String> =
            merged.iter().map(|found| found.all().map(|found| found.rule.id.as_ref()).collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(told, expected);
        assert_eq!(merged.iter().flat_map(Match::all).count(), count, "no hit is lost");
    }

    #[test]
    fn one_flow_is_one_cause_and_two_flows_into_one_call_are_two() {
        check(vec![flow("a", 1, (50, 60)), flow("b", 1, (50, 60))], &["a b"]);
        let sequence = hit("s", Origin::Check, "exfiltration", (50, 60));
        let merged = merged(vec![sequence, flow("a", 1, (50, 60))]);
        assert!(merged[0].ends().is_some(), "the flow is told by whatever stands for it");
        check(vec![flow("a", 1, (50, 60)), flow("b", 5, (50, 60))], &["a", "b"]);
        check(vec![flow("a", 1, (50, 60)), flow("a", 5, (50, 60)), flow("b", 5, (50, 60))], &["a", "a b"]);
    }

    #[test]
    fn one_text_is_one_cause_and_texts_side_by_side_are_two() {
        check(vec![text("a", (10, 20)), text("b", (10, 15)), text("c", (13, 30))], &["a b c"]);
        check(vec![text("a", (10, 20)), text("b", (20, 30))], &["a", "b"]);
        check(vec![text("a", (10, 20)), text("b", (18, 30))], &["a", "b"]);
        check(vec![text("a", (10, 40)), text("b", (35, 60)), text("c", (12, 38))], &["a c", "b"]);
        // What overlaps only another hit of the cause, and not the one that stands for it, is a cause of its own.
        check(vec![text("a", (10, 20)), text("b", (14, 24)), text("c", (18, 28))], &["a b", "c"]);
        check(vec![text("a", (10, 20)), hit("b", Origin::Pattern, "personal-data", (10, 20))], &["a", "b"]);
    }

    #[test]
    fn a_call_stands_for_one_of_the_texts_that_it_is_given() {
        check(vec![call("c", (0, 40)), text("a", (10, 20)), text("b", (10, 20))], &["c a b"]);
        check(vec![call("c", (0, 40)), text("a", (10, 20)), text("b", (22, 30))], &["c a", "b"]);
        check(vec![text("a", (10, 20)), text("b", (22, 30)), call("c", (0, 40))], &["a c", "b"]);
        check(vec![text("a", (10, 20)), call("c", (0, 40)), call("d", (0, 40)), text("b", (22, 30))], &["a c d", "b"]);
    }

    #[test]
    fn a_call_in_a_call_is_a_cause_of_its_own() {
        check(vec![call("outer", (0, 40)), call("inner", (5, 30)), text("a", (10, 20))], &["outer", "inner a"]);
        check(vec![call("first", (0, 40)), call("second", (50, 90)), text("a", (60, 70))], &["first", "second a"]);
    }

    #[test]
    fn other_findings_of_one_rule_and_rules_of_the_user_stand_by_themselves() {
        let told = |words: &str| call("a", (0, 9)).with_message(words);
        check(vec![told("password"), told("ssn"), told("password")], &["a a", "a"]);
        let decoded = text("p", (10, 20)).with_message("Decoded, it reads otherwise.");
        check(vec![decoded, text("p", (11, 19))], &["p p"]);
        let own = |origin| hit("own", origin, "destructive-shell", (10, 20));
        check(vec![text("a", (10, 20)), own(Origin::UserPattern), own(Origin::Analyzer)], &["a", "own", "own"]);
        check(vec![own(Origin::UserPattern), text("a", (10, 20)), text("b", (12, 20))], &["own", "a b"]);
    }
}
