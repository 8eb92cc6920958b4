//! Lines of a stream as they arrive, none of them larger than may be read.

use std::io::{self, Cursor, Read};

/// How much is read at once, in bytes.
const CHUNK: usize = 64 * 1024;

/// A line of a stream.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1.
    pub number: u32,
    /// What stands in it.
    pub content: LineContent,
}

/// What stands in a line.
#[derive(Debug, PartialEq, Eq)]
pub enum LineContent {
    /// Its bytes, without the end of the line.
    Bytes(Vec<u8>),
    /// More than may be read; the rest was passed over.
    TooLong,
    /// The stream could not be read any further, for this reason.
    Unreadable(String),
}

/// Reads lines.
pub struct Lines<R> {
    stream: R,
    limit: usize,
    /// What was read and belongs to no line yet.
    held: Vec<u8>,
    /// The line that is being read is too long, and the rest of it is thrown away.
    is_passing: bool,
    is_over: bool,
    number: u32,
    buffer: Vec<u8>,
}

impl<R: Read> Lines<R> {
    /// Reads a stream; no line may have more than `limit` bytes.
    pub fn new(stream: R, limit: u64) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Self { stream, limit, held: Vec::new(), is_passing: false, is_over: false, number: 0, buffer: vec![0; CHUNK] }
    }

    /// The first line in which something stands, as far as it may be read; it stays.
    ///
    /// # Errors
    ///
    /// When the stream cannot be read.
    pub fn first(&mut self) -> io::Result<&[u8]> {
        loop {
            let start = self.held.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(self.held.len());
            let rest = self.held.get(start..).unwrap_or_default();
            let end = memchr::memchr(b'\n', rest).map(|at| start + at);
            if end.is_some() || self.limit < self.held.len() || self.is_over {
                return Ok(self.held.get(start..end.unwrap_or(self.held.len())).unwrap_or_default());
            }
            let count = self.read()?;
            self.held.extend_from_slice(self.buffer.get(..count).unwrap_or_default());
        }
    }

    /// The stream as it was before anything was read of it.
    pub fn into_stream(self) -> impl Read {
        Cursor::new(self.held).chain(self.stream)
    }

    /// The next lines: all that are there, at least one. It only waits where none is. At the end there is none.
    pub fn next_batch(&mut self) -> Vec<Line> {
        let mut batch = Vec::new();
        let held = std::mem::take(&mut self.held);
        self.take(&held, &mut batch);
        while batch.is_empty() && !self.is_over {
            match self.read() {
                Ok(0) => self.finish(&mut batch),
                Ok(count) => {
                    let buffer = std::mem::take(&mut self.buffer);
                    self.take(buffer.get(..count).unwrap_or_default(), &mut batch);
                    self.buffer = buffer;
                }
                Err(error) => {
                    self.is_over = true;
                    self.push(LineContent::Unreadable(error.to_string()), &mut batch);
                }
            }
        }
        if batch.is_empty() {
            self.finish(&mut batch);
        }
        batch
    }

    fn read(&mut self) -> io::Result<usize> {
        loop {
            match self.stream.read(&mut self.buffer) {
                Ok(count) => {
                    self.is_over |= count == 0;
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Takes bytes in: whole lines go to the batch, the rest is held.
    fn take(&mut self, bytes: &[u8], batch: &mut Vec<Line>) {
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', bytes) {
            self.hold(bytes.get(start..end).unwrap_or_default());
            self.end_line(batch);
            start = end + 1;
        }
        self.hold(bytes.get(start..).unwrap_or_default());
    }

    fn hold(&mut self, bytes: &[u8]) {
        // A line that ends in CR and LF may be one byte longer.
        if self.is_passing || self.limit.saturating_add(1) < self.held.len() + bytes.len() {
            self.is_passing = true;
            self.held = Vec::new();
        } else {
            self.held.extend_from_slice(bytes);
        }
    }

    fn end_line(&mut self, batch: &mut Vec<Line>) {
        let mut bytes = std::mem::take(&mut self.held);
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        let is_too_long = std::mem::take(&mut self.is_passing) || self.limit < bytes.len();
        self.push(if is_too_long { LineContent::TooLong } else { LineContent::Bytes(bytes) }, batch);
    }

    /// The last line may have no end.
    fn finish(&mut self, batch: &mut Vec<Line>) {
        if self.is_passing || !self.held.is_empty() {
            self.end_line(batch);
        }
    }

    fn push(&mut self, content: LineContent, batch: &mut Vec<Line>) {
        self.number = self.number.saturating_add(1);
        batch.push(Line { number: self.number, content });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out one piece a call, as a pipe does.
    struct Pieces(Vec<&'static [u8]>);

    impl Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let piece = self.0.remove(0);
            buffer[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }
    }

    fn batches(pieces: &[&'static [u8]], limit: u64) -> Vec<Vec<(u32, Option<String>)>> {
        let mut lines = Lines::new(Pieces(pieces.to_vec()), limit);
        let text = |content| match content {
            LineContent::Bytes(bytes) => Some(String::from_utf8(bytes).expect("it is text")),
            LineContent::TooLong | LineContent::Unreadable(_) => None,
        };
        let mut batches = Vec::new();
        loop {
            let batch: Vec<_> = lines.next_batch().into_iter().map(|line| (line.number, text(line.content))).collect();
            if batch.is_empty() {
                return batches;
            }
            batches.push(batch);
        }
    }

    #[test]
    fn whole_lines_come_as_soon_as_they_are_there() {
        let line = |number, text: &str| (number, Some(text.to_owned()));
        for (pieces, expected) in [
            (&[][..], vec![]),
            (&[&b"a\nb\n"[..], b"c\n"][..], vec![vec![line(1, "a"), line(2, "b")], vec![line(3, "c")]]),
            (&[b"a\nb", b"c", b"\n", b"d"], vec![vec![line(1, "a")], vec![line(2, "bc")], vec![line(3, "d")]]),
            (&[b"\r\n\na\r\n"], vec![vec![line(1, ""), line(2, ""), line(3, "a")]]),
            (&[b"a\n12345678\nb\n"], vec![vec![line(1, "a"), (2, None), line(3, "b")]]),
            (&[b"1234", b"5678", b"9\nb", b"\n"], vec![vec![(1, None)], vec![line(2, "b")]]),
            (&[b"12345678"], vec![vec![(1, None)]]),
            (&[b"1234567\r\n"], vec![vec![line(1, "1234567")]]),
        ] {
            assert_eq!(batches(pieces, 7), expected, "{pieces:?}");
        }
    }

    #[test]
    fn the_first_line_may_be_looked_at_before_it_is_taken() {
        let mut lines = Lines::new(Pieces(vec![b"\n \n", b"{\"a\"", b": 1}\nb", b"\nc\n"]), 100);
        assert_eq!(lines.first().expect("it can be read"), b"{\"a\": 1}");
        assert_eq!(lines.first().expect("it can be read"), b"{\"a\": 1}");
        let numbers = |batch: Vec<Line>| batch.into_iter().map(|line| line.number).collect::<Vec<_>>();
        assert_eq!(numbers(lines.next_batch()), [1, 2, 3]);
        assert_eq!(numbers(lines.next_batch()), [4, 5]);
        let mut lines = Lines::new(Pieces(vec![b"{", b"\n}"]), 100);
        assert_eq!(lines.first().expect("it can be read"), b"{");
        let mut whole = String::new();
        lines.into_stream().read_to_string(&mut whole).expect("it can be read");
        assert_eq!(whole, "{\n}");
    }
}
