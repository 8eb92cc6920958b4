//! A model as a graph of operators, from model.onnx.

use rten::{Model, NodeId, Value};
use serde::Deserialize;

use crate::model::embedding::EmbeddingError;
use crate::model::embedding::transformer::ONNX;
use crate::model::embedding::transformer::folder::Folder;
use crate::model::embedding::transformer::guard::guarded;
use crate::model::embedding::transformer::pooling::Rows;
use crate::model::embedding::transformer::recipe::CONFIG;
use crate::value::source::shown;

/// A graph that is ready to run.
pub struct Graph {
    model: Model,
    inputs: Vec<(NodeId, Input)>,
    output: NodeId,
}

/// What a graph may ask for.
#[derive(Clone, Copy)]
enum Input {
    /// The numbers of the tokens.
    Tokens,
    /// Which of them count; here all do.
    Mask,
    /// Of which text each is; here all are of the first.
    Kinds,
    /// The number of its place.
    Places,
}

/// The names under which the usual exporters ask for it.
const INPUTS: &[(&str, Input)] =
    &[("input_ids", Input::Tokens), ("attention_mask", Input::Mask), ("token_type_ids", Input::Kinds), ("position_ids", Input::Places)];

/// The names of a vector a token, which are preferred to those of a whole text: the folder says how they become one.
const OUTPUTS: &[&str] = &["last_hidden_state", "token_embeddings"];

/// The one measure that matters here.
#[derive(Deserialize)]
struct Places {
    max_position_embeddings: Option<usize>,
}

impl Graph {
    /// The graph in these bytes, and how many tokens a window may have.
    ///
    /// # Errors
    ///
    /// When the bytes are no graph, it uses an operator that is not known, or it asks for something else than tokens.
    pub fn new(folder: &Folder, bytes: &[u8]) -> Result<(Self, usize), EmbeddingError> {
        let model = guarded("to read the graph", || Model::load(bytes.to_vec())).map_err(|error| folder.fault(ONNX, error))?;
        let name = |id: NodeId| model.node_info(id).and_then(|node| node.name()).unwrap_or_default().to_owned();
        let mut inputs = Vec::new();
        for id in model.input_ids() {
            let own = name(*id);
            let Some((_, input)) = INPUTS.iter().find(|(known, _)| *known == own) else {
                let message = format!("it asks for `{}`; a sentence encoder asks for input_ids and attention_mask", shown(&own));
                return Err(folder.fault(ONNX, message));
            };
            inputs.push((*id, *input));
        }
        let outputs = model.output_ids();
        let preferred = outputs.iter().find(|id| OUTPUTS.contains(&name(**id).as_str())).or_else(|| outputs.first());
        let Some(output) = preferred.copied() else { return Err(folder.fault(ONNX, "it has no output")) };
        let places: Option<Places> = folder.settings(CONFIG)?;
        let longest = places.and_then(|places| places.max_position_embeddings).unwrap_or(usize::MAX);
        Ok((Self { model, inputs, output }, longest))
    }

    /// The vectors of the tokens of one window, or the one vector of it.
    ///
    /// # Errors
    ///
    /// When the graph fails, or answers with something else than vectors.
    pub fn rows(&self, ids: &[u32]) -> Result<Rows, EmbeddingError> {
        let value = |input: Input| guarded("the model", || Value::from_shape([1, ids.len()], input.values(ids)));
        let inputs = self.inputs.iter().map(|(id, input)| Ok((*id, value(*input)?.into())));
        let inputs = inputs.collect::<Result<Vec<_>, EmbeddingError>>()?;
        let mut outputs = guarded("the model", || self.model.run(inputs, &[self.output], None))?;
        let unexpected =
            || EmbeddingError::new("the model answers with something else than a vector of 32-bit numbers for each token or text");
        let output = outputs.pop().ok_or_else(unexpected)?;
        let tokens = output.clone().into_shape_vec::<f32, 3>().map(|([_, _, width], values)| (width, values));
        let text = || output.into_shape_vec::<f32, 2>().map(|([_, width], values)| (width, values));
        let (width, values) = tokens.or_else(|_| text()).map_err(|_| unexpected())?;
        if width == 0 || !values.len().is_multiple_of(width) { Err(unexpected()) } else { Ok(Rows { values, width }) }
    }
}

impl Input {
    fn values(self, ids: &[u32]) -> Vec<i32> {
        let narrow = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        match self {
            Self::Tokens => ids.iter().map(|id| narrow(*id)).collect(),
            Self::Mask => vec![1; ids.len()],
            Self::Kinds => vec![0; ids.len()],
            Self::Places => (0..).take(ids.len()).collect(),
        }
    }
}
