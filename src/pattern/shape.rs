//! Texts in code that are written so that nobody can read them.

use crate::knowledge::threat::Shape;
use crate::pattern::coded;

/// Longest piece of a chopped text, in bytes.
const PIECE: usize = 6;
/// How many pieces in a row are a chopped text.
const PIECES: usize = 3;
/// How many texts in a row, of which the last one counts, are no accident.
const CHOICES: usize = 3;
/// Shortest text of codes.
const CODED: usize = 80;
/// Shortest text of codes, or sum of them, that is a program.
const PROGRAM: usize = 1500;
/// How many blanks put code out of sight.
const FAR: usize = 150;
/// How many different letters a text has that says something.
const DIFFERENT: usize = 10;

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
        let coded: usize = run.iter().map(|(start, end)| coded_length(code.get(start + 1..end - 1).unwrap_or_default())).sum();
        if PROGRAM <= coded {
            // What reads it stands before or behind it.
            found.extend([(Shape::CodedProgram, start, run_end), (Shape::CodedProgram, run_end - 1, run_end)]);
        }
        for (start, end) in run {
            let text = code.get(start + 1..end - 1).unwrap_or_default();
            let shape = if is_coded(text) { Some(Shape::CodedText) } else { is_interleaved(text).then_some(Shape::InterleavedText) };
            found.extend(shape.map(|shape| (shape, *start, *end)));
        }
        first = last + 1;
    }
    found.extend(pushed_aside(code));
    found.extend(coded::calls(code).into_iter().map(|(start, end)| (Shape::CodedCall, start, end)));
    found.extend(coded::filler(code, &literals).map(|(start, end)| (Shape::FilledText, start, end)));
    found.extend(
        memchr::memchr_iter(b'[', code.as_bytes()).filter_map(|at| Some((Shape::LookedUpName, at, end_of_lookup(code.as_bytes(), at)?))),
    );
    found
}

/// Where code stands far to the right of other code in its line.
fn pushed_aside(code: &str) -> Vec<(Shape, usize, usize)> {
    let blanks = " ".repeat(FAR);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = code.get(from..).and_then(|rest| rest.find(&blanks)).map(|at| from + at) {
        let before = code.get(..start).unwrap_or_default();
        let behind = code.get(start..).unwrap_or_default();
        let end = start + (behind.len() - behind.trim_start_matches([' ', '\t']).len());
        let is_code =
            code.get(end..).is_some_and(|rest| rest.starts_with(|first: char| first.is_alphanumeric() || "(!;[_$".contains(first)));
        if is_code && before.ends_with([';', '}', ')']) {
            found.push((Shape::PushedAside, start, end));
        }
        from = end;
    }
    found
}

/// The place behind a key in brackets that is looked up in lists, if that is what stands there: a sum of such names, or one
/// that is called.
fn end_of_lookup(code: &[u8], open: usize) -> Option<usize> {
    let blank = |at: usize| skip(code, at, |byte| byte == b' ');
    let (mut at, mut parts, mut elements) = (blank(open + 1), 0, 0);
    loop {
        let part = Part::at(code, at)?;
        (parts, elements) = (parts + 1, elements + usize::from(part.kind != PartKind::Text));
        at = blank(part.end);
        match code.get(at)? {
            b'+' => at = blank(at + 1),
            b']' if 1 < parts => return (1 < elements).then_some(at + 1),
            b']' if part.kind == PartKind::Wrapped => return Some(at + 1),
            b']' => return (part.kind == PartKind::Element && code.get(at + 1) == Some(&b'(')).then_some(at + 1),
            _ => return None,
        }
    }
}

/// A part of a name that is put together.
struct Part {
    kind: PartKind,
    end: usize,
}

/// What a part of a name is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PartKind {
    /// An element of a list, or what a call makes of a number: `a[3]`, `a(0x1f)`.
    Element,
    /// The only element of a list that stands there: `[a][0]`.
    Wrapped,
    /// A text.
    Text,
}

impl Part {
    fn at(code: &[u8], start: usize) -> Option<Self> {
        let first = *code.get(start)?;
        if matches!(first, b'\'' | b'"') {
            return Some(Self { kind: PartKind::Text, end: end_of(code, start, first)? });
        }
        let is_wrapped = first == b'[';
        let name = start + usize::from(is_wrapped);
        let end = skip(code, name, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'));
        let open = if is_wrapped { skip(code, end, |byte| byte == b']') } else { end };
        if end == name || code.get(name)?.is_ascii_digit() || (is_wrapped && open != end + 1) {
            return None;
        }
        let close = match *code.get(open)? {
            b'[' => b']',
            b'(' if !is_wrapped => b')',
            _ => return None,
        };
        let index = skip(code, open + 1, |byte| byte.is_ascii_hexdigit() || byte == b'x');
        let is_index = open + 1 < index && code.get(open + 1)?.is_ascii_digit() && code.get(index) == Some(&close);
        let kind = if is_wrapped { PartKind::Wrapped } else { PartKind::Element };
        is_index.then_some(Self { kind, end: index + 1 })
    }
}

/// The first place from one on at which other bytes stand.
fn skip(code: &[u8], mut at: usize, is: impl Fn(u8) -> bool) -> usize {
    while code.get(at).is_some_and(|byte| is(*byte)) {
        at += 1;
    }
    at
}

/// Returns true if and only if every other letter of a text is the same, and the rest is no pattern.
fn is_interleaved(text: &str) -> bool {
    let bytes = text.as_bytes();
    let filler = |from: usize| {
        let first = *bytes.get(from)?;
        let is_one = !matches!(first, b' ' | b',' | b';' | b'|' | b'\\') && bytes.iter().skip(from).step_by(2).all(|byte| *byte == first);
        let mut rest: Vec<u8> = bytes.iter().skip(1 - from).step_by(2).copied().collect();
        rest.sort_unstable();
        rest.dedup();
        (is_one && DIFFERENT <= rest.len()).then_some(())
    };
    CODED <= bytes.len() && (filler(0).is_some() || filler(1).is_some())
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
    let is_code =
        |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b',' | b'-' | b'%' | b'?' | b'=' | b' ' | b'.' | b'!' | b'|' | b'_');
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    CODED <= text.len() && text.bytes().all(is_code) && text.len() / 4 <= digits
}

/// How much of a text is codes of characters.
fn coded_length(text: &str) -> usize {
    if is_coded(text) { text.len() } else { 0 }
}

/// Where the string literals of some code stand, quotes included: those that end in their line.
pub(in crate::pattern) fn literals(code: &str) -> Vec<(usize, usize)> {
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(ahead) = memchr::memchr2(b'\'', b'"', bytes.get(at..).unwrap_or_default()) {
        at += ahead;
        let Some(byte) = bytes.get(at) else { break };
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
