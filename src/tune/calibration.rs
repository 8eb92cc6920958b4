//! Whether critical and high matches are apart in the scores of the hybrid model, and which weights and diminishing returns would
//! part them: the calibration that ADR-004 leaves open.

use std::collections::BTreeMap;

use crate::model::hybrid::{HybridSettings, Weights, judge_by};
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// Weights that are tried for each severity, and shares that each further match adds of the one before.
const CRITICAL: [f64; 7] = [30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0];
const HIGH: [f64; 6] = [5.0, 10.0, 15.0, 20.0, 25.0, 30.0];
const MEDIUM: [f64; 4] = [2.0, 4.0, 8.0, 12.0];
const LOW: [f64; 3] = [0.5, 1.0, 2.0];
const DIMINISHING: [f64; 6] = [0.4, 0.5, 0.6, 0.7, 0.85, 0.95];
/// What parts them by less than this more is no reason to change anything.
const GAIN: f64 = 0.005;
/// Share of either side that may lie on the other's if they are still to be called apart.
const TAIL: f64 = 0.05;

/// How many matches of each severity an evaluation has, the mildest first.
pub type Profile = [u32; Severity::ALL.len()];

/// All evaluations that count: how many there are of each profile, by what is said of them.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    profiles: BTreeMap<Profile, Said>,
}

/// How many evaluations there are of a profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Said {
    all: u64,
    good: u64,
    bad: u64,
}

impl Samples {
    /// Adds an evaluation, with what somebody said of it.
    pub fn add(&mut self, profile: Profile, is_bad: Option<bool>) {
        let said = self.profiles.entry(profile).or_default();
        said.all += 1;
        match is_bad {
            Some(true) => said.bad += 1,
            Some(false) => said.good += 1,
            None => {}
        }
    }

    /// How many were labelled good, and how many bad.
    pub fn labelled(&self) -> (u64, u64) {
        self.profiles.values().fold((0, 0), |(good, bad), said| (good + said.good, bad + said.bad))
    }

    fn scores(&self, settings: &HybridSettings) -> Vec<(f64, Option<Severity>, Said)> {
        let score = |(profile, said): (&Profile, &Said)| {
            let counted = Severity::ALL.into_iter().zip(*profile);
            let found: Vec<(Severity, Action)> =
                counted.flat_map(|(severity, count)| std::iter::repeat_n((severity, Action::Log), count as usize)).collect();
            let outcome = judge_by(&found, settings);
            (outcome.score, outcome.severity, *said)
        };
        self.profiles.iter().map(score).collect()
    }
}

/// The scores of evaluations with something in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// How many there are.
    pub count: u64,
    /// The score below which a twentieth of them lie.
    pub low: f64,
    /// The median.
    pub median: f64,
    /// The score above which a twentieth of them lie.
    pub high: f64,
}

/// How scores lie by the settings of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Separation {
    /// The scores by the worst severity of an evaluation, the worst first.
    pub severities: Vec<(Severity, Spread)>,
    /// The scores of what was labelled good.
    pub good: Option<Spread>,
    /// The scores of what was labelled bad.
    pub bad: Option<Spread>,
    /// How often a critical evaluation scores higher than a high one, of all pairs; ties count half.
    pub critical_over_high: Option<f64>,
    /// How often what is bad scores higher than what is good, of all pairs; ties count half.
    pub bad_over_good: Option<f64>,
}

