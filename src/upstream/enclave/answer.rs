//! What the scoring gate answers: a total, its level, the signals behind it, and whether a
//! script may run.
//!
//! Source: agentfront/enclave, `libs/core/src/scoring`, at 7ac44b0a.

/// No total is higher. Source: `scorer.interface.ts`, `clampScore`.
const TOTAL_CAP: u32 = 100;

/// The least total of each level. Source: `scorer.interface.ts`, `calculateRiskLevel`.
const TOTAL_LEVELS: [(u32, Level); 4] = [(80, Level::Critical), (60, Level::High), (40, Level::Medium), (20, Level::Low)];

/// The least points of each level of a signal. Source: `rule-based.scorer.ts`, `getLevelForScore`.
const SIGNAL_LEVELS: [(u32, Level); 4] = [(50, Level::Critical), (35, Level::High), (20, Level::Medium), (10, Level::Low)];

/// How bad Enclave calls a total or a signal; the worse is the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Not worth a word.
    None,
    /// A total from 20, a signal from 10.
    Low,
    /// A total from 40, a signal from 20.
    Medium,
    /// A total from 60, a signal from 35.
    High,
    /// A total from 80, a signal from 50.
    Critical,
}

impl Level {
    /// The level of a script's total.
    pub fn of_total(total: u32) -> Self {
        highest_reached(total, &TOTAL_LEVELS)
    }

    /// The level of one signal's points, before they are capped.
    pub fn of_signal(points: u32) -> Self {
        highest_reached(points, &SIGNAL_LEVELS)
    }

    /// All levels, the mildest first.
    pub const ALL: [Self; 5] = [Self::None, Self::Low, Self::Medium, Self::High, Self::Critical];

    /// The level of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }

    /// The name Enclave gives it.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

/// One reason for a total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    /// Enclave's name for it, such as `EXFIL_PATTERN`.
    pub id: &'static str,
    /// The points it adds, capped as Enclave caps this signal.
    pub score: u32,
    /// Its own level.
    pub level: Level,
    /// Enclave's sentence, letter by letter. It can quote the script: do not print it unescaped.
    pub description: String,
}

/// What an Enclave scorer says of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The sum of the signals' points, 0 to 100.
    pub total: u32,
    /// The total's level.
    pub level: Level,
    /// The signals in the order of Enclave's rules.
    pub signals: Vec<Signal>,
}

impl Answer {
    /// Adds up signals.
    pub fn from_signals(signals: Vec<Signal>) -> Self {
        let total = signals.iter().fold(0_u32, |sum, signal| sum.saturating_add(signal.score));
        let total = total.min(TOTAL_CAP);
        Self { total, level: Level::of_total(total), signals }
    }
}

/// One reason for a total that Enclave takes over from elsewhere; its points may be any number.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignSignal {
    /// Its name.
    pub id: String,
    /// Its points, not always finite.
    pub score: f64,
    /// Its own level.
    pub level: Level,
    /// A sentence. It can quote anything: do not print it unescaped.
    pub description: String,
}

/// What Enclave says of a script where it takes numbers over from elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignAnswer {
    /// The total; what Enclave clamps is 0 to 100.
    pub total: f64,
    /// The total's level.
    pub level: Level,
    /// The signals in Enclave's order.
    pub signals: Vec<ForeignSignal>,
}

impl From<Answer> for ForeignAnswer {
    fn from(result: Answer) -> Self {
        let signals = result.signals.into_iter().map(|signal| {
            let Signal { id, score, level, description } = signal;
            ForeignSignal { id: id.to_owned(), score: f64::from(score), level, description }
        });
        Self { total: f64::from(result.total), level: result.level, signals: signals.collect() }
    }
}

/// From which totals the gate warns and blocks; they may be fractions, and in any order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// The least total that is warned about.
    pub warn: f64,
    /// The least total that is blocked.
    pub block: f64,
}

impl Default for Thresholds {
    /// Source: `types.ts`, `DEFAULT_SCORING_CONFIG`.
    fn default() -> Self {
        Self { warn: 40.0, block: 70.0 }
    }
}

/// Whether a script may run, and whether with a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gate {
    /// The total is below the block threshold. A total that is not a number is not.
    pub allowed: bool,
    /// The total reaches the warn threshold and the script may run all the same.
    pub warned: bool,
}

/// What the gate answers to a total that it has just computed.
///
/// To a total from its cache Enclave answers otherwise: there `warned` does not ask for `allowed`.
pub fn gate(total: f64, thresholds: Thresholds) -> Gate {
    let allowed = total < thresholds.block;
    Gate { allowed, warned: allowed && thresholds.warn <= total }
}

fn highest_reached(points: u32, levels: &[(u32, Level)]) -> Level {
    let reached = levels.iter().find(|(least, _)| *least <= points);
    reached.map_or(Level::None, |(_, level)| *level)
}

#[cfg(test)]
mod tests {
    use super::{Answer, Gate, Level, Signal, Thresholds, gate};

    #[test]
    fn levels_change_at_their_thresholds() {
        use Level::{Critical, High, Low, Medium, None};
        for (points, of_total, of_signal) in [
            (0, None, None),
            (9, None, None),
            (10, None, Low),
            (19, None, Low),
            (20, Low, Medium),
            (34, Low, Medium),
            (35, Low, High),
            (39, Low, High),
            (40, Medium, High),
            (49, Medium, High),
            (50, Medium, Critical),
            (59, Medium, Critical),
            (60, High, Critical),
            (79, High, Critical),
            (80, Critical, Critical),
        ] {
            assert_eq!(Level::of_total(points), of_total, "total {points}");
            assert_eq!(Level::of_signal(points), of_signal, "signal {points}");
        }
    }

    #[test]
    fn totals_are_capped() {
        for (scores, expected) in [(&[][..], 0), (&[15], 15), (&[50, 50], 100), (&[60, 50], 100), (&[u32::MAX, 1], 100)] {
            let signals = scores.iter().map(|score| Signal { id: "A", score: *score, level: Level::Low, description: String::new() });
            assert_eq!(Answer::from_signals(signals.collect()).total, expected);
        }
    }

    #[test]
    fn the_gate_blocks_before_it_warns() {
        let default = Thresholds::default();
        let swapped = Thresholds { warn: 70.0, block: 40.0 };
        let free = |warned| Gate { allowed: true, warned };
        let blocked = Gate { allowed: false, warned: false };
        for (total, thresholds, expected) in [
            (0.0, default, free(false)),
            (39.999, default, free(false)),
            (40.0, default, free(true)),
            (69.999, default, free(true)),
            (70.0, default, blocked),
            (f64::NAN, default, blocked),
            (39.0, swapped, free(false)),
            (40.0, swapped, blocked),
            (0.0, Thresholds { warn: 0.0, block: 0.0 }, blocked),
            (0.0, Thresholds { warn: 0.0, block: 1.0 }, free(true)),
        ] {
            assert_eq!(gate(total, thresholds), expected, "{total} with {thresholds:?}");
        }
    }
}
