//! Embeddings of a real sentence-transformer, beside those that another implementation computes.
//!
//! The model is not part of this repository. `CALLGATE_MODEL` names its folder, `CALLGATE_MODEL_REFERENCE` the file that
//! `training/reference.py` writes; without them the test says that it compared nothing.

#![cfg(any(feature = "transformer", feature = "onnx"))]
#![expect(clippy::expect_used, clippy::print_stdout, reason = "a test says what must be there, and what it compared")]

use std::path::PathBuf;
use std::time::Instant;

use callgate::model::embedding::Embedder as _;
use callgate::model::embedding::transformer::{Transformer, Weights};
use serde::Deserialize;

/// The cosine that must be reached: agreement to 1e-3.
const LEAST: f64 = 0.999;

/// A text, and what the other implementation makes of it.
#[derive(Deserialize)]
struct Row {
    text: String,
    windows: Vec<Vec<f32>>,
    whole: Vec<f32>,
}

fn cosine(left: &[f32], right: &[f32]) -> f64 {
    assert_eq!(left.len(), right.len());
    let product =
        |left: &[f32], right: &[f32]| left.iter().zip(right).map(|(left, right)| f64::from(*left) * f64::from(*right)).sum::<f64>();
    product(left, right) / (product(left, left) * product(right, right)).sqrt()
}

fn rows() -> Option<(PathBuf, Vec<Row>)> {
    let folder = std::env::var_os("CALLGATE_MODEL").map(PathBuf::from)?;
    let reference = std::env::var_os("CALLGATE_MODEL_REFERENCE")?;
    let text = std::fs::read_to_string(reference).expect("the reference can be read");
    Some((folder, serde_json::from_str(&text).expect("the reference is JSON")))
}

#[test]
fn embeddings_agree_with_those_of_another_implementation() {
    let Some((folder, rows)) = rows() else {
        println!("SKIPPED: CALLGATE_MODEL and CALLGATE_MODEL_REFERENCE name no model, so 0 texts are compared");
        return;
    };
    let start = Instant::now();
    let model = Transformer::load(&folder, Weights::NumbersOrGraph).expect("the model can be read");
    println!("{} of {} numbers, loaded in {:.0} ms", model.id(), model.dimensions(), start.elapsed().as_secs_f64() * 1e3);
    let (mut cosines, mut windows) = (Vec::new(), 0);
    let start = Instant::now();
    for row in &rows {
        let own = model.windows(&row.text).expect("it can be embedded");
        assert_eq!(own.len(), row.windows.len(), "{:?}", row.text);
        windows += own.len();
        let pairs = own.iter().zip(&row.windows).map(|(own, other)| cosine(own, other));
        let whole = model.embed(&row.text).expect("it can be embedded");
        for cosine in pairs.chain([cosine(&whole, &row.whole)]) {
            assert!(LEAST <= cosine, "{cosine} for {:?}", row.text);
            cosines.push(cosine);
        }
        let length: f64 = whole.iter().map(|value| f64::from(*value).powi(2)).sum();
        assert!((length - 1.0).abs() < 1e-5, "{length} for {:?}", row.text);
    }
    assert!(30 <= rows.len(), "{} texts are few", rows.len());
    let least = cosines.iter().copied().fold(1.0, f64::min);
    let mean = cosines.iter().sum::<f64>() / f64::from(u32::try_from(cosines.len()).expect("they are few"));
    let milliseconds = start.elapsed().as_secs_f64() * 1e3 / f64::from(u32::try_from(2 * windows).expect("they are few"));
    println!("{} texts, {windows} windows: cosine at least {least:.7}, mean {mean:.7}; {milliseconds:.1} ms a window", rows.len());
}
