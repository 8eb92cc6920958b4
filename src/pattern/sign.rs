//! Finds signs (`knowledge/threats/`) in the code of a script, by how their words begin.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::knowledge::threat::{SignRow, THREATS};
use crate::pattern::shape::shapes;
use crate::pattern::starts::Starts;
use crate::subject::segment::Role;
use crate::subject::sign::Sign;
use crate::subject::{Kind, Subject};
use crate::value::span::Span;

/// How many places of one word, or of one shape, are kept.
const PLACES: usize = 64;

/// The words of all signs.
struct Words {
    starts: Starts,
    /// By number: their row, their place in it, and themselves.
    words: Vec<(u16, u16, &'static str)>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let of_row = |(row, sign): (u16, &'static SignRow)| (0_u16..).zip(sign.words).map(move |(at, word)| (row, at, *word));
    let words: Vec<(u16, u16, &'static str)> = (0_u16..).zip(THREATS.signs).flat_map(of_row).collect();
    let starts =
        words.iter().zip(0_u32..).flat_map(|((_, _, word), number)| beginnings(word).into_iter().map(move |start| (start, number)));
    let starts: Vec<(Cow<'static, [u8]>, u32)> = starts.collect();
    Words { starts: Starts::of(starts.iter().map(|(start, number)| (&**start, *number))), words }
});

/// How many bytes of a word's beginning are told.
const BEGINNING: usize = 4;
/// How what parts a path may begin, see [`behind_separator`].
const SEPARATORS: [&[u8]; 10] = [b"/", b"\\", b"\\\\", b"\\/", b"\" ", b"\",", b"' ", b"',", b"` ", b"`,"];

/// All ways in which a word may begin: what parts a path in it is written in several.
fn beginnings(word: &'static str) -> Vec<Cow<'static, [u8]>> {
    let word = word.trim_start_matches('/').as_bytes();
    let start = word.get(..BEGINNING).unwrap_or(word);
    if !start.contains(&b'/') {
        return vec![Cow::Borrowed(start)];
    }
    let mut all = Vec::new();
    begin(word, Vec::new(), &mut all);
    all.sort_unstable();
    // Where two would be seen at one place, the shorter one is enough.
    all.dedup_by(|longer, shorter| longer.starts_with(shorter));
    all.into_iter().map(Cow::Owned).collect()
}

fn begin(rest: &[u8], begun: Vec<u8>, all: &mut Vec<Vec<u8>>) {
    match rest.split_first().filter(|_| begun.len() < BEGINNING) {
        None => all.push(begun.into_iter().take(BEGINNING).collect()),
        Some((b'/', rest)) => SEPARATORS.iter().for_each(|parting| begin(rest, [&begun, *parting].concat(), all)),
        Some((letter, rest)) => begin(rest, [begun, vec![*letter]].concat(), all),
    }
}

/// Notes the signs in a script, in order of place.
pub fn mark(subject: &mut Subject, source: &str) {
    if subject.kind != Kind::Script {
        return;
    }
    let text = subject.text(source);
    let mut signs = Vec::new();
    for segment in &subject.segments {
        match (segment.role, &segment.decoded) {
            (Role::Code, None) => search(segment.text(text), &mut signs, |start, end| segment.source_span(start, end)),
            // A head that a host reads: `// ==Name==`.
            (Role::Comment, None) if segment.text(text).trim_start_matches(['/', '*', ' ']).starts_with("==") => {
                search(segment.text(text), &mut signs, |start, end| segment.source_span(start, end));
            }
            (Role::Folded, Some(decoded)) | (Role::String, Some(decoded)) => search(decoded, &mut signs, |_, _| segment.span),
            _ => {}
        }
    }
    signs.sort_by_key(|sign| (sign.span, sign.whose));
    subject.signs = signs;
}

/// Finds the signs in some code.
pub(in crate::pattern) fn search(text: &str, signs: &mut Vec<Sign>, place: impl Fn(usize, usize) -> Span) {
    let Words { starts, words } = &*WORDS;
    let bytes = text.as_bytes();
    let mut counts: BTreeMap<(u16, u16), usize> = BTreeMap::new();
    let mut standing: Vec<(u16, u16, usize, usize)> = Vec::new();
    starts.search(bytes, |number, start| {
        let Some((row, at, word)) = words.get(number as usize) else { return };
        let Some(end) = stands(bytes, start, word) else { return };
        let count = counts.entry((*row, *at)).or_default();
        *count += 1;
        if *count <= PLACES {
            standing.push((*row, *at, start, end));
        }
    });
    for (row, at, start, end) in widest(standing) {
        let Some(sign) = THREATS.signs.get(usize::from(row)) else { continue };
        let whose = (row, if sign.of.is_some() { 0 } else { at });
        signs.push(Sign { kind: sign.kind, whose, span: place(start, end) });
    }
    let mut counts: BTreeMap<u16, u16> = BTreeMap::new();
    for (shape, start, end) in shapes(text) {
        for (row, sign) in (0_u16..).zip(THREATS.signs).filter(|(_, sign)| sign.shape == Some(shape)) {
            let count = counts.entry(row).or_default();
            *count += 1;
            if usize::from(*count) <= PLACES {
                signs.push(Sign { kind: sign.kind, whose: (row, *count), span: place(start, end) });
            }
        }
    }
}

/// What stands of each row, without words inside a longer one of the same row: one path is one path, whatever parts of it are words as well.
fn widest(mut standing: Vec<(u16, u16, usize, usize)>) -> Vec<(u16, u16, usize, usize)> {
    standing.sort_by_key(|(row, _, start, end)| (*row, *start, Reverse(*end)));
    let mut behind = (u16::MAX, 0);
    standing.retain(|(row, _, _, end)| {
        let is_inside = behind.0 == *row && *end <= behind.1;
        if !is_inside {
            behind = (*row, *end);
        }
        !is_inside
    });
    standing
}

/// Where a word ends that begins at a place, if it stands there as a whole.
fn stands(bytes: &[u8], start: usize, word: &str) -> Option<usize> {
    let before = start.checked_sub(1).and_then(|at| bytes.get(at));
    let inner = word.trim_start_matches('/');
    let is_bounded = if inner.len() < word.len() {
        before.is_some_and(|byte| matches!(byte, b'/' | b'\\'))
    } else {
        !word.starts_with(|first: char| first.is_ascii_alphanumeric())
            || before.is_none_or(|byte| !byte.is_ascii_alphanumeric())
            || is_behind_escape(bytes, start)
    };
    if !is_bounded {
        return None;
    }
    let mut at = start;
    for letter in inner.bytes() {
        if letter == b'/' {
            at = behind_separator(bytes, at)?;
        } else if bytes.get(at)?.eq_ignore_ascii_case(&letter) {
            at += 1;
        } else {
            return None;
        }
    }
    let is_open = word.ends_with(|last: char| last.is_ascii_alphanumeric()) && bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    (!is_open).then_some(at)
}

/// Returns true if and only if what stands before a place is the end of a line or a tab, as texts in code write it.
fn is_behind_escape(bytes: &[u8], at: usize) -> bool {
    let escape = at.checked_sub(2).and_then(|start| bytes.get(start..at));
    matches!(escape, Some([b'\\', b'n' | b'r' | b't']))
}

/// The place behind what parts a path: a slash, a backslash as it is or as it is written, or the end of one text and the
/// start of the next.
fn behind_separator(bytes: &[u8], at: usize) -> Option<usize> {
    let next = |at: usize| bytes.get(at).copied().unwrap_or_default();
    let is_quote = |byte: u8| matches!(byte, b'\'' | b'"' | b'`');
    match next(at) {
        b'/' => Some(at + 1),
        b'\\' if matches!(next(at + 1), b'\\' | b'/') => Some(at + 2),
        b'\\' => Some(at + 1),
        quote if is_quote(quote) => {
            let skip = |mut at: usize| {
                while next(at) == b' ' {
                    at += 1;
                }
                at
            };
            let comma = skip(at + 1);
            let open = skip(comma + 1);
            (next(comma) == b',' && is_quote(next(open))).then_some(open + 1)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::threat::threats;

    fn kinds(text: &str) -> Vec<&'static str> {
        let mut signs = Vec::new();
        search(text, &mut signs, Span::from_offsets);
        signs.iter().filter_map(|sign| THREATS.kinds.get(usize::from(sign.kind)).copied()).collect()
    }

    #[test]
    fn signs_far_from_each_other_are_no_threat() {
        let text = format!("const socket = net.connect(1, host);{}spawn('/bin/sh').stdout.pipe(socket);", " ".repeat(5000));
        let mut signs = Vec::new();
        search(&text, &mut signs, Span::from_offsets);
        signs.sort_by_key(|sign| sign.span);
        assert!(threats("reverse-shell", &signs).is_empty());
    }

    #[test]
    fn one_path_is_one_sign_of_its_row() {
        let count = |text: &str| kinds(text).into_iter().filter(|kind| *kind == "wallet").count();
        assert_eq!(count("join(home, '.config', 'solana', 'id.json')"), 1);
        assert_eq!(count("[join(home, '.config/solana/id.json'), join(data, 'Exodus/exodus.wallet')]"), 2);
    }

    #[test]
    fn a_path_is_known_however_its_parts_are_joined() {
        for text in [
            "'.aws/credentials'",
            r"'.aws\\credentials'",
            r"/.aws\/credentials/",
            "join('.aws', 'credentials')",
            "`${home}/.AWS/Credentials`",
        ] {
            assert!(kinds(text).contains(&"store"), "{text}");
        }
        for text in ["'my.awscredentials'", "'.aws/credentialsx'", "'x.aws.credentials'"] {
            assert!(!kinds(text).contains(&"store"), "{text}");
        }
    }
}
