//! The fixed model: one score for everything, to test a set-up or to hold a gate shut.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::build::Settings;
use crate::model::{Evaluation, Evidence, Method, Model, ModelError};
use crate::value::score::Score;

/// The model's name.
pub const NAME: &str = "fixed";

/// Settings of the fixed model.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct FixedSettings {
    /// The score as a share of the highest, 0–1; 0 if left out.
    #[schemars(range(min = 0, max = 1))]
    pub score: f64,
}

impl Settings for FixedSettings {}

/// The fixed model.
pub struct Fixed {
    settings: FixedSettings,
}

impl Fixed {
    /// The model with its settings.
    pub fn new(settings: FixedSettings) -> Self {
        Self { settings }
    }
}

impl Model for Fixed {
    fn evaluate(&self, _: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        let score = Score::clamped(self.settings.score * Score::MAX.value());
        Ok(vec![Evaluation::new(NAME, score)])
    }

    fn method(&self, _: &Evaluation) -> Method {
        let rule = "one score for everything, chosen in the settings; it does not look at what was found".to_owned();
        Method { rule, reckoning: Vec::new(), asks: String::new(), override_above: None }
    }
}
