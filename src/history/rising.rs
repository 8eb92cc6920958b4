//! Whether it is getting worse: the last window of time against the one before, tenant by tenant.
//!
//! Shares are compared by the two-proportion z-test, mean scores by Welch's. What rises must be improbable by chance (`Z`), large
//! enough to matter (`RATIO`) and no matter of a handful (`HITS`, `EVALUATIONS`).

use std::collections::BTreeMap;

use crate::history::period::Tally;

/// Least z of what rises: by chance it would be there once in a thousand times (one-sided, normal distribution).
pub const Z: f64 = 3.09;
/// Least ratio of what is to what was.
pub const RATIO: f64 = 1.5;
/// Least ratio of mean scores: they move less than shares.
pub const SCORE_RATIO: f64 = 1.25;
/// Least difference of mean scores, in points.
pub const SCORE_POINTS: f64 = 1.0;
/// Least number of evaluations in which it must have happened.
pub const HITS: u64 = 10;
/// Least number of evaluations in both windows; of fewer nothing is said.
pub const EVALUATIONS: u64 = 30;

/// What rises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The share of evaluations that were warned of or blocked.
    Flagged,
    /// The share of evaluations that were blocked.
    Blocked,
    /// The mean score.
    Score,
    /// The share of evaluations in which a rule hit.
    Rule(String),
}

impl What {
    /// The name used in every output.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Flagged => "warn-or-block-rate",
            Self::Blocked => "block-rate",
            Self::Score => "mean-score",
            Self::Rule(_) => "rule-rate",
        }
    }

    /// The rule, if it is one that rises.
    pub fn rule(&self) -> Option<&str> {
        match self {
            Self::Rule(rule) => Some(rule),
            Self::Flagged | Self::Blocked | Self::Score => None,
        }
    }
}

/// Something that rises.
#[derive(Clone, Debug, PartialEq)]
pub struct Rise {
    /// Whose it is.
    pub tenant: Option<String>,
    /// What rises.
    pub what: What,
    /// What it was: a share from 0 to 1, or a mean score.
    pub before: f64,
    /// What it is.
    pub now: f64,
    /// How improbable that is by chance.
    pub z: f64,
}

/// A window of time.
#[derive(Clone, Debug, Default)]
pub struct Window {
    /// All evaluations in it.
    pub tally: Tally,
    /// In how many of them each rule hit.
    pub rules: BTreeMap<String, u64>,
}

/// What rises, of all tenants that were looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rising {
    /// The length of a window, in milliseconds.
    pub window: i64,
    /// The end of the last window, in milliseconds since 1970.
    pub end: i64,
    /// What rises, the most improbable first.
    pub rises: Vec<Rise>,
    /// How many tenants were compared.
    pub compared: usize,
    /// Tenants with too few evaluations in one of the windows.
    pub too_few: Vec<Option<String>>,
}

impl Rising {
    /// Nothing yet, of windows of this length.
    pub fn of(window: i64, end: i64) -> Self {
        Self { window, end, ..Self::default() }
    }

    /// Compares the windows of a tenant.
    pub fn compare(&mut self, tenant: Option<&str>, before: &Window, now: &Window) {
        if before.tally.evaluations().min(now.tally.evaluations()) < EVALUATIONS {
            self.too_few.push(tenant.map(str::to_owned));
            return;
        }
        self.compared += 1;
        let all = (before.tally.evaluations(), now.tally.evaluations());
        let share = |what: What, hits: (u64, u64)| risen_share(hits, all).map(|(before, now, z)| (what, before, now, z));
        let mut found: Vec<(What, f64, f64, f64)> = Vec::new();
        found.extend(share(What::Flagged, (before.tally.flagged(), now.tally.flagged())));
        found.extend(share(What::Blocked, (before.tally.verdicts[2], now.tally.verdicts[2])));
        found.extend(risen_score(&before.tally, &now.tally).map(|(before, now, z)| (What::Score, before, now, z)));
        for (rule, hits) in &now.rules {
            let earlier = before.rules.get(rule).copied().unwrap_or_default();
            found.extend(share(What::Rule(rule.clone()), (earlier, *hits)));
        }
        let tenant = tenant.map(str::to_owned);
        self.rises.extend(found.into_iter().map(|(what, before, now, z)| Rise { tenant: tenant.clone(), what, before, now, z }));
        self.rises.sort_by(|left, right| right.z.total_cmp(&left.z));
    }
}

