//! The token table that is compiled in: a vocabulary, and a row of numbers for each token.
//!
//! `training/distil.py` writes it, and its card is `training/README.md`. It is read where it lies: nothing is copied.

use sha2::{Digest as _, Sha256};

use crate::model::embedding::EmbeddingError;

static BUILT_IN: &[u8] = include_bytes!("table.bin");

const MAGIC: &[u8] = b"CGTOKENS";
const VERSION: u32 = 1;
/// Magic, five numbers, and a name.
const HEAD: usize = 8 + 5 * 4 + 64;
const CHECKSUM: usize = 32;
/// A slot of the hash table in which there is no row.
const EMPTY: u16 = u16::MAX;
/// Tokens that go on with a word begin so.
const CONTINUED: &[u8] = b"##";

/// The token table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    bytes: &'static [u8],
    starts: &'static [u8],
    slots: &'static [u8],
    scales: &'static [u8],
    rows: &'static [u8],
    texts: &'static [u8],
    dimensions: usize,
    longest: usize,
}

impl Table {
    /// The table that is compiled in.
    ///
    /// # Errors
    ///
    /// When the file that was compiled in is no table; a test holds that it is.
    pub fn built_in() -> Result<Self, EmbeddingError> {
        Self::read(BUILT_IN)
    }

    /// A table in these bytes. Its checksum is not verified: see [`verify`](Self::verify).
    ///
    /// # Errors
    ///
    /// When the bytes are no table of this version, or end too early.
    pub fn read(bytes: &'static [u8]) -> Result<Self, EmbeddingError> {
        let broken = |what: &str| EmbeddingError::new(format!("the token table {what}; write it anew with training/distil.py"));
        if !bytes.starts_with(MAGIC) {
            return Err(broken("does not begin as one"));
        }
        let number = |nth: usize| u32_at(bytes.get(8..).unwrap_or_default(), nth).map(|number| number as usize);
        let (Some(version), Some(count), Some(dimensions), Some(slots), Some(longest)) =
            (number(0), number(1), number(2), number(3), number(4))
        else {
            return Err(broken("ends in its header"));
        };
        if version != VERSION as usize {
            return Err(broken(&format!("has version {version}, not {VERSION}")));
        }
        if !slots.is_power_of_two() || slots <= count || EMPTY as usize <= count {
            return Err(broken("has too many tokens for its slots"));
        }
        let mut rest = bytes.get(HEAD + CHECKSUM..).unwrap_or_default();
        let mut take = |length: usize| {
            let taken = rest.get(..length)?;
            rest = rest.get(length..)?;
            Some(taken)
        };
        let parts = (take((count + 1) * 4), take(slots * 2), take(count * 4), take(count * dimensions));
        let (Some(starts), Some(slots), Some(scales), Some(rows)) = parts else { return Err(broken("ends too early")) };
        if u32_at(starts, count) != u32::try_from(rest.len()).ok() {
            return Err(broken("ends too early"));
        }
        Ok(Self { bytes, starts, slots, scales, rows, texts: rest, dimensions, longest })
    }

    /// Returns true if and only if the bytes are those of which the checksum was made.
    pub fn verify(&self) -> bool {
        let (head, body) = (self.bytes.get(..HEAD).unwrap_or_default(), self.bytes.get(HEAD + CHECKSUM..).unwrap_or_default());
        Sha256::new().chain_update(head).chain_update(body).finalize().as_slice() == self.checksum()
    }