impl Separation {
    fn of(samples: &Samples, settings: &HybridSettings) -> Self {
        let scores = samples.scores(settings);
        let weighted = |count: &dyn Fn(&Option<Severity>, &Said) -> u64| {
            let counted = scores.iter().map(|(score, severity, said)| (*score, count(severity, said)));
            let mut counted: Vec<(f64, u64)> = counted.filter(|(_, count)| 0 < *count).collect();
            counted.sort_by(|left, right| left.0.total_cmp(&right.0));
            counted
        };
        let of = |wanted: Severity| weighted(&|severity, said| if *severity == Some(wanted) { said.all } else { 0 });
        let (good, bad) = (weighted(&|_, said| said.good), weighted(&|_, said| said.bad));
        Self {
            severities: Severity::ALL.into_iter().rev().filter_map(|severity| Some((severity, spread(&of(severity))?))).collect(),
            good: spread(&good),
            bad: spread(&bad),
            critical_over_high: above(&of(Severity::Critical), &of(Severity::High)),
            bad_over_good: above(&bad, &good),
        }
    }

    /// What settings are chosen by: the mean of what is known.
    fn worth(&self) -> Option<f64> {
        let known: Vec<f64> = self.critical_over_high.into_iter().chain(self.bad_over_good).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    }

    /// Returns whether critical and high evaluations are apart: of either, nineteen of twenty lie on their own side. None, if
    /// there are none of either.
    pub fn is_apart(&self) -> Option<bool> {
        let spread = |wanted: Severity| self.severities.iter().find(|(severity, _)| *severity == wanted).map(|(_, spread)| spread);
        Some(spread(Severity::High)?.high < spread(Severity::Critical)?.low)
    }
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// How many evaluations were looked at.
    pub evaluations: u64,
    /// How many of these were labelled good, and how many bad.
    pub labelled: (u64, u64),
    /// Rules that hit and that are not known any more: they count nowhere.
    pub unknown: Vec<String>,
    /// The settings that are in force.
    pub settings: HybridSettings,
    /// How scores lie by them.
    pub before: Separation,
    /// Settings that part them better, the nearest of the best, and how scores lie by those.
    pub better: Option<(HybridSettings, Separation)>,
    /// How many settings were tried.
    pub tried: usize,
}

impl Calibration {
    /// Tries all settings of the grid on these samples.
    pub fn of(samples: &Samples, settings: HybridSettings, unknown: Vec<String>) -> Self {
        let before = Separation::of(samples, &settings);
        let grid = grid(&settings);
        let tried = grid.len();
        let least = before.worth().map(|worth| worth + GAIN);
        let mut better: Option<(f64, HybridSettings, Separation)> = None;
        for candidate in grid {
            let separation = Separation::of(samples, &candidate);
            let Some(worth) = separation.worth().filter(|worth| least.is_some_and(|least| least <= *worth)) else { continue };
            let is_better = better.as_ref().is_none_or(|(best, known, _)| {
                let near = distance(&candidate, &settings) < distance(known, &settings);
                *best + f64::EPSILON < worth || ((worth - best).abs() <= f64::EPSILON && near)
            });
            if is_better {
                better = Some((worth, candidate, separation));
            }
        }
        let better = better.map(|(_, settings, separation)| (settings, separation));
        let evaluations = samples.profiles.values().map(|said| said.all).sum();
        Self { evaluations, labelled: samples.labelled(), unknown, settings, before, better, tried }
    }
}

/// All settings that are tried: a worse severity always weighs more.
fn grid(settings: &HybridSettings) -> Vec<HybridSettings> {
    let mut grid = Vec::new();
    for critical in CRITICAL {
        for high in HIGH {
            for medium in MEDIUM.into_iter().filter(|medium| *medium < high) {
                for low in LOW.into_iter().filter(|low| *low < medium) {
                    let weights = Weights { critical, high, medium, low };
                    grid.extend(DIMINISHING.map(|diminishing| HybridSettings { weights, diminishing, ..*settings }));
                }
            }
        }
    }
    grid.retain(|candidate| candidate.weights.high < candidate.weights.critical);
    grid
}

/// How far settings are from those in force: the sum of all ratios, as logarithms.
fn distance(left: &HybridSettings, right: &HybridSettings) -> f64 {
    let ratio = |left: f64, right: f64| (left.max(0.01) / right.max(0.01)).ln().abs();
    let weights = Severity::ALL.map(|severity| ratio(left.weights.of(severity), right.weights.of(severity)));
    weights.iter().sum::<f64>() + ratio(left.diminishing, right.diminishing)
}

