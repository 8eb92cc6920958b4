//! Searches the texts of a subject for all patterns of a library.
//!
//! One pass over the source finds the keywords; a regex only ever runs on a text in which one of its
//! keywords stands.

use std::collections::{BTreeSet, HashSet};

use crate::knowledge::threat::is_for_agents;
use crate::pattern::library::{Library, SEARCHED};
use crate::pattern::secret::Secret;
use crate::pattern::views::views;
use crate::pattern::{Pattern, mask};
use crate::rule::Match;
use crate::subject::segment::{HOLE, Role, Segment};
use crate::subject::{Kind, Subject};
use crate::value::severity::Severity;
use crate::value::span::Span;
use crate::value::verdict::Action;

/// How many hits of one pattern are kept in one text.
const HITS: usize = 20;
/// The quotes that prose has, each with what closes it. A straight single one is an apostrophe far more often.
const QUOTES: [(char, char); 5] = [('"', '"'), ('`', '`'), ('“', '”'), ('«', '»'), ('‘', '’')];
/// How many secrets of one pattern are kept in one text: all that there can be in a text of usual length.
const SECRETS: usize = 1_000_000;
/// How much of a decoded text is shown, in characters.
const SHOWN: usize = 80;

/// What stands in a subject.
#[derive(Debug, Default)]
pub struct Found {
    /// The hits of all patterns, in order of place.
    pub matches: Vec<Match>,
    /// All secrets, each once, also those of hits that are not kept.
    pub secrets: BTreeSet<Secret>,
    /// Where secrets stand, in any order.
    pub places: Vec<Span>,
}

/// All hits of a library's patterns in a subject, in order of place.
pub fn search(library: &Library, subject: &Subject, source: &str) -> Vec<Match> {
    find(library, subject, source).matches
}

/// All hits of a library's patterns in a subject, with all secrets.
pub fn find(library: &Library, subject: &Subject, source: &str) -> Found {
    let mut searcher = Searcher { library, subject, source, found: Found::default(), known: BTreeSet::new() };
    searcher.search_verbatim();
    for segment in &subject.segments {
        searcher.search_other_readings(segment);
    }
    let mut found = searcher.found;
    found.matches.sort_by(|left, right| (left.span, &left.rule.id).cmp(&(right.span, &right.rule.id)));
    found.matches.dedup_by(|left, right| left.span == right.span && left.rule.id == right.rule.id);
    found
}

/// The secrets in a text that belongs to no subject, as the name of a source does.
pub fn secrets_in(library: &Library, text: &str) -> BTreeSet<Secret> {
    let mut wanted: BTreeSet<u32> = library.unkeyed().iter().copied().collect();
    library.keywords_in(text, |pattern, _| {
        wanted.insert(pattern);
    });
    let patterns = wanted.into_iter().filter_map(|pattern| library.patterns().get(pattern as usize)).filter(|pattern| pattern.rule.secret);
    let secrets = |pattern: &Pattern| -> Vec<Secret> {
        let found = pattern.find_in(text, SECRETS).into_iter();
        found.map(|(start, end)| Secret::new(text.get(start..end).unwrap_or(""), &pattern.keywords)).collect()
    };
    patterns.flat_map(secrets).collect()
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
    found: Found,
    /// The secrets that were found as they are written: the pattern, and where each starts.
    known: BTreeSet<(u32, u32)>,
}

/// How the categories of patterns begin that speak of what is destroyed.
const DESTRUCTIVE: &str = "destructive-";

