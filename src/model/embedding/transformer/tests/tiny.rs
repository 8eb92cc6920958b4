//! Models of a few hundred numbers, as files.

use std::collections::BTreeMap;

use tempfile::TempDir;

use crate::model::embedding::transformer::config::Family;

pub(super) const WIDTH: usize = 8;
pub(super) const HEADS: usize = 2;
pub(super) const LAYERS: usize = 2;
pub(super) const INNER: usize = 16;
const VOCABULARY: usize = 9;
const PLACES: usize = 12;
const BUCKETS: usize = 8;

/// A model whose numbers are drawn once, and the same in each run.
pub(super) struct Tiny {
    pub(super) family: Family,
    pub(super) weights: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
    pub(super) config: serde_json::Value,
    pub(super) tokenizer: String,
    files: BTreeMap<String, String>,
}

/// What the parts of a layer are called.
pub(super) fn part(family: Family, name: &str) -> &str {
    let bert = [
        "attention.self.query",
        "attention.self.key",
        "attention.self.value",
        "attention.output.dense",
        "attention.output.LayerNorm",
        "intermediate.dense",
        "output.dense",
        "output.LayerNorm",
    ];
    let distil = [
        "attention.q_lin",
        "attention.k_lin",
        "attention.v_lin",
        "attention.out_lin",
        "sa_layer_norm",
        "ffn.lin1",
        "ffn.lin2",
        "output_layer_norm",
    ];
    let mpnet = [
        "attention.attn.q",
        "attention.attn.k",
        "attention.attn.v",
        "attention.attn.o",
        "attention.LayerNorm",
        "intermediate.dense",
        "output.dense",
        "output.LayerNorm",
    ];
    let index =
        ["query", "key", "value", "out", "out norm", "widen", "narrow", "norm"].iter().position(|own| *own == name).expect("it is a part");
    match family {
        Family::Bert | Family::Roberta => bert[index],
        Family::DistilBert => distil[index],
        Family::MpNet => mpnet[index],
    }
}

pub(super) fn layer(family: Family, index: usize) -> String {
    match family {
        Family::DistilBert => format!("transformer.layer.{index}"),
        Family::Bert | Family::Roberta | Family::MpNet => format!("encoder.layer.{index}"),
    }
}

impl Tiny {
    pub(super) fn new(family: Family) -> Self {
        let mut tiny = Self { family, weights: BTreeMap::new(), config: config(family), tokenizer: tokenizer(), files: BTreeMap::new() };
        let mut seed = 7;
        tiny.matrix(&mut seed, "embeddings.word_embeddings.weight", &[VOCABULARY, WIDTH]);
        tiny.matrix(&mut seed, "embeddings.position_embeddings.weight", &[PLACES, WIDTH]);
        tiny.pair(&mut seed, "embeddings.LayerNorm", &[WIDTH]);
        match family {
            Family::Bert => tiny.matrix(&mut seed, "embeddings.token_type_embeddings.weight", &[2, WIDTH]),
            Family::Roberta => tiny.matrix(&mut seed, "embeddings.token_type_embeddings.weight", &[1, WIDTH]),
            Family::MpNet => tiny.matrix(&mut seed, "encoder.relative_attention_bias.weight", &[BUCKETS, HEADS]),
            Family::DistilBert => {}
        }
        for index in 0..LAYERS {
            for name in ["query", "key", "value", "out"] {
                tiny.pair(&mut seed, &format!("{}.{}", layer(family, index), part(family, name)), &[WIDTH, WIDTH]);
            }
            tiny.pair(&mut seed, &format!("{}.{}", layer(family, index), part(family, "widen")), &[INNER, WIDTH]);
            tiny.pair(&mut seed, &format!("{}.{}", layer(family, index), part(family, "narrow")), &[WIDTH, INNER]);
            for name in ["out norm", "norm"] {
                tiny.pair(&mut seed, &format!("{}.{}", layer(family, index), part(family, name)), &[WIDTH]);
            }
        }
        tiny
    }

    fn matrix(&mut self, seed: &mut u64, name: &str, shape: &[usize]) {
        let values = (0..shape.iter().product()).map(|_| drawn(seed)).collect();
        self.weights.insert(name.to_owned(), (shape.to_vec(), values));
    }

    /// A weight and its bias, which is as long as the weight has rows.
    fn pair(&mut self, seed: &mut u64, name: &str, shape: &[usize]) {
        self.matrix(seed, &format!("{name}.weight"), shape);
        self.matrix(seed, &format!("{name}.bias"), &shape[..1]);
    }

