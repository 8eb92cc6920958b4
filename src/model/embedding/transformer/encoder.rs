//! The forward pass of BERT-like encoders: token numbers to a vector a token.

use candle_core::{DType, Device, Result, Tensor};
use candle_nn::{Embedding, LayerNorm, Linear, Module as _, VarBuilder, embedding, layer_norm, linear, ops};

use crate::model::embedding::transformer::config::{Activation, Config, Family};
use crate::model::embedding::transformer::pooling::Rows;

/// The names of the weights of a layer.
struct Names {
    layers: &'static str,
    query: &'static str,
    key: &'static str,
    value: &'static str,
    attended: &'static str,
    attended_norm: &'static str,
    widen: &'static str,
    narrow: &'static str,
    norm: &'static str,
}

const BERT: Names = Names {
    layers: "encoder.layer",
    query: "attention.self.query",
    key: "attention.self.key",
    value: "attention.self.value",
    attended: "attention.output.dense",
    attended_norm: "attention.output.LayerNorm",
    widen: "intermediate.dense",
    narrow: "output.dense",
    norm: "output.LayerNorm",
};

const DISTILBERT: Names = Names {
    layers: "transformer.layer",
    query: "attention.q_lin",
    key: "attention.k_lin",
    value: "attention.v_lin",
    attended: "attention.out_lin",
    attended_norm: "sa_layer_norm",
    widen: "ffn.lin1",
    narrow: "ffn.lin2",
    norm: "output_layer_norm",
};

const MPNET: Names = Names {
    query: "attention.attn.q",
    key: "attention.attn.k",
    value: "attention.attn.v",
    attended: "attention.attn.o",
    attended_norm: "attention.LayerNorm",
    ..BERT
};

impl Family {
    fn names(self) -> &'static Names {
        match self {
            Self::Bert | Self::Roberta => &BERT,
            Self::DistilBert => &DISTILBERT,
            Self::MpNet => &MPNET,
        }
    }

    /// What stands before all names where the encoder was saved as a part of something.
    fn prefix(self) -> &'static str {
        match self {
            Self::Bert => "bert",
            Self::Roberta => "roberta",
            Self::DistilBert => "distilbert",
            Self::MpNet => "mpnet",
        }
    }
}

/// An encoder with its weights.
pub struct Encoder {
    words: Embedding,
    places: Embedding,
    /// What is added for tokens of the first kind; there are no others here.
    kind: Option<Tensor>,
    norm: LayerNorm,
    layers: Vec<Layer>,
    distances: Option<Distances>,
    first_place: u32,
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attended_norm: LayerNorm,
    widen: Linear,
    narrow: Linear,
    norm: LayerNorm,
    heads: usize,
    activation: Activation,
}

impl Encoder {
    /// The encoder of these measures, with the weights of a safetensors file.
    ///
    /// # Errors
    ///
    /// When the file is damaged, or a weight is missing or of another shape.
    pub fn new(config: &Config, safetensors: &[u8]) -> Result<Self> {
        let weights = VarBuilder::from_slice_safetensors(safetensors, DType::F32, &Device::Cpu)?;
        let prefix = config.family.prefix();
        let is_part = weights.contains_tensor(&format!("{prefix}.embeddings.word_embeddings.weight"));
        let weights = if is_part { weights.pp(prefix) } else { weights };
        let embeddings = weights.pp("embeddings");
        let names = config.family.names();
        let layers = (0..config.layers).map(|index| Layer::new(config, names, &weights.pp(names.layers).pp(index)));
        Ok(Self {
            words: embedding(config.vocabulary, config.width, embeddings.pp("word_embeddings"))?,
            places: embedding(config.places, config.width, embeddings.pp("position_embeddings"))?,
            kind: match config.kinds {
                0 => None,
                kinds => Some(embeddings.get((kinds, config.width), "token_type_embeddings.weight")?.get(0)?),
            },
            norm: layer_norm(config.width, config.epsilon, embeddings.pp("LayerNorm"))?,
            layers: layers.collect::<Result<_>>()?,
            distances: match config.family {
                Family::MpNet => Some(Distances::new(config, &weights)?),
                Family::Bert | Family::Roberta | Family::DistilBert => None,
            },
            first_place: u32::try_from(config.first_place).unwrap_or(u32::MAX),
        })
    }

