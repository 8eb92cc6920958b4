//! The progressive scorer: how two answers are combined, to the digit.
//!
//! Source: agentfront/enclave, `libs/core/src/scoring`, at 7ac44b0a. Its fast scorer is the rule-based one.

use crate::upstream::enclave::answer::{ForeignAnswer, ForeignSignal, Level};

/// What becomes of two totals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    /// The higher one counts.
    Max,
    /// The mean of both counts.
    Avg,
    /// The detailed one counts.
    Replace,
}

/// Settings of the progressive scorer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progressive {
    /// The total of the fast scorer from which the detailed one is asked; any number.
    pub escalation_threshold: f64,
    /// What becomes of two totals.
    pub combination: Combination,
}

impl Default for Progressive {
    fn default() -> Self {
        Self { escalation_threshold: 30.0, combination: Combination::Max }
    }
}

/// What the two answer together. The detailed scorer is asked only where the fast one finds enough; if it fails, the fast answer stands.
pub fn judge(fast: ForeignAnswer, settings: Progressive, ask_detailed: impl FnOnce() -> Option<ForeignAnswer>) -> ForeignAnswer {
    if fast.total < settings.escalation_threshold {
        return fast;
    }
    match ask_detailed() {
        Some(detailed) => combined(fast, detailed, settings.combination),
        None => fast,
    }
}

fn combined(fast: ForeignAnswer, detailed: ForeignAnswer, combination: Combination) -> ForeignAnswer {
    let total = match combination {
        Combination::Max => fast.total.max(detailed.total),
        // Halves stay halves.
        Combination::Avg => f64::midpoint(fast.total, detailed.total),
        Combination::Replace => detailed.total,
    };
    let total = total.clamp(0.0, 100.0);
    let level = Level::of_total(total as u32);
    ForeignAnswer { total, level, signals: merged(fast.signals, detailed.signals) }
}

/// Of each signal the one with more points, of equals that of the fast scorer; at the place of the first.
fn merged(fast: Vec<ForeignSignal>, detailed: Vec<ForeignSignal>) -> Vec<ForeignSignal> {
    let mut merged: Vec<ForeignSignal> = Vec::with_capacity(fast.len() + detailed.len());
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
    use super::{Combination, Progressive, judge};
    use crate::upstream::enclave::answer::{ForeignAnswer, ForeignSignal, Level};

    fn result(total: f64, signals: &[(&str, f64)]) -> ForeignAnswer {
        let signals = signals.iter().map(|(id, score)| ForeignSignal {
            id: (*id).to_owned(),
            score: *score,
            level: Level::Low,
            description: String::new(),
        });
        ForeignAnswer { total, level: Level::of_total(total as u32), signals: signals.collect() }
    }

    #[test]
    fn totals_are_combined_from_the_threshold_on() {
        for (fast, detailed, combination, expected) in [
            (29.0, Some(80.0), Combination::Max, 29.0),
            (30.0, Some(80.0), Combination::Max, 80.0),
            (30.0, Some(0.0), Combination::Max, 30.0),
            (30.0, Some(0.0), Combination::Replace, 0.0),
            (35.0, Some(70.0), Combination::Avg, 52.5),
            (100.0, Some(120.0), Combination::Avg, 100.0),
            (30.0, Some(-20.0), Combination::Replace, 0.0),
            (30.0, None, Combination::Replace, 30.0),
        ] {
            let settings = Progressive { combination, ..Progressive::default() };
            let answer = judge(result(fast, &[]), settings, || detailed.map(|total| result(total, &[])));
            assert_eq!(answer.total.to_bits(), f64::to_bits(expected), "{fast} {detailed:?} {combination:?}");
        }
    }

    #[test]
    fn of_each_signal_the_one_with_more_points_stands() {
        let fast = result(50.0, &[("A", 30.0), ("B", 20.0)]);
        let detailed = result(50.0, &[("C", 1.0), ("A", 31.0), ("B", 20.0)]);
        let answer = judge(fast, Progressive::default(), || Some(detailed));
        let signals: Vec<(&str, f64)> = answer.signals.iter().map(|signal| (signal.id.as_str(), signal.score)).collect();
        assert_eq!(signals, [("A", 31.0), ("B", 20.0), ("C", 1.0)]);
    }
}
