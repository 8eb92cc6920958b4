//! The classifier: how probable it is that a subject is malicious, from facts, words and meaning.
//!
//! A linear model: each input adds its weight, and the sum becomes a probability by the logistic function. Weights and
//! calibration come from labelled texts; `training/README.md` tells which, and how well it does on sources that it never saw.
//!
//! The upstream edition gives what the released software gives without a model: the answer of its rules.

pub mod inputs;
pub mod told;
pub mod weights;

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::build::{BuildError, Builder, Settings};
use crate::model::classifier::inputs::{Input, Inputs};
use crate::model::classifier::weights::Weights;
use crate::model::embedding::static_embedding::StaticEmbedding;
use crate::model::rule_based::{self, Edition, RuleBased, RuleBasedSettings};
use crate::model::{Evaluation, Evidence, Method, Model, ModelError, Signal};
use crate::value::score::Score;

/// The model's name.
pub const NAME: &str = "classifier";

/// How many inputs are named.
const NAMED: usize = 8;
/// Inputs that move the score by less than this many points are not named.
const LEAST: f64 = 0.5;

/// Settings of the classifier.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct ClassifierSettings {
    /// Which description is followed; `published` if left out.
    pub edition: Edition,
}

impl Settings for ClassifierSettings {
    fn loosened(&self) -> Vec<String> {
        self.edition.loosened().into_iter().collect()
    }
}

/// The classifier.
pub enum Classifier {
    /// The trained weights.
    Published {
        /// Makes vectors of words.
        embedding: StaticEmbedding,
        /// What each input weighs.
        weights: Weights,
    },
    /// The rules of the released software, which stand in for a model there.
    Upstream(RuleBased),
}

impl Classifier {
    /// The classifier with its settings.
    ///
    /// # Errors
    ///
    /// When the weights or the table of tokens are damaged.
    pub fn build(settings: &ClassifierSettings, _: &Builder<'_>) -> Result<Self, BuildError> {
        let fault = |message: String| BuildError { word: NAME.to_owned(), message };
        Ok(match settings.edition {
            Edition::Published => Self::Published {
                embedding: StaticEmbedding::built_in().map_err(|error| fault(error.message))?,
                weights: Weights::built_in().map_err(fault)?,
            },
            Edition::Upstream => {
                Self::Upstream(RuleBased::new(RuleBasedSettings { edition: Edition::Upstream, ..RuleBasedSettings::default() }))
            }
        })
    }
}

/// What an input adds to the sum.
struct Share {
    name: Cow<'static, str>,
    weight: f32,
}

/// What each input adds; all words that are not named apart stand together.
fn shares(inputs: &Inputs, weights: &Weights) -> Vec<Share> {
    let own =
        |input: &Input, scale: f32| Share { name: input.name.clone().into(), weight: weights.bucket(input.bucket) * input.value * scale };
    let meaning: f32 = inputs.meaning.iter().zip(weights.meaning(inputs.is_prose)).map(|(number, weight)| number * weight).sum();
    let mut shares: Vec<Share> = inputs.facts.iter().map(|input| own(input, 1.0)).collect();
    shares.extend(inputs.words.iter().map(|input| own(input, weights.word_scale)));
    shares.push(Share { name: "what it is about".into(), weight: meaning });
    shares
}

fn probability(sum: f32) -> f64 {
    1.0 / (1.0 + (-f64::from(sum)).exp())
}

