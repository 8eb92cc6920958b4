//! The hybrid model: a numeric score with diminishing returns, and an action from the worst severity.
//!
//! Source of all numbers: the published decision record ADR-004. Its reference table says "any critical
//! 80–100", its formula gives one critical 40 points; the formula stands, and the action comes from the severity.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::build::{BuildError, Settings};
use crate::model::{Evaluation, Evidence, Method, Model, ModelError, ScoreRow, Signal};
use crate::value::score::Score;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The model's name.
pub const NAME: &str = "hybrid";

/// What the first match of a severity adds, unless the settings say otherwise.
const WEIGHTS: Weights = Weights { critical: 40.0, high: 20.0, medium: 8.0, low: 2.0 };
/// Each further match of a severity adds this share of the one before.
const DIMINISHING: f64 = 0.85;
/// No score is higher.
const CAP: f64 = 100.0;
/// How many matches the published table of scores goes to.
const TABLE: usize = 10;
/// A score above this is blocked whatever the matches ask for.
const SCORE_OVERRIDE: f64 = 85.0;

/// Settings of the hybrid model.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct HybridSettings {
    /// A score above this (0–100) is blocked whatever the matches ask for; 85 if left out. 100 never is.
    #[schemars(range(min = 0, max = 100))]
    pub score_override_threshold: Option<f64>,
    /// Another name of `score_override_threshold`; only one of them may stand.
    #[schemars(range(min = 0, max = 100))]
    pub score_override: Option<f64>,
    /// What the first match of each severity adds.
    pub weights: Weights,
    /// Each further match of a severity adds this share (0–1) of the one before; 0.85 if left out.
    #[schemars(range(min = 0, max = 1))]
    pub diminishing: f64,
}

impl Default for HybridSettings {
    fn default() -> Self {
        Self { score_override_threshold: None, score_override: None, weights: WEIGHTS, diminishing: DIMINISHING }
    }
}

impl HybridSettings {
    /// The score above which everything is blocked.
    pub fn override_above(&self) -> f64 {
        self.score_override_threshold.or(self.score_override).unwrap_or(SCORE_OVERRIDE)
    }
}

impl Settings for HybridSettings {
    fn faults(&self) -> Vec<BuildError> {
        let word = "score_override".to_owned();
        let message = "`score_override` and `score_override_threshold` are one setting; leave one of them out".to_owned();
        self.score_override_threshold.zip(self.score_override).map(|_| BuildError { word, message }).into_iter().collect()
    }

    fn loosened(&self) -> Vec<String> {
        let usual = Self::default();
        let mut loosened: Vec<String> = Vec::new();
        let name = if self.score_override.is_some() { "score_override" } else { "score_override_threshold" };
        if usual.override_above() < self.override_above() {
            loosened.push(format!("{name}: {}", self.override_above()));
        }
        for severity in Severity::ALL {
            if self.weights.of(severity) < usual.weights.of(severity) {
                loosened.push(format!("weights.{severity}: {}", self.weights.of(severity)));
            }
        }
        if self.diminishing < usual.diminishing {
            loosened.push(format!("diminishing: {}", self.diminishing));
        }
        loosened
    }

    fn tightened(&self) -> Self {
        let usual = Self::default();
        let stricter = |threshold: Option<f64>| threshold.filter(|threshold| *threshold <= usual.override_above());
        let weight = |severity: Severity| self.weights.of(severity).max(usual.weights.of(severity));
        Self {
            score_override_threshold: stricter(self.score_override_threshold),
            score_override: stricter(self.score_override),
            weights: Weights {
                critical: weight(Severity::Critical),
                high: weight(Severity::High),
                medium: weight(Severity::Medium),
                low: weight(Severity::Low),
            },
            diminishing: self.diminishing.max(usual.diminishing),
        }
    }
}

/// The points (0–100) that the first match of each severity adds.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "HybridWeights")]
pub struct Weights {
    /// For the first critical match; 40 if left out.
    #[schemars(range(min = 0, max = 100))]
    pub critical: f64,
    /// For the first high match; 20 if left out.
    #[schemars(range(min = 0, max = 100))]
    pub high: f64,
    /// For the first medium match; 8 if left out.
    #[schemars(range(min = 0, max = 100))]
    pub medium: f64,
    /// For the first low match; 2 if left out.
    #[schemars(range(min = 0, max = 100))]
    pub low: f64,
}

impl Default for Weights {
    fn default() -> Self {
        WEIGHTS
    }
}