    /// The SHA-256 of all the rest, as the file tells it.
    pub fn checksum(&self) -> &'static [u8] {
        self.bytes.get(HEAD..HEAD + CHECKSUM).unwrap_or_default()
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.scales.len() / 4
    }

    /// Returns true if and only if there are none.
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// How many numbers a row has.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The length of the longest token, in bytes, with the mark of those that go on with a word.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// The text of a token.
    pub fn text(&self, row: u16) -> &'static str {
        std::str::from_utf8(self.text_bytes(row)).unwrap_or_default()
    }

    /// The row of a token; `hash` is that of its text with its mark.
    pub fn find(&self, text: &[u8], is_continued: bool, hash: Hash) -> Option<u16> {
        let mask = self.slots.len() / 2 - 1;
        let mut slot = hash.slot() & mask;
        // A table with a free slot ends every search.
        loop {
            let row = u16_at(self.slots, slot)?;
            if row == EMPTY {
                return None;
            }
            let found = self.text_bytes(row);
            let found = if is_continued { found.strip_prefix(CONTINUED) } else { Some(found) };
            if found == Some(text) {
                return Some(row);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Adds a token's row to a sum that has as many numbers.
    pub fn add(&self, row: u16, sum: &mut [f32]) {
        let start = row as usize * self.dimensions;
        let Some(numbers) = self.rows.get(start..start + self.dimensions) else { return };
        let scale = self.scales.get(row as usize * 4..row as usize * 4 + 4).and_then(|bytes| bytes.try_into().ok());
        let scale = scale.map_or(0.0, f32::from_le_bytes);
        for (sum, number) in sum.iter_mut().zip(numbers) {
            *sum += scale * f32::from(number.cast_signed());
        }
    }

    fn text_bytes(&self, row: u16) -> &'static [u8] {
        let bounds = u32_at(self.starts, row as usize).zip(u32_at(self.starts, row as usize + 1));
        bounds.and_then(|(start, end)| self.texts.get(start as usize..end as usize)).unwrap_or_default()
    }
}

/// FNV-1a of 32 bits, which grows byte by byte: all beginnings of a word are hashed in one pass.
#[derive(Clone, Copy, Debug)]
pub struct Hash(u32);

impl Hash {
    /// The hash of nothing, or of the mark of tokens that go on with a word.
    pub fn new(is_continued: bool) -> Self {
        let empty = Self(0x811c_9dc5);
        if is_continued { CONTINUED.iter().fold(empty, |hash, byte| hash.and(*byte)) } else { empty }
    }

    /// The hash with one byte more.
    pub fn and(self, byte: u8) -> Self {
        Self((self.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    }

    fn slot(self) -> usize {
        (self.0 ^ (self.0 >> 16)) as usize
    }
}

fn u32_at(bytes: &[u8], nth: usize) -> Option<u32> {
    bytes.get(nth * 4..nth * 4 + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes)
}

fn u16_at(bytes: &[u8], nth: usize) -> Option<u16> {
    bytes.get(nth * 2..nth * 2 + 2).and_then(|bytes| bytes.try_into().ok()).map(u16::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_one_that_was_written() {
        let table = Table::built_in().expect("it is a table");
        assert!(table.verify());
        assert!(20_000 < table.len() && table.dimensions() == 128, "{} × {}", table.len(), table.dimensions());
        assert!(BUILT_IN.len() <= 4 << 20, "{} bytes", BUILT_IN.len());
    }

    #[test]
    fn every_token_is_found_by_its_text() {
        let table = Table::built_in().expect("it is a table");
        for row in 0..u16::try_from(table.len()).expect("rows are numbered by 16 bits") {
            let text = table.text(row);
            let (text, is_continued) = match text.strip_prefix("##") {
                Some(rest) if !rest.is_empty() => (rest, true),
                Some(_) | None => (text, false),
            };
            let hash = text.bytes().fold(Hash::new(is_continued), Hash::and);
            assert_eq!(table.find(text.as_bytes(), is_continued, hash), Some(row), "{text}");
        }
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let with = |at: usize, byte: u8| {
            let mut bytes = BUILT_IN.to_vec();
            bytes[at] = byte;
            bytes.leak()
        };
        for (bytes, expected) in [
            (&b"CGTOKEN"[..], "does not begin as one"),
            (&b"CGTOKENS\x01\0\0\0"[..], "ends in its header"),
            (with(8, 2), "version 2"),
            (with(15, 200), "too many tokens"),
            (&BUILT_IN[..BUILT_IN.len() / 2], "ends too early"),
            (&BUILT_IN[..BUILT_IN.len() - 1], "ends too early"),
        ] {
            let error = Table::read(bytes).expect_err(expected);
            assert!(error.message.contains(expected), "{error} is not: {expected}");
        }
        let changed = with(BUILT_IN.len() - 1, b'?');
        assert!(!Table::read(changed).expect("its shape is right").verify());
    }
}
