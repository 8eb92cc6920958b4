//! Takes the secrets that a run found out of all texts that it writes, in whatever writing they stand there.

use std::fmt::Write as _;

use aho_corasick::{AhoCorasick, MatchKind};
use rustc_hash::FxHashSet;

use crate::pattern::secret::{Secret, redacted};
use crate::value::encoding::encode_base64;

/// Shortest text that is looked for everywhere, in bytes. A shorter one would hide words that are none of it.
const SHORTEST: usize = 6;
/// Longest text that is looked for as a whole, in bytes; of a longer one its pieces are.
pub const LONGEST: usize = 16 * 1024;
/// Shortest secret that is looked for within base64, in bytes.
const SHORTEST_ENCODED: usize = 12;
/// How many bytes of a secret in a row give it away, where the text around was cut.
const PIECE: usize = 8;

/// How many bytes lie between the starts of the pieces that are kept of base64.
const STRIDE: usize = 2;

/// Some bytes of a secret in a row, in lower case.
type Piece = [u8; PIECE];

/// All secrets that are known so far.
#[derive(Debug, Default)]
pub struct Mask {
    /// The later ones are the smaller ones, so that one more secret seldom means to build a large automaton.
    generations: Vec<Generation>,
    known: FxHashSet<Secret>,
    /// How many bytes of secrets are kept; all, if it is not said.
    limit: Option<usize>,
}

#[derive(Debug)]
struct Generation {
    secrets: Vec<Secret>,
    /// How many bytes its secrets have.
    size: usize,
    /// For each text that is looked for, how many bytes of it may be shown.
    shown: Vec<usize>,
    automaton: Option<AhoCorasick>,
    /// What a cut, or base64, leaves of its secrets.
    pieces: FxHashSet<Piece>,
}

/// A stretch of a text that must not be shown, but for its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    start: usize,
    end: usize,
    shown: usize,
}

impl Mask {
    /// A mask that forgets the oldest secrets when it would keep more than so many bytes of them.
    pub fn bounded(limit: usize) -> Self {
        Self { limit: Some(limit), ..Self::default() }
    }

    /// Returns true if and only if no secret is known.
    pub fn is_empty(&self) -> bool {
        self.generations.is_empty()
    }

    /// Takes more secrets in.
    pub fn learn<'s>(&mut self, secrets: impl IntoIterator<Item = &'s Secret>) {
        let new: Vec<Secret> =
            secrets.into_iter().filter(|secret| SHORTEST <= secret.text.len() && self.known.insert((*secret).clone())).cloned().collect();
        if new.is_empty() {
            return;
        }
        let mut newest = new;
        while let Some(last) = self.generations.pop_if(|last| last.secrets.len() <= 2 * newest.len()) {
            newest.splice(..0, last.secrets);
        }
        self.generations.push(Generation::of(newest));
        self.forget();
    }

    fn forget(&mut self) {
        let Some(limit) = self.limit else { return };
        while 1 < self.generations.len() && limit < self.generations.iter().map(|generation| generation.size).sum::<usize>() {
            for secret in self.generations.remove(0).secrets {
                self.known.remove(&secret);
            }
        }
    }

    /// A text with what may be said of each secret in its place; none if no secret stands in it.
    pub fn hidden(&self, text: &str) -> Option<String> {
        let mut written = String::new();
        let mut done = 0;
        for Stretch { start, end, shown } in self.stretches(text) {
            written.push_str(text.get(done..start).unwrap_or(""));
            written.push_str(&redacted(text.get(start..end).unwrap_or(""), shown));
            done = end;
        }
        (0 < done).then(|| written + text.get(done..).unwrap_or(""))
    }

    /// A text with as many stars as each secret has bytes in its place, so that every other place stays where it is; none
    /// if no secret stands in it.
    pub fn starred(&self, text: &str) -> Option<String> {
        let mut written = String::new();
        let mut done = 0;
        for Stretch { start, end, shown } in self.stretches(text) {
            written.push_str(text.get(done..start + shown).unwrap_or(""));
            written.extend(std::iter::repeat_n('*', end - start - shown));
            done = end;
        }
        (0 < done).then(|| written + text.get(done..).unwrap_or(""))
    }

    /// What must not be shown of a text, in order; no two overlap.
    fn stretches(&self, text: &str) -> Vec<Stretch> {
        let mut stretches: Vec<Stretch> = self.generations.iter().flat_map(|generation| generation.stretches(text)).collect();
        stretches.sort_unstable_by_key(|stretch| (stretch.start, std::cmp::Reverse(stretch.end)));
        let mut joined: Vec<Stretch> = Vec::new();
        for stretch in stretches {
            match joined.last_mut() {
                Some(last) if stretch.start < last.end => last.end = stretch.end.max(last.end),
                _ => joined.push(stretch),
            }
        }
        joined
    }
}

