//! The composite model: the weighted mean of the scores of other models.
//!
//! A part that does not judge a subject, or fails, is left out of the mean: the weights of the others share its own.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::build::{BuildError, Builder, Settings};
use crate::model::parts::{Heard, Parts, Question, share};
use crate::model::{Evaluation, Evidence, Method, Model, ModelError};
use crate::subject::Kind;

/// The model's name.
pub const NAME: &str = "composite";

/// Settings of the composite model.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct CompositeSettings {
    /// The models that it is made of.
    pub parts: Vec<WeightedPart>,
}

impl Settings for CompositeSettings {
    fn parts(&self) -> Vec<&str> {
        self.parts.iter().map(|part| part.model.as_str()).collect()
    }

    fn loosened(&self) -> Vec<String> {
        self.parts.iter().map(|WeightedPart { model, weight }| format!("parts: {model} × {weight}")).collect()
    }
}

/// A model with its weight.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct WeightedPart {
    /// The name of the model.
    pub model: String,
    /// How much it counts beside the others, above 0; 1 if left out. Weights need not add up to anything.
    #[serde(default = "usual_weight")]
    pub weight: f64,
}

fn usual_weight() -> f64 {
    1.0
}

/// The composite model.
pub struct Composite {
    parts: Parts,
    /// The weight of each part, finite and above 0.
    weights: Vec<f64>,
}

impl Composite {
    /// Builds the model with its parts.
    ///
    /// # Errors
    ///
    /// When it has no parts, one cannot be built, or a weight is no finite number above 0.
    pub fn build(settings: &CompositeSettings, builder: &mut Builder<'_>) -> Result<Self, BuildError> {
        for WeightedPart { model, weight } in &settings.parts {
            if !weight.is_finite() || *weight <= 0.0 {
                let message = format!("the weight of `{model}` in the model `{NAME}` is {weight}; it must be a number above 0");
                return Err(BuildError { word: model.clone(), message });
            }
        }
        Ok(Self {
            weights: settings.parts.iter().map(|part| part.weight).collect(),
            parts: Parts::build(NAME, &settings.parts(), builder)?,
        })
    }

    fn judge(&self, question: &Question<'_>) -> Result<Vec<Evaluation>, ModelError> {
        let heard = self.parts.ask(question);
        let weighted: Vec<(f64, &Evaluation)> = self.weighted(&heard).collect();
        let scores: Vec<(f64, f64)> = weighted.iter().map(|(weight, opinion)| (opinion.score.value(), *weight)).collect();
        let total: f64 = scores.iter().map(|(_, weight)| weight).sum();
        let signals = weighted.iter().map(|(weight, opinion)| share(opinion, weight / total)).collect();
        heard.whole(NAME, mean(&scores), signals)
    }

    fn weighted<'h>(&self, heard: &'h Heard) -> impl Iterator<Item = (f64, &'h Evaluation)> {
        heard.opinions.iter().filter_map(|(nth, opinion)| Some((self.weights.get(*nth).copied()?, opinion)))
    }
}

/// The mean of scores, each with its weight above 0; 0 of none.
pub fn mean(scores: &[(f64, f64)]) -> f64 {
    let total: f64 = scores.iter().map(|(_, weight)| weight).sum();
    let sum: f64 = scores.iter().map(|(score, weight)| score * weight).sum();
    if scores.is_empty() { 0.0 } else { sum / total }
}

impl Model for Composite {
    fn judges(&self, kind: Kind) -> bool {
        self.parts.judge(kind)
    }

    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        self.judge(&Question { evidence, gone: None })
    }

    fn method(&self, evaluation: &Evaluation) -> Method {
        let missing = self.parts.missing_in(evaluation);
        let mut rule = "the mean of the scores of its parts, each with its share of the weights".to_owned();
        if !missing.is_empty() {
            rule.push_str(&format!("; left out, because they do not judge such subjects or failed: {}", missing.join(", ")));
        }
        rule.push_str("; what a part asks for stands, and the thresholds can only make it stricter");
        let reckoning = evaluation.parts.iter().zip(&evaluation.signals).map(|(part, signal)| {
            let share = if part.score.value() == 0.0 { None } else { Some(signal.score / part.score.value()) };
            share.map_or_else(|| "scores 0".to_owned(), |share| format!("scores {}, counts {:.0} %", part.score, share * 100.0))
        });
        Method { rule, reckoning: reckoning.collect(), asks: String::new(), override_above: None }
    }

    fn evaluate_without(&self, evidence: &Evidence<'_>, gone: &dyn Fn(&str) -> bool) -> Result<Vec<Evaluation>, ModelError> {
        self.judge(&Question { evidence, gone: Some(gone) })
    }

    fn part(&self, name: &str) -> Option<&dyn Model> {
        self.parts.by_name(name)
    }

    fn needs_session(&self) -> bool {
        self.parts.need_session()
    }
}

#[cfg(test)]
mod tests {
    use super::mean;

    #[test]
    fn the_mean_is_weighted_and_weights_need_not_add_up() {
        for (scores, expected) in [
            (&[][..], 0.0),
            (&[(60.0, 1.0)], 60.0),
            (&[(60.0, 1.0), (20.0, 1.0)], 40.0),
            (&[(60.0, 3.0), (20.0, 1.0)], 50.0),
            (&[(60.0, 0.75), (20.0, 0.25)], 50.0),
        ] {
            assert_eq!(mean(scores).to_bits(), f64::to_bits(expected), "{scores:?}");
        }
    }
}
