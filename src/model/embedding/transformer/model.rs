//! The model as a whole: text to windows, windows to vectors, vectors to one.

use std::path::Path;

use sha2::{Digest as _, Sha256};

use crate::model::embedding::transformer::folder::{Folder, LARGEST_SETTINGS, LARGEST_WEIGHTS};
use crate::model::embedding::transformer::network::Network;
use crate::model::embedding::transformer::pooling::{Pooling, pool, unit, weighted};
use crate::model::embedding::transformer::recipe::{CONFIG, Recipe};
use crate::model::embedding::transformer::tokens::{TOKENIZER, Tokens};
use crate::model::embedding::transformer::{ONNX, SAFETENSORS, Weights, recipe};
use crate::model::embedding::{Embedder, EmbeddingError};
use crate::value::source::shown;

/// A sentence-transformer.
pub struct Transformer {
    id: String,
    dimensions: usize,
    tokens: Tokens,
    pooling: Pooling,
    network: Network,
}

impl Transformer {
    /// Reads the model in this folder, and embeds a word with it to see that it works.
    ///
    /// # Errors
    ///
    /// When the folder holds no model of a kind that is known, a file of it is missing, damaged or too large, or the files
    /// do not fit together.
    pub fn load(path: &Path, weights: Weights) -> Result<Self, EmbeddingError> {
        let folder = Folder::open(path)?;
        let recipe = recipe::read(&folder)?;
        let name = weights_name(&folder, path, weights)?;
        let weights = folder.read(name, LARGEST_WEIGHTS)?;
        let (network, capacity) = Network::new(&folder, name, &weights)?;
        let (tokens, tokenizer) = Tokens::read(&folder, recipe.longest, capacity, recipe.lower_case)?;
        if let Some(vocabulary) = network.vocabulary().filter(|vocabulary| *vocabulary < tokens.vocabulary()) {
            let message =
                format!("it numbers {} tokens, the model knows {vocabulary}: the tokenizer belongs to another model", tokens.vocabulary());
            return Err(folder.fault(TOKENIZER, message));
        }
        let config = if folder.holds(CONFIG) { folder.read(CONFIG, LARGEST_SETTINGS)? } else { Vec::new() };
        let id = identity(&recipe, &[&weights, &tokenizer, &config]);
        drop(weights);
        let mut model = Self { id, dimensions: 0, tokens, pooling: recipe.pooling, network };
        let trial = model.windows("trial").map_err(|error| folder.fault(name, error))?;
        model.dimensions = trial.first().map_or(0, Vec::len);
        Ok(model)
    }

    /// The unit vectors of a text's windows, in their order. The first is what software answers that cuts a long text off.
    ///
    /// # Errors
    ///
    /// When the text is too long, or the model fails.
    pub fn windows(&self, text: &str) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        self.pooled(text)?.into_iter().map(|(vector, _)| unit(vector)).collect()
    }

    /// The vector of each window, and its number of tokens.
    fn pooled(&self, text: &str) -> Result<Vec<(Vec<f32>, usize)>, EmbeddingError> {
        let windows = self.tokens.windows(text)?;
        let work = || windows.iter().map(|ids| Ok((pool(&self.network.rows(ids)?, self.pooling)?, ids.len()))).collect();
        // The libraries share out the multiplication of matrices to a pool of threads. A thread of the pool that judges sources
        // would begin with the next source while it waits for that, on top of this one's stack; a thread of its own just waits.
        std::thread::scope(|scope| match std::thread::Builder::new().spawn_scoped(scope, work) {
            Ok(thread) => thread.join().unwrap_or_else(|_| Err(EmbeddingError::new("the model fails"))),
            Err(cause) => Err(EmbeddingError::new(format!("no thread can be started for the model: {cause}"))),
        })
    }
}

impl Embedder for Transformer {
    fn id(&self) -> String {
        self.id.clone()
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, EmbeddingError> {
        unit(weighted(&self.pooled(text)?))
    }
}

/// The weights that the folder holds, and this callgate can and may run.
fn weights_name(folder: &Folder, path: &Path, weights: Weights) -> Result<&'static str, EmbeddingError> {
    let runs = [(SAFETENSORS, "transformer", cfg!(feature = "transformer")), (ONNX, "onnx", cfg!(feature = "onnx"))];
    let held: Vec<_> = runs.into_iter().filter(|(name, _, _)| folder.holds(name)).collect();
    let Some((name, feature, is_built)) = held.iter().find(|(_, _, is_built)| *is_built).or_else(|| held.first()).copied() else {
        let path = shown(&path.to_string_lossy());
        return Err(EmbeddingError::new(format!("{path} holds neither {SAFETENSORS} nor {ONNX}: it is not the folder of a model")));
    };
    if !is_built {
        let message = format!("this callgate is built without `{feature}`; build it with `--features {feature}`");
        return Err(folder.fault(name, message));
    }
    if name == ONNX && weights == Weights::Numbers {
        let message = format!(
            "a graph may take any time and memory, so it is run only where the settings are named (`--config FILE`); {SAFETENSORS} is always read"
        );
        return Err(folder.fault(name, message));
    }
    Ok(name)
}

/// What changes when anything does that a vector depends on.
fn identity(recipe: &Recipe, files: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{recipe:?}"));
    for file in files {
        hash.update(file.len().to_le_bytes());
        hash.update(file);
    }
    let digits: String = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("transformer:{digits}")
}
