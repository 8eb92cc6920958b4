//! Embeddings: texts as points, of which those of like meaning lie near each other.

pub mod transformer;

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
