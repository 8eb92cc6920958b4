//! Attesta: what its scorers and its gate say of one call, to the last bit.
//!
//! Source: Attesta at 4b6a8de1. `call` is what it is handed, `scorer` weighs the five factors, `domain` adds what an industry
//! knows, `gate` the environment, choices and trust, `combined` several scorers.

pub mod call;
pub mod combined;
pub mod domain;
pub mod factor;
pub mod gate;
pub mod level;
pub mod scorer;
pub mod trust;
pub mod words;

use crate::upstream::attesta::call::{Call, Value};
use crate::upstream::attesta::domain::Profile;
use crate::upstream::attesta::gate::{DEFAULT_ENVIRONMENT, Gated};
use crate::upstream::attesta::level::Level;
use crate::upstream::attesta::scorer::WEIGHTS;
use crate::upstream::attesta::trust::{GENERAL, History, TrustParameters};

/// The gate with its settings, and the scorers behind it.
#[derive(Debug, Default)]
pub struct Attesta {
    /// Where calls run; if it is not set, what the call says, or else [`DEFAULT_ENVIRONMENT`].
    pub environment: Option<String>,
    /// The level of every call, whatever is in it.
    pub level: Option<Level>,
    /// A call may choose its own level by a hint.
    pub allows_hint: bool,
    /// What is known of a domain.
    pub profile: Option<Profile>,
    /// The past of the agent, and how trust is reckoned from it.
    pub trust: Option<(History, TrustParameters)>,
}

impl Attesta {
    /// What it says of a call of which there were so many before.
    pub fn judge(&self, call: &Call, earlier: u32) -> Gated {
        let environment = self.environment.as_deref().or(call.environment.as_deref()).unwrap_or(DEFAULT_ENVIRONMENT);
        let choice = gate::choice(call, self.level, self.allows_hint);
        let assessment = scorer::assess(call, earlier, WEIGHTS);
        let (risk, mut factors) = match &self.profile {
            None => (assessment.risk, assessment.factors),
            Some(profile) => {
                let domain = domain::assess(profile, call, environment, assessment.risk);
                (domain.risk, domain.factors)
            }
        };
        let mut gated = gate::gate(risk, choice, environment);
        if let Some((history, parameters)) = &self.trust {
            let trust = trust::trust(history, Some(domain_of(call, environment)), parameters);
            gated = gated.trusted(|risk| trust::effective_risk(risk, trust, parameters));
        }
        if !gated.is_chosen {
            factors.append(&mut gated.factors);
            gated.factors = factors;
        }
        gated
    }
}

/// The domain whose history counts.
fn domain_of<'c>(call: &'c Call, environment: &'c str) -> &'c str {
    let hint = call.hints.iter().find(|(name, _)| name == "domain").map(|(_, value)| value);
    match hint {
        Some(Value::String(domain)) if !domain.is_empty() => domain,
        _ if environment.is_empty() => GENERAL,
        _ => environment,
    }
}

#[cfg(test)]
mod tests {
    use crate::upstream::attesta::factor::clamped;

    #[test]
    fn shares_lie_between_0_and_1() {
        for (value, expected) in [(0.5, 0.5), (-0.0, 0.0), (-1.0, 0.0), (2.0, 1.0), (f64::NAN, 1.0), (f64::NEG_INFINITY, 0.0)] {
            assert_eq!(clamped(value).to_bits(), f64::to_bits(expected), "{value}");
        }
    }
}
