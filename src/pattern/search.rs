//! Searches the texts of a subject for all patterns of a library.
//!
//! One pass over the source finds the keywords; a regex only ever runs on a text in which one of its
//! keywords stands.

use std::collections::HashSet;

use crate::pattern::library::Library;
use crate::pattern::views::views;
use crate::rule::Match;
use crate::subject::Subject;
use crate::subject::segment::{HOLE, Role, Segment};
use crate::value::span::Span;

/// How many hits of one pattern are kept in one text.
const HITS: usize = 20;
/// The quotes that prose has, each with what closes it. A straight single one is an apostrophe far more often.
const QUOTES: [(char, char); 5] = [('"', '"'), ('`', '`'), ('“', '”'), ('«', '»'), ('‘', '’')];
/// How much of a decoded text is shown, in characters.
const SHOWN: usize = 80;

/// All hits of a library's patterns in a subject, in order of place.
pub fn search(library: &Library, subject: &Subject, source: &str) -> Vec<Match> {
    let mut searcher = Searcher { library, subject, source, matches: Vec::new() };
    searcher.search_verbatim();
    for segment in &subject.segments {
        searcher.search_other_readings(segment);
    }
    let mut matches = searcher.matches;
    matches.sort_by(|left, right| (left.span, &left.rule.id).cmp(&(right.span, &right.rule.id)));
    matches.dedup_by(|left, right| left.span == right.span && left.rule.id == right.rule.id);
    matches
}

/// Returns true if and only if a stretch of prose stands in quotes within a sentence. Quotes behind a key or at the start of a
/// line are those of a data format and say nothing.
fn is_quoted(text: &str, start: usize, end: usize) -> bool {
    let line_start = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let before = text.get(line_start..start).unwrap_or("");
    let line_end = text.get(end..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| end + at);
    let rest = text.get(end..line_end).unwrap_or("");
    let Some((at, open)) = before.char_indices().rev().find(|(_, letter)| QUOTES.iter().any(|(open, _)| open == letter)) else {
        return false;
    };
    let close = QUOTES.iter().find(|(quote, _)| *quote == open).map_or(open, |(_, close)| *close);
    let is_open = before.get(..at).is_some_and(|outside| close != open || outside.matches(open).count().is_multiple_of(2));
    let is_in_sentence = before.get(..at).and_then(|outside| outside.trim_end().chars().next_back());
    let is_in_sentence = is_in_sentence.is_some_and(|last| last.is_alphanumeric() || matches!(last, '(' | '-' | '*' | '|' | '/' | '.'));
    is_open && is_in_sentence && rest.contains(close)
}

struct Searcher<'l> {
    library: &'l Library,
    subject: &'l Subject,
    source: &'l str,
    matches: Vec<Match>,
}

impl<'l> Searcher<'l> {
    /// Searches the texts that read as they are written; those of one role do not overlap.
    fn search_verbatim(&mut self) {
        let of_role = |role: Role| -> Vec<&'l Segment> {
            self.subject.segments.iter().filter(|segment| segment.role == role && segment.decoded.is_none()).collect()
        };
        let segments = [of_role(Role::Code), of_role(Role::String), of_role(Role::Prose)];
        let searches = self.library.searches();
        // A source may hold many subjects, so only what this one spans is read.
        let ends = || segments.iter().flatten().map(|segment| segment.span);
        let start = ends().map(|span| span.start).min().unwrap_or(0) as usize;
        let end = ends().map(|span| span.end).max().unwrap_or(0) as usize;
        let stretch = self.source.get(start..end).unwrap_or("");
        let mut last = vec![[usize::MAX; 3]; searches.len()];
        let mut wanted: Vec<(u32, &'l Segment)> = Vec::new();
        self.library.keywords_in(stretch, |pattern, at| {
            let at = start + at;
            let (Some(searches), Some(last)) = (searches.get(pattern as usize), last.get_mut(pattern as usize)) else { return };
            for ((segments, searches), last) in segments.iter().zip(searches).zip(last) {
                if !searches {
                    continue;
                }
                let index = segments.partition_point(|segment| segment.span.end as usize <= at);
                if let Some(segment) = segments.get(index).filter(|segment| segment.span.start as usize <= at && *last != index) {
                    *last = index;
                    wanted.push((pattern, segment));
                }
            }
        });
        for pattern in self.library.unkeyed() {
            wanted.extend(segments.iter().flatten().map(|segment| (*pattern, *segment)));
        }
        for (pattern, segment) in wanted {
            self.find(pattern, segment, segment.text(self.source), |start, end| segment.source_span(start, end));
        }
    }

    /// Searches what a text says otherwise than it is written.
    fn search_other_readings(&mut self, segment: &'l Segment) {
        if segment.role == Role::Code {
            return;
        }
        let text = segment.text(self.source);
        if segment.decoded.is_some() {
            self.search_reading(segment, text, |start, end| segment.source_span(start, end));
        }
        for view in views(text) {
            self.search_reading(segment, &view, |_, _| segment.span);
        }
    }

    fn search_reading(&mut self, segment: &Segment, text: &str, place: impl Fn(usize, usize) -> Span) {
        let mut wanted: HashSet<u32> = self.library.unkeyed().iter().copied().collect();
        self.library.keywords_in(text, |pattern, _| {
            wanted.insert(pattern);
        });
        for pattern in wanted {
            self.find_decoded(pattern, segment, text, &place);
        }
    }

    /// A hit in a text that reads otherwise than it is written: the message says what it reads.
    fn find_decoded(&mut self, pattern: u32, segment: &Segment, text: &str, place: impl Fn(usize, usize) -> Span) {
        // Prose is searched as a whole, so another reading of it repeats what was found already where it stands.
        if segment.role == Role::Prose && self.was_found(pattern) {
            return;
        }
        let first = self.matches.len();
        self.find(pattern, segment, text, place);
        let rule = self.library.patterns().get(pattern as usize).map(|pattern| &pattern.rule);
        let found = self.library.patterns().get(pattern as usize).and_then(|pattern| pattern.find_in(text, 1).first().copied());
        if let (Some((start, end)), Some(false)) = (found, rule.map(|rule| rule.secret)) {
            let show = |character| if character == HOLE { '…' } else { character };
            let reading: String = text.get(start..end).unwrap_or("").chars().take(SHOWN).map(show).collect();
            for found in self.matches.iter_mut().skip(first) {
                found.message = Some(format!("{} Decoded, it reads `{reading}`.", found.rule.why));
            }
        }
    }

    fn was_found(&self, pattern: u32) -> bool {
        let Some(pattern) = self.library.patterns().get(pattern as usize) else { return false };
        self.matches.iter().any(|found| found.rule.id == pattern.rule.id)
    }

    fn find(&mut self, pattern: u32, segment: &Segment, text: &str, place: impl Fn(usize, usize) -> Span) {
        let Some(pattern) = self.library.patterns().get(pattern as usize) else { return };
        if !pattern.searches(segment.role) || !pattern.applies(self.subject.kind, self.subject.lifecycle) {
            return;
        }
        let hits = pattern.find_in(text, HITS);
        let grade = pattern.grade(self.subject.kind);
        self.matches.extend(hits.into_iter().map(|(start, end)| {
            let found = Match::new(&pattern.rule, place(start, end));
            match grade {
                // Who quotes an order to tell of it does not give it.
                Some(grade) if grade.action < pattern.rule.action || !is_quoted(text, start, end) => {
                    found.with_severity(grade.severity, grade.action)
                }
                Some(_) | None => found,
            }
        }));
    }
}
