//! The released trust engine: what an agent's past makes of a risk.
//!
//! Source: what Attesta at 4b6a8de1 answers.

use crate::upstream::attesta::factor::clamped;

/// How fast what lies back counts less, per day.
const AGE_RATE: f64 = 0.1;
/// The trust at which a risk stays what it is.
const NEUTRAL: f64 = 0.5;

/// The domain of a history that names none.
pub const GENERAL: &str = "general";

/// How one earlier action ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was approved.
    Success,
    /// It was denied.
    Denied,
    /// It did harm.
    Incident,
}

/// One earlier action.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// How many days ago.
    pub days_ago: f64,
    /// How it ended.
    pub outcome: Outcome,
    /// What it was about.
    pub domain: String,
}

/// What is known of an agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// Its earlier actions.
    pub records: Vec<Record>,
    /// How often it did harm.
    pub incidents: u32,
    /// How many days ago it last did anything, where that is known.
    pub last_action_days_ago: Option<f64>,
}

/// How trust is reckoned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrustParameters {
    /// The trust of who has no past, 0–1.
    pub initial: f64,
    /// The highest trust, 0–1.
    pub ceiling: f64,
    /// How fast trust fades while nothing is done, per day.
    pub decay_rate: f64,
    /// What trust is multiplied by for each incident.
    pub incident_penalty: f64,
    /// How much trust moves a risk, 0–1.
    pub influence: f64,
}

impl Default for TrustParameters {
    fn default() -> Self {
        Self { initial: 0.3, ceiling: 0.9, decay_rate: 0.01, incident_penalty: 0.7, influence: 0.3 }
    }
}

/// The trust that a past earns, 0–1; of one domain, or of all if none is given.
pub fn trust(history: &History, domain: Option<&str>, parameters: &TrustParameters) -> f64 {
    let records = history.records.iter().filter(|record| domain.is_none_or(|domain| domain == record.domain));
    let (mut good, mut all) = (0.0, 0.0);
    for record in records {
        let weight = (-AGE_RATE * record.days_ago).exp();
        all += weight;
        match record.outcome {
            Outcome::Success => good += weight,
            Outcome::Denied | Outcome::Incident => {}
        }
    }
    // Also where all lies so far back that it weighs nothing.
    if all <= 0.0 {
        return parameters.initial;
    }
    let recency = history.last_action_days_ago.map_or(1.0, |days| (-parameters.decay_rate * days).exp());
    let penalty = parameters.incident_penalty.powf(f64::from(history.incidents));
    let earned = good / all * recency * penalty;
    if earned < parameters.ceiling { earned } else { parameters.ceiling }
}

/// What trust makes of a risk: it moves it by at most half the influence.
pub fn effective_risk(risk: f64, trust: f64, parameters: &TrustParameters) -> f64 {
    clamped(risk * (1.0 - (trust - NEUTRAL) * parameters.influence))
}

#[cfg(test)]
mod tests {
    use super::{History, Outcome, Record, TrustParameters, effective_risk, trust};

    fn history(records: &[(f64, Outcome, &str)], incidents: u32) -> History {
        let records = records.iter().map(|(days_ago, outcome, domain)| Record {
            days_ago: *days_ago,
            outcome: *outcome,
            domain: (*domain).to_owned(),
        });
        History { records: records.collect(), incidents, last_action_days_ago: Some(0.0) }
    }

    #[test]
    fn a_past_earns_trust_and_incidents_cost_it() {
        let parameters = TrustParameters::default();
        for (history, domain, expected) in [
            (history(&[], 0), None, 0.3),
            (history(&[(0.0, Outcome::Success, "a")], 0), None, 0.9),
            (history(&[(0.0, Outcome::Success, "a"), (0.0, Outcome::Denied, "b")], 0), None, 0.5),
            (history(&[(0.0, Outcome::Success, "a"), (0.0, Outcome::Denied, "b")], 0), Some("a"), 0.9),
            (history(&[(0.0, Outcome::Success, "a")], 0), Some("b"), 0.3),
            (history(&[(0.0, Outcome::Success, "a")], 1), None, 0.7),
        ] {
            assert_eq!(trust(&history, domain, &parameters), expected, "{history:?}");
        }
    }

    #[test]
    fn trust_moves_a_risk_by_a_bounded_share() {
        let parameters = TrustParameters::default();
        for (risk, trust, expected) in [(0.5, 0.5, 0.5), (0.5, 0.9, 0.44), (0.9, 0.9, 0.792), (1.0, 0.0, 1.0), (0.0, 0.3, 0.0)] {
            assert_eq!(effective_risk(risk, trust, &parameters), expected);
        }
    }
}
