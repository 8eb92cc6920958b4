//! `cumulative` in the settings as it is written, and what of it is wrong.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::policy::cumulative::{Limit, Measure, Over, Window};
use crate::value::severity::Severity;
use crate::value::time;
use crate::value::verdict::Verdict;

/// What stands for the window since midnight.
const TODAY: &str = "today";

/// A limit on what adds up over several evaluations: once it is reached, the next call is warned of or blocked.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitConfig {
    /// Whose evaluations are added up.
    pub over: OverName,
    /// From when on they are: a number with s, m, h, d, w or y, such as `1d`, or `today`, since midnight in UTC.
    pub window: String,
    /// Their scores are added up; either this or `count` stands.
    pub sum: Option<SumName>,
    /// They are counted.
    pub count: Option<CountName>,
    /// From here on the next call is warned of.
    #[schemars(range(min = 0))]
    pub warn: Option<f64>,
    /// From here on the next call is blocked.
    #[schemars(range(min = 0))]
    pub block: Option<f64>,
}

/// Whose evaluations are added up.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OverName {
    /// Those of the session of what is judged.
    Session,
    /// Those of the tenant, or of all that have none.
    Tenant,
    /// Those of the agent host that asks.
    Agent,
}

/// How scores are added up.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SumName {
    /// As they are.
    Score,
    /// The highest first, each further one with the share that `model_settings.hybrid.diminishing` says.
    Diminishing,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CountName {
    /// Evaluations with any match.
    Low,
    /// Evaluations with a match that is medium or worse.
    Medium,
    /// Evaluations with a match that is high or critical.
    High,
    /// Evaluations with a critical match.
    Critical,
    /// Evaluations that were warned of or blocked, other than for what adds up.
    Warn,
    /// Evaluations that were blocked, other than for what adds up.
    Block,
    /// Calls of the tool that is called, as far as they were not blocked.
    Calls,
    /// Calls of any tool, as far as they were not blocked.
    AllCalls,
}

impl LimitConfig {
    fn window(&self) -> Option<Window> {
        if self.window == TODAY {
            return Some(Window::Today);
        }
        let span = time::span(&self.window).filter(|span| 0 < *span)?;
        Some(Window::Last(span, self.window.trim().to_owned()))
    }

    fn measure(&self, share: f64) -> Option<Measure> {
        let count = |name: CountName| match name {
            CountName::Low => Measure::Severity(Severity::Low),
            CountName::Medium => Measure::Severity(Severity::Medium),
            CountName::High => Measure::Severity(Severity::High),
            CountName::Critical => Measure::Severity(Severity::Critical),
            CountName::Warn => Measure::Verdict(Verdict::Warn),
            CountName::Block => Measure::Verdict(Verdict::Block),
            CountName::Calls => Measure::Calls,
            CountName::AllCalls => Measure::AllCalls,
        };
        match (self.sum, self.count) {
            (Some(SumName::Score), None) => Some(Measure::Sum),
            (Some(SumName::Diminishing), None) => Some(Measure::Diminishing(share)),
            (None, Some(name)) => Some(count(name)),
            (Some(_), Some(_)) | (None, None) => None,
        }
    }

    fn limit(&self, share: f64) -> Option<Limit> {
        let over = match self.over {
            OverName::Session => Over::Session,
            OverName::Tenant => Over::Tenant,
            OverName::Agent => Over::Agent,
        };
        Some(Limit { over, window: self.window()?, measure: self.measure(share)?, warn: self.warn, block: self.block })
    }

    fn fault(&self) -> Option<(&str, String)> {
        let is_number = |limit: &Option<f64>| limit.is_none_or(|limit| limit.is_finite() && 0.0 < limit);
        if self.window().is_none() {
            let message = format!("`{}` is no window; write a number with a unit, such as `1d`, or `{TODAY}`", self.window);
            return Some((&self.window, message));
        }
        if self.measure(1.0).is_none() {
            return Some(("cumulative", "a limit says either `sum` or `count`".to_owned()));
        }
        if self.warn.is_none() && self.block.is_none() {
            return Some(("cumulative", "a limit says from where on it warns or blocks: `warn`, `block`, or both".to_owned()));
        }
        if !is_number(&self.warn) || !is_number(&self.block) {
            return Some(("cumulative", "`warn` and `block` of a limit are above 0".to_owned()));
        }
        let is_idle = self.warn.zip(self.block).is_some_and(|(warn, block)| block <= warn);
        is_idle.then(|| ("cumulative", "a limit would never warn: it blocks from there on already".to_owned()))
    }
}

/// What is wrong with limits, each with the word that says it.
pub fn faults(limits: &[LimitConfig]) -> impl Iterator<Item = (&str, String)> {
    limits.iter().filter_map(LimitConfig::fault)
}

/// The limits as they stand in settings; where sums diminish, each further score counts this share of the one before.
pub fn limits(written: &[LimitConfig], share: f64) -> impl Iterator<Item = Limit> {
    written.iter().filter_map(move |limit| limit.limit(share))
}

#[cfg(test)]
mod tests {
    use crate::cli::load::read;

    #[test]
    fn a_limit_that_could_never_be_reached_is_a_fault() {
        for (limit, expected) in [
            ("{over: session, window: 1x, sum: score, warn: 1}", "is no window"),
            ("{over: session, window: 0d, sum: score, warn: 1}", "is no window"),
            ("{over: session, window: 1d, warn: 1}", "either `sum` or `count`"),
            ("{over: session, window: 1d, sum: score, count: calls, warn: 1}", "either `sum` or `count`"),
            ("{over: session, window: 1d, sum: score}", "from where on"),
            ("{over: session, window: 1d, sum: score, warn: 0}", "above 0"),
            ("{over: session, window: 1d, sum: score, warn: 2, block: 2}", "never warn"),
            ("{over: day, window: 1d, sum: score, warn: 2}", "`over` is `day`"),
            ("{over: session, window: 1d, sum: scores, warn: 2}", "`scores`"),
        ] {
            let faults = read(&format!("cumulative:\n  - {limit}\n")).expect_err(limit);
            assert!(faults[0].message.contains(expected), "{limit}: {faults:?}");
        }
        assert!(read("cumulative: [{over: tenant, window: today, count: medium, warn: 20, block: 50}]").is_ok());
    }
}
