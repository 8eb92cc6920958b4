//! What the small files of a model's folder say: how a text is cut, and how the vectors of its tokens become one.

use serde::Deserialize;

use crate::model::embedding::EmbeddingError;
use crate::model::embedding::transformer::folder::Folder;
use crate::model::embedding::transformer::pooling::Pooling;
use crate::value::source::shown;

/// How texts become vectors, apart from the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// How the vectors of tokens become one.
    pub pooling: Pooling,
    /// The text is written in lower case first, before the tokenizer does what it does.
    pub lower_case: bool,
    /// How many tokens the model was made for, where a file says so.
    pub longest: Option<usize>,
}

/// One of the steps in modules.json.
#[derive(Deserialize)]
struct Module {
    path: String,
    r#type: String,
}

#[derive(Deserialize)]
struct SentenceConfig {
    max_seq_length: Option<usize>,
    #[serde(default)]
    do_lower_case: bool,
}

/// 1_Pooling/config.json; what it does not name is not done.
#[derive(Default, Deserialize)]
#[serde(default)]
struct PoolingConfig {
    pooling_mode_cls_token: bool,
    pooling_mode_mean_tokens: bool,
    pooling_mode_max_tokens: bool,
    pooling_mode_mean_sqrt_len_tokens: bool,
    pooling_mode_weightedmean_tokens: bool,
    pooling_mode_lasttoken: bool,
}

/// What the model is; the encoder reads its measures from it.
pub const CONFIG: &str = "config.json";

const MODULES: &str = "modules.json";

/// What the folder says; without its small files the mean of the tokens, as sentence-transformers does.
///
/// # Errors
///
/// When one of the files is damaged, or asks for what callgate cannot do.
pub fn read(folder: &Folder) -> Result<Recipe, EmbeddingError> {
    let sentence: Option<SentenceConfig> = folder.settings("sentence_bert_config.json")?;
    let pooling_folder = pooling_folder(folder)?;
    Ok(Recipe {
        pooling: pooling(folder, &format!("{pooling_folder}/config.json"))?,
        lower_case: sentence.as_ref().is_some_and(|sentence| sentence.do_lower_case),
        longest: sentence.and_then(|sentence| sentence.max_seq_length),
    })
}

/// The name of the folder in which the pooling is described.
fn pooling_folder(folder: &Folder) -> Result<String, EmbeddingError> {
    let modules: Vec<Module> = folder.settings(MODULES)?.unwrap_or_default();
    let mut name = "1_Pooling".to_owned();
    for module in modules {
        match module.r#type.rsplit('.').next().unwrap_or_default() {
            "Transformer" | "Normalize" => {}
            "Pooling" if is_plain(&module.path) => name = module.path,
            "Pooling" => return Err(folder.fault(MODULES, "the path of the pooling leads out of the model's folder")),
            other => {
                let message =
                    format!("its step `{}` is not supported: a model of a transformer, a pooling and a normalisation is", shown(other));
                return Err(folder.fault(MODULES, message));
            }
        }
    }
    Ok(name)
}

/// Returns true if and only if a path is the name of something in the same folder.
fn is_plain(path: &str) -> bool {
    !path.is_empty() && !path.starts_with('.') && !path.contains(['/', '\\', ':', '\0'])
}

fn pooling(folder: &Folder, name: &str) -> Result<Pooling, EmbeddingError> {
    let Some(config) = folder.settings::<PoolingConfig>(name)? else { return Ok(Pooling::Mean) };
    let PoolingConfig {
        pooling_mode_cls_token: first,
        pooling_mode_mean_tokens: mean,
        pooling_mode_max_tokens: largest,
        pooling_mode_mean_sqrt_len_tokens: mean_by_root,
        pooling_mode_weightedmean_tokens: weighted,
        pooling_mode_lasttoken: last,
    } = config;
    match (first, mean || mean_by_root, largest, weighted || last) {
        (true, false, false, false) => Ok(Pooling::First),
        // A mean that is divided by something else has the same direction.
        (false, true, false, false) if mean != mean_by_root => Ok(Pooling::Mean),
        (false, false, true, false) => Ok(Pooling::Largest),
        _ => Err(folder.fault(name, "its pooling is not supported: one of mean, first token (cls) and maximum is")),
    }
}
