//! Texts in code that are written so that nobody can read them.

use crate::knowledge::threat::Shape;

/// Longest piece of a chopped text, in bytes.
const PIECE: usize = 6;
/// How many pieces in a row are a chopped text.
const PIECES: usize = 3;
/// How many texts in a row, of which the last one counts, are no accident.
const CHOICES: usize = 3;
/// Shortest text of codes.
const CODED: usize = 80;

/// All such texts of some code, with where they start and end.
pub fn shapes(code: &str) -> Vec<(Shape, usize, usize)> {
    let literals = literals(code);
    let between = |left: usize, right: usize| code.get(left..right).unwrap_or_default().trim();
    let mut found: Vec<(Shape, usize, usize)> = Vec::new();
    let mut first = 0;
    while let Some((start, end)) = literals.get(first).copied() {
        let mut last = first;
        let mut run_end = end;
        let joint = literals.get(first + 1).map_or("", |(next, _)| between(end, *next));
        while let Some((next, next_end)) = literals.get(last + 1).copied().filter(|_| matches!(joint, "+" | ",")) {
            if between(run_end, next) != joint {
                break;
            }
            (last, run_end) = (last + 1, next_end);
        }
        let run = literals.get(first..=last).unwrap_or_default();
        if joint == "+" && PIECES <= run.len() && run.iter().all(|(start, end)| end - start - 2 <= PIECE) {
            found.push((Shape::ChoppedText, start, run_end));
        } else if joint == "," && CHOICES <= run.len() && is_added(code, start, run_end) {
            found.push((Shape::LiteralSequence, start, run_end));
        }
        if is_coded(code.get(start + 1..end - 1).unwrap_or_default()) {
            found.push((Shape::CodedText, start, end));
        }
        first = last + 1;
    }
    found
}

/// Returns true if and only if texts stand in parentheses that call nothing and are added to something.
fn is_added(code: &str, start: usize, end: usize) -> bool {
    let before = code.get(..start).unwrap_or_default().trim_end().strip_suffix('(').map(str::trim_end);
    let behind = code.get(end..).unwrap_or_default().trim_start().strip_prefix(')').map(str::trim_start);
    let calls = |before: &str| before.ends_with(|last: char| last.is_alphanumeric() || matches!(last, '_' | '$' | ')' | ']'));
    before.zip(behind).is_some_and(|(before, behind)| !calls(before) && (before.ends_with('+') || behind.starts_with('+')))
}

/// Returns true if and only if a text is nothing but codes of characters.
fn is_coded(text: &str) -> bool {
    let is_code = |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b',' | b'-' | b'%' | b'?' | b'=' | b' ' | b'.' | b'!' | b'|');
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    CODED <= text.len() && text.bytes().all(is_code) && text.len() / 4 <= digits
}

/// Where the string literals of some code stand, quotes included: those that end in their line.
fn literals(code: &str) -> Vec<(usize, usize)> {
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if !matches!(byte, b'\'' | b'"') {
            at += 1;
            continue;
        }
        match end_of(bytes, at, *byte) {
            Some(end) => {
                found.push((at, end));
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

/// The place behind the quote that closes a literal.
fn end_of(bytes: &[u8], start: usize, quote: u8) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 2,
            b'\n' => return None,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}
