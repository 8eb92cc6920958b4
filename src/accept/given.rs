//! What calls are given where a rule hits: a value may be defined far away from the call that it makes harmful.

use std::cmp::Reverse;

use crate::rule::Match;
use crate::subject::Subject;
use crate::subject::call::Value;
use crate::value::span::Span;

/// How many calls before a place are looked at for one that is around it.
const NEIGHBOURS: usize = 1_000;

/// The calls of a subject, in order of place, those that stand around others first.
#[derive(Debug, Default)]
pub struct Given<'s> {
    calls: Vec<(Span, &'s [Value])>,
}

impl<'s> Given<'s> {
    /// The calls of a subject.
    pub fn of(subject: &'s Subject) -> Self {
        let by_tools = subject.calls.iter().map(|call| (call.span, std::slice::from_ref(&call.argument)));
        let by_host = subject.host_calls.iter().map(|call| (call.span, call.arguments.as_slice()));
        let mut calls: Vec<_> = by_tools.chain(by_host).collect();
        calls.sort_by_key(|(span, _)| (span.start, Reverse(span.end)));
        Self { calls }
    }

    /// What is given to the innermost calls around a hit and around both ends of its flow.
    pub fn to(&self, found: &Match) -> Vec<&'s Value> {
        let mut spans = vec![found.span];
        spans.extend(found.ends().into_iter().flat_map(|(origin, sink)| [origin, sink]));
        spans.dedup();
        spans.into_iter().flat_map(|span| self.around(span)).collect()
    }

    fn around(&self, place: Span) -> Vec<&'s Value> {
        let end = self.calls.partition_point(|(span, _)| span.start <= place.start);
        let before = self.calls.get(..end).unwrap_or_default().iter().rev().take(NEIGHBOURS);
        let mut around = before.filter(|(span, _)| place.end <= span.end).peekable();
        let Some(innermost) = around.peek().map(|(span, _)| *span) else { return Vec::new() };
        // One that is made in several ways stands there once for each.
        let mut values: Vec<&[Value]> = around.take_while(|(span, _)| *span == innermost).map(|(_, values)| *values).collect();
        values.reverse();
        values.into_iter().flatten().collect()
    }
}
