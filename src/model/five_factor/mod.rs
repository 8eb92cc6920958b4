//! The five-factor model: what a call is named, what it is given, what is said of it, and how new it is.
//!
//! Every call is an action; a script is as risky as its worst one. Two editions: `published` follows the
//! published table on the calls that callgate resolved, `upstream` hands them to Attesta.

pub mod attesta;
pub mod opinion;
pub mod profile;
pub mod published;
pub mod settings;
pub mod weigh;

use crate::model::build::BuildError;
use crate::model::five_factor::opinion::{CallFactor, CallOpinion};
pub use crate::model::five_factor::settings::NAME;
use crate::model::five_factor::settings::{ChallengeActions, FiveFactorSettings};
use crate::model::five_factor::weigh::{WEIGHTS, Weighed};
use crate::model::rule_based::Edition;
use crate::model::{Evaluation, Evidence, Method, Model, ModelError, Signal};
use crate::subject::Kind;
use crate::upstream::attesta::Attesta;
use crate::upstream::attesta::level::Level;
use crate::value::score::Score;
use crate::value::span::Span;

/// The five-factor model.
pub struct FiveFactor {
    edition: FiveFactorEdition,
    challenges: ChallengeActions,
}

/// An edition, with what its settings say.
enum FiveFactorEdition {
    Published,
    Upstream(Box<Attesta>),
}

impl FiveFactor {
    /// The model with its settings.
    ///
    /// # Errors
    ///
    /// When a setting is wrong, or belongs to the other edition.
    pub fn new(settings: &FiveFactorSettings) -> Result<Self, BuildError> {
        let edition = match settings.edition {
            Edition::Published => {
                settings.check_published()?;
                FiveFactorEdition::Published
            }
            Edition::Upstream => FiveFactorEdition::Upstream(Box::new(profile::attesta(settings)?)),
        };
        Ok(Self { edition, challenges: settings.challenges })
    }

    /// What is thought of each call, in order of place.
    fn opinions(&self, evidence: &Evidence<'_>) -> Vec<CallOpinion> {
        let mut opinions = match &self.edition {
            FiveFactorEdition::Published => published_opinions(evidence),
            FiveFactorEdition::Upstream(gate) => attesta::opinions(evidence.subject, evidence.text, gate),
        };
        opinions.sort_by_key(|opinion| opinion.span);
        opinions
    }
}

fn published_opinions(evidence: &Evidence<'_>) -> Vec<CallOpinion> {
    let calls = evidence.subject.calls.iter().map(|call| weighed(call.tool.shown(), call.span, &published::weigh(call)));
    let host_calls = evidence.subject.host_calls.iter().map(|call| weighed(&call.api, call.span, &published::weigh_host_call(call)));
    calls.chain(host_calls).collect()
}

fn weighed(name: &str, span: Span, weighed: &Weighed) -> CallOpinion {
    let factors = WEIGHTS.iter().zip(&weighed.shares).map(|((name, weight), share)| CallFactor {
        name: (*name).to_owned(),
        added: share.share * weight,
        because: format!("{:.2}: {}", share.share, share.because),
    });
    CallOpinion { name: name.to_owned(), risk: weighed.risk, level: weighed.level(), factors: factors.collect(), span }
}

/// The opinion of a subject: that of its worst call, whose factors add up to the score. The other calls are
/// listed too, and add nothing.
fn worst(opinions: &[CallOpinion], challenges: &ChallengeActions) -> Evaluation {
    let mut by_risk: Vec<&CallOpinion> = opinions.iter().collect();
    by_risk.sort_by(|left, right| right.risk.total_cmp(&left.risk));
    let Some((worst, others)) = by_risk.split_first() else {
        return evaluation(0.0, Level::Low, challenges);
    };
    let mut signals = worst.signals();
    signals.extend(others.iter().map(|opinion| opinion.listed()));
    Evaluation { signals, ..evaluation(worst.risk, worst.level, challenges) }
}

fn evaluation(risk: f64, level: Level, challenges: &ChallengeActions) -> Evaluation {
    Evaluation {
        level: Some(level.name().into()),
        challenge: Some(level.challenge().name()),
        action: Some(challenges.action(level.challenge())),
        ..Evaluation::new(NAME, Score::clamped(points(risk)))
    }
}

/// A risk on the scale of scores. Risks are shares with few decimals: what floats add behind the tenth is no risk.
fn points(risk: f64) -> f64 {
    (risk * 1e10).round() / 1e8
}

impl CallOpinion {
    /// The factors of the call, each with the points that it adds.
    fn signals(&self) -> Vec<Signal> {
        let factors = self.factors.iter().map(|factor| Signal {
            id: factor.name.clone(),
            score: points(factor.added),
            level: self.level.name().into(),
            description: format!("{} {}", self.name, factor.because),
            span: Some(self.span),
        });
        factors.collect()
    }

    /// The call as one of those that do not decide.
    fn listed(&self) -> Signal {
        let factors: Vec<String> = self.factors.iter().map(|factor| format!("{} {}", factor.name, factor.because)).collect();
        let head = format!("{} points, {}, {}", Score::clamped(points(self.risk)), self.level.name(), self.level.challenge().name());
        Signal {
            id: self.name.clone(),
            score: 0.0,
            level: self.level.name().into(),
            description: format!("{head}; {}", factors.join("; ")),
            span: Some(self.span),
        }
    }
}

impl Model for FiveFactor {
    fn judges(&self, kind: Kind) -> bool {
        match kind {
            Kind::Script | Kind::ToolCall => true,
            Kind::ToolResult | Kind::Prompt | Kind::Manifest | Kind::Text => false,
        }
    }

    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        Ok(vec![worst(&self.opinions(evidence), &self.challenges)])
    }

    fn method(&self, evaluation: &Evaluation) -> Method {
        let weights = WEIGHTS.map(|(name, weight)| format!("{weight:.2} {name}")).join(", ");
        let rule = match &self.edition {
            FiveFactorEdition::Published => {
                format!(
                    "each call is weighed by five factors ({weights}); the worst call decides, and its level names a challenge, which says what is asked for"
                )
            }
            FiveFactorEdition::Upstream(gate) => format!(
                "each call is weighed by five factors ({weights}){}, as the released software does; the worst call decides, and its level names a challenge, which says what is asked for",
                attesta::told(gate)
            ),
        };
        let asks = match (evaluation.level.as_deref(), evaluation.challenge, evaluation.action) {
            (Some(level), Some(challenge), Some(action)) if !evaluation.signals.is_empty() => {
                format!("the worst call is {level} and asks for the challenge {challenge}, which stands for `{action}`")
            }
            _ => String::new(),
        };
        Method { rule, reckoning: Vec::new(), asks, override_above: None }
    }

    fn needs_session(&self) -> bool {
        true
    }
}
