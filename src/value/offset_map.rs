//! Where the parts of a text stand in another text, in which it is written otherwise: escaped, or in several pieces.

use crate::value::span::Span;

/// A stretch that reads the same in both texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    inner: u32,
    outer: u32,
    length: u32,
}

/// Where each place of an inner text stands in an outer one. What lies between two runs, such as a character that is
/// written as an escape, stands between their ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetMap {
    runs: Vec<Run>,
}

impl OffsetMap {
    /// The map of a text that stands in the outer one as it is.
    pub fn verbatim(span: Span) -> Self {
        Self { runs: vec![Run { inner: 0, outer: span.start, length: span.end - span.start }] }
    }

    /// Says that so many bytes from `inner` on read the same as those from `outer` on; called in order of both.
    pub fn push(&mut self, inner: usize, outer: usize, length: usize) {
        let (inner, outer) = (Span::from_offsets(inner, inner + length), Span::from_offsets(outer, outer + length));
        self.runs.push(Run { inner: inner.start, outer: outer.start, length: inner.end - inner.start });
    }

    /// Appends the map of a piece that begins at `inner`.
    pub fn append(&mut self, inner: usize, piece: &Self) {
        let base = Span::from_offsets(inner, inner).start;
        self.runs.extend(piece.runs.iter().map(|run| Run { inner: base.saturating_add(run.inner), ..*run }));
    }

    /// Where a byte of the inner text stands in the outer one.
    pub fn outward(&self, offset: u32) -> u32 {
        let index = self.runs.partition_point(|run| run.inner <= offset);
        match self.runs.get(index.saturating_sub(1)) {
            Some(run) => run.outer.saturating_add(offset.saturating_sub(run.inner).min(run.length)),
            None => offset,
        }
    }

    /// Where a stretch of the inner text stands in the outer one.
    pub fn span(&self, span: Span) -> Span {
        Span::new(self.outward(span.start), self.outward(span.end))
    }

    /// The stretch of the inner text that stands at a stretch of the outer one; none where nothing of it does.
    pub fn inward(&self, outer: Span) -> Option<Span> {
        let first = self.runs.partition_point(|run| run.outer.saturating_add(run.length) < outer.start);
        let start = self.runs.get(first)?;
        let from = start.inner.saturating_add(outer.start.saturating_sub(start.outer));
        let last = self.runs.partition_point(|run| run.outer < outer.end).checked_sub(1)?;
        let end = self.runs.get(last)?;
        let reached = (outer.end - end.outer).min(end.length);
        // What lies behind the run, up to the next one, is an escape that the stretch holds.
        let to = if end.length < outer.end - end.outer {
            self.runs.get(last + 1).map_or(end.inner + end.length, |next| next.inner)
        } else {
            end.inner + reached
        };
        (from < to).then(|| Span::new(from, to))
    }

    /// From where to where the text reaches in the outer one.
    pub fn extent(&self) -> Span {
        let end = self.runs.iter().map(|run| run.outer.saturating_add(run.length)).max().unwrap_or(0);
        Span::new(self.runs.first().map_or(0, |run| run.outer), end)
    }

    /// The map into the text in which the outer text stands, by the map of that.
    #[must_use]
    pub fn within(&self, outer: &Self) -> Self {
        let mut runs = Vec::with_capacity(self.runs.len());
        for run in &self.runs {
            let end = run.outer.saturating_add(run.length);
            runs.push(Run { inner: run.inner, outer: outer.outward(run.outer), length: 0 });
            let first = outer.runs.partition_point(|piece| piece.inner <= run.outer);
            for piece in outer.runs.iter().skip(first.saturating_sub(1)).take_while(|piece| piece.inner <= end) {
                let (from, to) = (piece.inner.max(run.outer), piece.inner.saturating_add(piece.length).min(end));
                if from <= to {
                    runs.push(Run { inner: run.inner + (from - run.outer), outer: piece.outer + (from - piece.inner), length: to - from });
                }
            }
        }
        runs.dedup_by(|later, earlier| {
            later.inner == earlier.inner && later.outer == earlier.outer && {
                earlier.length = earlier.length.max(later.length);
                true
            }
        });
        Self { runs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The map of a text in which `\n` stands for a line break.
    fn escaped(outer: &str) -> (String, OffsetMap) {
        let (mut inner, mut map, mut rest, mut at) = (String::new(), OffsetMap::default(), outer, 0);
        while let Some((before, after)) = rest.split_once("\\n") {
            map.push(inner.len(), at, before.len());
            inner.push_str(before);
            inner.push('\n');
            at += before.len() + 2;
            rest = after;
        }
        map.push(inner.len(), at, rest.len());
        inner.push_str(rest);
        (inner, map)
    }

    #[test]
    fn places_are_found_both_ways() {
        let outer = r"ab\ncd\n\nef";
        let (inner, map) = escaped(outer);
        for (word, expected) in [("ab", "ab"), ("b\nc", r"b\nc"), ("cd\n", r"cd\n"), ("\n\ne", r"\n\ne"), ("\n", r"\n"), ("ef", "ef")] {
            let at = inner.find(word).expect("it is there");
            let span = Span::from_offsets(at, at + word.len());
            assert_eq!(map.span(span).slice(outer), expected, "{word:?}");
            assert_eq!(map.inward(map.span(span)), Some(span), "{word:?}");
        }
    }

    #[test]
    fn a_text_in_a_text_in_a_text_has_its_place_in_the_outermost() {
        let outermost = r"x: ab\\ncd\nef";
        let (middle, outer_map) = escaped(outermost);
        assert_eq!(middle, "x: ab\\\ncd\nef", "an escape of an escape is no line break for this reader");
        let part = "cd\nef";
        let at = middle.find(part).expect("it is there");
        let map = OffsetMap::verbatim(Span::from_offsets(at, at + part.len())).within(&outer_map);
        for (word, expected) in [("cd", "cd"), ("d\ne", r"d\ne"), ("ef", "ef")] {
            let at = part.find(word).expect("it is there");
            assert_eq!(map.span(Span::from_offsets(at, at + word.len())).slice(outermost), expected, "{word:?}");
        }
    }

    #[test]
    fn pieces_have_their_own_places() {
        let outer = "[one] [two]";
        let mut map = OffsetMap::default();
        map.append(0, &OffsetMap::verbatim(Span::new(1, 4)));
        map.append(4, &OffsetMap::verbatim(Span::new(7, 10)));
        assert_eq!(map.span(Span::new(0, 3)).slice(outer), "one");
        assert_eq!(map.span(Span::new(4, 7)).slice(outer), "two");
        assert_eq!(map.span(Span::new(0, 7)).slice(outer), "one] [two");
        assert_eq!(map.inward(Span::new(7, 10)), Some(Span::new(4, 7)));
    }
}
