//! A sentence-transformer of the user's own, read from a folder and run on this machine.
//!
//! The folder is laid out as the sentence-transformers library saves it. `model.safetensors` or `model.onnx` holds the
//! weights, `tokenizer.json` makes tokens of a text, the small files beside them say how token vectors become one.

#[cfg(feature = "transformer")]
mod config;
#[cfg(feature = "transformer")]
mod encoder;
#[cfg(any(feature = "transformer", feature = "onnx"))]
mod folder;
#[cfg(feature = "onnx")]
mod graph;
#[cfg(any(feature = "transformer", feature = "onnx"))]
mod guard;
#[cfg(any(feature = "transformer", feature = "onnx"))]
mod model;
#[cfg(any(feature = "transformer", feature = "onnx"))]
mod network;
#[cfg(any(feature = "transformer", feature = "onnx"))]
mod pooling;
#[cfg(any(feature = "transformer", feature = "onnx"))]
mod recipe;
#[cfg(test)]
#[cfg(feature = "transformer")]
mod tests;
#[cfg(any(feature = "transformer", feature = "onnx"))]
mod tokens;

use std::path::Path;

#[cfg(any(feature = "transformer", feature = "onnx"))]
pub use crate::model::embedding::transformer::model::Transformer;
use crate::model::embedding::{Embedder, EmbeddingError};

/// The name of the weights that are preferred where a folder holds both.
pub const SAFETENSORS: &str = "model.safetensors";

/// The name of the weights as a graph of operators.
pub const ONNX: &str = "model.onnx";

/// What may stand for the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Numbers only. What is computed with them is known, and so is how long that takes.
    Numbers,
    /// Numbers or a graph of operators. A graph is a program: it reaches nothing outside itself, but may take any time and memory.
    NumbersOrGraph,
}

/// Reads the model in this folder.
///
/// # Errors
///
/// When the folder holds no model of a kind that is known, a file of it is missing, damaged or too large, the files do
/// not fit together, or callgate is built without what runs it.
pub fn load(path: &Path, weights: Weights) -> Result<Box<dyn Embedder>, EmbeddingError> {
    #[cfg(any(feature = "transformer", feature = "onnx"))]
    return Ok(Box::new(Transformer::load(path, weights)?));
    #[cfg(not(any(feature = "transformer", feature = "onnx")))]
    return Err(without(path, weights));
}

#[cfg(not(any(feature = "transformer", feature = "onnx")))]
fn without(path: &Path, _weights: Weights) -> EmbeddingError {
    EmbeddingError::new(format!(
        "{} cannot be read: this callgate is built without transformers; build it with `--features transformer`, or leave `model` out for the built-in table",
        crate::value::source::shown(&path.to_string_lossy())
    ))
}
