//! What turns tokens into vectors: an encoder of a known kind, or a graph that says itself what to do.

use crate::model::embedding::EmbeddingError;
#[cfg(feature = "transformer")]
use crate::model::embedding::transformer::config::Config;
#[cfg(feature = "transformer")]
use crate::model::embedding::transformer::encoder::Encoder;
use crate::model::embedding::transformer::folder::Folder;
#[cfg(feature = "onnx")]
use crate::model::embedding::transformer::graph::Graph;
#[cfg(feature = "transformer")]
use crate::model::embedding::transformer::guard::guarded;
use crate::model::embedding::transformer::pooling::Rows;
use crate::model::embedding::transformer::{ONNX, SAFETENSORS};

/// A network with its weights.
pub enum Network {
    /// Of `model.safetensors`, whose operations are known by its kind.
    #[cfg(feature = "transformer")]
    Encoder {
        /// The network.
        encoder: Box<Encoder>,
        /// How many tokens it knows.
        vocabulary: usize,
    },
    /// Of `model.onnx`.
    #[cfg(feature = "onnx")]
    Graph(Box<Graph>),
}

impl Network {
    /// The network of these weights, and how many tokens a window may have.
    ///
    /// # Errors
    ///
    /// When the weights are damaged, or do not fit what the folder says of them.
    pub fn new(folder: &Folder, name: &str, weights: &[u8]) -> Result<(Self, usize), EmbeddingError> {
        match name {
            #[cfg(feature = "transformer")]
            SAFETENSORS => {
                let config = Config::read(folder)?;
                let encoder = guarded("to fit the weights to config.json", || Encoder::new(&config, weights));
                let encoder = encoder.map_err(|error| folder.fault(name, error))?;
                Ok((Self::Encoder { encoder: Box::new(encoder), vocabulary: config.vocabulary }, config.longest()))
            }
            #[cfg(feature = "onnx")]
            ONNX => {
                let (graph, longest) = Graph::new(folder, weights)?;
                Ok((Self::Graph(Box::new(graph)), longest))
            }
            other => Err(folder.fault(other, format!("weights are in {SAFETENSORS} or {ONNX}"))),
        }
    }

    /// How many tokens the network knows, where it is known.
    pub fn vocabulary(&self) -> Option<usize> {
        match self {
            #[cfg(feature = "transformer")]
            Self::Encoder { vocabulary, .. } => Some(*vocabulary),
            #[cfg(feature = "onnx")]
            Self::Graph(_) => None,
        }
    }

    /// The vectors of the tokens of one window.
    ///
    /// # Errors
    ///
    /// When the network fails.
    pub fn rows(&self, ids: &[u32]) -> Result<Rows, EmbeddingError> {
        match self {
            #[cfg(feature = "transformer")]
            Self::Encoder { encoder, .. } => guarded("the model", || encoder.encode(ids)),
            #[cfg(feature = "onnx")]
            Self::Graph(graph) => graph.rows(ids),
        }
    }
}
