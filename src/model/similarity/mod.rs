//! The similarity model: how like a subject is to what is known to be bad.
//!
//! Two editions: `published` compares embeddings, `upstream` runs the keyword search of the released software.

pub mod code_words;
pub mod index;
pub mod known;
pub mod reading;
pub mod twins;

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::build::{BuildError, Builder, ReadText, Settings};
use crate::model::embedding::static_embedding::StaticEmbedding;
use crate::model::embedding::transformer::{self, Weights};
use crate::model::embedding::{Embedder, EmbeddingError};
use crate::model::rule_based::Edition;
use crate::model::similarity::index::{Index, Likeness};
use crate::model::similarity::known::Sample;
use crate::model::{Evaluation, Evidence, Method, Model, ModelError, Signal, enclave};
use crate::subject::Kind;
use crate::upstream::enclave::answer::Answer;
use crate::upstream::enclave::{Scorer, evaluate};
use crate::value::score::Score;

/// The model's name.
pub const NAME: &str = "similarity";

/// The similarity from which a sample matches (published).
const THRESHOLD: f64 = 0.85;
/// How many samples are named (published).
const TOP_K: usize = 5;

/// What a subject that matches nothing may score at most: less than what any threshold of the published ones asks for.
const NEAR_AT_MOST: f64 = 39.0;
/// How far a subject leans to the bad side: its similarity to a sample, less half of that to a harmless text. Half of what is
/// harmless leans no further than the first; what leans as far as the second is all but a match (`training/README.md`).
const LEANING: (f64, f64) = (0.35, 0.60);
/// The share of the harmless text's similarity.
const TWIN_SHARE: f64 = 0.5;

/// Settings of the similarity model.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct SimilaritySettings {
    /// Which description is followed; `published` if left out.
    pub edition: Edition,
    /// The similarity from which a sample matches, 0–1; 0.85 if left out.
    #[schemars(range(min = 0, max = 1))]
    pub threshold: f64,
    /// How many of the matching samples are named, 1–100; 5 if left out.
    #[schemars(range(min = 1, max = 100))]
    pub top_k: usize,
    /// Files of further samples, in the shape of `patterns/samples.yaml`.
    pub samples: Vec<PathBuf>,
    /// A folder with a sentence-transformer that makes the embeddings instead of the built-in table: `tokenizer.json` with
    /// `model.safetensors` or `model.onnx`. Only taken from settings that are named with --config.
    pub model: Option<PathBuf>,
    /// A saved index of the samples, as `callgate samples index` writes it. Only taken from settings that are named with --config.
    pub index: Option<PathBuf>,
}

impl Default for SimilaritySettings {
    fn default() -> Self {
        Self { edition: Edition::default(), threshold: THRESHOLD, top_k: TOP_K, samples: Vec::new(), model: None, index: None }
    }
}

impl Settings for SimilaritySettings {
    fn files(&self) -> &[PathBuf] {
        &self.samples
    }

    fn may_name_places(&self) -> bool {
        true
    }

    fn loosened(&self) -> Vec<String> {
        let paths = [("model", &self.model), ("index", &self.index)];
        let chosen = paths.into_iter().filter_map(|(key, path)| Some(format!("{key}: {}", path.as_ref()?.display())));
        let above = (THRESHOLD < self.threshold).then(|| format!("threshold: {}", self.threshold));
        let upstream = (self.edition == Edition::Upstream).then(|| "edition: upstream".to_owned());
        chosen.chain(above).chain(upstream).collect()
    }
}

/// The similarity model.
pub struct Similarity {
    settings: SimilaritySettings,
    samples: Vec<Sample>,
    embedder: Box<dyn Embedder>,
    index: Index,
}

/// The embedder that the settings choose; its folder is relative to this one.
///
/// # Errors
///
/// When it cannot be loaded.
pub fn embedder(settings: &SimilaritySettings, folder: &Path) -> Result<Box<dyn Embedder>, EmbeddingError> {
    match &settings.model {
        Some(model) => transformer::load(&folder.join(model), Weights::NumbersOrGraph),
        None => Ok(Box::new(StaticEmbedding::built_in()?)),
    }
}

/// All samples that the settings name; their paths are relative to the folder.
///
/// # Errors
///
/// When a file of samples has faults.
pub fn samples(settings: &SimilaritySettings, folder: &Path, open: ReadText<'_>) -> Result<Vec<Sample>, String> {
    let files: Vec<PathBuf> = settings.samples.iter().map(|file| folder.join(file)).collect();
    known::all(files.iter().map(PathBuf::as_path), open)
}

impl Similarity {
    /// The model with its settings; reads the files that they name.
    ///
    /// # Errors
    ///
    /// When a file of samples has faults, or the index does not belong to the samples.
    pub fn build(settings: &SimilaritySettings, builder: &Builder<'_>) -> Result<Self, BuildError> {
        let mut settings = settings.clone();
        settings.samples.extend_from_slice(&builder.samples);
        let fault = |word: &str, message: String| BuildError { word: word.to_owned(), message };
        // Whoever chooses what embeds decides what is alike: with the wrong numbers nothing is.
        for (key, is_set) in [("model", settings.model.is_some()), ("index", settings.index.is_some())] {
            if is_set && !builder.is_explicit {
                let message =
                    format!("`{key}` of the similarity model is only taken from settings that you name: pass this file with --config");
                return Err(fault(key, message));
            }
        }
        let samples = samples(&settings, &builder.folder, builder.read).map_err(|message| fault("samples", message))?;
        let embedder = embedder(&settings, &builder.folder).map_err(|error| fault("model", error.message))?;
        let index = match &settings.index {
            None => Index::of(&samples, embedder.as_ref()).map_err(|error| fault("samples", error.message))?,
            Some(file) => {
                let file = builder.folder.join(file);
                let read = std::fs::read(&file).map_err(|error| format!("cannot read the index: {error}"));
                let index = read.and_then(|bytes| Index::from_bytes(&bytes, &samples, embedder.as_ref()));
                index.map_err(|message| fault("index", format!("{}: {message}", file.display())))?
            }
        };
        Ok(Self { settings, samples, embedder, index })
    }

