//! Where something stands in a source: byte spans, and lines and columns for people.

use std::sync::OnceLock;

/// A stretch of a source text, in bytes; `start <= end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from `start` to `end`; an `end` before `start` is lifted to it.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end: end.max(start) }
    }

    /// A span from offsets into a text. Texts over 4 GiB never get this far (see `Limits`).
    pub fn from_offsets(start: usize, end: usize) -> Self {
        let narrow = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self::new(narrow(start), narrow(end))
    }

    /// The text of the span, empty where the span does not fit the text.
    pub fn slice(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }

    /// Returns true if and only if the two spans share a byte.
    pub fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Returns true if and only if `other` lies within this span.
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// The spans in order of place, those that overlap or touch joined.
pub fn joined(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable();
    spans.into_iter().fold(Vec::new(), |mut joined: Vec<Span>, span| {
        match joined.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            Some(_) | None => joined.push(span),
        }
        joined
    })
}

/// Returns true if and only if one of the spans, which must be `joined`, holds the byte.
pub fn holds(spans: &[Span], offset: u32) -> bool {
    let index = spans.partition_point(|span| span.end <= offset);
    spans.get(index).is_some_and(|span| span.start <= offset)
}

/// A place for people: both numbers count from 1, columns count Unicode code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in code points.
    pub column: u32,
}

/// How far apart the counted places of a text are, in bytes.
const BLOCK: usize = 4_096;

/// The line starts of a text, to turn offsets into positions. LF, CRLF and a lone CR end a line.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
    /// How many characters stand before each block, so that no long line is counted twice.
    characters: OnceLock<Vec<u32>>,
}

impl LineIndex {
    /// Reads the line starts of a text.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            let is_first_of_crlf = bytes.get(at) == Some(&b'\r') && bytes.get(at + 1) == Some(&b'\n');
            if !is_first_of_crlf {
                starts.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
            }
        }
        Self { starts, characters: OnceLock::new() }
    }

    /// The line of a byte offset, from 1; cheaper than its position.
    pub fn line_at(&self, offset: u32) -> u32 {
        let line = self.starts.partition_point(|&start| start <= offset).max(1);
        u32::try_from(line).unwrap_or(u32::MAX)
    }

    /// The position of a byte offset; an offset inside a character counts as that character.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let line = self.line_at(offset);
        let start = self.starts.get(line as usize - 1).copied().unwrap_or(0) as usize;
        let column = self.characters_before(text, offset as usize) - self.characters_before(text, start);
        Position { line, column: column.saturating_add(1) }
    }

    /// How many characters start before a byte offset.
    fn characters_before(&self, text: &str, offset: usize) -> u32 {
        let bytes = text.as_bytes();
        let blocks = self.characters.get_or_init(|| {
            let counts = bytes.chunks(BLOCK).map(characters);
            let sums = counts.scan(0_u32, |sum, count| Some(std::mem::replace(sum, sum.saturating_add(count))));
            sums.collect()
        });
        let mut end = offset.min(bytes.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let block = end / BLOCK;
        match blocks.get(block) {
            Some(before) => before.saturating_add(bytes.get(block * BLOCK..end).map_or(0, characters)),
            None => characters(bytes),
        }
    }

    /// The byte span of a line (from 1), without its line ending.
    pub fn line(&self, text: &str, line: u32) -> Span {
        let index = (line.max(1) - 1) as usize;
        let start = self.starts.get(index).copied().unwrap_or(0);
        let end = self.starts.get(index + 1).copied().unwrap_or(u32::try_from(text.len()).unwrap_or(u32::MAX));
        let body = Span::new(start, end).slice(text).trim_end_matches(['\n', '\r']);
        Span::new(start, start.saturating_add(u32::try_from(body.len()).unwrap_or(u32::MAX)))
    }

    /// How many lines there are; at least one.
    pub fn lines(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(u32::MAX)
    }
}

/// How many characters start in the bytes of a text.
fn characters(bytes: &[u8]) -> u32 {
    let count = bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_of_every_ending_and_code_points() {
        let text = "a\r\nbé𝄞c\rd\ne";
        let index = LineIndex::new(text);
        let check = |needle: &str, line, column| {
            let offset = u32::try_from(text.find(needle).expect("the needle is in the text")).expect("it is short");
            assert_eq!(index.position(text, offset), Position { line, column }, "{needle}");
        };
        check("a", 1, 1);
        check("b", 2, 1);
        check("c", 2, 4);
        check("d", 3, 1);
        check("e", 4, 1);
        assert_eq!(index.lines(), 4);
        assert_eq!(index.line(text, 2).slice(text), "bé𝄞c");
    }

    #[test]
    fn joined_spans_hold_what_each_of_them_held() {
        let spans = joined([(5, 9), (1, 3), (3, 4), (6, 7), (20, 20)].map(|(start, end)| Span::new(start, end)).to_vec());
        assert_eq!(spans, [Span::new(1, 4), Span::new(5, 9), Span::new(20, 20)]);
        let held: Vec<u32> = (0..22).filter(|offset| holds(&spans, *offset)).collect();
        assert_eq!(held, [1, 2, 3, 5, 6, 7, 8]);
    }

    #[test]
    fn columns_of_long_lines_are_counted_over_blocks() {
        let text = "é".repeat(3 * BLOCK) + "x";
        let offset = u32::try_from(text.len() - 1).expect("it is short");
        assert_eq!(LineIndex::new(&text).position(&text, offset).column as usize, 3 * BLOCK + 1);
        assert_eq!(LineIndex::new(&text).position(&text, u32::MAX).column as usize, 3 * BLOCK + 2);
    }

    #[test]
    fn an_offset_past_the_end_or_inside_a_character_has_a_position() {
        let index = LineIndex::new("é");
        assert_eq!(index.position("é", 1), Position { line: 1, column: 1 });
        assert_eq!(index.position("é", 99), Position { line: 1, column: 2 });
    }
}
