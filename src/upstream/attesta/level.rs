//! What a risk is called, and what it asks of whoever approves the call.
//!
//! Source: what Attesta at 4b6a8de1 answers; the published description gives the same table.

use crate::upstream::python::number;

/// How risky a call is; the riskier is the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// A risk below 0.3.
    Low,
    /// From 0.3.
    Medium,
    /// From 0.6.
    High,
    /// From 0.8.
    Critical,
}

/// The least risk of each level but the lowest.
const LEVELS: [(f64, Level); 3] = [(0.8, Level::Critical), (0.6, Level::High), (0.3, Level::Medium)];

/// A risk is below 0 or above 1.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("Risk score must be in [0, 1], got {}", number::float(*.0))]
pub struct OutsideUnit(pub f64);

impl Level {
    /// All levels, from the least risky on.
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The level of a risk; what is not a number is critical.
    ///
    /// # Errors
    ///
    /// When the risk is below 0 or above 1.
    pub fn from_risk(risk: f64) -> Result<Self, OutsideUnit> {
        if !risk.is_nan() && !(0.0..=1.0).contains(&risk) {
            return Err(OutsideUnit(risk));
        }
        Ok(Self::of_clamped(risk))
    }

    /// The level of a risk that lies between 0 and 1.
    pub fn of_clamped(risk: f64) -> Self {
        if risk.is_nan() {
            return Self::Critical;
        }
        LEVELS.iter().find(|(least, _)| *least <= risk).map_or(Self::Low, |(_, level)| *level)
    }

    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// The level of that name, in lower case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// What whoever approves the call must do.
    pub fn challenge(self) -> Challenge {
        match self {
            Self::Low => Challenge::AutoApprove,
            Self::Medium => Challenge::Confirm,
            Self::High => Challenge::Quiz,
            Self::Critical => Challenge::MultiParty,
        }
    }

    /// The risk that stands for the level where somebody chose it. Source: what Attesta at 4b6a8de1 answers.
    pub fn chosen_risk(self) -> f64 {
        match self {
            Self::Low => 0.15,
            Self::Medium => 0.45,
            Self::High => 0.70,
            Self::Critical => 0.90,
        }
    }
}

/// What whoever approves a call must do; the stricter is the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Challenge {
    /// Nothing.
    AutoApprove,
    /// Say yes.
    Confirm,
    /// Answer questions about the call.
    Quiz,
    /// Get the consent of somebody else too.
    MultiParty,
}

impl Challenge {
    /// All challenges, from the least strict on.
    pub const ALL: [Self; 4] = [Self::AutoApprove, Self::Confirm, Self::Quiz, Self::MultiParty];

    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::AutoApprove => "auto-approve",
            Self::Confirm => "confirm",
            Self::Quiz => "quiz",
            Self::MultiParty => "multi-party",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Challenge, Level};

    #[test]
    fn levels_change_at_their_bounds() {
        use Level::{Critical, High, Low, Medium};
        for (risk, expected) in [
            (-0.0, Low),
            (0.299_999_999_999_999_93, Low),
            (0.3, Medium),
            (0.599_999_999_999_999_9, Medium),
            (0.6, High),
            (0.799_999_999_999_999_9, High),
            (0.8, Critical),
            (1.0, Critical),
            (f64::NAN, Critical),
        ] {
            assert_eq!(Level::from_risk(risk), Ok(expected), "{risk}");
        }
    }

    #[test]
    fn what_is_no_share_has_no_level() {
        for (risk, expected) in [(-1e-9, "-1e-09"), (1.5, "1.5"), (f64::INFINITY, "inf")] {
            assert_eq!(Level::from_risk(risk).unwrap_err().to_string(), format!("Risk score must be in [0, 1], got {expected}"));
        }
    }

    #[test]
    fn riskier_levels_ask_for_more() {
        for pair in Level::ALL.windows(2) {
            assert!(pair[0].challenge() < pair[1].challenge() && pair[0].chosen_risk() < pair[1].chosen_risk());
        }
        assert_eq!(Level::Critical.challenge(), Challenge::MultiParty);
    }
}
