//! The hybrid model: a numeric score with diminishing returns, and an action from the worst severity.
//!
//! Source of all numbers: the published decision record ADR-004. Its reference table says "any critical
//! 80–100", its formula gives one critical 40 points; the formula stands, and the action comes from the severity.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::{Evaluation, Evidence, Method, Model, ModelError, Signal};
use crate::value::score::Score;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The model's name.
pub const NAME: &str = "hybrid";

/// What the first match of a severity adds.
const WEIGHTS: [(Severity, f64); 4] = [(Severity::Critical, 40.0), (Severity::High, 20.0), (Severity::Medium, 8.0), (Severity::Low, 2.0)];
/// Each further match of a severity adds this share of the one before.
const DIMINISHING: f64 = 0.85;
/// No score is higher.
const CAP: f64 = 100.0;
/// A score above this is blocked whatever the matches ask for.
const SCORE_OVERRIDE: f64 = 85.0;

/// Settings of the hybrid model.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct HybridSettings {
    /// A score above this (0–100) is blocked whatever the matches ask for; 85 if left out. 100 never is.
    #[schemars(range(min = 0, max = 100))]
    pub score_override: f64,
}

impl Default for HybridSettings {
    fn default() -> Self {
        Self { score_override: SCORE_OVERRIDE }
    }
}

/// The hybrid model.
pub struct Hybrid {
    settings: HybridSettings,
}

impl Hybrid {
    /// The model with its settings.
    pub fn new(settings: HybridSettings) -> Self {
        Self { settings }
    }
}

impl Model for Hybrid {
    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        let found: Vec<(Severity, Action)> = evidence.matches.iter().map(|found| (found.severity, found.action)).collect();
        let outcome = judge(&found, self.settings.score_override);
        let mut counted = [0_i32; Severity::ALL.len()];
        let signals = evidence.matches.iter().map(|found| {
            let nth = &mut counted[found.severity as usize];
            let score = weight(found.severity) * DIMINISHING.powf(f64::from(*nth));
            *nth += 1;
            Signal::of_match(found, score)
        });
        Ok(vec![Evaluation {
            severity: outcome.severity,
            action: Some(outcome.action),
            escalated: outcome.escalated,
            signals: signals.collect(),
            ..Evaluation::new(NAME, Score::clamped(outcome.score))
        }])
    }

    fn method(&self, evaluation: &Evaluation) -> Method {
        let weights = WEIGHTS.map(|(severity, weight)| format!("{weight} ({severity})")).join(", ");
        let score_override = self.settings.score_override;
        let mut rule = format!(
            "the first match of a severity adds {weights}, each further one {:.0} % of the one before; the sum is rounded and capped \
             at {CAP}; the worst severity decides what is asked for",
            DIMINISHING * 100.0
        );
        if score_override < CAP {
            rule.push_str(&format!(", and a score above {score_override} blocks in any case"));
        }
        let mut counted = [0_usize; Severity::ALL.len()];
        let reckoning = evaluation.signals.iter().map(|signal| {
            let Some((severity, weight)) = WEIGHTS.iter().find(|(severity, _)| severity.name() == signal.level) else {
                return String::new();
            };
            let nth = &mut counted[*severity as usize];
            *nth += 1;
            if *nth == 1 {
                format!("1st {severity}")
            } else {
                format!("{} {severity}: {weight} × {DIMINISHING}{}", ordinal(*nth), power(*nth - 1))
            }
        });
        Method { rule, reckoning: reckoning.collect(), override_above: (score_override < CAP).then_some(score_override) }
    }
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// An exponent as it is written, nothing for 1.
fn power(exponent: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    if exponent == 1 {
        return String::new();
    }
    exponent.to_string().bytes().filter_map(|digit| DIGITS.get(usize::from(digit - b'0'))).collect()
}

/// What the model makes of a set of matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The sum before rounding and cap.
    pub raw: f64,
    /// The sum rounded half to even and capped at 100.
    pub score: f64,
    /// The highest severity of any match.
    pub severity: Option<Severity>,
    /// What the matches of the highest severity ask for at most.
    pub severity_action: Action,
    /// The score passed the override.
    pub exceeded: bool,
    /// What the model asks for.
    pub action: Action,
    /// The override made the action stricter.
    pub escalated: bool,
}

