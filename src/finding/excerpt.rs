//! The lines around a match, cut out so that the source can be let go.

use crate::value::source::is_unshowable;
use crate::value::span::{LineIndex, Span};

/// How many lines before and after a labelled place are shown.
const AROUND: u32 = 1;
/// An excerpt covers at most this many lines; places beyond are left out.
const LINES: u32 = 24;
/// How much of a long line is shown before and after a labelled place, in bytes.
const WIDTH: usize = 120;

/// A few lines of a source with labelled places in them; safe to be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Number of the first line, from 1.
    pub first_line: u32,
    /// The lines, each with its end.
    pub text: String,
    /// Places in `text` (start, length, in bytes) with what to say of each; the match itself is the first.
    pub labels: Vec<(usize, usize, String)>,
}

/// Cuts an excerpt out of a source. `labels` are places with what to say of each, the match itself first;
/// what overlaps `masked` is shown as stars.
pub fn cut(source: &str, lines: &LineIndex, labels: &[(Span, String)], masked: &[Span]) -> Option<Excerpt> {
    let (first, _) = labels.first()?;
    let line_of = |offset: u32| lines.position(source, offset).line;
    let start_line = line_of(first.start);
    let near: Vec<&(Span, String)> = labels.iter().filter(|(span, _)| line_of(span.start).abs_diff(start_line) < LINES / 2).collect();
    let from = near.iter().map(|(span, _)| line_of(span.start)).min()?.saturating_sub(AROUND).max(1);
    let last = near.iter().map(|(span, _)| line_of(span.end).min(line_of(span.start) + 3)).max()? + AROUND;
    let last = last.min(lines.lines()).min(from + LINES);
    let mut cutter = Cutter { source, masked, text: String::new(), map: Vec::new() };
    for line in from..=last {
        cutter.line(lines.line(source, line), &near);
    }
    let labels = near.iter().filter_map(|(span, note)| cutter.place(*span).map(|(start, length)| (start, length, note.clone())));
    Some(Excerpt { first_line: from, labels: labels.collect(), text: cutter.text })
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
    fn line(&mut self, line: Span, labels: &[&(Span, String)]) {
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
        if self.masked.iter().any(|span| span.start <= offset && offset < span.end) {
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
        assert_eq!((found.first_line, found.text.as_str()), (2, "b\ncall(x)\nd\n"));
        assert_eq!(found.labels, [(2, 4, "here".to_owned())]);
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
