//! The arithmetic of the published edition: five factors of one call, their shares and their sum.
//!
//! Source: the published description of the model. Where it gives no number, the released software's
//! stands, and the line says so.

use crate::upstream::attesta::level::Level;

/// What each factor weighs, in the order of the description: name, arguments, description, hints, novelty.
pub const WEIGHTS: [(&str, f64); 5] =
    [("function_name", 0.30), ("arguments", 0.25), ("docstring", 0.20), ("hints", 0.15), ("novelty", 0.10)];

/// Words of a name that destroy, and their share.
pub const DESTRUCTIVE: (&[&str], f64) = (&["delete", "remove", "drop", "destroy", "purge", "truncate", "kill"], 0.95);
/// Words of a name that change something.
pub const MUTATING: (&[&str], f64) = (&["write", "update", "modify", "set", "create", "send", "deploy", "push", "execute", "run"], 0.55);
/// Words of a name that only read.
pub const READING: (&[&str], f64) = (&["read", "get", "list", "fetch", "search", "find", "check"], 0.10);
/// A name of other words.
pub const UNKNOWN_NAME: f64 = 0.40;
/// A name that is not known before the call runs. Source: the released software, for a name without words.
pub const NO_NAME: f64 = 0.50;

/// Arguments in which nothing is found, and none at all.
pub const BENIGN_ARGUMENTS: f64 = 0.05;
/// A call without arguments.
pub const NO_ARGUMENTS: f64 = 0.0;
/// One sensitive word in the arguments.
pub const SENSITIVE: f64 = 0.70;
/// One SQL keyword that destroys, and one such shell command. Source: the released software.
pub const DESTRUCTIVE_ARGUMENT: f64 = 0.90;
/// One address in a network. Source: the released software.
pub const NETWORK: f64 = 0.50;

/// A description with a word that warns of danger, of care, with neither, and none.
pub const DANGEROUS_DESCRIPTION: f64 = 0.85;
/// A description that asks for care.
pub const CAREFUL_DESCRIPTION: f64 = 0.50;
/// A description that does neither.
pub const PLAIN_DESCRIPTION: f64 = 0.05;
/// No description.
pub const NO_DESCRIPTION: f64 = 0.10;

/// What a hint that holds adds.
pub const FLAG: f64 = 0.30;
/// What a number of [`LARGE`] or more adds; smaller ones add their part of it.
pub const LARGE_NUMBER: f64 = 0.80;
/// The number that adds the most.
pub const LARGE: f64 = 10_000.0;

/// The first call, what each further one takes away, and what is left at least.
const FIRST_CALL: f64 = 0.90;
const PER_CALL: f64 = 0.09;
const KNOWN_CALL: f64 = 0.10;

/// The published numbers have few decimals. Rounding to this many parts of 1 takes away what floats add
/// behind them, so that 0.95 × 0.3 + … is 0.72 and a sum of exactly 0.6 is not below it.
const PARTS: f64 = 1e9;

/// One factor of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// How much of the factor's weight counts, 0–1.
    pub share: f64,
    /// What it rests on, in a few words; empty if on nothing.
    pub because: String,
}

impl Share {
    /// A share that rests on something.
    pub fn new(share: f64, because: impl Into<String>) -> Self {
        Self { share, because: because.into() }
    }
}

/// The risk of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighed {
    /// The risk, 0–1.
    pub risk: f64,
    /// Its factors, in the order of [`WEIGHTS`].
    pub shares: [Share; 5],
}

impl Weighed {
    /// Adds up the factors.
    pub fn of(shares: [Share; 5]) -> Self {
        let sum: f64 = shares.iter().zip(WEIGHTS).map(|(share, (_, weight))| share.share.clamp(0.0, 1.0) * weight).sum();
        Self { risk: rounded(sum).clamp(0.0, 1.0), shares }
    }

    /// The level of the risk.
    pub fn level(&self) -> Level {
        Level::of_clamped(self.risk)
    }
}

/// Several findings in the arguments of one call compound: `1 − ∏(1 − sᵢ)`.
pub fn compound(shares: impl IntoIterator<Item = f64>) -> f64 {
    rounded(1.0 - shares.into_iter().map(|share| 1.0 - share).product::<f64>())
}

/// What a hint that is a number adds; one below 0 adds nothing, and takes nothing from what others add.
pub fn number_hint(number: f64) -> f64 {
    if number.is_nan() { LARGE_NUMBER } else { (number / LARGE).clamp(0.0, 1.0) * LARGE_NUMBER }
}

/// The share of novelty after so many calls of the same function.
pub fn novelty(earlier: u32) -> f64 {
    rounded(FIRST_CALL - PER_CALL * f64::from(earlier)).max(KNOWN_CALL)
}

fn rounded(value: f64) -> f64 {
    (value * PARTS).round() / PARTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_example_is_exactly_0_720() {
        let shares = [0.95, 0.70, 0.85, 0.0, 0.90].map(|share| Share::new(share, ""));
        let weighed = Weighed::of(shares);
        assert_eq!(weighed.risk.to_bits(), 0.72_f64.to_bits());
        assert_eq!(weighed.level(), Level::High);
        assert_eq!((weighed.risk * 100.0).to_bits(), 72.0_f64.to_bits());
    }

    #[test]
    fn novelty_wears_off_as_published() {
        for (call, expected) in
            [(1, 0.90), (2, 0.81), (3, 0.72), (4, 0.63), (5, 0.54), (9, 0.18), (10, 0.10), (11, 0.10), (1_000_000, 0.10)]
        {
            assert_eq!(novelty(call - 1), expected, "call {call}");
        }
    }

    #[test]
    fn findings_compound() {
        for (shares, expected) in
            [(&[0.7][..], 0.7), (&[0.7, 0.7], 0.91), (&[0.9, 0.5], 0.95), (&[0.7, 0.9, 0.5], 0.985), (&[1.0, 0.5], 1.0)]
        {
            assert_eq!(compound(shares.iter().copied()), expected, "{shares:?}");
        }
    }

    #[test]
    fn numbers_add_their_part() {
        for (number, expected) in [(0.0, 0.0), (5_000.0, 0.4), (10_000.0, 0.8), (1e9, 0.8), (-5_000.0, 0.0), (f64::NAN, 0.8)] {
            assert_eq!(number_hint(number), expected, "{number}");
        }
    }

    #[test]
    fn levels_hold_on_both_sides_of_their_bounds() {
        let of = |name: f64, arguments: f64| Weighed::of([name, arguments, 0.0, 0.0, 0.0].map(|share| Share::new(share, "")));
        for (weighed, expected) in [
            (of(1.0, 0.0), Level::Medium),
            (of(0.999, 0.0), Level::Low),
            (of(0.5, 0.6), Level::Medium),
            (Weighed::of([1.0, 0.4, 1.0, 0.0, 0.0].map(|share| Share::new(share, ""))), Level::High),
            (Weighed::of([1.0, 1.0, 1.0, 0.0, 0.5].map(|share| Share::new(share, ""))), Level::Critical),
            (Weighed::of([1.0, 1.0, 1.0, 0.0, 0.49].map(|share| Share::new(share, ""))), Level::High),
        ] {
            assert_eq!(weighed.level(), expected, "{}", weighed.risk);
        }
    }
}
