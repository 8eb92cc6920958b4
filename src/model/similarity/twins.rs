//! Whether samples are of use: each is found by its own text, and no harmless twin is taken for one.

use crate::model::embedding::{Embedder, EmbeddingError};
use crate::model::similarity::index::Index;
use crate::model::similarity::known::Sample;

/// A sample that does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Mistaken {
    /// Its id.
    pub sample: String,
    /// The sample that its near miss is taken for; none, if it cannot be found itself.
    pub taken_for: Option<String>,
    /// The similarity of the two, −1 to 1.
    pub similarity: f32,
}

/// The samples that do not hold at this threshold, in their order.
///
/// # Errors
///
/// When the embedder cannot make a vector.
pub fn mistaken(samples: &[Sample], embedder: &dyn Embedder, threshold: f64) -> Result<Vec<Mistaken>, EmbeddingError> {
    let index = Index::of(samples, embedder)?;
    let mut found = Vec::new();
    let mut twins = index.twins();
    for (sample, vector) in samples.iter().zip(index.samples()) {
        // A text without words is like nothing, itself included.
        if vector.iter().all(|number| *number == 0.0) {
            found.push(Mistaken { sample: sample.id.clone(), taken_for: None, similarity: 0.0 });
        }
        let Some(twin) = sample.near_miss.as_ref().and_then(|_| twins.next()) else { continue };
        let likeness = index.likeness(twin, threshold as f32);
        let nearest = likeness.ranked().first().and_then(|nearest| Some((samples.get(*nearest)?, likeness.samples.get(*nearest)?.0)));
        if let Some((other, similarity)) = nearest.filter(|(_, similarity)| threshold as f32 <= *similarity) {
            found.push(Mistaken { sample: sample.id.clone(), taken_for: Some(other.id.clone()), similarity });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::embedding::static_embedding::StaticEmbedding;
    use crate::model::similarity::known;

    #[test]
    fn the_built_in_samples_hold() {
        let embedder = StaticEmbedding::built_in().expect("the table is there");
        assert_eq!(mistaken(&known::built_in(), &embedder, 0.85).expect("vectors"), []);
    }

    #[test]
    fn twins_that_are_too_like_and_samples_without_words_are_told() {
        let embedder = StaticEmbedding::built_in().expect("the table is there");
        let mut samples = known::built_in();
        samples.truncate(3);
        samples[1].near_miss = Some(samples[0].text.clone());
        samples[2].text = "1 + 1; // only a comment".to_owned();
        let told: Vec<(String, Option<String>)> =
            mistaken(&samples, &embedder, 0.85).expect("vectors").into_iter().map(|told| (told.sample, told.taken_for)).collect();
        let id = |nth: usize| samples[nth].id.clone();
        assert_eq!(told, [(id(1), Some(id(0))), (id(2), None)]);
    }
}