    pub(super) fn weight(&mut self, name: &str) -> &mut (Vec<usize>, Vec<f32>) {
        self.weights.get_mut(name).expect("there is such a weight")
    }

    /// One of the small files.
    pub(super) fn file(&mut self, name: &str, text: &str) {
        self.files.insert(name.to_owned(), text.to_owned());
    }

    /// The same model as it is saved with a head on top.
    pub(super) fn as_part(&self) -> Self {
        let prefix = match self.family {
            Family::Bert => "bert",
            Family::Roberta => "roberta",
            Family::DistilBert => "distilbert",
            Family::MpNet => "mpnet",
        };
        let weights = self.weights.iter().map(|(name, weight)| (format!("{prefix}.{name}"), weight.clone())).collect();
        Self { family: self.family, weights, config: self.config.clone(), tokenizer: self.tokenizer.clone(), files: self.files.clone() }
    }

    /// The weights in the safetensors format: the length of the header, the header in JSON, the numbers.
    pub(super) fn safetensors(&self) -> Vec<u8> {
        let (mut header, mut numbers) = (serde_json::Map::new(), Vec::new());
        for (name, (shape, values)) in &self.weights {
            let start = numbers.len();
            numbers.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            header.insert(name.clone(), serde_json::json!({"dtype": "F32", "shape": shape, "data_offsets": [start, numbers.len()]}));
        }
        let header = serde_json::Value::Object(header).to_string();
        let mut bytes = u64::try_from(header.len()).expect("it is short").to_le_bytes().to_vec();
        bytes.extend(header.bytes());
        bytes.extend(numbers);
        bytes
    }

    /// A folder with the model, which lives as long as what is returned.
    pub(super) fn written(&self) -> TempDir {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder can be made");
            std::fs::write(path, bytes).expect("a file can be written");
        };
        write("model.safetensors", &self.safetensors());
        write("config.json", self.config.to_string().as_bytes());
        write("tokenizer.json", self.tokenizer.as_bytes());
        for (name, text) in &self.files {
            write(name, text.as_bytes());
        }
        folder
    }
}

/// The next number of a linear congruential generator, from -1 to 1.
fn drawn(seed: &mut u64) -> f32 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    f32::from(u16::try_from(*seed >> 48).expect("it has 16 bits")) / 32_768.0 - 1.0
}

fn config(family: Family) -> serde_json::Value {
    match family {
        Family::Bert => serde_json::json!({
            "model_type": "bert", "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
            "intermediate_size": INNER, "hidden_act": "gelu", "max_position_embeddings": PLACES, "type_vocab_size": 2,
            "vocab_size": VOCABULARY, "layer_norm_eps": 1e-12, "pad_token_id": 0
        }),
        Family::Roberta => serde_json::json!({
            "model_type": "roberta", "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
            "intermediate_size": INNER, "hidden_act": "gelu", "max_position_embeddings": PLACES, "type_vocab_size": 1,
            "vocab_size": VOCABULARY, "layer_norm_eps": 1e-5, "pad_token_id": 1
        }),
        Family::DistilBert => serde_json::json!({
            "model_type": "distilbert", "dim": WIDTH, "n_layers": LAYERS, "n_heads": HEADS, "hidden_dim": INNER,
            "activation": "gelu", "max_position_embeddings": PLACES, "vocab_size": VOCABULARY
        }),
        Family::MpNet => serde_json::json!({
            "model_type": "mpnet", "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
            "intermediate_size": INNER, "hidden_act": "gelu", "max_position_embeddings": PLACES,
            "vocab_size": VOCABULARY, "layer_norm_eps": 1e-5, "pad_token_id": 1, "relative_attention_num_buckets": BUCKETS
        }),
    }
}

/// Whole words, each with one of the vocabulary's numbers, in windows of eight tokens.
fn tokenizer() -> String {
    serde_json::json!({
        "version": "1.0",
        "truncation": {"max_length": 8, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 8}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": [],
        "normalizer": null,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]}, "[SEP]": {"id": "[SEP]", "ids": [2], "tokens": ["[SEP]"]}}
        },
        "decoder": null,
        "model": {
            "type": "WordLevel",
            "vocab": {"[PAD]": 0, "[CLS]": 1, "[SEP]": 2, "[UNK]": 3, "read": 4, "the": 5, "key": 6, "send": 7},
            "unk_token": "[UNK]"
        }
    })
    .to_string()
}
