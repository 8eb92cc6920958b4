//! The lines around a match, cut out so that the source can be let go.

use crate::value::source::is_unshowable;
use crate::value::span::{LineIndex, Span, holds};

/// How many lines before and after a labelled place are shown.
const AROUND: u32 = 1;
/// How many lines of a labelled place that spans several are shown.
const LINES: u32 = 4;
/// How much of a long line is shown before and after a labelled place, in bytes.
const WIDTH: usize = 120;

/// A few lines of a source with labelled places in them; safe to be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The pieces that `text` consists of, in order of their lines, which do not touch.
    pub pieces: Vec<Piece>,
    /// The lines of all pieces, each with its end.
    pub text: String,
    /// Places in `text` (start, length, in bytes) with what to say of each; the match itself is the first.
    pub labels: Vec<(usize, usize, String)>,
    /// How many steps of the flow have no label.
    pub hidden_steps: usize,
}

/// Lines of a source that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins in the text of its excerpt, in bytes.
    pub start: usize,
    /// Number of its first line, from 1.
    pub first_line: u32,
}

/// Cuts an excerpt out of a source. `labels` are places with what to say of each, the match itself first; those far
/// from each other stand in pieces of their own. What the spans of `masked`, which are
/// joined, hold is shown as stars.
pub fn cut(source: &str, lines: &LineIndex, labels: &[(Span, String)], masked: &[Span]) -> Option<Excerpt> {
    labels.first()?;
    let mut cutter = Cutter { source, masked, text: String::new(), map: Vec::new() };
    let mut pieces = Vec::new();
    for (first_line, last_line) in stretches(lines, labels) {
        pieces.push(Piece { start: cutter.text.len(), first_line });
        for line in first_line..=last_line {
            cutter.line(lines.line(source, line), labels);
        }
    }
    let labels = labels.iter().filter_map(|(span, note)| cutter.place(*span).map(|(start, length)| (start, length, note.clone())));
    Some(Excerpt { pieces, labels: labels.collect(), text: cutter.text, hidden_steps: 0 })
}

/// The lines around all labels as stretches (first, last) that do not touch.
fn stretches(lines: &LineIndex, labels: &[(Span, String)]) -> Vec<(u32, u32)> {
    let around = labels.iter().map(|(span, _)| {
        let first = lines.line_at(span.start);
        let last = lines.line_at(span.end).min(first + LINES - 1);
        (first.saturating_sub(AROUND).max(1), (last + AROUND).min(lines.lines()))
    });
    let mut around: Vec<(u32, u32)> = around.collect();
    around.sort_unstable();
    around.into_iter().fold(Vec::new(), |mut merged, (first, last)| {
        match merged.last_mut() {
            Some((_, end)) if first <= *end + 1 => *end = last.max(*end),
            _ => merged.push((first, last)),
        }
        merged
    })
}

struct Cutter<'s> {
    source: &'s str,
    masked: &'s [Span],
    text: String,
    /// Source offset and text offset of each character that was taken over.
    map: Vec<(u32, usize)>,
}

impl Cutter<'_> {
    /// Takes over a line, or the parts of it around its labels if it is long.
    fn line(&mut self, line: Span, labels: &[(Span, String)]) {
        let text = line.slice(self.source);
        let center = labels
            .iter()
            .find(|(span, _)| line.start <= span.start && span.start <= line.end)
            .map_or(0, |(span, _)| (span.start - line.start) as usize);
        let (mut start, mut end) = (center.saturating_sub(WIDTH), (center + WIDTH).min(text.len()));
        if start < 8 {
            start = 0;
        }
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        while !text.is_char_boundary(end) {
            end += 1;
        }
        if 0 < start {
            self.text.push('…');
        }
        for (at, character) in text.get(start..end).unwrap_or("").char_indices() {
            let offset = line.start + u32::try_from(start + at).unwrap_or(u32::MAX);
            self.map.push((offset, self.text.len()));
            self.text.push(self.shown(character, offset));
        }
        self.map.push((line.start + u32::try_from(end).unwrap_or(u32::MAX), self.text.len()));
        if end < text.len() {
            self.text.push('…');
        }
        self.text.push('\n');
    }

    fn shown(&self, character: char, offset: u32) -> char {
        if holds(self.masked, offset) {
            '*'
        } else if character == '\t' {
            ' '
        } else if is_unshowable(character) {
            '·'
        } else {
            character
        }
    }

    /// Where a place of the source stands in the text: as much of it as was taken over.
    fn place(&self, span: Span) -> Option<(usize, usize)> {
        let first = self.map.partition_point(|(offset, _)| *offset < span.start);
        let (_, start) = *self.map.get(first)?;
        let last = self.map.partition_point(|(offset, _)| *offset < span.end);
        let end = self.map.get(last).map_or(self.text.trim_end().len(), |(_, end)| *end);
        // A label stays on its line: the rest of a longer place speaks for itself.
        let line_end = self.text.get(start..).and_then(|rest| rest.find('\n')).map_or(self.text.len(), |at| start + at);
        Some((start, end.min(line_end).saturating_sub(start)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(source: &str, needle: &str, masked: &[Span]) -> Excerpt {
        let at = source.find(needle).expect("the needle is in the source");
        let span = Span::from_offsets(at, at + needle.len());
        cut(source, &LineIndex::new(source), &[(span, "here".to_owned())], masked).expect("there is a label")
    }

    #[test]
    fn an_excerpt_is_the_lines_around_with_the_label_in_place() {
        let found = excerpt("a\nb\ncall(x)\nd\ne\n", "call", &[]);
        assert_eq!(found.pieces, [Piece { start: 0, first_line: 2 }]);
        assert_eq!(found.text, "b\ncall(x)\nd\n");
        assert_eq!(found.labels, [(2, 4, "here".to_owned())]);
    }

    #[test]
    fn places_far_apart_stand_in_pieces_of_their_own() {
        let source = format!("read()\n{}send()\nend\n", "\n".repeat(40));
        let lines = LineIndex::new(&source);
        let label = |at: usize, note: &str| (Span::from_offsets(at, at + 6), note.to_owned());
        let found = cut(&source, &lines, &[label(47, "sent"), label(0, "read")], &[]).expect("there is a label");
        assert_eq!(found.text, "read()\n\n\nsend()\nend\n");
        assert_eq!(found.pieces, [Piece { start: 0, first_line: 1 }, Piece { start: 8, first_line: 41 }]);
        assert_eq!(found.labels, [(9, 6, "sent".to_owned()), (0, 6, "read".to_owned())]);
    }

    #[test]
    fn a_long_line_is_cut_around_the_label() {
        let source = format!("{}call(x){}", "é".repeat(5_000), "y".repeat(5_000));
        let found = excerpt(&source, "call", &[]);
        assert!(found.text.len() < 500, "{}", found.text.len());
        let (start, length, _) = found.labels[0].clone();
        assert_eq!(found.text.get(start..start + length), Some("call"));
    }

    #[test]
    fn controls_and_secrets_are_not_shown() {
        let source = "x\u{1b}[2J = 'hunter2'";
        let at = source.find("hunter2").expect("it is there");
        let found = excerpt(source, "= '", &[Span::from_offsets(at, at + 7)]);
        assert_eq!(found.text, "x·[2J = '*******'\n");
    }
}
