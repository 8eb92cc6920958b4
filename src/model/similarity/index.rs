//! The index of samples: the vector of each, and of its harmless twin, in memory and in a file.
//!
//! The file has a magic word, a version, the embedder's id, a checksum of the samples, the numbers, and a SHA-256 of it all.

use sha2::{Digest as _, Sha256};

use crate::model::embedding::{Embedder, EmbeddingError, dot};
use crate::model::similarity::known::{Sample, digest};
use crate::model::similarity::reading;

const MAGIC: &[u8] = b"CGINDEX\n";
const VERSION: u32 = 1;
const CHECKSUM: usize = 32;
/// Similarity is first bounded by so many numbers of each vector. The built-in table's are principal components, the largest
/// first, and few samples need the others.
const HEAD: usize = 32;
/// What rounding may take from a bound.
const SLACK: f32 = 1e-4;

/// The index of samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// The id of the embedder that made it.
    embedder: String,
    /// The checksum of the samples that it was made of.
    digest: [u8; 32],
    dimensions: usize,
    samples: Vec<f32>,
    /// For each sample the length of its vector without the first numbers.
    rests: Vec<f32>,
    twins: Vec<f32>,
}

/// How like a subject is to the samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Likeness {
    /// For each sample the highest similarity, −1 to 1, and the stretch of the subject that has it.
    pub samples: Vec<(f32, usize)>,
    /// The highest similarity of the most similar stretch to any harmless text.
    pub twin: f32,
}

impl Likeness {
    /// The samples, the most similar first.
    pub fn ranked(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.samples.len()).collect();
        let similarity = |sample: usize| self.samples.get(sample).map_or(-1.0, |(similarity, _)| *similarity);
        order.sort_by(|left, right| similarity(*right).total_cmp(&similarity(*left)));
        order
    }
}

impl Index {
    /// Makes the index of these samples.
    ///
    /// # Errors
    ///
    /// When the embedder cannot make a vector.
    pub fn of(samples: &[Sample], embedder: &dyn Embedder) -> Result<Self, EmbeddingError> {
        let dimensions = embedder.dimensions();
        let embed = |sample: &Sample, text: &str| {
            let mut vector = embedder.embed_stretches(&reading::sample(sample.kind, text))?;
            // A text without words has no stretch, and is like nothing.
            vector.resize(dimensions, 0.0);
            Ok(vector)
        };
        let (mut vectors, mut twins) = (Vec::new(), Vec::new());
        for sample in samples {
            vectors.extend(embed(sample, &sample.text)?);
            if let Some(near_miss) = &sample.near_miss {
                twins.extend(embed(sample, near_miss)?);
            }
        }
        Ok(Self::with(embedder.id(), digest(samples), dimensions, (vectors, twins)))
    }

    fn with(embedder: String, digest: [u8; 32], dimensions: usize, (samples, twins): (Vec<f32>, Vec<f32>)) -> Self {
        let rests = samples.chunks_exact(dimensions.max(1)).map(|sample| sample.get(HEAD.min(dimensions)..).unwrap_or_default());
        let rests = rests.map(|rest| dot(rest, rest).sqrt()).collect();
        Self { embedder, digest, dimensions, samples, rests, twins }
    }

    /// How like the stretches with these vectors are to the samples. It is exact for the most similar sample and for all from
    /// `floor` on; of others that are less alike it may say less.
    pub fn likeness(&self, vectors: &[f32], floor: f32) -> Likeness {
        let width = self.dimensions.max(1);
        let mut likeness = Likeness { samples: vec![(0.0, 0); self.samples.len() / width], twin: 0.0 };
        let (mut best, mut nearest) = (0.0, 0);
        for (stretch, vector) in vectors.chunks_exact(width).enumerate() {
            let (head, tail) = vector.split_at(HEAD.min(width));
            let rest = dot(tail, tail).sqrt();
            let samples = self.samples.chunks_exact(width).zip(&self.rests);
            for (highest, (sample, sample_rest)) in likeness.samples.iter_mut().zip(samples) {
                let (sample_head, sample_tail) = sample.split_at(HEAD.min(width));
                let begun = dot(head, sample_head);
                if begun + rest * sample_rest + SLACK < floor.min(best) {
                    continue;
                }
                let similarity = begun + dot(tail, sample_tail);
                if highest.0 < similarity {
                    *highest = (similarity, stretch);
                }
                if best < similarity {
                    (best, nearest) = (similarity, stretch);
                }
            }
        }
        if let Some(vector) = vectors.chunks_exact(width).nth(nearest) {
            likeness.twin = self.twins.chunks_exact(width).map(|twin| dot(vector, twin)).fold(0.0, f32::max);
        }
        likeness
    }

    /// The vectors of the samples, in their order.
    pub fn samples(&self) -> impl Iterator<Item = &[f32]> {
        self.samples.chunks_exact(self.dimensions.max(1))
    }

    /// The vectors of the harmless texts, in the order of the samples that have one.
    pub fn twins(&self) -> impl Iterator<Item = &[f32]> {
        self.twins.chunks_exact(self.dimensions.max(1))
    }

