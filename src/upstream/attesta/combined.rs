//! The released scorers that are made of scorers.
//!
//! Source: Attesta, `core/risk.py`, `CompositeRiskScorer`, `MaxRiskScorer` and `FixedRiskScorer`, at 4b6a8de1.

use crate::upstream::attesta::call::Call;
use crate::upstream::attesta::factor::{Factor, clamped};
use crate::upstream::attesta::scorer::{self, WEIGHTS};
use crate::upstream::python::number::{fixed, float};

/// A scorer.
#[derive(Clone, Debug, PartialEq)]
pub enum Scorer {
    /// The five factors.
    Default,
    /// One risk for every call, 0–1.
    Fixed(f64),
    /// The mean of several, each with its weight.
    Composite(Vec<(Self, f64)>),
    /// The highest of several.
    Max(Vec<Self>),
}

/// A scorer cannot be.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ScorerError {
    /// A fixed risk lies outside of 0–1.
    #[error("fixed_score must be in [0.0, 1.0], got {}", float(*.0))]
    Fixed(f64),
    /// A mean of nothing.
    #[error("CompositeRiskScorer requires at least one scorer")]
    EmptyComposite,
    /// A mean in which nothing weighs anything.
    #[error("Total weight must be positive")]
    Weightless,
    /// The highest of nothing.
    #[error("MaxRiskScorer requires at least one scorer")]
    EmptyMax,
}

/// What a scorer says of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct CombinedAssessment {
    /// The risk, 0–1. It is added up in another order than [`Scorer::risk`], and may differ from it in the last bit.
    pub risk: f64,
    /// Its parts.
    pub factors: Vec<Factor>,
    /// Who decided.
    pub scorer_name: String,
}

impl Scorer {
    /// Tells whether the scorer and all in it can be.
    ///
    /// # Errors
    ///
    /// When one of them cannot; of several the innermost is told.
    pub fn check(&self) -> Result<(), ScorerError> {
        match self {
            Self::Default => Ok(()),
            Self::Fixed(risk) => {
                if (0.0..=1.0).contains(risk) {
                    Ok(())
                } else {
                    Err(ScorerError::Fixed(*risk))
                }
            }
            Self::Composite(parts) => {
                parts.iter().try_for_each(|(scorer, _)| scorer.check())?;
                if parts.is_empty() {
                    return Err(ScorerError::EmptyComposite);
                }
                if total_weight(parts) <= 0.0 { Err(ScorerError::Weightless) } else { Ok(()) }
            }
            Self::Max(parts) => {
                parts.iter().try_for_each(Self::check)?;
                if parts.is_empty() { Err(ScorerError::EmptyMax) } else { Ok(()) }
            }
        }
    }

    /// Attesta's name for it.
    pub fn name(&self) -> String {
        match self {
            Self::Default => "default".to_owned(),
            Self::Fixed(risk) => format!("fixed({})", fixed(*risk, 2)),
            Self::Composite(parts) => format!("composite({})", parts.iter().map(|(scorer, _)| scorer.name()).collect::<Vec<_>>().join("+")),
            Self::Max(parts) => format!("max({})", parts.iter().map(Self::name).collect::<Vec<_>>().join(",")),
        }
    }

    /// The risk of a call that is the first of its name, 0–1.
    pub fn risk(&self, call: &Call) -> f64 {
        match self {
            Self::Default => scorer::assess(call, 0, WEIGHTS).risk,
            Self::Fixed(risk) => *risk,
            Self::Composite(parts) => {
                let sum = parts.iter().fold(0.0, |sum, (scorer, weight)| sum + scorer.risk(call) * weight);
                clamped(sum / total_weight(parts))
            }
            Self::Max(parts) => clamped(parts.iter().map(|scorer| scorer.risk(call)).fold(f64::NEG_INFINITY, f64::max)),
        }
    }

