//! The max model: the highest score of other models.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::build::{BuildError, Builder, Settings};
use crate::model::parts::{Parts, Question, share};
use crate::model::{Evaluation, Evidence, Method, Model, ModelError};
use crate::subject::Kind;

/// The model's name.
pub const NAME: &str = "max";

/// Settings of the max model.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct MaxSettings {
    /// The names of the models that it is made of.
    pub parts: Vec<String>,
}

impl Settings for MaxSettings {
    fn parts(&self) -> Vec<&str> {
        self.parts.iter().map(String::as_str).collect()
    }

    fn loosened(&self) -> Vec<String> {
        self.parts.iter().map(|model| format!("parts: {model}")).collect()
    }
}

/// The max model.
pub struct Max {
    parts: Parts,
}

impl Max {
    /// Builds the model with its parts.
    ///
    /// # Errors
    ///
    /// When it has no parts, or one cannot be built.
    pub fn build(settings: &MaxSettings, builder: &mut Builder<'_>) -> Result<Self, BuildError> {
        Ok(Self { parts: Parts::build(NAME, &settings.parts(), builder)? })
    }

    fn judge(&self, question: &Question<'_>) -> Result<Vec<Evaluation>, ModelError> {
        let heard = self.parts.ask(question);
        let highest = heard.opinions.iter().map(|(_, opinion)| opinion.score.value()).fold(0.0, f64::max);
        let decisive = heard.opinions.iter().find(|(_, opinion)| highest <= opinion.score.value());
        let signals = decisive.map(|(_, opinion)| share(opinion, 1.0)).into_iter().collect();
        heard.whole(NAME, highest, signals)
    }
}

impl Model for Max {
    fn judges(&self, kind: Kind) -> bool {
        self.parts.judge(kind)
    }

    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        self.judge(&Question { evidence, gone: None })
    }

    fn method(&self, evaluation: &Evaluation) -> Method {
        let missing = self.parts.missing_in(evaluation);
        let mut rule = "the highest score of its parts".to_owned();
        if !missing.is_empty() {
            rule.push_str(&format!("; without an opinion, because they do not judge such subjects or failed: {}", missing.join(", ")));
        }
        rule.push_str("; what a part asks for stands, and the thresholds can only make it stricter");
        Method { rule, reckoning: vec!["the highest".to_owned()], asks: String::new(), override_above: None }
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