/// Judges matches by severity and action; a score above `score_override` (strictly) is blocked.
pub fn judge(found: &[(Severity, Action)], score_override: f64) -> Outcome {
    let raw = raw_score(found);
    let score = raw.round_ties_even().min(CAP);
    let severity = found.iter().map(|(severity, _)| *severity).max();
    let of_worst = found.iter().filter(|(own, _)| Some(*own) == severity);
    let severity_action = of_worst.map(|(_, action)| *action).max().unwrap_or(Action::Allow);
    let exceeded = score_override < score;
    let action = if exceeded { Action::Block } else { severity_action };
    Outcome { raw, score, severity, severity_action, exceeded, action, escalated: action != severity_action }
}

/// The weights of all matches, the heaviest first, each severity with diminishing returns, summed left to right.
fn raw_score(found: &[(Severity, Action)]) -> f64 {
    let mut sum = 0.0;
    for (severity, weight) in WEIGHTS {
        let count = found.iter().filter(|(own, _)| *own == severity).count();
        for nth in 0..count {
            sum += weight * DIMINISHING.powf(nth as f64);
        }
    }
    sum
}

fn weight(severity: Severity) -> f64 {
    WEIGHTS.iter().find(|(known, _)| *known == severity).map_or(0.0, |(_, weight)| *weight)
}

/// The action that ADR-004 gives a severity when a match names none.
pub fn default_action(severity: Severity) -> Action {
    match severity {
        Severity::Critical => Action::Block,
        Severity::High => Action::Redact,
        Severity::Medium => Action::Confirm,
        Severity::Low => Action::Warn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ADR-004, "Diminishing returns", scores of n matches of one severity.
    #[test]
    fn the_published_rows_hold() {
        for (severity, scores) in [
            (Severity::Critical, vec![40.0, 74.0, 100.0]),
            (Severity::High, vec![20.0, 37.0, 51.0, 64.0, 74.0, 83.0, 91.0, 97.0, 100.0]),
            (Severity::Medium, vec![8.0, 15.0, 21.0, 25.0, 30.0, 33.0, 36.0, 39.0]),
            (Severity::Low, vec![2.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]),
        ] {
            for (more, expected) in scores.into_iter().enumerate() {
                let found = vec![(severity, Action::Log); more + 1];
                assert_eq!(judge(&found, 85.0).score.to_bits(), f64::to_bits(expected), "{} × {severity}", more + 1);
            }
        }
    }

    #[test]
    fn the_action_is_the_strictest_of_the_worst_severity() {
        let check = |found: &[(Severity, Action)], expected| assert_eq!(judge(found, 85.0).action, expected, "{found:?}");
        check(&[], Action::Allow);
        check(&[(Severity::Low, Action::Log)], Action::Log);
        check(&[(Severity::High, Action::Log), (Severity::Low, Action::Block)], Action::Log);
        check(&[(Severity::High, Action::Warn), (Severity::High, Action::Confirm)], Action::Confirm);
        check(&[(Severity::Critical, Action::Log); 3], Action::Block);
    }

    #[test]
    fn a_score_is_only_overridden_above_the_threshold() {
        let two = [(Severity::Critical, Action::Log); 2];
        assert!(!judge(&two, 74.0).escalated);
        assert!(judge(&two, 73.9).escalated);
    }

    #[test]
    fn what_points_are_made_of_is_told_as_it_is_reckoned() {
        let signal =
            |level: &'static str| Signal { id: String::new(), score: 0.0, level: level.into(), description: String::new(), span: None };
        let evaluation = Evaluation {
            signals: ["critical", "low", "critical", "critical", "low", "unheard-of"].map(signal).into(),
            ..Evaluation::new(NAME, Score::ZERO)
        };
        let expected = ["1st critical", "1st low", "2nd critical: 40 × 0.85", "3rd critical: 40 × 0.85²", "2nd low: 2 × 0.85", ""];
        assert_eq!(Hybrid::new(HybridSettings::default()).method(&evaluation).reckoning, expected);
        for (number, expected) in [(4, "4th"), (11, "11th"), (12, "12th"), (21, "21st"), (113, "113th"), (122, "122nd")] {
            assert_eq!(ordinal(number), expected);
        }
        assert_eq!((power(1), power(10)), (String::new(), "¹⁰".to_owned()));
    }

    #[test]
    fn an_override_that_no_score_passes_is_not_told() {
        let evaluation = Hybrid::new(HybridSettings::default());
        let silent = Hybrid::new(HybridSettings { score_override: 100.0 });
        let empty = Evaluation { signals: Vec::new(), ..Evaluation::new(NAME, Score::ZERO) };
        assert_eq!((evaluation.method(&empty).override_above, silent.method(&empty).override_above), (Some(85.0), None));
    }
}
