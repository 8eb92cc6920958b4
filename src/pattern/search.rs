//! Searches the texts of a subject for all patterns of a library.
//!
//! One pass over the source finds the keywords; a regex only ever runs on a text in which one of its
//! keywords stands.

use std::collections::HashSet;

use crate::pattern::library::Library;
use crate::pattern::views::views;
use crate::rule::Match;
use crate::subject::Subject;
use crate::subject::segment::{Role, Segment};
use crate::value::span::Span;

/// How many hits of one pattern are kept in one text.
const HITS: usize = 20;

/// All hits of a library's patterns in a subject, in order of place.
pub fn search(library: &Library, subject: &Subject, source: &str) -> Vec<Match> {
    let mut searcher = Searcher { library, subject, source, matches: Vec::new() };
    for role in Role::ALL {
        searcher.search_verbatim(role);
    }
    for segment in &subject.segments {
        searcher.search_other_readings(segment);
    }
    let mut matches = searcher.matches;
    matches.sort_by(|left, right| (left.span, &left.rule.id).cmp(&(right.span, &right.rule.id)));
    matches.dedup_by(|left, right| left.span == right.span && left.rule.id == right.rule.id);
    matches
}

struct Searcher<'l> {
    library: &'l Library,
    subject: &'l Subject,
    source: &'l str,
    matches: Vec<Match>,
}

impl<'l> Searcher<'l> {
    /// Searches the texts of a role that read as they are written, which do not overlap.
    fn search_verbatim(&mut self, role: Role) {
        let segments: Vec<&'l Segment> =
            self.subject.segments.iter().filter(|segment| segment.role == role && segment.decoded.is_none()).collect();
        let mut wanted: Vec<(usize, u32)> = Vec::new();
        let mut last = vec![usize::MAX; self.library.patterns().len()];
        self.library.keywords_in(self.source, |pattern, at| {
            let index = segments.partition_point(|segment| segment.span.end as usize <= at);
            let is_inside = segments.get(index).is_some_and(|segment| segment.span.start as usize <= at);
            if let Some(last) = last.get_mut(pattern as usize)
                && is_inside
                && *last != index
            {
                *last = index;
                wanted.push((index, pattern));
            }
        });
        for (index, pattern) in wanted {
            if let Some(segment) = segments.get(index) {
                self.find(pattern, segment, segment.text(self.source), |start, end| segment.source_span(start, end));
            }
        }
    }

    /// Searches what a text says otherwise than it is written.
    fn search_other_readings(&mut self, segment: &'l Segment) {
        if segment.role == Role::Code {
            return;
        }
        let text = segment.text(self.source);
        if segment.decoded.is_some() {
            self.search_reading(segment, text);
        }
        for view in views(text) {
            self.search_reading(segment, &view);
        }
    }

    fn search_reading(&mut self, segment: &Segment, text: &str) {
        let mut wanted = HashSet::new();
        self.library.keywords_in(text, |pattern, _| {
            wanted.insert(pattern);
        });
        for pattern in wanted {
            self.find(pattern, segment, text, |_, _| segment.span);
        }
    }

    fn find(&mut self, pattern: u32, segment: &Segment, text: &str, place: impl Fn(usize, usize) -> Span) {
        let Some(pattern) = self.library.patterns().get(pattern as usize) else { return };
        if !pattern.roles.contains(&segment.role) || !pattern.applies(self.subject.kind, self.subject.lifecycle) {
            return;
        }
        let hits = pattern.find_in(text, HITS);
        self.matches.extend(hits.into_iter().map(|(start, end)| Match::new(&pattern.rule, place(start, end))));
    }
}
