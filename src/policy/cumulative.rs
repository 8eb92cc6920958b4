//! Limits on what adds up over several evaluations: what is measured, over whom, in which window, and what follows.

use crate::policy::{Decision, DecisionReason, action_of};
use crate::value::severity::Severity;
use crate::value::time::DAY;
use crate::value::verdict::Verdict;

/// A limit on what adds up over several evaluations that was reached before the one that is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// What it asks for.
    pub verdict: Verdict,
    /// The window, the sum and the limit, in a sentence.
    pub told: String,
}

impl Decision {
    /// This decision, unless what adds up asks for a stricter one.
    pub fn with_cumulative(self, exceeded: &[Exceeded]) -> Self {
        let worst = exceeded.iter().reduce(|worst, other| if worst.verdict < other.verdict { other } else { worst });
        match worst {
            Some(worst) => {
                let decision = Self::new(worst.verdict, DecisionReason::CumulativeRisk, action_of(worst.verdict));
                let decision = Self { cumulative: Some(worst.told.as_str().into()), ..decision };
                self.at_least(decision, DecisionReason::CumulativeRisk)
            }
            None => self,
        }
    }
}

/// Whose evaluations are added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Those of the session of what is judged.
    Session,
    /// Those of the tenant, or of all that have none.
    Tenant,
    /// Those of the agent host that asks, within the tenant.
    Agent,
}

impl Over {
    fn noun(self) -> &'static str {
        match self {
            Self::Session => "this session",
            Self::Tenant => "this tenant",
            Self::Agent => "this agent",
        }
    }
}

/// From when on they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Window {
    /// So many milliseconds back, and as it is written.
    Last(i64, String),
    /// Since the beginning of the day in UTC.
    Today,
}

/// What is measured of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// The sum of their scores.
    Sum,
    /// The sum of their scores, the highest first, each of which counts this share of the one before (0–1).
    Diminishing(f64),
    /// How many have a match at least so bad.
    Severity(Severity),
    /// How many were answered at least so strictly, other than for what adds up.
    Verdict(Verdict),
    /// How many calls of the tool that is called were not blocked.
    Calls,
    /// How many calls of any tool were not blocked.
    AllCalls,
}

/// A limit on what adds up.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// Whose evaluations are added up.
    pub over: Over,
    /// From when on they are.
    pub window: Window,
    /// What is measured of them.
    pub measure: Measure,
    /// From here on the next call is warned of.
    pub warn: Option<f64>,
    /// From here on it is blocked.
    pub block: Option<f64>,
}

impl Limit {
    /// The beginning of the window, in milliseconds since 1970.
    pub fn since(&self, now: i64) -> i64 {
        match self.window {
            Window::Last(span, _) => now.saturating_sub(span),
            Window::Today => now - now.rem_euclid(DAY),
        }
    }

    /// What follows from what was measured; nothing below the limit. `tool` is what is called.
    pub fn reached(&self, measured: f64, tool: Option<&str>) -> Option<Exceeded> {
        let at = |limit: Option<f64>| limit.filter(|limit| *limit <= measured);
        let (verdict, limit, word) = match (at(self.block), at(self.warn)) {
            (Some(block), _) => (Verdict::Block, block, "blocks"),
            (None, Some(warn)) => (Verdict::Warn, warn, "warns"),
            (None, None) => return None,
        };
        let window = match &self.window {
            Window::Last(_, written) => format!("in the last {written}"),
            Window::Today => "today".to_owned(),
        };
        let measured = (measured * 10.0).round() / 10.0;
        let whose = format!("of {} {window}", self.over.noun());
        let sum = match self.measure {
            Measure::Sum => format!("the scores {whose} add up to {measured}"),
            Measure::Diminishing(share) => format!("the scores {whose} add up to {measured} (each counts {share} of the one before)"),
            Measure::Severity(severity) => format!("{measured} evaluations {whose} have a match that is {severity} or worse"),
            Measure::Verdict(Verdict::Block) => format!("{measured} evaluations {whose} were blocked"),
            Measure::Verdict(_) => format!("{measured} evaluations {whose} were warned of or blocked"),
            Measure::Calls => format!("{measured} calls of `{}` {whose}", tool.unwrap_or_default()),
            Measure::AllCalls => format!("{measured} calls {whose}"),
        };
        Some(Exceeded { verdict, told: format!("{sum}; {limit} {word}") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;

    fn limit(measure: Measure, warn: Option<f64>, block: Option<f64>) -> Limit {
        Limit { over: Over::Session, window: Window::Last(DAY, "1d".to_owned()), measure, warn, block }
    }

    #[test]
    fn a_limit_is_reached_on_its_edge_and_says_what_it_is() {
        let limit = limit(Measure::Sum, Some(100.0), Some(200.0));
        for (measured, expected) in [
            (99.9, None),
            (100.0, Some((Verdict::Warn, "the scores of this session in the last 1d add up to 100; 100 warns"))),
            (250.04, Some((Verdict::Block, "the scores of this session in the last 1d add up to 250; 200 blocks"))),
        ] {
            let reached = limit.reached(measured, None);
            assert_eq!(reached.as_ref().map(|reached| (reached.verdict, reached.told.as_str())), expected, "{measured}");
        }
    }

    #[test]
    fn what_adds_up_makes_a_decision_stricter_and_never_milder() {
        let clean = Policy::default().decide(&[], None, None);
        let warns = limit(Measure::AllCalls, Some(1.0), None).reached(3.0, None).into_iter().collect::<Vec<_>>();
        let raised = clean.clone().with_cumulative(&warns);
        assert_eq!((raised.verdict, raised.reason), (Verdict::Warn, DecisionReason::CumulativeRisk));
        assert_eq!(raised.cumulative.as_deref(), Some("3 calls of this session in the last 1d; 1 warns"));
        let blocked = crate::policy::Decision { verdict: Verdict::Block, ..clean };
        assert_eq!(blocked.clone().with_cumulative(&warns), blocked);
    }

    #[test]
    fn today_begins_at_midnight_in_utc() {
        let today = Limit { window: Window::Today, ..limit(Measure::Sum, None, Some(1.0)) };
        assert_eq!((today.since(DAY * 20_000 + 5), today.since(DAY * 20_000)), (DAY * 20_000, DAY * 20_000));
    }
}
