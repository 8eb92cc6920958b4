//! The upstream edition of the progressive model: how the released software combines two answers, to the digit.
//!
//! Source: agentfront/enclave, `libs/core/src/scoring`, at 7ac44b0a. Its fast scorer is the rule-based one.

use crate::model::progressive::Combine;
use crate::model::upstream_answer::{UpstreamForeignResult, UpstreamForeignSignal, UpstreamLevel};

/// Settings as upstream keeps them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpstreamProgressive {
    /// The total of the fast scorer from which the detailed one is asked; any number.
    pub escalation_threshold: f64,
    /// What becomes of two totals.
    pub combine: Combine,
}

impl Default for UpstreamProgressive {
    fn default() -> Self {
        Self { escalation_threshold: 30.0, combine: Combine::Max }
    }
}

/// What upstream answers. The detailed scorer is asked only where the fast one finds enough; if it fails, the fast answer stands.
pub fn judge(
    fast: UpstreamForeignResult,
    settings: UpstreamProgressive,
    ask_detailed: impl FnOnce() -> Option<UpstreamForeignResult>,
) -> UpstreamForeignResult {
    if fast.total < settings.escalation_threshold {
        return fast;
    }
    match ask_detailed() {
        Some(detailed) => combined(fast, detailed, settings.combine),
        None => fast,
    }
}

fn combined(fast: UpstreamForeignResult, detailed: UpstreamForeignResult, combine: Combine) -> UpstreamForeignResult {
    let total = match combine {
        Combine::Max => fast.total.max(detailed.total),
        // Halves stay halves.
        Combine::Avg => f64::midpoint(fast.total, detailed.total),
        Combine::Replace => detailed.total,
    };
    let total = total.clamp(0.0, 100.0);
    let level = UpstreamLevel::of_total(total as u32);
    UpstreamForeignResult { total, level, signals: merged(fast.signals, detailed.signals) }
}

/// Of each signal the one with more points, of equals that of the fast scorer; at the place of the first.
fn merged(fast: Vec<UpstreamForeignSignal>, detailed: Vec<UpstreamForeignSignal>) -> Vec<UpstreamForeignSignal> {
    let mut merged: Vec<UpstreamForeignSignal> = Vec::with_capacity(fast.len() + detailed.len());
    for signal in fast.into_iter().chain(detailed) {
        match merged.iter_mut().find(|known| known.id == signal.id) {
            Some(known) if known.score < signal.score => *known = signal,
            Some(_) => {}
            None => merged.push(signal),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::{UpstreamProgressive, judge};
    use crate::model::progressive::Combine;
    use crate::model::upstream_answer::{UpstreamForeignResult, UpstreamForeignSignal, UpstreamLevel};

    fn result(total: f64, signals: &[(&str, f64)]) -> UpstreamForeignResult {
        let signals = signals.iter().map(|(id, score)| UpstreamForeignSignal {
            id: (*id).to_owned(),
            score: *score,
            level: UpstreamLevel::Low,
            description: String::new(),
        });
        UpstreamForeignResult { total, level: UpstreamLevel::of_total(total as u32), signals: signals.collect() }
    }

    #[test]
    fn totals_are_combined_from_the_threshold_on() {
        for (fast, detailed, combine, expected) in [
            (29.0, Some(80.0), Combine::Max, 29.0),
            (30.0, Some(80.0), Combine::Max, 80.0),
            (30.0, Some(0.0), Combine::Max, 30.0),
            (30.0, Some(0.0), Combine::Replace, 0.0),
            (35.0, Some(70.0), Combine::Avg, 52.5),
            (100.0, Some(120.0), Combine::Avg, 100.0),
            (30.0, Some(-20.0), Combine::Replace, 0.0),
            (30.0, None, Combine::Replace, 30.0),
        ] {
            let settings = UpstreamProgressive { combine, ..UpstreamProgressive::default() };
            let answer = judge(result(fast, &[]), settings, || detailed.map(|total| result(total, &[])));
            assert_eq!(answer.total.to_bits(), f64::to_bits(expected), "{fast} {detailed:?} {combine:?}");
        }
    }

    #[test]
    fn of_each_signal_the_one_with_more_points_stands() {
        let fast = result(50.0, &[("A", 30.0), ("B", 20.0)]);
        let detailed = result(50.0, &[("C", 1.0), ("A", 31.0), ("B", 20.0)]);
        let answer = judge(fast, UpstreamProgressive::default(), || Some(detailed));
        let signals: Vec<(&str, f64)> = answer.signals.iter().map(|signal| (signal.id.as_str(), signal.score)).collect();
        assert_eq!(signals, [("A", 31.0), ("B", 20.0), ("C", 1.0)]);
    }
}