/// The shares before and now and their z, if the share has risen.
fn risen_share(hits: (u64, u64), all: (u64, u64)) -> Option<(f64, f64, f64)> {
    let (before, now) = (hits.0 as f64 / all.0 as f64, hits.1 as f64 / all.1 as f64);
    let pooled = (hits.0 + hits.1) as f64 / (all.0 + all.1) as f64;
    let deviation = (pooled * (1.0 - pooled) * (1.0 / all.0 as f64 + 1.0 / all.1 as f64)).sqrt();
    let z = (now - before) / deviation;
    (HITS <= hits.1 && before * RATIO <= now && z.is_finite() && Z <= z).then_some((before, now, z))
}

/// The mean scores before and now and their z, if the score has risen.
fn risen_score(before: &Tally, now: &Tally) -> Option<(f64, f64, f64)> {
    let (was, is) = (before.mean_score()?, now.mean_score()?);
    let deviation = (before.variance()? / before.scored as f64 + now.variance()? / now.scored as f64).sqrt();
    // Where all scores were alike there is no deviation, and any other mean is improbable.
    let z = if 0.0 < deviation { (is - was) / deviation } else { f64::MAX };
    let is_large = SCORE_POINTS <= is - was && was * SCORE_RATIO <= is;
    (EVALUATIONS <= before.scored.min(now.scored) && is_large && Z <= z).then_some((was, is, z))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(allow: u64, block: u64, rule: u64) -> Window {
        let scored = allow + block;
        let tally = Tally {
            verdicts: [allow, 0, block],
            scored,
            score_sum: block as f64 * 60.0,
            score_squares: block as f64 * 3600.0,
            ..Tally::default()
        };
        Window { tally, rules: BTreeMap::from([("loop-fan-out".to_owned(), rule)]) }
    }

    fn names(before: &Window, now: &Window) -> Vec<String> {
        let mut rising = Rising::of(1, 2);
        rising.compare(Some("t"), before, now);
        let mut names: Vec<String> = rising.rises.iter().map(|rise| rise.what.rule().unwrap_or(rise.what.name()).to_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn only_what_is_improbable_large_and_no_handful_rises() {
        let all = ["block-rate", "loop-fan-out", "mean-score", "warn-or-block-rate"];
        for (before, now, expected) in [
            // Ten times as much of everything.
            (window(990, 10, 10), window(900, 100, 100), &all[..]),
            // The same, and less.
            (window(900, 100, 100), window(900, 100, 100), &[]),
            (window(900, 100, 100), window(990, 10, 10), &[]),
            // Twice as much of very little: a handful.
            (window(996, 4, 4), window(992, 8, 8), &[]),
            // Improbable, but hardly more.
            (window(90_000, 10_000, 0), window(88_000, 12_000, 0), &[]),
            // The volume alone grows.
            (window(90, 10, 10), window(9_000, 1_000, 1_000), &[]),
            // A rule that was never there.
            (window(900, 100, 0), window(900, 100, 40), &["loop-fan-out"]),
            // Everything is blocked now and then.
            (window(0, 100, 0), window(0, 100, 0), &[]),
        ] {
            assert_eq!(names(&before, &now), expected, "{before:?} {now:?}");
        }
    }

    #[test]
    fn of_too_few_nothing_is_said() {
        let mut rising = Rising::of(1, 2);
        rising.compare(None, &window(20, 0, 0), &window(0, 1_000, 1_000));
        assert_eq!((rising.rises.len(), rising.compared, rising.too_few), (0, 0, vec![None]));
    }

    #[test]
    fn z_is_that_of_two_proportions() {
        // 10 of 1,000 against 30 of 1,000: pooled .02, deviation .0062610, z 3.1944.
        let (before, now, z) = risen_share((10, 30), (1_000, 1_000)).unwrap_or_default();
        assert_eq!((before, now, (z * 10_000.0).round()), (0.01, 0.03, 31_944.0));
    }
}
