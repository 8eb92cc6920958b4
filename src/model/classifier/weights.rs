//! The weights of the classifier: a file that `training/train_classifier.py` writes and that is compiled in.
//!
//! Its parts, all little-endian: the mark `CGCL`; the SHA-256 of what follows; the version of the inputs, the number of buckets and
//! of the dimensions (u32 each); the bias, the scale of the weights and that of words (f32 each); a weight for each bucket (i16, to be
//! multiplied by the scale); a weight for each dimension, of code first and then of prose (f32).

use sha2::{Digest as _, Sha256};

use crate::model::classifier::inputs::{BUCKETS, VERSION};

const BYTES: &[u8] = include_bytes!("weights.bin");
const MARK: &[u8] = b"CGCL";
const CHECKSUM: usize = 32;
const NUMBERS: usize = 6 * 4;

/// Weights that were read; the buckets stay where they are compiled in.
#[derive(Clone, Debug)]
pub struct Weights {
    /// What a subject of which nothing is known sums up to.
    pub bias: f32,
    /// What the inputs of words are multiplied by.
    pub word_scale: f32,
    scale: f32,
    buckets: &'static [u8],
    meaning: Vec<f32>,
}

impl Weights {
    /// The weights that are compiled in.
    ///
    /// # Errors
    ///
    /// When they are damaged or belong to other inputs.
    pub fn built_in() -> Result<Self, String> {
        Self::read(BYTES)
    }

    /// Reads weights.
    ///
    /// # Errors
    ///
    /// As `built_in`.
    pub fn read(bytes: &'static [u8]) -> Result<Self, String> {
        let damaged = || "the weights of the classifier are damaged; build callgate anew".to_owned();
        let rest = bytes.strip_prefix(MARK).ok_or_else(damaged)?;
        let (checksum, body) = rest.split_at_checked(CHECKSUM).ok_or_else(damaged)?;
        if Sha256::digest(body).as_slice() != checksum {
            return Err(damaged());
        }
        let (numbers, body) = body.split_at_checked(NUMBERS).ok_or_else(damaged)?;
        let mut numbers = numbers.chunks_exact(4).filter_map(|bytes| bytes.try_into().ok());
        let mut next = || numbers.next().ok_or_else(damaged);
        let [version, buckets, dimensions] = [u32::from_le_bytes(next()?), u32::from_le_bytes(next()?), u32::from_le_bytes(next()?)];
        let [bias, scale, word_scale] = [f32::from_le_bytes(next()?), f32::from_le_bytes(next()?), f32::from_le_bytes(next()?)];
        if version != VERSION || buckets as usize != BUCKETS {
            return Err(format!(
                "the weights of the classifier are of version {version}, its inputs of version {VERSION}; train them anew"
            ));
        }
        let (buckets, meaning) = body.split_at_checked(2 * BUCKETS).ok_or_else(damaged)?;
        let meaning: Vec<f32> = meaning.chunks_exact(4).filter_map(|bytes| bytes.try_into().ok()).map(f32::from_le_bytes).collect();
        if meaning.len() != 2 * dimensions as usize {
            return Err(damaged());
        }
        Ok(Self { bias, word_scale, scale, buckets, meaning })
    }

    /// The weight of a bucket.
    pub fn bucket(&self, bucket: usize) -> f32 {
        let bytes = self.buckets.get(2 * bucket..2 * bucket + 2).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0.0, |bytes| f32::from(i16::from_le_bytes(bytes)) * self.scale)
    }

    /// The weights of the dimensions of a meaning.
    pub fn meaning(&self, is_prose: bool) -> &[f32] {
        let (code, prose) = self.meaning.split_at(self.meaning.len() / 2);
        if is_prose { prose } else { code }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compiled_in_is_whole() {
        Weights::built_in().expect("it can be read");
    }

    #[test]
    fn what_is_damaged_or_of_other_inputs_is_refused() {
        for at in [0, 10, 40, BYTES.len() - 1] {
            let mut bytes = BYTES.to_vec();
            bytes[at] ^= 1;
            assert!(Weights::read(bytes.leak()).is_err(), "{at}");
        }
        assert!(Weights::read(&[]).is_err());
        assert!(Weights::read(&BYTES[..BYTES.len() - 4]).is_err());
        let mut body = BYTES[MARK.len() + CHECKSUM..].to_vec();
        body[0] = body[0].wrapping_add(1);
        let bytes = [MARK, Sha256::digest(&body).as_slice(), &body].concat();
        let error = Weights::read(bytes.leak()).expect_err("the version differs");
        assert!(error.contains("train them anew"), "{error}");
    }
}
