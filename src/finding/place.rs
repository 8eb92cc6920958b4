//! Gives matches their places for people, and takes out of them what must not be shown.

use std::borrow::Cow;
use std::sync::Arc;

use crate::finding::PlacedRecord;
use crate::finding::excerpt::{self, Excerpt};
use crate::finding::line_hash::LineHashes;
use crate::finding::placed::{PlacedMatch, PlacedStep, UndeterminedPlace};
use crate::pattern::secret::redacted;
use crate::rule::{Match, Rule};
use crate::subject::record::Record;
use crate::subject::{Subject, Undetermined};
use crate::value::offset_map::OffsetMap;
use crate::value::source::shown;
use crate::value::span::{LineIndex, Position, Span, joined};

/// Longest evidence that is kept, in characters.
const EVIDENCE: usize = 160;
/// How many steps of a flow have a label, unless all are asked for: the first, three between, and the last.
const KEY_STEPS: usize = 5;
/// How many have one if all are asked for; no terminal shows more in a way that can be read.
const MOST_STEPS: usize = 100;

/// What a report needs beyond the bare places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The lines around each match.
    pub excerpts: bool,
    /// The hash of each match's line.
    pub line_hashes: bool,
    /// The features of each subject.
    pub features: bool,
    /// The hash of each subject's text.
    pub text_hashes: bool,
    /// What a store keeps beside what is told, and how long it took.
    pub trails: bool,
    /// A label for each step of a flow, not only for the key ones.
    pub all_steps: bool,
    /// What each score is made of, and what would lower the verdict.
    pub explanations: bool,
    /// What each model thinks by itself, and what its score is made of.
    pub opinions: bool,
}

/// Places matches in a source.
pub struct Placer<'s> {
    source: &'s str,
    lines: LineIndex,
    /// Stretches of the source that are not shown.
    secrets: Vec<Span>,
    line_hashes: Option<LineHashes>,
    wanted: Wanted,
}

impl<'s> Placer<'s> {
    /// A placer for a source; what any of the matches found that is secret is masked, so they must be all that there are in
    /// the source, each with the subject in which it was found.
    pub fn new<'m>(
        source: &'s str,
        has_bom: bool,
        matches: impl IntoIterator<Item = (&'m Subject, &'m Match)> + Clone,
        wanted: Wanted,
    ) -> Self {
        let secret = matches.clone().into_iter().filter(|(_, found)| found.rule.secret && found.redacted.is_none());
        let secrets = joined(secret.map(|(subject, found)| outward(subject, found.span)).collect());
        let lines = LineIndex::new(source);
        let hashed = || matches.into_iter().map(|(subject, found)| lines.line_at(outward(subject, found.span).start));
        let line_hashes = wanted.line_hashes.then(|| LineHashes::new(source, has_bom, hashed()));
        Self { source, lines, secrets, line_hashes, wanted }
    }

    /// The same placer, which shows nothing of these places of subjects either.
    #[must_use]
    pub fn hiding<'m>(mut self, places: impl IntoIterator<Item = (&'m Subject, Span)>) -> Self {
        self.secrets.extend(places.into_iter().map(|(subject, span)| outward(subject, span)));
        self.secrets = joined(self.secrets);
        self
    }

    fn position(&self, offset: u32) -> Position {
        self.lines.position(self.source, offset)
    }

    /// The text of a subject with the places of it that must not be shown.
    pub fn view<'v>(&'v self, subject: &'v Subject) -> View<'v> {
        let Some(enclosed) = subject.enclosed.as_deref() else {
            return View {
                placer: self,
                text: self.source,
                lines: Cow::Borrowed(&self.lines),
                secrets: Cow::Borrowed(&self.secrets),
                map: None,
            };
        };
        let extent = enclosed.map.extent();
        let first = self.secrets.partition_point(|secret| secret.end <= extent.start);
        let near = self.secrets.iter().skip(first).take_while(|secret| secret.start < extent.end);
        let secrets = near.filter_map(|secret| enclosed.map.inward(*secret)).collect();
        View {
            placer: self,
            text: &enclosed.text,
            lines: Cow::Owned(LineIndex::new(&enclosed.text)),
            secrets: Cow::Owned(joined(secrets)),
            map: Some(&enclosed.map),
        }
    }
}

/// Where a stretch of a subject stands in its source.
fn outward(subject: &Subject, span: Span) -> Span {
    subject.enclosed.as_ref().map_or(span, |enclosed| enclosed.map.span(span))
}

/// The text of one subject, as people are shown it; its places are told in the source.
pub struct View<'v> {
    placer: &'v Placer<'v>,
    text: &'v str,
    lines: Cow<'v, LineIndex>,
    secrets: Cow<'v, [Span]>,
    map: Option<&'v OffsetMap>,
}

