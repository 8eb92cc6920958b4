//! The tiered model: the worst tier in which anything matched is the score; lower tiers are not counted.
//!
//! Source of all numbers and names: clawguard of JaydenBeard (its risk analysis at be3f83ae). It knows no actions, so the
//! thresholds decide: unless they are set otherwise, medium is warned of and high is blocked.

use crate::model::{Evaluation, Evidence, Method, Model, ModelError, Signal};
use crate::rule::Match;
use crate::value::score::Score;
use crate::value::severity::Severity;

/// The model's name.
pub const NAME: &str = "tiered";

/// A published score of 1 to 4 on the common scale of 0 to 100.
const STEP: f64 = 25.0;

/// The tier that a set of matches falls into. What nothing matched in is `low` too, as published.
pub fn tier(severities: impl IntoIterator<Item = Severity>) -> Severity {
    severities.into_iter().max().unwrap_or(Severity::Low)
}

/// The published score of a tier, 1 (low) to 4 (critical).
pub fn published_score(tier: Severity) -> u32 {
    match tier {
        Severity::Low => 1,
        Severity::Medium => 2,
        Severity::High => 3,
        Severity::Critical => 4,
    }
}

/// The tiered model.
pub struct Tiered;

impl Model for Tiered {
    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        let asking: Vec<&Match> = evidence.matches.iter().filter_map(Match::asking).collect();
        let tier = tier(asking.iter().map(|found| found.severity));
        let score = f64::from(published_score(tier)) * STEP;
        let of_tier = asking.iter().filter(|found| found.severity == tier);
        // The first of a tier sets the score, and further ones of it change nothing.
        let signals = of_tier.enumerate().map(|(nth, found)| Signal::of_match(found, if nth == 0 { score } else { 0.0 }));
        Ok(vec![Evaluation {
            level: Some(tier.name().into()),
            severity: asking.iter().map(|found| found.severity).max(),
            signals: signals.collect(),
            ..Evaluation::new(NAME, Score::clamped(score))
        }])
    }

    fn method(&self, evaluation: &Evaluation) -> Method {
        let scores = Severity::ALL.map(|severity| format!("{} ({severity})", f64::from(published_score(severity)) * STEP));
        let rule = format!(
            "the worst severity of any match decides, and nothing is added up: {}; where nothing matched it is low as well",
            scores.join(", ")
        );
        let reckoning = (0..evaluation.signals.len()).map(|nth| if nth == 0 { String::new() } else { "the same tier".to_owned() });
        Method { rule, reckoning: reckoning.collect(), asks: String::new(), override_above: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_tier_decides_and_lower_ones_are_not_counted() {
        for (severities, expected) in [
            (vec![], ("low", 1)),
            (vec![Severity::Low; 9], ("low", 1)),
            (vec![Severity::Low, Severity::Medium], ("medium", 2)),
            (vec![Severity::High, Severity::Medium, Severity::High], ("high", 3)),
            (vec![Severity::Medium, Severity::Critical], ("critical", 4)),
        ] {
            let tier = tier(severities.iter().copied());
            assert_eq!((tier.name(), published_score(tier)), expected, "{severities:?}");
        }
    }
}