    /// The opinion if there were no samples of which the name is `gone`.
    fn judge(&self, evidence: &Evidence<'_>, gone: &dyn Fn(&str) -> bool) -> Result<Evaluation, ModelError> {
        let stretches = reading::subject(evidence, self.embedder.reach());
        let failed = |error: EmbeddingError| ModelError { model: NAME.into(), message: error.message };
        let vectors = self.embedder.embed_stretches(&stretches).map_err(failed)?;
        let likeness = self.index.likeness(&vectors, self.settings.threshold as f32);
        let mut order = likeness.ranked();
        order.retain(|sample| !self.samples.get(*sample).is_none_or(|sample| gone(&sample.id)));
        let Some((nearest, best)) = order.first().and_then(|nearest| Some((*nearest, likeness.samples.get(*nearest)?.0))) else {
            return Ok(Evaluation::new(NAME, Score::default()));
        };
        let is_match = self.matches(best);
        let score = if is_match { Score::clamped(f64::from(best) * 100.0) } else { near(best, likeness.twin) };
        let named = order.iter().copied().filter(|sample| self.matches(similarity_of(&likeness, *sample)));
        let named: Vec<usize> = if is_match { named.take(self.settings.top_k).collect() } else { vec![nearest] };
        let signals = named.into_iter().enumerate().filter_map(|(nth, sample)| {
            let known = self.samples.get(sample)?;
            let (similarity, stretch) = likeness.samples.get(sample).copied()?;
            let is_near = if is_match { "is like" } else { "is most like, but not enough for a match," };
            Some(Signal {
                id: known.id.clone(),
                // The best alone makes the score; the others say what else it is like.
                score: if nth == 0 { score.value() } else { 0.0 },
                level: level(is_match).into(),
                description: format!("{is_near} a known sample of {} (similarity {similarity:.2}): {}", known.family, known.why),
                span: stretches.span(stretch).filter(|_| is_match),
            })
        });
        let signals = signals.collect();
        Ok(Evaluation { level: Some(level(is_match).into()), signals, ..Evaluation::new(NAME, score) })
    }

    fn matches(&self, similarity: f32) -> bool {
        self.settings.threshold as f32 <= similarity
    }
}

fn similarity_of(likeness: &Likeness, sample: usize) -> f32 {
    likeness.samples.get(sample).map_or(0.0, |(similarity, _)| *similarity)
}

fn level(is_match: bool) -> &'static str {
    if is_match { "match" } else { "no match" }
}

/// The score of what matches nothing: it orders such subjects, and asks for nothing by itself.
///
/// Any two texts of one trade are half alike, so a bare similarity would warn of everything; and what is as like to harmless
/// texts as to bad ones is not suspicious at all.
fn near(best: f32, twin: f32) -> Score {
    let leaning = f64::from(best) - TWIN_SHARE * f64::from(twin);
    let share = (leaning - LEANING.0) / (LEANING.1 - LEANING.0);
    Score::clamped((NEAR_AT_MOST * share.clamp(0.0, 1.0) * 10.0).round() / 10.0)
}

impl Model for Similarity {
    fn judges(&self, kind: Kind) -> bool {
        match (self.settings.edition, kind) {
            (Edition::Published, _) | (Edition::Upstream, Kind::Script | Kind::ToolCall) => true,
            (Edition::Upstream, Kind::ToolResult | Kind::Prompt | Kind::Manifest | Kind::Text) => false,
        }
    }

    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        self.evaluate_without(evidence, &|_| false)
    }

    fn method(&self, _: &Evaluation) -> Method {
        let rule = match self.settings.edition {
            Edition::Published => format!(
                "the highest similarity to a known sample × 100 from {} on; below, {NEAR_AT_MOST} at most, by how much nearer it is to \
                 bad samples than to harmless texts",
                self.settings.threshold
            ),
            Edition::Upstream => "keywords, sequences and numbers of calls add points; the sum is capped at 100".to_owned(),
        };
        Method { rule, reckoning: Vec::new(), asks: String::new(), override_above: None }
    }

    fn evaluate_without(&self, evidence: &Evidence<'_>, gone: &dyn Fn(&str) -> bool) -> Result<Vec<Evaluation>, ModelError> {
        let opinion = match self.settings.edition {
            Edition::Published => self.judge(evidence, gone)?,
            Edition::Upstream => by_keywords(enclave::script(evidence, NAME)?, gone),
        };
        Ok(vec![opinion])
    }
}

/// The opinion of the released software.
fn by_keywords(script: &str, gone: &dyn Fn(&str) -> bool) -> Evaluation {
    let mut signals = evaluate(Scorer::LocalLlm, script).signals;
    signals.retain(|signal| !gone(signal.id));
    let answer = Answer::from_signals(signals);
    let score = Score::clamped(f64::from(answer.total));
    Evaluation { level: Some(answer.level.name().into()), signals: enclave::signals(answer), ..Evaluation::new(NAME, score) }
}

#[cfg(test)]
mod tests;