impl Generation {
    fn of(secrets: Vec<Secret>) -> Self {
        let mut texts: Vec<String> = Vec::new();
        let mut shown = Vec::new();
        let mut pieces = FxHashSet::default();
        for secret in &secrets {
            if !secret.is_writing {
                let rest = secret.text.as_bytes().get(secret.shown..).unwrap_or(&[]);
                pieces.extend(telling(rest, 1));
                if SHORTEST_ENCODED <= secret.text.len() {
                    // Overlapping ones suffice: whatever the text, its pieces follow each other.
                    (0..3).for_each(|shift| pieces.extend(telling(within_base64(&secret.text, shift).as_bytes(), STRIDE)));
                }
            }
            for (text, kind) in writings(secret).into_iter().filter(|(text, _)| text.len() <= LONGEST) {
                shown.push(kind);
                texts.push(text);
            }
        }
        // Whatever overlaps is found, so that of two secrets that share a part neither stands out of the other.
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).match_kind(MatchKind::Standard).build(&texts).ok();
        let size = secrets.iter().map(|secret| secret.text.len()).sum();
        Self { secrets, size, shown, automaton, pieces }
    }

    fn stretches(&self, text: &str) -> Vec<Stretch> {
        let whole = self.automaton.iter().flat_map(|automaton| automaton.find_overlapping_iter(text)).map(|found| {
            let shown = self.shown.get(found.pattern().as_usize()).copied().unwrap_or(0);
            Stretch { start: found.start(), end: found.end(), shown }
        });
        let is_piece = |bytes: &[u8]| piece(bytes).is_some_and(|piece| self.pieces.contains(&piece));
        let pieces = text.as_bytes().windows(PIECE).enumerate().filter(|(_, bytes)| is_piece(bytes));
        let pieces = pieces.map(|(at, _)| {
            let (start, end) = (text.floor_char_boundary(at), text.ceil_char_boundary(at + PIECE));
            Stretch { start, end, shown: 0 }
        });
        whole.chain(pieces).collect()
    }
}

/// The telling pieces of a text, from each so manieth of its bytes on.
fn telling(bytes: &[u8], stride: usize) -> impl Iterator<Item = Piece> {
    bytes.windows(PIECE).step_by(stride).filter(|piece| is_telling(piece)).filter_map(piece)
}

fn piece(bytes: &[u8]) -> Option<Piece> {
    let mut piece: Piece = bytes.try_into().ok()?;
    piece.make_ascii_lowercase();
    Some(piece)
}

/// Returns true if and only if the bytes look random, and not like a part of a word.
fn is_telling(bytes: &[u8]) -> bool {
    let class = |byte: &u8| match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let changes = bytes.windows(2).filter(|pair| pair.first().map(class) != pair.last().map(class)).count();
    3 <= changes || 2 <= changes && bytes.iter().any(u8::is_ascii_digit)
}

/// The ways to write a secret, each with how many bytes of it may be shown.
fn writings(secret: &Secret) -> Vec<(String, usize)> {
    let text = secret.text.as_ref();
    let mut writings = vec![(text.to_owned(), secret.shown)];
    let mut add = |writing: String| {
        if writing != text && SHORTEST <= writing.len() {
            writings.push((writing, 0));
        }
    };
    add(json(text));
    if !secret.is_writing {
        add(percent(text));
    }
    writings
}

fn json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted.get(1..quoted.len() - 1).unwrap_or("").to_owned()
}

fn percent(text: &str) -> String {
    text.bytes().fold(String::with_capacity(text.len()), |mut written, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            written.push(char::from(byte));
        } else {
            let _ = write!(written, "%{byte:02X}");
        }
        written
    })
}