    /// The index as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let numbers = [VERSION as usize, self.dimensions, self.samples.len(), self.twins.len(), self.embedder.len()];
        for number in numbers {
            bytes.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
        }
        bytes.extend(self.embedder.as_bytes());
        bytes.extend(self.digest);
        for number in self.samples.iter().chain(&self.twins) {
            bytes.extend(number.to_le_bytes());
        }
        let checksum = Sha256::digest(&bytes);
        bytes.extend(checksum);
        bytes
    }

    /// The index of a file, if it is that of these samples by this embedder.
    ///
    /// # Errors
    ///
    /// When it is damaged, of another version, by another embedder, or of other samples; says which, and what to do.
    pub fn from_bytes(bytes: &[u8], samples: &[Sample], embedder: &dyn Embedder) -> Result<Self, String> {
        let anew = "write it anew with `callgate samples index`";
        let index = Self::parse(bytes).map_err(|what| format!("the index {what}; {anew}"))?;
        if index.embedder != embedder.id() {
            return Err(format!("the index was made by `{}`, not by `{}`; {anew}", index.embedder, embedder.id()));
        }
        if index.dimensions != embedder.dimensions() {
            return Err(format!("the index has vectors of {} numbers, not of {}; {anew}", index.dimensions, embedder.dimensions()));
        }
        if index.digest != digest(samples) || index.samples.len() != samples.len() * index.dimensions {
            return Err(format!("the index was made of other samples than the {} of this run; {anew}", samples.len()));
        }
        Ok(index)
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else { return Err("is no index of samples".to_owned()) };
        let version = rest.first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
        if version != Some(VERSION) {
            return Err(version.map_or_else(|| "ends too early".to_owned(), |version| format!("has version {version}, not {VERSION}")));
        }
        let Some((body, checksum)) = bytes.split_last_chunk::<CHECKSUM>() else { return Err("ends too early".to_owned()) };
        if Sha256::digest(body).as_slice() != checksum {
            return Err("is damaged: its checksum does not fit".to_owned());
        }
        parsed(body.get(MAGIC.len() + 4..).unwrap_or_default()).ok_or_else(|| "is damaged: its lengths do not fit".to_owned())
    }
}

/// The index in what stands between version and checksum.
fn parsed(mut rest: &[u8]) -> Option<Index> {
    let mut number = || {
        let (number, after) = rest.split_first_chunk::<4>()?;
        rest = after;
        usize::try_from(u32::from_le_bytes(*number)).ok()
    };
    let (dimensions, samples, twins, name) = (number()?, number()?, number()?, number()?);
    let (embedder, rest) = rest.split_at_checked(name)?;
    let (digest, rest) = rest.split_first_chunk::<32>()?;
    if dimensions == 0 || rest.len() != samples.checked_add(twins)?.checked_mul(4)? {
        return None;
    }
    let mut numbers: Vec<f32> = rest.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number)).collect();
    if !numbers.iter().all(|number| number.is_finite()) {
        return None;
    }
    let twins = numbers.split_off(samples);
    Some(Index::with(String::from_utf8(embedder.to_vec()).ok()?, *digest, dimensions, (numbers, twins)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::embedding::static_embedding::StaticEmbedding;
    use crate::model::similarity::known;

    struct Other(StaticEmbedding);

    impl Embedder for Other {
        fn id(&self) -> String {
            "other".to_owned()
        }

        fn dimensions(&self) -> usize {
            self.0.dimensions()
        }

        fn embed(&self, text: &str) -> Result<Vec<f32>, EmbeddingError> {
            self.0.embed(text)
        }
    }

    #[test]
    fn an_index_comes_back_as_it_was() {
        let (samples, embedder) = (known::built_in(), StaticEmbedding::built_in().expect("the table is there"));
        let index = Index::of(&samples, &embedder).expect("an index");
        assert_eq!(Index::from_bytes(&index.to_bytes(), &samples, &embedder).expect("it is its own"), index);
    }

    #[test]
    fn what_is_like_is_found_exactly() {
        let (samples, embedder) = (known::built_in(), StaticEmbedding::built_in().expect("the table is there"));
        let index = Index::of(&samples, &embedder).expect("an index");
        let texts = samples.iter().filter_map(|sample| sample.near_miss.as_deref()).chain(["", "rm -rf /", "users list send"]);
        for text in texts {
            let vector = embedder.embed(text).expect("a vector");
            let exact: Vec<f32> = index.samples.chunks_exact(index.dimensions).map(|sample| dot(&vector, sample)).collect();
            let likeness = index.likeness(&vector, 0.6);
            let highest = exact.iter().copied().fold(0.0, f32::max);
            assert!((likeness.samples[likeness.ranked()[0]].0 - highest).abs() < 1e-5, "{text}");
            for ((found, _), exact) in likeness.samples.iter().zip(exact) {
                assert!((found - exact).abs() < 1e-5 || exact < 0.6 && *found < 0.6, "{text}: {found} {exact}");
            }
        }
    }

    #[test]
    fn an_index_that_does_not_belong_is_refused() {
        let (samples, embedder) = (known::built_in(), StaticEmbedding::built_in().expect("the table is there"));
        let bytes = Index::of(&samples, &embedder).expect("an index").to_bytes();
        let with = |at: usize, byte: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = byte;
            bytes
        };
        for (bytes, expected) in [
            (Vec::new(), "is no index"),
            (b"samples:\n".to_vec(), "is no index"),
            (MAGIC.to_vec(), "ends too early"),
            (with(8, 9), "has version 9, not 1"),
            (with(bytes.len() / 2, 0x55), "damaged"),
            (bytes[..bytes.len() - 1].to_vec(), "damaged"),
        ] {
            let error = Index::from_bytes(&bytes, &samples, &embedder).expect_err(expected);
            assert!(
                error.contains(expected) && error.ends_with("write it anew with `callgate samples index`"),
                "{error} is not: {expected}"
            );
        }
        let error = Index::from_bytes(&bytes, &samples, &Other(embedder)).expect_err("another embedder");
        assert!(error.contains("was made by `built-in token table") && error.contains("not by `other`"), "{error}");
        let error = Index::from_bytes(&bytes, &samples[1..], &embedder).expect_err("other samples");
        assert!(error.contains("other samples"), "{error}");
        let mut changed = samples.clone();
        changed[0].text.push('x');
        assert!(Index::from_bytes(&bytes, &changed, &embedder).is_err());
    }
}
