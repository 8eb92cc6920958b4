//! The embedding that needs no model: a text is the sum of its tokens' rows.

use crate::model::embedding::stretches::Reach;
use crate::model::embedding::stretches::Stretches;
use crate::model::embedding::table::Table;
use crate::model::embedding::{Embedder, EmbeddingError, normalise, wordpiece};

/// Most samples have ten to forty words; what is hidden in a long text is found by stretches of their length.
const REACH: Reach = Reach { words: &[20, 40], most: 4_096 };

/// The embedding by the token table that is compiled in.
#[derive(Clone, Copy, Debug)]
pub struct StaticEmbedding {
    table: Table,
}

impl StaticEmbedding {
    /// The embedding by the table that is compiled in.
    ///
    /// # Errors
    ///
    /// When the table cannot be read.
    pub fn built_in() -> Result<Self, EmbeddingError> {
        Ok(Self { table: Table::built_in()? })
    }

    /// The sum of the rows of a text's tokens; what is unknown adds nothing.
    fn add(&self, text: &str, rows: &mut Vec<u16>, sum: &mut [f32]) {
        rows.clear();
        wordpiece::words(text, &mut |word| {
            wordpiece::pieces(&self.table, word, rows);
        });
        rows.iter().for_each(|row| self.table.add(*row, sum));
    }
}

impl Embedder for StaticEmbedding {
    fn id(&self) -> String {
        let checksum: String = self.table.checksum().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        format!("built-in token table {checksum}")
    }

    fn dimensions(&self) -> usize {
        self.table.dimensions()
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, EmbeddingError> {
        let mut sum = vec![0.0; self.dimensions()];
        self.add(text, &mut Vec::new(), &mut sum);
        normalise(&mut sum);
        Ok(sum)
    }

    fn reach(&self) -> Reach {
        REACH
    }

    fn embed_stretches(&self, stretches: &Stretches) -> Result<Vec<f32>, EmbeddingError> {
        let width = self.dimensions();
        let mut words = vec![0.0; stretches.words().len() * width];
        let mut rows = Vec::new();
        for (word, sum) in stretches.words().iter().zip(words.chunks_exact_mut(width)) {
            self.add(word, &mut rows, sum);
        }
        let mut vectors = vec![0.0; stretches.len() * width];
        for (stretch, vector) in vectors.chunks_exact_mut(width).enumerate() {
            for number in stretches.numbers(stretch) {
                let start = *number as usize * width;
                let word = words.get(start..start + width).unwrap_or_default();
                vector.iter_mut().zip(word).for_each(|(sum, number)| *sum += number);
            }
            normalise(vector);
        }
        Ok(vectors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::embedding::dot;
    use crate::model::embedding::stretches::{Placed, Repetition};
    use crate::value::span::Span;
    use proptest::prelude::*;

    #[test]
    fn texts_of_like_meaning_lie_near_each_other() {
        let embedding = StaticEmbedding::built_in().expect("the table is there");
        let likeness = |left: &str, right: &str| dot(&embedding.embed(left).expect("a vector"), &embedding.embed(right).expect("a vector"));
        for (text, near, far) in [
            ("delete all users", "remove every account", "the weather is sunny"),
            ("steal the password", "stolen passwords", "bake a cake"),
            ("send an email", "mail a message", "sort the table"),
        ] {
            assert!(likeness(text, far) + 0.15 < likeness(text, near), "{text}: {} {}", likeness(text, near), likeness(text, far));
        }
    }

    proptest! {
        #[test]
        fn vectors_are_unit_vectors_or_zero(text in "\\PC{0,300}|[a-z ]{0,200}|\\p{any}{0,80}") {
            let embedding = StaticEmbedding::built_in().expect("the table is there");
            let vector = embedding.embed(&text).expect("it always makes a vector");
            let length = dot(&vector, &vector).sqrt();
            prop_assert!(length == 0.0 || (length - 1.0).abs() < 1e-4, "{length}");
        }

        #[test]
        fn a_stretch_is_the_text_of_its_words(text in "[a-zA-Z]{1,12}( [a-zA-Z]{1,12}){0,30}") {
            let embedding = StaticEmbedding::built_in().expect("the table is there");
            let mut stretches = Stretches::default();
            let words: Vec<Placed> = text.split(' ').map(|word| stretches.word(word, Span::default())).collect();
            stretches.cut(&words, Repetition::Each, embedding.reach());
            let vectors = embedding.embed_stretches(&stretches).expect("it always makes vectors");
            for (stretch, vector) in vectors.chunks_exact(embedding.dimensions()).enumerate() {
                let alone = embedding.embed(&stretches.text(stretch)).expect("a vector");
                prop_assert!(alone.iter().zip(vector).all(|(left, right)| (left - right).abs() < 1e-4));
            }
        }
    }
}
