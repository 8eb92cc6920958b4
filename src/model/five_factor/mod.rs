//! The five-factor model: what a call is named, what it is given, what is said of it, and how new it is.
//!
//! Every call is an action; a script is as risky as its worst one. Two editions: `published` follows the
//! published table on the calls that callgate resolved, `upstream` reproduces the released software.

pub mod level;
pub mod published;
pub mod settings;
pub mod upstream;
pub mod upstream_call;
pub mod weigh;

use crate::model::five_factor::level::Level;
use crate::model::five_factor::settings::{FiveFactorSettings, UpstreamGate};
use crate::model::five_factor::weigh::{WEIGHTS, Weighed};
use crate::model::registry::BuildError;
use crate::model::rule_based::Edition;
use crate::model::{Evaluation, Evidence, Method, Model, ModelError, Signal};
use crate::subject::Kind;
use crate::value::score::Score;
use crate::value::span::Span;

/// The model's name.
pub const NAME: &str = "five-factor";

/// How many calls are parts of an evaluation, the worst first; signals name all of them.
const PARTS: usize = 100;

/// The five-factor model.
pub struct FiveFactor {
    edition: FiveFactorEdition,
}

/// An edition, with what its settings say.
enum FiveFactorEdition {
    Published,
    Upstream(Box<UpstreamGate>),
}

/// What is thought of one call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallOpinion {
    /// The function's name, for people.
    pub name: String,
    /// How risky the call is, 0–1.
    pub risk: f64,
    /// The level of the risk.
    pub level: Level,
    /// What the risk is made of, in the order in which it is reckoned.
    pub factors: Vec<CallFactor>,
    /// The call.
    pub span: Span,
}

/// One factor of a call's risk.
#[derive(Clone, Debug, PartialEq)]
pub struct CallFactor {
    /// Its name.
    pub name: String,
    /// What it adds to the risk, 0–1, or takes away.
    pub added: f64,
    /// What it rests on.
    pub because: String,
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
            Edition::Upstream => FiveFactorEdition::Upstream(Box::new(UpstreamGate::new(settings)?)),
        };
        Ok(Self { edition })
    }

    /// What is thought of each call, in order of place.
    fn opinions(&self, evidence: &Evidence<'_>) -> Vec<CallOpinion> {
        let mut opinions = match &self.edition {
            FiveFactorEdition::Published => published_opinions(evidence),
            FiveFactorEdition::Upstream(gate) => upstream_call::opinions(evidence.subject, gate),
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

/// The opinion of a subject: that of its worst call.
fn worst(opinions: &[CallOpinion]) -> Evaluation {
    let worst = opinions.iter().reduce(|worst, opinion| if worst.risk < opinion.risk { opinion } else { worst });
    let (risk, level) = worst.map_or((0.0, Level::Low), |worst| (worst.risk, worst.level));
    let mut by_risk: Vec<&CallOpinion> = opinions.iter().collect();
    by_risk.sort_by(|left, right| right.risk.total_cmp(&left.risk));
    Evaluation {
        signals: by_risk.iter().map(|opinion| opinion.signal()).collect(),
        parts: by_risk.iter().take(PARTS).map(|opinion| opinion.part()).collect(),
        ..evaluation(risk, level)
    }
}

fn evaluation(risk: f64, level: Level) -> Evaluation {
    Evaluation {
        level: Some(level.name().into()),
        challenge: Some(level.challenge().name()),
        ..Evaluation::new(NAME, Score::clamped(points(risk)))
    }
}

/// A risk on the scale of scores. Risks are shares with few decimals: what floats add behind the tenth is no risk.
fn points(risk: f64) -> f64 {
    (risk * 1e10).round() / 1e8
}

impl CallOpinion {
    /// The call as one line of what the subject's score is made of.
    fn signal(&self) -> Signal {
        let factors = self.factors.iter().map(|factor| format!("{} {}", factor.name, factor.because));
        let challenge = self.level.challenge().name();
        Signal {
            id: self.name.clone(),
            score: points(self.risk),
            level: self.level.name().into(),
            description: format!("{challenge}; {}", factors.collect::<Vec<_>>().join("; ")),
            span: Some(self.span),
        }
    }

    /// The call as an opinion of its own, made of its factors.
    fn part(&self) -> Evaluation {
        let signals = self.factors.iter().map(|factor| Signal {
            id: factor.name.clone(),
            score: points(factor.added),
            level: self.level.name().into(),
            description: factor.because.clone(),
            span: Some(self.span),
        });
        Evaluation { model: self.name.clone().into(), signals: signals.collect(), ..evaluation(self.risk, self.level) }
    }
}

impl Model for FiveFactor {
    fn judges(&self, kind: Kind) -> bool {
        match kind {
            Kind::Script | Kind::ToolCall => true,
            Kind::Text => false,
        }
    }

    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        Ok(vec![worst(&self.opinions(evidence))])
    }

    fn method(&self, evaluation: &Evaluation) -> Method {
        let weights = WEIGHTS.map(|(name, weight)| format!("{weight:.2} {name}")).join(", ");
        let rule = match &self.edition {
            FiveFactorEdition::Published => {
                format!("each call is weighed by five factors ({weights}); the worst call decides, and its level says what is asked for")
            }
            FiveFactorEdition::Upstream(gate) => format!(
                "each call is weighed by five factors ({weights}){}, as the released software does; the worst call decides",
                gate.told()
            ),
        };
        let reckoning = evaluation.parts.iter().map(|part| {
            let points = part.signals.iter().map(|signal| format!("{:.1} {}", signal.score, signal.id));
            points.collect::<Vec<_>>().join(" + ")
        });
        Method { rule, reckoning: reckoning.collect(), override_above: None }
    }

    fn needs_session(&self) -> bool {
        true
    }
}
