//! Gives matches their places for people, and takes out of them what must not be shown.

use crate::finding::excerpt;
use crate::finding::line_hash::LineHashes;
use crate::finding::{PlacedMatch, PlacedStep, UndeterminedPlace};
use crate::rule::Match;
use crate::subject::Undetermined;
use crate::value::source::shown;
use crate::value::span::{LineIndex, Span};

/// Longest evidence that is kept, in characters.
const EVIDENCE: usize = 160;
/// How many characters of a secret are shown.
const SECRET_SHOWN: usize = 4;

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
}

/// Places matches in a source.
pub struct Placer<'s> {
    source: &'s str,
    lines: LineIndex,
    secrets: Vec<Span>,
    line_hashes: Option<LineHashes>,
    wanted: Wanted,
}

impl<'s> Placer<'s> {
    /// A placer for a source; whatever any of the matches found that is secret is masked everywhere.
    pub fn new(source: &'s str, has_bom: bool, matches: &[Match], wanted: Wanted) -> Self {
        let secrets = matches.iter().filter(|found| found.rule.secret).map(|found| found.span).collect();
        let lines = LineIndex::new(source);
        let hashed = || matches.iter().map(|found| lines.line_at(found.span.start));
        let line_hashes = wanted.line_hashes.then(|| LineHashes::new(source, has_bom, hashed()));
        Self { source, lines, secrets, line_hashes, wanted }
    }

    /// The line starts of the source.
    pub fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// A match with its place.
    pub fn place(&self, found: Match) -> PlacedMatch {
        let start = self.lines.position(self.source, found.span.start);
        let steps = found.steps.iter().map(|step| PlacedStep {
            start: self.lines.position(self.source, step.span.start),
            end: self.lines.position(self.source, step.span.end),
            note: step.note.clone(),
        });
        let message = found.message.clone().unwrap_or_else(|| found.rule.why.to_string());
        let excerpt = self.wanted.excerpts.then(|| {
            let own = found.steps.last().filter(|step| step.span == found.span).map_or("here", |step| step.note.as_str());
            let others = found.steps.iter().filter(|step| step.span != found.span).map(|step| (step.span, shown(&step.note)));
            let labels: Vec<(Span, String)> = std::iter::once((found.span, shown(own))).chain(others).collect();
            excerpt::cut(self.source, &self.lines, &labels, &self.secrets)
        });
        PlacedMatch {
            severity: found.severity,
            action: found.action,
            start,
            end: self.lines.position(self.source, found.span.end),
            span: found.span,
            evidence: self.evidence(&found),
            message,
            steps: steps.collect(),
            excerpt: excerpt.flatten(),
            line_hash: self.line_hashes.as_ref().and_then(|hashes| hashes.of_line(start.line)),
            rule: found.rule,
        }
    }

    /// A reason with its place.
    pub fn place_reason(&self, undetermined: &Undetermined) -> UndeterminedPlace {
        UndeterminedPlace {
            reason: undetermined.reason,
            detail: undetermined.detail.clone(),
            position: undetermined.span.map(|span| self.lines.position(self.source, span.start)),
        }
    }

    /// What stands at a match: shortened, and with secrets masked.
    fn evidence(&self, found: &Match) -> String {
        let text = found.span.slice(self.source);
        if found.rule.secret {
            let start: String = text.chars().take(SECRET_SHOWN).collect();
            return format!("{start}… ({} characters)", text.chars().count());
        }
        let mut evidence = String::new();
        for (taken, (at, character)) in text.char_indices().enumerate() {
            if EVIDENCE <= taken {
                evidence.push('…');
                break;
            }
            let offset = found.span.start + u32::try_from(at).unwrap_or(u32::MAX);
            let is_secret = self.secrets.iter().any(|secret| secret.start <= offset && offset < secret.end);
            evidence.push(if is_secret { '*' } else { character });
        }
        evidence
    }
}