/// How scores lie that stand in ascending order, each with how often it is there.
fn spread(scores: &[(f64, u64)]) -> Option<Spread> {
    let count: u64 = scores.iter().map(|(_, count)| count).sum();
    let at = |share: f64| {
        let wanted = (count.saturating_sub(1)) as f64 * share;
        let mut before = 0;
        scores.iter().find(|(_, count)| {
            before += count;
            wanted < before as f64
        })
    };
    let score = |share: f64| at(share).or(scores.last()).map(|(score, _)| *score);
    Some(Spread { count, low: score(TAIL)?, median: score(0.5)?, high: score(1.0 - TAIL)? })
}

/// How often one of the first is higher than one of the second (the area under the ROC curve).
fn above(first: &[(f64, u64)], second: &[(f64, u64)]) -> Option<f64> {
    let total = |scores: &[(f64, u64)]| scores.iter().map(|(_, count)| *count as f64).sum::<f64>();
    let pairs = total(first) * total(second);
    if pairs <= 0.0 {
        return None;
    }
    let (mut at, mut below, mut won) = (0, 0.0, 0.0);
    for (score, count) in first {
        while let Some((_, other)) = second.get(at).filter(|(other, _)| other < score) {
            below += *other as f64;
            at += 1;
        }
        let tied: f64 = second.iter().skip(at).take_while(|(other, _)| other == score).map(|(_, count)| *count as f64).sum();
        won += *count as f64 * (below + tied / 2.0);
    }
    Some(won / pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(rows: &[(Profile, Option<bool>, u32)]) -> Samples {
        let mut samples = Samples::default();
        for (profile, is_bad, count) in rows {
            (0..*count).for_each(|_| samples.add(*profile, *is_bad));
        }
        samples
    }

    #[test]
    fn pairs_are_counted_with_ties_as_halves() {
        for (first, second, expected) in [
            (vec![(2.0, 1)], vec![(1.0, 3)], Some(1.0)),
            (vec![(1.0, 1)], vec![(1.0, 1)], Some(0.5)),
            (vec![(1.0, 1), (3.0, 1)], vec![(2.0, 2)], Some(0.5)),
            (vec![(1.0, 1)], vec![(1.0, 1), (2.0, 1)], Some(0.25)),
            (vec![], vec![(2.0, 2)], None),
        ] {
            assert_eq!(above(&first, &second), expected, "{first:?} {second:?}");
        }
    }

    #[test]
    fn many_high_matches_lie_on_a_critical_one_until_weights_part_them() {
        // By the published numbers one critical match is 40 points, and three high ones are 51.
        let samples = samples(&[([0, 0, 0, 1], Some(true), 50), ([0, 0, 3, 0], Some(false), 50)]);
        let calibration = Calibration::of(&samples, HybridSettings::default(), Vec::new());
        assert_eq!(calibration.before.is_apart(), Some(false));
        assert_eq!((calibration.before.critical_over_high, calibration.before.bad_over_good), (Some(0.0), Some(0.0)));
        let (settings, after) = calibration.better.unwrap_or((HybridSettings::default(), calibration.before));
        assert_eq!((after.is_apart(), after.critical_over_high, after.bad_over_good), (Some(true), Some(1.0), Some(1.0)));
        // The nearest of the best leaves alone what need not change.
        assert_eq!((settings.weights.medium, settings.weights.low), (8.0, 2.0));
    }

    #[test]
    fn what_is_apart_stays_as_it_is() {
        let samples = samples(&[([0, 0, 0, 2], None, 50), ([0, 0, 1, 0], None, 50)]);
        let calibration = Calibration::of(&samples, HybridSettings::default(), Vec::new());
        assert_eq!((calibration.before.is_apart(), calibration.better), (Some(true), None));
    }
}