    /// The vectors of the tokens of one window.
    ///
    /// # Errors
    ///
    /// When there are more tokens than places, or a token is not in the vocabulary.
    pub fn encode(&self, ids: &[u32]) -> Result<Rows> {
        let count = u32::try_from(ids.len())?;
        let places = Tensor::arange(self.first_place, self.first_place.saturating_add(count), &Device::Cpu)?;
        let mut hidden = (self.words.forward(&Tensor::new(ids, &Device::Cpu)?)? + self.places.forward(&places)?)?;
        if let Some(kind) = &self.kind {
            hidden = hidden.broadcast_add(kind)?;
        }
        hidden = self.norm.forward(&hidden)?;
        let bias = self.distances.as_ref().map(|distances| distances.bias(count)).transpose()?;
        for layer in &self.layers {
            hidden = layer.forward(&hidden, bias.as_ref())?;
        }
        Ok(Rows { width: hidden.dim(1)?, values: hidden.flatten_all()?.to_vec1()? })
    }
}

impl Layer {
    fn new(config: &Config, names: &Names, weights: &VarBuilder<'_>) -> Result<Self> {
        let Config { width, inner, epsilon, .. } = *config;
        let square = |name: &str| linear(width, width, weights.pp(name));
        Ok(Self {
            query: square(names.query)?,
            key: square(names.key)?,
            value: square(names.value)?,
            attended: square(names.attended)?,
            attended_norm: layer_norm(width, epsilon, weights.pp(names.attended_norm))?,
            widen: linear(width, inner, weights.pp(names.widen))?,
            narrow: linear(inner, width, weights.pp(names.narrow))?,
            norm: layer_norm(width, epsilon, weights.pp(names.norm))?,
            heads: config.heads,
            activation: config.activation,
        })
    }

    fn forward(&self, hidden: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
        let attended = self.attended.forward(&self.attend(hidden, bias)?)?;
        let hidden = self.attended_norm.forward(&(attended + hidden)?)?;
        let inner = self.widen.forward(&hidden)?;
        let inner = match self.activation {
            Activation::Gelu => inner.gelu_erf()?,
            Activation::GeluTanh => inner.gelu()?,
            Activation::Relu => inner.relu()?,
        };
        self.norm.forward(&(self.narrow.forward(&inner)? + hidden)?)
    }

    /// What each token takes from all of its window.
    fn attend(&self, hidden: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
        let (count, width) = hidden.dims2()?;
        let split = |rows: Tensor| rows.reshape((count, self.heads, width / self.heads))?.transpose(0, 1)?.contiguous();
        let query = split(self.query.forward(hidden)?)?;
        let key = split(self.key.forward(hidden)?)?;
        let value = split(self.value.forward(hidden)?)?;
        #[expect(clippy::cast_precision_loss, reason = "the width of a head is a small number")]
        let root = ((width / self.heads) as f64).sqrt();
        let mut scores = (query.matmul(&key.t()?)? / root)?;
        if let Some(bias) = bias {
            scores = (scores + bias)?;
        }
        let mixed = ops::softmax_last_dim(&scores)?.matmul(&value)?;
        mixed.transpose(0, 1)?.contiguous()?.reshape((count, width))
    }
}

/// What attention gains by the distance between two tokens, a number a head.
struct Distances {
    biases: Embedding,
    buckets: u32,
}

/// From this distance on all are alike, as `MPNet` and T5 have it.
const FARTHEST: f64 = 128.0;

impl Distances {
    fn new(config: &Config, weights: &VarBuilder<'_>) -> Result<Self> {
        let biases = embedding(config.buckets, config.heads, weights.pp("encoder.relative_attention_bias"))?;
        Ok(Self { biases, buckets: u32::try_from(config.buckets)? })
    }

    /// The bias of each head, token and token.
    fn bias(&self, count: u32) -> Result<Tensor> {
        let pairs = (0..count).flat_map(|from| (0..count).map(move |to| (from, to)));
        let buckets: Vec<u32> = pairs.map(|(from, to)| bucket(from, to, self.buckets)).collect();
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let biases = self.biases.forward(&Tensor::from_vec(buckets, (count, count), &Device::Cpu)?)?;
        biases.permute((2, 0, 1))?.contiguous()
    }
}

/// The bucket of a distance: half of them for each direction; of those one each for near ones, then by the logarithm.
fn bucket(from: u32, to: u32, buckets: u32) -> u32 {
    let half = buckets / 2;
    let direction = if from < to { half } else { 0 };
    let distance = from.abs_diff(to);
    let exact = half / 2;
    if distance < exact || exact == 0 {
        return direction + distance.min(half.saturating_sub(1));
    }
    let share = (f64::from(distance) / f64::from(exact)).ln() / (FARTHEST / f64::from(exact)).ln();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a small number of buckets")]
    let logarithmic = (share * f64::from(half - exact)) as u32;
    direction + exact.saturating_add(logarithmic).min(half.saturating_sub(1))
}
