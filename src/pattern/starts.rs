//! Many words in a text at once, by how they begin: three bytes of any case tell where one may stand.
//!
//! Most runs read one small text, for which an automaton of all words would cost far more to build than to run.

/// How many bytes tell words apart, where a word has so many.
const START: usize = 4;
/// How many bytes tell that a word may begin.
const LEAST: usize = 3;
/// All letters in lower case; other bytes may become others, which only lets more be looked at.
const FOLD: u32 = 0x2020_2020;
/// The first three of four bytes.
const THREE: u32 = 0x00ff_ffff;
/// How many bits of a hash tell whether a word begins so.
const TOLD: u32 = 15;
/// How many of them tell which.
const SORTED: u32 = 12;
/// A hash has so many bits.
const HASH: u32 = 32;

/// Where words may stand.
#[derive(Debug)]
pub struct Starts {
    /// For each hash one bit: whether a word begins so.
    told: Box<[u64; 1 << (TOLD - 6)]>,
    /// For each beginning of a hash the first of its words.
    firsts: Vec<u32>,
    words: Vec<Word>,
    /// Words that are too short, with their numbers.
    short: Vec<(u32, Box<[u8]>)>,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    start: u32,
    mask: u32,
    number: u32,
}

impl Starts {
    /// Words by their beginnings, each with its number; a word may have several.
    pub fn of<'w>(starts: impl IntoIterator<Item = (&'w [u8], u32)>) -> Self {
        let mut told = Box::new([0_u64; 1 << (TOLD - 6)]);
        let (mut words, mut short) = (Vec::new(), Vec::new());
        for (start, number) in starts {
            if start.len() < LEAST {
                short.push((number, start.to_ascii_lowercase().into()));
                continue;
            }
            let word = Word { start: four(start) | FOLD, mask: if start.len() < START { THREE } else { u32::MAX }, number };
            let hash = hash(word.start);
            told[(hash >> 6) as usize] |= 1 << (hash & 63);
            words.push(word);
        }
        let (firsts, words) = sorted(words);
        Self { told, firsts, words, short }
    }

    /// Calls `seen` with the number of each word that may begin at a place, and the place. Whether it does stand there is left
    /// to be looked at.
    pub fn search(&self, text: &[u8], mut seen: impl FnMut(u32, usize)) {
        for (at, bytes) in text.windows(START).enumerate() {
            let &[first, second, third, fourth] = bytes else { continue };
            let bytes = u32::from_le_bytes([first, second, third, fourth]) | FOLD;
            if self.tells(bytes) {
                self.look(bytes, at, &mut seen);
            }
        }
        let last = text.len().saturating_sub(START - 1);
        for at in last..text.len() {
            let bytes = four(text.get(at..).unwrap_or_default()) | FOLD;
            if self.tells(bytes) {
                self.look(bytes, at, &mut seen);
            }
        }
        for (number, word) in &self.short {
            let places = 0..(text.len() + 1).saturating_sub(word.len());
            places.filter(|at| text[*at..*at + word.len()].eq_ignore_ascii_case(word)).for_each(|at| seen(*number, at));
        }
    }

    /// Returns true unless no word begins with bytes of lower case. Asked at each byte of what is read.
    #[inline(always)]
    fn tells(&self, bytes: u32) -> bool {
        let hash = hash(bytes);
        self.told[(hash >> 6) as usize] >> (hash & 63) & 1 != 0
    }

    #[inline(never)]
    fn look(&self, bytes: u32, at: usize, seen: &mut impl FnMut(u32, usize)) {
        let bucket = (hash(bytes) >> (TOLD - SORTED)) as usize;
        let words = &self.words[self.firsts[bucket] as usize..self.firsts[bucket + 1] as usize];
        words.iter().filter(|word| (word.start ^ bytes) & word.mask == 0).for_each(|word| seen(word.number, at));
    }
}

/// The words by the beginnings of their hashes, and the first of each.
fn sorted(words: Vec<Word>) -> (Vec<u32>, Vec<Word>) {
    let bucket = |word: &Word| (hash(word.start) >> (TOLD - SORTED)) as usize;
    let mut firsts = vec![0; (1 << SORTED) + 1];
    words.iter().for_each(|word| firsts[bucket(word) + 1] += 1);
    let mut before = 0;
    for first in &mut firsts {
        before += *first;
        *first = before;
    }
    let (mut next, mut sorted) = (firsts.clone(), words.clone());
    for word in words {
        let at = &mut next[bucket(&word)];
        sorted[*at as usize] = word;
        *at += 1;
    }
    (firsts, sorted)
}

/// The first four bytes; blanks stand for those that are missing.
#[inline]
fn four(bytes: &[u8]) -> u32 {
    if let Some(four) = bytes.first_chunk::<START>() {
        return u32::from_le_bytes(*four);
    }
    let mut four = [b' '; START];
    four.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    u32::from_le_bytes(four)
}

/// What three bytes are told by.
#[inline(always)]
fn hash(bytes: u32) -> u32 {
    (bytes & THREE).wrapping_mul(0x9e37_79b1) >> (HASH - TOLD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_seen_wherever_it_stands_and_whatever_its_case() {
        let words = ["curl", "cur", "wget ", "@x-", "a", "_id", "éà"];
        let starts = Starts::of((0_u32..).zip(words).map(|(number, word)| (word.as_bytes(), number)));
        for (at, word) in words.iter().enumerate() {
            for (before, behind) in [("", ""), ("  ", ""), ("", "  "), ("curxcurlyüwge", "t@x"), ("ab", "c")] {
                let text = format!("{before}{}{behind}", word.to_ascii_uppercase());
                let mut seen = Vec::new();
                starts.search(text.as_bytes(), |number, place| seen.push((number as usize, place)));
                assert!(seen.contains(&(at, before.len())), "{word} in {text}: {seen:?}");
            }
        }
    }

    #[test]
    fn a_word_is_seen_nowhere_else() {
        let starts = Starts::of([("curl".as_bytes(), 0), ("sh ".as_bytes(), 1)]);
        for text in ["", "cur", "url", "cvrl", "c u r l", "shell"] {
            starts.search(text.as_bytes(), |number, at| panic!("{number} at {at} of {text}"));
        }
    }

    #[test]
    fn bytes_that_are_missing_are_blanks() {
        assert_eq!(four(b"ab"), u32::from_le_bytes(*b"ab  "));
        assert_eq!(four(b"abc"), u32::from_le_bytes(*b"abc "));
        assert_eq!(four(b"abcde"), u32::from_le_bytes(*b"abcd"));
    }
}
