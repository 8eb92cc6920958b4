//! The released gate: what the environment, a choice and trust make of a risk, and the challenge that follows.
//!
//! Source: what Attesta at 4b6a8de1 answers.

use crate::upstream::attesta::call::{Call, Value};
use crate::upstream::attesta::factor::{Factor, clamped};
use crate::upstream::attesta::level::Level;

/// What a risk is multiplied by in each environment; by 1 in every other. Names count letter by letter.
pub const ENVIRONMENTS: [(&str, f64); 4] = [("production", 1.5), ("staging", 1.2), ("ci", 1.0), ("development", 0.8)];

/// The environment of a call that names none.
pub const DEFAULT_ENVIRONMENT: &str = "development";

/// The hint by which a call may choose its own level, where that is allowed.
pub const OVERRIDE_HINT: &str = "risk_override";

/// What the gate makes of a risk.
#[derive(Clone, Debug, PartialEq)]
pub struct Gated {
    /// The risk, 0–1.
    pub risk: f64,
    /// Its level, from which the challenge follows.
    pub level: Level,
    /// What changed the risk.
    pub factors: Vec<Factor>,
    /// The scorer did not count: the level was chosen.
    pub is_chosen: bool,
}

/// Who chose a level in place of the scorer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Nobody.
    None,
    /// Whoever set up the gate; the environment does not count then.
    Gate(Level),
    /// The call itself, by a hint; the environment still counts.
    Hint(Level),
}

/// Who chose the level of a call.
pub fn choice(call: &Call, by_gate: Option<Level>, allows_hint: bool) -> Choice {
    if let Some(level) = by_gate {
        return Choice::Gate(level);
    }
    let hint = call.hints.iter().find(|(name, _)| name == OVERRIDE_HINT).map(|(_, value)| value);
    match hint {
        Some(Value::String(name)) if allows_hint => Level::from_name(name).map_or(Choice::None, Choice::Hint),
        _ => Choice::None,
    }
}

/// What the gate makes of a scorer's risk before trust counts.
pub fn gate(risk: f64, choice: Choice, environment: &str) -> Gated {
    let mut gated = match choice {
        Choice::None => Gated { risk, level: Level::of_clamped(risk), factors: Vec::new(), is_chosen: false },
        Choice::Gate(level) | Choice::Hint(level) => chosen(level),
    };
    let multiplier = multiplier(environment);
    if matches!(choice, Choice::Gate(_)) || multiplier == 1.0 {
        return gated;
    }
    let adjusted = clamped(gated.risk * multiplier);
    gated.factors.push(Factor::new("environment_multiplier", adjusted - gated.risk, format!("{environment}: {multiplier}")));
    gated.risk = adjusted;
    gated.level = Level::of_clamped(adjusted);
    gated
}

/// What a risk is multiplied by in an environment.
pub fn multiplier(environment: &str) -> f64 {
    ENVIRONMENTS.iter().find(|(name, _)| *name == environment).map_or(1.0, |(_, multiplier)| *multiplier)
}

fn chosen(level: Level) -> Gated {
    let risk = level.chosen_risk();
    let factors = vec![Factor::new("manual_override", risk, format!("level set to {}", level.name()))];
    Gated { risk, level, factors, is_chosen: true }
}

impl Gated {
    /// Lets trust count: a risk that is critical stays what it is.
    pub fn trusted(mut self, effective: impl FnOnce(f64) -> f64) -> Self {
        if self.level == Level::Critical {
            return self;
        }
        let adjusted = clamped(effective(self.risk));
        self.factors.push(Factor::new("trust_adjustment", adjusted - self.risk, "trust".to_owned()));
        self.risk = adjusted;
        self.level = Level::of_clamped(adjusted);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::{Choice, choice, gate};
    use crate::upstream::attesta::call::{Call, Value};
    use crate::upstream::attesta::level::Level;

    #[test]
    fn the_environment_counts_unless_the_gate_chose() {
        for (risk, choice, environment, expected) in [
            (0.5, Choice::None, "development", 0.4),
            (0.5, Choice::None, "production", 0.75),
            (0.9, Choice::None, "production", 1.0),
            (0.5, Choice::None, "Production", 0.5),
            (0.5, Choice::Gate(Level::Critical), "development", 0.9),
            (0.5, Choice::Hint(Level::Critical), "development", 0.9 * 0.8),
            (0.5, Choice::Hint(Level::Low), "ci", 0.15),
        ] {
            assert_eq!(gate(risk, choice, environment).risk.to_bits(), f64::to_bits(expected), "{choice:?} in {environment}");
        }
    }

    #[test]
    fn a_hint_chooses_only_where_that_is_allowed() {
        let hinting = |level: &str| Call { hints: vec![("risk_override".to_owned(), Value::String(level.to_owned()))], ..Call::default() };
        assert_eq!(choice(&hinting("low"), None, false), Choice::None);
        assert_eq!(choice(&hinting("low"), None, true), Choice::Hint(Level::Low));
        assert_eq!(choice(&hinting("none"), None, true), Choice::None);
        assert_eq!(choice(&hinting("low"), Some(Level::High), true), Choice::Gate(Level::High));
    }

    #[test]
    fn trust_never_lowers_what_is_critical() {
        let halve = |risk: f64| risk / 2.0;
        assert_eq!(gate(0.8, Choice::None, "ci").trusted(halve).risk, 0.8);
        let high = gate(0.7, Choice::None, "ci").trusted(halve);
        assert_eq!((high.risk, high.level), (0.35, Level::Medium));
    }
}