/// The digits of base64 that a text alone decides where so many bytes stand before it in its group of three.
fn within_base64(text: &str, shift: usize) -> String {
    let mut bytes = vec![0; shift];
    bytes.extend(text.bytes());
    let digits = encode_base64(&bytes);
    let first = (shift * 4).div_ceil(3);
    digits.get(first..bytes.len() * 4 / 3).unwrap_or("").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Texts;

    const TOKEN: &str = "key_Ab3dE6gH9jK2mN5p";

    fn mask(secrets: &[&str]) -> Mask {
        let mut mask = Mask::default();
        secrets.iter().for_each(|secret| mask.learn([&Secret::new(secret, &Texts::Static(&["key_"]))]));
        mask
    }

    fn check(secrets: &[&str], text: &str, hidden: &str, starred: &str) {
        let mask = mask(secrets);
        assert_eq!(mask.hidden(text).as_deref().unwrap_or(text), hidden, "{text}");
        assert_eq!(mask.starred(text).as_deref().unwrap_or(text), starred, "{text}");
    }

    #[test]
    fn a_secret_is_hidden_wherever_it_stands() {
        check(&[TOKEN], "no secret", "no secret", "no secret");
        check(&[TOKEN], &format!("a {TOKEN}, b"), "a key_… (16 to 31 characters), b", "a key_****************, b");
        check(&[TOKEN], &TOKEN.to_lowercase(), "key_… (16 to 31 characters)", "key_****************");
        check(&["päss\"W0rt\n1"], r#"is päss\"W0rt\n1."#, "is … (under 16 characters).", "is **************.");
        check(&["a/b+c9d?e"], "?q=a%2Fb%2Bc9d%3Fe&", "?q=… (under 16 characters)&", "?q=***************&");
    }

    #[test]
    fn a_secret_is_hidden_within_base64() {
        for before in ["", "x", "xy", "xyz"] {
            let encoded = encode_base64(format!("{before}{TOKEN}!!").as_bytes());
            let hidden = mask(&[TOKEN]).hidden(&encoded).expect("the secret is found");
            assert!(hidden.len() < encoded.len() + 10 && hidden.contains("characters)"), "{hidden}");
            let stars = mask(&[TOKEN]).starred(&encoded).expect("the secret is found");
            assert!(20 < stars.matches('*').count(), "{stars}");
        }
    }

    #[test]
    fn secrets_that_overlap_are_hidden_as_one() {
        check(&["abcdefgh", "efghijkl"], "-abcdefghijkl-", "-… (under 16 characters)-", "-************-");
        check(&["cdefgh", "abcdefghijkl"], "-abcdefghijkl-", "-… (under 16 characters)-", "-************-");
    }

    #[test]
    fn what_a_cut_left_of_a_secret_is_hidden_too() {
        check(&[TOKEN], "reads `key_Ab3dE6gH9j…", "reads `key_… (under 16 characters)…", "reads `key_**********…");
        check(&[TOKEN], "…gH9jK2mN5p`", "…… (under 16 characters)`", "…**********`");
    }

    #[test]
    fn short_texts_and_words_are_left_alone() {
        check(&["12345"], "line 12345", "line 12345", "line 12345");
        check(&["services/T0aB1cD2e"], "all services/", "all services/", "all services/");
    }

    #[test]
    fn many_secrets_are_learned_and_the_oldest_forgotten() {
        let nth = |nth: usize| Secret::new(&format!("tok{nth}qz7Xw{}Lm9", nth * 7_919), &Texts::Static(&[]));
        let mut all = Mask::default();
        let mut some = Mask::bounded(2_000);
        for secret in (0..1_000).map(nth) {
            all.learn([&secret]);
            some.learn([&secret]);
            some.learn([&secret]);
        }
        assert!(all.generations.len() <= 10, "{}", all.generations.len());
        for secret in [nth(0), nth(500), nth(999)] {
            assert_eq!(all.hidden(&secret.text), Some(secret.redacted()));
        }
        assert!(some.generations.iter().map(|generation| generation.size).sum::<usize>() <= 4_000);
        assert_eq!(some.hidden(&nth(999).text), Some(nth(999).redacted()));
    }
}
