//! How the vectors of tokens become the vector of their text.

use crate::model::embedding::EmbeddingError;

/// How the vectors of a window's tokens become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pooling {
    /// Their mean.
    Mean,
    /// The vector of the first token, which stands for the whole in models that are trained so.
    First,
    /// The largest of each number.
    Largest,
}

/// Vectors of equal length, one a token, end to end.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The numbers of all vectors.
    pub values: Vec<f32>,
    /// How many numbers each has; more than 0.
    pub width: usize,
}

/// One vector of several.
///
/// # Errors
///
/// When there are none.
pub fn pool(rows: &Rows, pooling: Pooling) -> Result<Vec<f32>, EmbeddingError> {
    let mut vectors = rows.values.chunks_exact(rows.width);
    let Some(first) = vectors.next() else {
        return Err(EmbeddingError::new("the tokenizer makes no token of this text"));
    };
    let mut pooled = first.to_vec();
    match pooling {
        Pooling::First => {}
        Pooling::Largest => vectors.for_each(|vector| join(&mut pooled, vector, f32::max)),
        Pooling::Mean => {
            let mut count = 1_u16;
            for vector in vectors {
                join(&mut pooled, vector, |sum, value| sum + value);
                count = count.saturating_add(1);
            }
            pooled.iter_mut().for_each(|value| *value /= f32::from(count));
        }
    }
    Ok(pooled)
}

fn join(into: &mut [f32], from: &[f32], how: impl Fn(f32, f32) -> f32) {
    for (into, from) in into.iter_mut().zip(from) {
        *into = how(*into, *from);
    }
}

/// The mean of the vectors of windows, each with its number of tokens.
pub fn weighted(windows: &[(Vec<f32>, usize)]) -> Vec<f32> {
    let width = windows.first().map_or(0, |(vector, _)| vector.len());
    let mut sum = vec![0.0; width];
    for (vector, tokens) in windows {
        let weight = f32::from(u16::try_from(*tokens).unwrap_or(u16::MAX));
        join(&mut sum, vector, |sum, value| sum + weight * value);
    }
    sum
}

/// The vector of the same direction and of length one.
///
/// # Errors
///
/// When it has no direction, or a number that is none.
pub fn unit(mut vector: Vec<f32>) -> Result<Vec<f32>, EmbeddingError> {
    let length = vector.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
    if !length.is_finite() || length < f64::from(f32::MIN_POSITIVE) {
        return Err(EmbeddingError::new("the model answers with numbers that are none: its weights are damaged"));
    }
    #[expect(clippy::cast_possible_truncation, reason = "a part of a unit vector is at most one")]
    vector.iter_mut().for_each(|value| *value = (f64::from(*value) / length) as f32);
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_tokens_become_one() {
        let rows = Rows { values: vec![1.0, 2.0, 3.0, -2.0, 5.0, 3.0], width: 2 };
        for (pooling, expected) in [(Pooling::Mean, [3.0, 1.0]), (Pooling::First, [1.0, 2.0]), (Pooling::Largest, [5.0, 3.0])] {
            assert_eq!(pool(&rows, pooling).expect("there are tokens"), expected, "{pooling:?}");
        }
        assert!(pool(&Rows { values: Vec::new(), width: 2 }, Pooling::Mean).is_err());
    }

    #[test]
    fn windows_weigh_as_much_as_they_have_tokens() {
        assert_eq!(weighted(&[(vec![1.0, 0.0], 3), (vec![0.0, 1.0], 1)]), [3.0, 1.0]);
    }

    #[test]
    fn a_vector_without_a_direction_is_refused() {
        assert_eq!(unit(vec![3.0, 4.0]).expect("it has a direction"), [0.6, 0.8]);
        for vector in [vec![0.0, 0.0], vec![f32::NAN, 1.0], vec![f32::INFINITY, 1.0], Vec::new()] {
            assert!(unit(vector.clone()).is_err(), "{vector:?}");
        }
    }
}