impl<'l> Searcher<'l> {
    /// Searches the texts that read as they are written; those of one role do not overlap.
    fn search_verbatim(&mut self) {
        let of_role = |role: Role| -> Vec<&'l Segment> {
            self.subject.segments.iter().filter(|segment| segment.role == role && segment.decoded.is_none()).collect()
        };
        let segments = SEARCHED.map(of_role);
        let searches = self.library.searches();
        // A source may hold many subjects, so only what this one spans is read.
        let ends = || segments.iter().flatten().map(|segment| segment.span);
        let start = ends().map(|span| span.start).min().unwrap_or(0) as usize;
        let end = ends().map(|span| span.end).max().unwrap_or(0) as usize;
        let stretch = self.source.get(start..end).unwrap_or("");
        let mut last = vec![[usize::MAX; SEARCHED.len()]; searches.len()];
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
        if matches!(segment.role, Role::Code | Role::Comment) {
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
        let Some(known) = self.library.patterns().get(pattern as usize) else { return };
        // Prose is searched as a whole, so another reading of it repeats what was found already where it stands; and so
        // does that of a string whose secret stands in the code as it is.
        if segment.role == Role::Prose && self.was_found(pattern) || known.rule.secret && self.stands_in(pattern, segment.span) {
            return;
        }
        let first = self.found.matches.len();
        self.find(pattern, segment, text, place);
        let found = if known.rule.secret { None } else { known.find_in(text, 1).first().copied() };
        if let Some((start, end)) = found {
            let show = |character| if character == HOLE { '…' } else { character };
            let reading: String = text.get(start..end).unwrap_or("").chars().take(SHOWN).map(show).collect();
            for found in self.found.matches.iter_mut().skip(first) {
                found.message = Some(format!("{} Decoded, it reads `{reading}`.", found.rule.why));
            }
        }
    }

    fn was_found(&self, pattern: u32) -> bool {
        let Some(pattern) = self.library.patterns().get(pattern as usize) else { return false };
        self.found.matches.iter().any(|found| found.rule.id == pattern.rule.id)
    }

    /// Whether a secret of that pattern stands in a stretch of the source as it is.
    fn stands_in(&self, pattern: u32, span: Span) -> bool {
        self.known.range((pattern, span.start)..(pattern, span.end)).next().is_some()
    }

    /// Whether what a segment says is told to an agent, as what a tool's server says of it is.
    fn is_obeyed(&self, segment: &Segment) -> bool {
        let holds = |around: &Span| around.start <= segment.span.start && segment.span.end <= around.end;
        self.subject.remembered.iter().any(holds) || self.subject.obeyed.iter().any(holds) && is_for_agents(&self.subject.signs)
    }

    fn find(&mut self, pattern: u32, segment: &Segment, text: &str, place: impl Fn(usize, usize) -> Span) {
        let index = pattern;
        let Some(pattern) = self.library.patterns().get(pattern as usize) else { return };
        let kind = if self.is_obeyed(segment) { Kind::Manifest } else { self.subject.kind };
        if !pattern.searches(segment.role) || !pattern.applies(kind, self.subject.lifecycle) {
            return;
        }
        if !pattern.rule.secret {
            let hits = pattern.find_in(text, HITS);
            let grade = pattern.grade(kind, self.subject.is_module);
            return self.found.matches.extend(hits.into_iter().map(|(start, end)| {
                let found = Match::new(&pattern.rule, place(start, end));
                // What is destroyed where nothing but a test's own is, is lost to nobody.
                if pattern.rule.category.starts_with(DESTRUCTIVE) && self.subject.bounds.is_guarded(found.span) {
                    return found.with_severity(Severity::Low, Action::Log);
                }
                match grade {
                    // Who quotes an order to tell of it does not give it.
                    Some(grade) if grade.action < pattern.rule.action || !is_quoted(text, start, end) => {
                        found.with_severity(grade.severity, grade.action)
                    }
                    Some(_) | None => found,
                }
            }));
        }
        for (nth, (start, end)) in pattern.find_in(text, SECRETS).into_iter().enumerate() {
            let span = place(start, end);
            let secret = Secret::new(text.get(start..end).unwrap_or(""), &pattern.keywords);
            if nth < HITS {
                self.found.matches.push(Match { redacted: Some(secret.redacted()), ..Match::new(&pattern.rule, span) });
            }
            let written = span.slice(self.source);
            let is_verbatim = written == &*secret.text;
            if is_verbatim {
                self.known.insert((index, span.start));
            } else if written.len() <= mask::LONGEST {
                self.found.secrets.insert(Secret::writing(written));
            }
            // Another reading of prose is one of the whole, of which the rest may well be shown.
            if is_verbatim {
                self.found.places.push(Span::from_offsets(span.start as usize + secret.shown, span.end as usize));
            } else if segment.role != Role::Prose {
                self.found.places.push(span);
            }
            self.found.secrets.insert(secret);
        }
    }
}