    /// The risk of such a call, and what it is made of.
    pub fn assess(&self, call: &Call) -> CombinedAssessment {
        match self {
            Self::Default => {
                let assessment = scorer::assess(call, 0, WEIGHTS);
                CombinedAssessment { risk: assessment.risk, factors: assessment.factors, scorer_name: self.name() }
            }
            Self::Fixed(risk) => {
                let factor = Factor::new("fixed", *risk, format!("Hardcoded risk score of {}.", fixed(*risk, 2)));
                CombinedAssessment { risk: *risk, factors: vec![factor], scorer_name: self.name() }
            }
            Self::Composite(parts) => self.mean(parts, call),
            Self::Max(parts) => highest(parts, call),
        }
    }

    fn mean(&self, parts: &[(Self, f64)], call: &Call) -> CombinedAssessment {
        let total = total_weight(parts);
        let factors: Vec<Factor> = parts
            .iter()
            .map(|(scorer, weight)| {
                let (risk, share, name) = (scorer.risk(call), weight / total, scorer.name());
                let evidence = format!("Score {} from '{name}' (weight {})", fixed(risk, 3), fixed(share, 2));
                Factor::new(&format!("scorer:{name}"), risk * share, evidence)
            })
            .collect();
        let sum = factors.iter().fold(0.0, |sum, factor| sum + factor.contribution);
        CombinedAssessment { risk: clamped(sum), factors, scorer_name: self.name() }
    }
}

/// The highest of several; of several that are, the last wins.
fn highest(parts: &[Scorer], call: &Call) -> CombinedAssessment {
    let (mut best, mut winner) = (0.0, String::new());
    let mut factors = Vec::new();
    for scorer in parts {
        let (risk, name) = (scorer.risk(call), scorer.name());
        factors.push(Factor::new(&format!("scorer:{name}"), risk, format!("Score {} from '{name}'", fixed(risk, 3))));
        if best <= risk {
            (best, winner) = (risk, name);
        }
    }
    CombinedAssessment { risk: clamped(best), factors, scorer_name: format!("max(winner={winner})") }
}

fn total_weight(parts: &[(Scorer, f64)]) -> f64 {
    parts.iter().fold(0.0, |sum, (_, weight)| sum + weight)
}

#[cfg(test)]
mod tests {
    use super::{Scorer, ScorerError};
    use crate::upstream::attesta::call::Call;

    #[test]
    fn scorers_combine() {
        let call = Call { function_name: "x".to_owned(), ..Call::default() };
        let mean = Scorer::Composite(vec![(Scorer::Fixed(0.8), 3.0), (Scorer::Fixed(0.4), 1.0)]);
        let highest = Scorer::Max(vec![Scorer::Fixed(0.2), mean.clone(), Scorer::Default]);
        assert_eq!(mean.assess(&call).scorer_name, "composite(fixed(0.80)+fixed(0.40))");
        assert_eq!(mean.assess(&call).factors[1].evidence, "Score 0.400 from 'fixed(0.40)' (weight 0.25)");
        assert_eq!(highest.risk(&call), mean.risk(&call));
        assert_eq!(highest.assess(&call).scorer_name, "max(winner=composite(fixed(0.80)+fixed(0.40)))");
        let tie = Scorer::Max(vec![Scorer::Fixed(0.5), Scorer::Fixed(0.5)]).assess(&call);
        assert_eq!((tie.risk, tie.factors.len()), (0.5, 2));
    }

    #[test]
    fn scorers_that_cannot_be_are_told() {
        for (scorer, expected) in [
            (Scorer::Fixed(1.1), ScorerError::Fixed(1.1)),
            (Scorer::Composite(Vec::new()), ScorerError::EmptyComposite),
            (Scorer::Composite(vec![(Scorer::Default, 0.0)]), ScorerError::Weightless),
            (Scorer::Max(vec![Scorer::Max(Vec::new())]), ScorerError::EmptyMax),
        ] {
            assert_eq!(scorer.check(), Err(expected));
        }
    }
}
