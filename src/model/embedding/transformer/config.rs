//! config.json: which kind of transformer it is, and its measures.

use serde::Deserialize;

use crate::model::embedding::EmbeddingError;
use crate::model::embedding::transformer::folder::Folder;
use crate::model::embedding::transformer::recipe::CONFIG;
use crate::value::source::shown;

/// More layers than any known encoder has; bigger numbers are damage.
const MOST_LAYERS: usize = 256;

/// The kinds of transformers that are known, which differ in names and in how they count places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// BERT, `MiniLM` and most others.
    Bert,
    /// `RoBERTa` and its descendants: the first place has the number after that of the padding.
    Roberta,
    /// `DistilBERT`: names of its own, no kinds of tokens.
    DistilBert,
    /// `MPNet`: places as `RoBERTa`, and a bias by the distance between tokens.
    MpNet,
}

/// The words for them in config.json.
const FAMILIES: &[(&str, Family)] = &[
    ("bert", Family::Bert),
    ("roberta", Family::Roberta),
    ("xlm-roberta", Family::Roberta),
    ("camembert", Family::Roberta),
    ("distilbert", Family::DistilBert),
    ("mpnet", Family::MpNet),
];

/// What stands between the two linear parts of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// x · Φ(x), by the error function.
    Gelu,
    /// The same, by the approximation with tanh.
    GeluTanh,
    /// max(x, 0).
    Relu,
}

/// The measures of an encoder. The names of the second kind are those of `DistilBERT`.
#[derive(Clone, Debug, Deserialize)]
struct Written {
    #[serde(default)]
    model_type: String,
    #[serde(alias = "dim")]
    hidden_size: usize,
    #[serde(alias = "n_layers")]
    num_hidden_layers: usize,
    #[serde(alias = "n_heads")]
    num_attention_heads: usize,
    #[serde(alias = "hidden_dim")]
    intermediate_size: usize,
    #[serde(alias = "activation", default = "gelu")]
    hidden_act: String,
    max_position_embeddings: usize,
    #[serde(default)]
    type_vocab_size: usize,
    vocab_size: usize,
    #[serde(default = "usual_epsilon")]
    layer_norm_eps: f64,
    #[serde(default)]
    pad_token_id: Option<usize>,
    #[serde(default)]
    position_embedding_type: Option<String>,
    #[serde(default = "usual_buckets")]
    relative_attention_num_buckets: usize,
}

fn gelu() -> String {
    "gelu".to_owned()
}

/// Of BERT, and the constant of `DistilBERT`.
fn usual_epsilon() -> f64 {
    1e-12
}

/// Of `MPNet`.
fn usual_buckets() -> usize {
    32
}

/// The kind and measures of an encoder, which fit each other.
#[derive(Clone, Debug)]
pub struct Config {
    /// Which names its weights have, and how it counts places.
    pub family: Family,
    /// Numbers a token; a multiple of `heads`.
    pub width: usize,
    /// Layers.
    pub layers: usize,
    /// Heads of attention, 1 or more.
    pub heads: usize,
    /// Numbers a token between the linear parts of a layer.
    pub inner: usize,
    /// What stands between them.
    pub activation: Activation,
    /// Tokens that have an embedding.
    pub vocabulary: usize,
    /// Places that have an embedding.
    pub places: usize,
    /// The number of the first place.
    pub first_place: usize,
    /// Kinds of tokens that have an embedding, which may be none.
    pub kinds: usize,
    /// What keeps the normalisation from dividing by zero.
    pub epsilon: f64,
    /// How many distances are told apart (`MPNet`).
    pub buckets: usize,
}

impl Config {
    /// What config.json says.
    ///
    /// # Errors
    ///
    /// When it is missing, damaged, or describes a transformer that callgate does not know.
    pub fn read(folder: &Folder) -> Result<Self, EmbeddingError> {
        let Some(written) = folder.settings::<Written>(CONFIG)? else {
            return Err(folder.fault(CONFIG, "it is missing; it belongs beside model.safetensors and says what kind of model it is"));
        };
        written.settle().map_err(|message| folder.fault(CONFIG, message))
    }

    /// The most tokens of a window.
    pub fn longest(&self) -> usize {
        self.places.saturating_sub(self.first_place)
    }
}

impl Written {
    fn settle(self) -> Result<Config, String> {
        let Some((_, family)) = FAMILIES.iter().find(|(name, _)| *name == self.model_type) else {
            let known: Vec<&str> = FAMILIES.iter().map(|(name, _)| *name).collect();
            let own = shown(&self.model_type);
            return Err(format!("its model_type `{own}` is not supported: {} are; export the model to model.onnx", known.join(", ")));
        };
        if self.position_embedding_type.as_deref().is_some_and(|own| own != "absolute") {
            return Err("its position_embedding_type is not supported: absolute is; export the model to model.onnx".to_owned());
        }
        let activation = match self.hidden_act.as_str() {
            "gelu" => Activation::Gelu,
            "gelu_new" | "gelu_pytorch_tanh" | "gelu_fast" => Activation::GeluTanh,
            "relu" => Activation::Relu,
            other => return Err(format!("its activation `{}` is not supported: gelu and relu are", shown(other))),
        };
        let is_divided = 0 < self.num_attention_heads && 0 < self.hidden_size && self.hidden_size.is_multiple_of(self.num_attention_heads);
        if !is_divided {
            return Err(format!("its {} heads do not divide its hidden_size {}", self.num_attention_heads, self.hidden_size));
        }
        if MOST_LAYERS < self.num_hidden_layers {
            return Err(format!("it says {} layers; at most {MOST_LAYERS} are run", self.num_hidden_layers));
        }
        let first_place = match family {
            Family::Bert | Family::DistilBert => 0,
            Family::Roberta | Family::MpNet => self.pad_token_id.unwrap_or(1).saturating_add(1),
        };
        let kinds = match family {
            Family::Bert | Family::Roberta => self.type_vocab_size,
            Family::DistilBert | Family::MpNet => 0,
        };
        Ok(Config {
            family: *family,
            width: self.hidden_size,
            layers: self.num_hidden_layers,
            heads: self.num_attention_heads,
            inner: self.intermediate_size,
            activation,
            vocabulary: self.vocab_size,
            places: self.max_position_embeddings,
            first_place,
            kinds,
            epsilon: self.layer_norm_eps,
            buckets: self.relative_attention_num_buckets,
        })
    }
}