impl View<'_> {
    /// Where a stretch of the subject stands in its source.
    fn outward(&self, span: Span) -> Span {
        self.map.map_or(span, |map| map.span(span))
    }

    /// Where a stretch of the subject begins in its source.
    pub fn position(&self, span: Span) -> Position {
        self.placer.position(self.outward(span).start)
    }

    /// A record with its place.
    pub fn record(&self, record: &Record) -> PlacedRecord {
        PlacedRecord { record: record.clone(), line: self.placer.lines.line_at(record.span.start) }
    }

    /// A match with its place.
    pub fn place(&self, found: Match) -> PlacedMatch {
        let span = self.outward(found.span);
        let start = self.placer.position(span.start);
        let steps = found.steps.iter().map(|step| {
            let span = self.outward(step.span);
            PlacedStep { start: self.placer.position(span.start), end: self.placer.position(span.end), note: step.note.clone() }
        });
        let message = found.message.clone().unwrap_or_else(|| found.rule.why.to_string());
        let excerpt = self.placer.wanted.excerpts.then(|| self.excerpt(&found));
        PlacedMatch {
            severity: found.severity,
            action: found.action,
            start,
            end: self.placer.position(span.end),
            span,
            evidence: self.evidence(&found),
            message,
            steps: steps.collect(),
            also: other_rules(&found),
            excerpt: excerpt.flatten(),
            line_hash: self.placer.line_hashes.as_ref().and_then(|hashes| hashes.of_line(start.line)),
            rule: found.rule,
        }
    }

    /// The lines around a match and the steps that lead to it.
    fn excerpt(&self, found: &Match) -> Option<Excerpt> {
        let most = if self.placer.wanted.all_steps { MOST_STEPS } else { KEY_STEPS };
        let shown_steps = key_steps(found.steps.len(), most);
        let note = |&nth: &usize| {
            let step = found.steps.get(nth)?;
            // Numbers tell the order where the data does not flow down the page.
            let note = if 2 < found.steps.len() { format!("{}. {}", nth + 1, step.note) } else { step.note.clone() };
            Some((step.span, shown(&note)))
        };
        let mut labels: Vec<(Span, String)> = shown_steps.iter().filter_map(note).collect();
        // What lies in the match on its own line cannot be drawn beside it.
        let line = |span: Span| self.lines.line_at(span.start);
        let is_drawn =
            |span: Span| found.steps.len() != 1 || span == found.span || !found.span.contains(span) || line(span) != line(found.span);
        labels.retain(|(span, _)| is_drawn(*span));
        // The match itself stands first.
        let own = labels.iter().rposition(|(span, _)| *span == found.span).map(|at| labels.remove(at));
        labels.insert(0, own.unwrap_or_else(|| (found.span, "here".to_owned())));
        let mut excerpt = excerpt::cut(self.text, &self.lines, &labels, &self.secrets)?;
        excerpt.hidden_steps = found.steps.len() - shown_steps.len();
        Some(excerpt)
    }

    /// A reason with its place.
    pub fn place_reason(&self, undetermined: &Undetermined) -> UndeterminedPlace {
        UndeterminedPlace {
            reason: undetermined.reason,
            detail: undetermined.detail.clone(),
            position: undetermined.span.map(|span| self.position(span)),
        }
    }

    /// What stands at a match: shortened, and without the secrets in it.
    fn evidence(&self, found: &Match) -> String {
        let text = found.span.slice(self.text);
        if found.rule.secret {
            return found.redacted.clone().unwrap_or_else(|| redacted(text, 0));
        }
        let mut evidence = String::new();
        let mut done = found.span.start;
        let first = self.secrets.partition_point(|secret| secret.end <= found.span.start);
        for secret in self.secrets.iter().skip(first).take_while(|secret| secret.start < found.span.end) {
            let secret = Span::new(secret.start.max(done), secret.end.min(found.span.end));
            evidence.push_str(Span::new(done, secret.start).slice(self.text));
            evidence.push_str(&redacted(secret.slice(self.text), 0));
            done = secret.end;
        }
        evidence.push_str(Span::new(done, found.span.end).slice(self.text));
        shortened(evidence)
    }
}

/// The first characters of a text.
fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(EVIDENCE) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The rules of the hits that a match stands for, without its own.
fn other_rules(found: &Match) -> Vec<Arc<Rule>> {
    let mut rules: Vec<Arc<Rule>> = Vec::new();
    for other in found.also.iter().map(|other| &other.rule) {
        if other.id != found.rule.id && !rules.iter().any(|known| known.id == other.id) {
            rules.push(Arc::clone(other));
        }
    }
    rules
}

/// Which of so many steps are shown if at most `most` (two or more) are: the first, the last, and some evenly between.
fn key_steps(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    let (first, last) = (1, count - 2);
    let between = most.saturating_sub(2);
    let gaps = between.saturating_sub(1).max(1);
    let mut steps = vec![0];
    steps.extend((0..between).map(|nth| first + (last - first) * nth / gaps));
    steps.push(count - 1);
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_steps_are_the_ends_and_some_between() {
        for (count, most, expected) in [
            (0, 5, vec![]),
            (2, 5, vec![0, 1]),
            (5, 5, vec![0, 1, 2, 3, 4]),
            (6, 5, vec![0, 1, 2, 4, 5]),
            (21, 5, vec![0, 1, 10, 19, 20]),
            (7, 2, vec![0, 6]),
            (7, 3, vec![0, 1, 6]),
        ] {
            assert_eq!(key_steps(count, most), expected, "{count} steps, {most} shown");
        }
    }
}