/// The opinion that follows from the inputs.
fn judged(inputs: &Inputs, weights: &Weights) -> Evaluation {
    let mut shares = shares(inputs, weights);
    let sum: f32 = weights.bias + shares.iter().map(|share| share.weight).sum::<f32>();
    let score = Score::clamped(probability(sum) * 100.0);
    // Points are probabilities, and probabilities do not add up; so what is between an empty subject's score and this one is
    // shared out in proportion to the weights.
    let start = probability(weights.bias) * 100.0;
    let moved = f64::from(sum - weights.bias);
    let points = |weight: f32| if moved.abs() < 1e-6 { 0.0 } else { f64::from(weight) / moved * (score.value() - start) };
    shares.sort_by(|left, right| right.weight.abs().total_cmp(&left.weight.abs()));
    let (named, others): (Vec<&Share>, Vec<&Share>) = {
        let mut nth = 0;
        shares.iter().partition(|share| {
            nth += 1;
            nth <= NAMED && LEAST <= points(share.weight).abs()
        })
    };
    let rest: f32 = others.iter().map(|share| share.weight).sum();
    let signal = |id: Cow<'static, str>, points: f64, description: String| Signal {
        id: id.into_owned(),
        score: points,
        level: if 0.0 < points { "for" } else { "against" }.into(),
        description,
        span: None,
    };
    let mut signals = vec![signal("start".into(), start, "where a subject starts of which nothing is known".to_owned())];
    signals.extend(named.into_iter().map(|share| {
        let speaks = if points(share.weight) < 0.0 { "speaks against an attack" } else { "speaks for an attack" };
        signal(share.name.clone(), points(share.weight), speaks.to_owned())
    }));
    signals.push(signal("all else".into(), points(rest), format!("{} further inputs together", others.len())));
    Evaluation { level: Some(level(score).into()), signals, ..Evaluation::new(NAME, score) }
}

/// The word for a probability: the thresholds are those from which a model without actions warns and blocks.
fn level(score: Score) -> &'static str {
    match score.value() {
        score if score < 40.0 => "benign",
        score if score < 70.0 => "suspicious",
        _ => "malicious",
    }
}

impl Model for Classifier {
    fn judges(&self, kind: crate::subject::Kind) -> bool {
        match self {
            Self::Published { .. } => true,
            Self::Upstream(rules) => rules.judges(kind),
        }
    }

    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        match self {
            Self::Published { embedding, weights } => {
                let inputs = inputs::of(evidence, embedding).map_err(|error| ModelError { model: NAME.into(), message: error.message })?;
                Ok(vec![judged(&inputs, weights)])
            }
            Self::Upstream(rules) => Ok(renamed(rules.evaluate(evidence)?)),
        }
    }

    fn method(&self, evaluation: &Evaluation) -> Method {
        match self {
            Self::Published { .. } => Method {
                rule: "facts, words and meaning add their trained weights, and the sum becomes a calibrated probability; each input's \
                       points are its share of the way from the start to the score"
                    .to_owned(),
                reckoning: Vec::new(),
                asks: String::new(),
                override_above: None,
            },
            Self::Upstream(rules) => rules.method(evaluation),
        }
    }

    fn evaluate_without(&self, evidence: &Evidence<'_>, gone: &dyn Fn(&str) -> bool) -> Result<Vec<Evaluation>, ModelError> {
        match self {
            // What is gone is no part of the evidence any more, and so of none of the inputs.
            Self::Published { .. } => self.evaluate(evidence),
            Self::Upstream(rules) => Ok(renamed(rules.evaluate_without(evidence, gone)?)),
        }
    }
}

fn renamed(evaluations: Vec<Evaluation>) -> Vec<Evaluation> {
    debug_assert!(evaluations.iter().all(|evaluation| evaluation.model == rule_based::NAME));
    evaluations.into_iter().map(|evaluation| Evaluation { model: NAME.into(), ..evaluation }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(bucket: usize, name: &str) -> Input {
        Input { bucket, value: 1.0, name: name.to_owned() }
    }

    #[test]
    fn points_add_up_to_the_score() {
        let weights = Weights::built_in().expect("it can be read");
        let facts = (0..40).map(|bucket| input(bucket * 700, &format!("fact {bucket}"))).collect();
        let words = (0..200).map(|bucket| Input { value: 0.07, ..input(bucket * 150 + 3, "word") }).collect();
        let inputs = Inputs { facts, words, meaning: vec![0.05; weights.meaning(false).len()], is_prose: false };
        let evaluation = judged(&inputs, &weights);
        let sum: f64 = evaluation.signals.iter().map(|signal| signal.score).sum();
        assert!((sum - evaluation.score.value()).abs() < 1e-3, "{sum} {evaluation:?}");
        assert!(evaluation.signals.len() <= NAMED + 2);
    }

    #[test]
    fn of_nothing_the_score_is_the_start() {
        let weights = Weights::built_in().expect("it can be read");
        let evaluation = judged(&Inputs { meaning: vec![0.0; weights.meaning(true).len()], ..Inputs::default() }, &weights);
        assert!((evaluation.score.value() - 100.0 * probability(weights.bias)).abs() < 1e-3);
    }
}