impl Weights {
    /// What the first match of a severity adds.
    pub fn of(&self, severity: Severity) -> f64 {
        match severity {
            Severity::Critical => self.critical,
            Severity::High => self.high,
            Severity::Medium => self.medium,
            Severity::Low => self.low,
        }
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
        let outcome = judge_by(&found, &self.settings);
        let mut counted = [0_i32; Severity::ALL.len()];
        let signals = evidence.matches.iter().map(|found| {
            let nth = &mut counted[found.severity as usize];
            let score = self.settings.weights.of(found.severity) * self.settings.diminishing.powf(f64::from(*nth));
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

    fn table(&self) -> Vec<ScoreRow> {
        let HybridSettings { weights, diminishing, .. } = self.settings;
        let row = |severity: Severity| {
            let score = |count| judge_by(&vec![(severity, Action::Log); count], &self.settings).score;
            // Each further match adds a share of the one before: a geometric series.
            let limit = if diminishing < 1.0 { weights.of(severity) / (1.0 - diminishing) } else { f64::INFINITY };
            let limit = if weights.of(severity) == 0.0 { 0.0 } else { limit.min(CAP) };
            ScoreRow { severity, scores: (1..=TABLE).map(score).collect(), limit }
        };
        worst_first().map(row).into()
    }

    fn method(&self, evaluation: &Evaluation) -> Method {
        let HybridSettings { weights: by_severity, diminishing, .. } = self.settings;
        let weights = worst_first().map(|severity| format!("{} ({severity})", by_severity.of(severity))).join(", ");
        let score_override = self.settings.override_above();
        let mut rule = format!(
            "the first match of a severity adds {weights}, each further one {:.0} % of the one before; the sum is rounded and capped \
             at {CAP}; the worst severity decides what is asked for",
            diminishing * 100.0
        );
        if score_override < CAP {
            rule.push_str(&format!(", and a score above {score_override} blocks in any case"));
        }
        let mut counted = [0_usize; Severity::ALL.len()];
        let reckoning = evaluation.signals.iter().map(|signal| {
            let Some(severity) = Severity::from_name(&signal.level) else { return String::new() };
            let weight = by_severity.of(severity);
            let nth = &mut counted[severity as usize];
            *nth += 1;
            if *nth == 1 {
                format!("1st {severity}")
            } else {
                format!("{} {severity}: {weight} × {diminishing}{}", ordinal(*nth), power(*nth - 1))
            }
        });
        Method {
            rule,
            reckoning: reckoning.collect(),
            asks: asks(evaluation, score_override),
            override_above: (score_override < CAP).then_some(("score_override", score_override)),
        }
    }
}

/// Why the model asks for the action of an evaluation.
fn asks(evaluation: &Evaluation, score_override: f64) -> String {
    let Some((severity, action)) = evaluation.severity.zip(evaluation.action) else { return String::new() };
    if evaluation.escalated {
        return format!("a score above {score_override} blocks, whatever the worst severity ({severity}) asks for");
    }
    format!("the worst severity is {severity}, and what is found of it asks for `{action}`")
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

/// Judges matches by severity and action with the published numbers; a score above `score_override` (strictly) is blocked.
pub fn judge(found: &[(Severity, Action)], score_override: f64) -> Outcome {
    judge_by(found, &HybridSettings { score_override_threshold: Some(score_override), ..HybridSettings::default() })
}

/// Judges matches by severity and action.
pub fn judge_by(found: &[(Severity, Action)], settings: &HybridSettings) -> Outcome {
    let raw = raw_score(found, settings);
    let score = raw.round_ties_even().min(CAP);
    let severity = found.iter().map(|(severity, _)| *severity).max();
    let of_worst = found.iter().filter(|(own, _)| Some(*own) == severity);
    let severity_action = of_worst.map(|(_, action)| *action).max().unwrap_or(Action::Allow);
    let exceeded = settings.override_above() < score;
    let action = if exceeded { Action::Block } else { severity_action };
    Outcome { raw, score, severity, severity_action, exceeded, action, escalated: action != severity_action }
}

/// The weights of all matches, the worst first, each severity with diminishing returns, summed left to right.
fn raw_score(found: &[(Severity, Action)], settings: &HybridSettings) -> f64 {
    let mut sum = 0.0;
    for severity in worst_first() {
        let count = found.iter().filter(|(own, _)| *own == severity).count();
        for nth in 0..count {
            sum += settings.weights.of(severity) * settings.diminishing.powf(nth as f64);
        }
    }
    sum
}

fn worst_first() -> [Severity; 4] {
    let mut severities = Severity::ALL;
    severities.reverse();
    severities
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
        let silent = Hybrid::new(HybridSettings { score_override: Some(100.0), ..HybridSettings::default() });
        let empty = Evaluation { signals: Vec::new(), ..Evaluation::new(NAME, Score::ZERO) };
        assert_eq!(
            (evaluation.method(&empty).override_above, silent.method(&empty).override_above),
            (Some(("score_override", 85.0)), None)
        );
    }
}
