//! Embeddings: texts as points, of which those of like meaning lie near each other.

pub mod static_embedding;
pub mod stretches;
pub mod table;
pub mod transformer;
pub mod wordpiece;

use crate::model::embedding::stretches::{Reach, Stretches};

/// What makes a vector of a text.
pub trait Embedder: Send + Sync {
    /// Names the embedder so exactly that vectors of equal names can be compared: it changes when any weight does.
    fn id(&self) -> String;

    /// How many numbers its vectors have.
    fn dimensions(&self) -> usize;

    /// The unit vector of a text.
    ///
    /// # Errors
    ///
    /// When the embedder cannot make one, e.g. because the text is too long.
    fn embed(&self, text: &str) -> Result<Vec<f32>, EmbeddingError>;

    /// How long the stretches are into which a text is cut: the longer they are, the less it costs.
    fn reach(&self) -> Reach {
        Reach { words: &[96], most: 16 }
    }

    /// The vectors of the stretches of a text, one after the other, [`dimensions`](Self::dimensions) numbers each.
    ///
    /// # Errors
    ///
    /// When the embedder cannot make one of them.
    fn embed_stretches(&self, stretches: &Stretches) -> Result<Vec<f32>, EmbeddingError> {
        let mut vectors = Vec::with_capacity(stretches.len() * self.dimensions());
        for stretch in 0..stretches.len() {
            vectors.extend(self.embed(&stretches.text(stretch))?);
        }
        Ok(vectors)
    }
}

/// An embedder could not be loaded, or could not embed a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EmbeddingError {
    /// What is wrong, where, and what to do about it.
    pub message: String,
}

impl EmbeddingError {
    /// An error that says this.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

/// Makes a vector as long as one; what is zero stays so.
pub fn normalise(vector: &mut [f32]) {
    let length = dot(vector, vector).sqrt();
    if f32::MIN_POSITIVE < length {
        vector.iter_mut().for_each(|number| *number /= length);
    }
}

/// The sum of the products of two vectors; of unit vectors their cosine.
pub fn dot(left: &[f32], right: &[f32]) -> f32 {
    // Eight sums that do not wait for one another: the compiler puts them into one or two registers.
    let mut sums = [0.0f32; 8];
    let (left_chunks, right_chunks) = (left.chunks_exact(8), right.chunks_exact(8));
    let rest: f32 = left_chunks.remainder().iter().zip(right_chunks.remainder()).map(|(left, right)| left * right).sum();
    for (left, right) in left_chunks.zip(right_chunks) {
        for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
            *sum += left * right;
        }
    }
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_summed_whatever_the_length() {
        for length in [0usize, 1, 7, 8, 9, 128, 131] {
            let numbers: Vec<f32> = (0..length).map(|number| number as f32).collect();
            let expected: f32 = numbers.iter().map(|number| number * number).sum();
            assert_eq!(dot(&numbers, &numbers), expected, "{length}");
        }
    }

    #[test]
    fn nothing_is_made_of_nothing() {
        let mut zero = [0.0; 4];
        normalise(&mut zero);
        assert_eq!(zero, [0.0; 4]);
        let mut vector = [3.0, 4.0];
        normalise(&mut vector);
        assert_eq!(vector, [0.6, 0.8]);
    }
}
