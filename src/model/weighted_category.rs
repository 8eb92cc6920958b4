//! The weighted-category model: every match adds the weight of its severity, without diminishing returns.
//!
//! Source of all numbers: the published decision record ADR-004, Alternative C, which it rejects for `hybrid`: some dozen
//! harmless matches add up to the score of a real attack. It is here to be compared with.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::build::Settings;
use crate::model::{Evaluation, Evidence, Method, Model, ModelError, Signal};
use crate::rule::Match;
use crate::value::score::Score;
use crate::value::severity::Severity;

/// The model's name.
pub const NAME: &str = "weighted-category";

/// What each match of a severity adds, unless the settings say otherwise.
const WEIGHTS: WeightedCategorySettings = WeightedCategorySettings { critical: 40.0, high: 20.0, medium: 8.0, low: 2.0 };

/// Settings of the weighted-category model: the points (0–100) that each match adds.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct WeightedCategorySettings {
    /// For a critical match; 40 if left out.
    #[schemars(range(min = 0, max = 100))]
    pub critical: f64,
    /// For a high match; 20 if left out.
    #[schemars(range(min = 0, max = 100))]
    pub high: f64,
    /// For a medium match; 8 if left out.
    #[schemars(range(min = 0, max = 100))]
    pub medium: f64,
    /// For a low match; 2 if left out.
    #[schemars(range(min = 0, max = 100))]
    pub low: f64,
}

impl Default for WeightedCategorySettings {
    fn default() -> Self {
        WEIGHTS
    }
}

impl WeightedCategorySettings {
    /// What a match of a severity adds, in points.
    pub fn weight(&self, severity: Severity) -> f64 {
        match severity {
            Severity::Critical => self.critical,
            Severity::High => self.high,
            Severity::Medium => self.medium,
            Severity::Low => self.low,
        }
    }
}

impl Settings for WeightedCategorySettings {
    fn loosened(&self) -> Vec<String> {
        let lower = Severity::ALL.into_iter().filter(|severity| self.weight(*severity) < WEIGHTS.weight(*severity));
        lower.map(|severity| format!("{severity}: {}", self.weight(severity))).collect()
    }

    fn tightened(&self) -> Self {
        let weight = |severity: Severity| self.weight(severity).max(WEIGHTS.weight(severity));
        Self {
            critical: weight(Severity::Critical),
            high: weight(Severity::High),
            medium: weight(Severity::Medium),
            low: weight(Severity::Low),
        }
    }
}

/// The sum of the weights of all matches, before the cap.
pub fn sum(severities: impl IntoIterator<Item = Severity>, settings: &WeightedCategorySettings) -> f64 {
    severities.into_iter().fold(0.0, |sum, severity| sum + settings.weight(severity))
}

/// The weighted-category model.
pub struct WeightedCategory {
    settings: WeightedCategorySettings,
}

impl WeightedCategory {
    /// The model with its settings.
    pub fn new(settings: WeightedCategorySettings) -> Self {
        Self { settings }
    }
}

impl Model for WeightedCategory {
    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        let asking: Vec<&Match> = evidence.matches.iter().filter_map(Match::asking).collect();
        let sum = sum(asking.iter().map(|found| found.severity), &self.settings);
        let signals = asking.iter().map(|found| Signal::of_match(found, self.settings.weight(found.severity)));
        Ok(vec![Evaluation {
            severity: asking.iter().map(|found| found.severity).max(),
            signals: signals.collect(),
            ..Evaluation::new(NAME, Score::clamped(sum))
        }])
    }

    fn method(&self, _: &Evaluation) -> Method {
        let weights = Severity::ALL.map(|severity| format!("{} ({severity})", self.settings.weight(severity)));
        let rule =
            format!("each match adds the weight of its severity: {}; the sum is capped at {}", weights.join(", "), Score::MAX.value());
        Method { rule, reckoning: Vec::new(), asks: String::new(), override_above: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ADR-004, Alternative C: 40/20/8/2, no diminishing returns.
    #[test]
    fn every_match_adds_its_full_weight() {
        for (severities, expected) in [
            (vec![], 0.0),
            (vec![Severity::Low; 8], 16.0),
            (vec![Severity::Medium; 12], 96.0),
            (vec![Severity::Critical, Severity::High, Severity::Medium, Severity::Low], 70.0),
            (vec![Severity::Critical; 3], 120.0),
        ] {
            let sum = sum(severities.iter().copied(), &WeightedCategorySettings::default());
            assert_eq!(sum.to_bits(), f64::to_bits(expected), "{severities:?}");
        }
    }
}
