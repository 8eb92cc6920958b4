//! The numeric model: eight flags with fixed points, each counted once, summed and capped.
//!
//! Source of all numbers and flag names: ClawGuard of maxxie114 (its sanitizer at 26a524a7), which cleans mail before an
//! agent reads it. There a flag is raised by regular expressions of its own; here it is raised by what callgate found,
//! by the category of the rule, or by the rule itself where a category holds more than one kind.

pub mod flag;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::build::{BuildError, Known, Settings};
use crate::model::numeric::flag::{Flag, FlagName, flags_of};
use crate::model::{Evaluation, Evidence, Method, Model, ModelError, Signal};
use crate::rule::Match;
use crate::subject::Kind;
use crate::value::score::Score;
use crate::value::verdict::Action;

/// The model's name.
pub const NAME: &str = "numeric";

/// What each further distinct injection rule adds.
const FURTHER_INJECTION: f64 = 10.0;
/// No score is higher.
const CAP: f64 = 100.0;
/// A text of more characters is oversized, as a mail body is to ClawGuard.
const LONGEST_TEXT: usize = 50_000;

/// Settings of the numeric model.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct NumericSettings {
    /// A score from here on (0–100) is `suspicious`; 1 if left out, which is any.
    #[schemars(range(min = 0, max = 100))]
    pub suspicious_threshold: f64,
    /// A score from here on (0–100) is `dangerous`, and warned of; 40 if left out.
    #[schemars(range(min = 0, max = 100))]
    pub dangerous_threshold: f64,
    /// A score above this (0–100) is blocked; 75 if left out. 100 never is.
    #[schemars(range(min = 0, max = 100))]
    pub block_if_score_above: f64,
    /// The flag that the rules of a category raise, by category: for categories of your own, or other than usual.
    pub flags: BTreeMap<String, FlagName>,
}

impl Default for NumericSettings {
    fn default() -> Self {
        // 75 is published; so is 40, as what ClawGuard's own test run calls a high risk. Whatever is not clean is suspicious.
        Self { suspicious_threshold: 1.0, dangerous_threshold: 40.0, block_if_score_above: 75.0, flags: BTreeMap::new() }
    }
}

impl Settings for NumericSettings {
    fn loosened(&self) -> Vec<String> {
        let usual = Self::default();
        let thresholds = [
            ("suspicious_threshold", usual.suspicious_threshold, self.suspicious_threshold),
            ("dangerous_threshold", usual.dangerous_threshold, self.dangerous_threshold),
            ("block_if_score_above", usual.block_if_score_above, self.block_if_score_above),
        ];
        let above = thresholds.into_iter().filter(|(_, usual, chosen)| usual < chosen);
        let above = above.map(|(name, _, chosen)| format!("{name}: {chosen}"));
        // A flag that is chosen takes the place of the usual one.
        let flags = self.flags.iter().map(|(category, flag)| {
            let flag = Option::from(*flag).map_or("none", |flag: Flag| flag.name());
            format!("flags.{category}: {flag}")
        });
        above.chain(flags).collect()
    }

    fn tightened(&self) -> Self {
        let usual = Self::default();
        Self {
            suspicious_threshold: self.suspicious_threshold.min(usual.suspicious_threshold),
            dangerous_threshold: self.dangerous_threshold.min(usual.dangerous_threshold),
            block_if_score_above: self.block_if_score_above.min(usual.block_if_score_above),
            flags: BTreeMap::new(),
        }
    }

    fn unknown(&self, known: &Known<'_>) -> Vec<BuildError> {
        self.flags.keys().filter_map(|name| known.no_category(name, &[])).collect()
    }
}

/// The published score of a set of flags and a number of distinct injections, capped at 100.
pub fn score(flags: impl IntoIterator<Item = Flag>, injections: usize) -> f64 {
    let flags: BTreeSet<Flag> = flags.into_iter().collect();
    let points: f64 = flags.into_iter().map(Flag::points).sum();
    (points + FURTHER_INJECTION * injections.saturating_sub(1) as f64).min(CAP)
}

/// The class of a score, and what is asked for.
pub fn class(score: f64, settings: &NumericSettings) -> (&'static str, Action) {
    let is_dangerous = settings.dangerous_threshold <= score;
    let is_suspicious = settings.suspicious_threshold <= score;
    let level = if is_dangerous {
        "dangerous"
    } else if is_suspicious {
        "suspicious"
    } else {
        "clean"
    };
    let action = if settings.block_if_score_above < score {
        Action::Block
    } else if is_dangerous {
        Action::Warn
    } else if is_suspicious {
        Action::Log
    } else {
        Action::Allow
    };
    (level, action)
}

/// The numeric model.
pub struct Numeric {
    settings: NumericSettings,
}

impl Numeric {
    /// The model with its settings.
    pub fn new(settings: NumericSettings) -> Self {
        Self { settings }
    }

    /// The flags that are raised, each with what raised it, and one signal for every injection beyond the first.
    fn signals(&self, evidence: &Evidence<'_>) -> Vec<Signal> {
        let flags = |found: &Match| flags_of(&found.rule, &self.settings.flags);
        // One cause raises flags once, by the worst of its hits that raises any.
        let raising = |found: &'_ &Match| found.asks() && !flags(found).is_empty();
        let causes: Vec<&Match> = evidence.matches.iter().filter_map(|found| found.all().find(raising)).collect();
        let mut signals = Vec::new();
        for flag in Flag::ALL {
            let mut seen = BTreeSet::new();
            let raised = causes.iter().copied().filter(|found| flags(found).contains(&flag));
            let raised: Vec<&Match> = raised.filter(|found| seen.insert(found.rule.id.clone())).collect();
            let is_oversized = flag == Flag::Oversized && is_oversized(evidence);
            if raised.is_empty() && !is_oversized {
                continue;
            }
            signals.push(flagged(flag, &raised));
            if flag == Flag::Injection {
                signals.extend(raised.iter().skip(1).map(|found| Signal::of_match(found, FURTHER_INJECTION)));
            }
        }
        signals
    }

    fn weigh(&self, signals: Vec<Signal>) -> Evaluation {
        let score = signals.iter().map(|signal| signal.score).sum::<f64>().min(CAP);
        let (level, action) = class(score, &self.settings);
        Evaluation {
            level: Some(level.into()),
            action: Some(action),
            escalated: action == Action::Block,
            signals,
            ..Evaluation::new(NAME, Score::clamped(score))
        }
    }
}

fn is_oversized(evidence: &Evidence<'_>) -> bool {
    match evidence.subject.kind {
        Kind::ToolResult | Kind::Prompt | Kind::Manifest | Kind::Text => LONGEST_TEXT < evidence.text.chars().count(),
        Kind::Script | Kind::ToolCall => false,
    }
}

/// ClawGuard counts what sends data away among the injections.
fn sends(found: &Match) -> bool {
    found.rule.category.starts_with("exfiltration")
}

fn flagged(flag: Flag, raised: &[&Match]) -> Signal {
    let ids: Vec<&str> = raised.iter().map(|found| found.rule.id.as_ref()).collect();
    let by = if ids.is_empty() { String::new() } else { format!(" ({})", ids.join(", ")) };
    let meaning = match flag {
        Flag::Injection if raised.iter().all(|found| sends(found)) => "It sends data away, which counts as an injection",
        Flag::Injection if raised.iter().any(|found| sends(found)) => "It tells an agent what to do, or sends data away",
        _ => flag.meaning(),
    };
    Signal {
        id: flag.name().to_owned(),
        score: flag.points(),
        level: raised.iter().map(|found| found.severity).max().map_or("low", |severity| severity.name()).into(),
        description: format!("{meaning}{by}."),
        span: raised.first().map(|found| found.span),
    }
}

impl Model for Numeric {
    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        Ok(vec![self.weigh(self.signals(evidence))])
    }

    fn method(&self, evaluation: &Evaluation) -> Method {
        let NumericSettings { suspicious_threshold, dangerous_threshold, block_if_score_above, .. } = self.settings;
        let rule = format!(
            "each flag adds its points once, of each cause that of its worst hit that asks for anything, and each further injection rule {FURTHER_INJECTION}; the sum is capped at {CAP}; from \
             {suspicious_threshold} on it is suspicious, from {dangerous_threshold} on dangerous and warned of, above \
             {block_if_score_above} it is blocked"
        );
        let reckoning = evaluation.signals.iter().map(|signal| match Flag::from_name(&signal.id) {
            Some(_) => "once".to_owned(),
            None => "a further injection".to_owned(),
        });
        let points = evaluation.score;
        let asks = match evaluation.level.as_deref() {
            _ if evaluation.action == Some(Action::Block) => format!("{points} points are above {block_if_score_above}"),
            Some(level @ "dangerous") => format!("{points} points are {level}, which they are from {dangerous_threshold} on"),
            Some(level @ "suspicious") => format!("{points} points are {level}, which is only noted"),
            _ => String::new(),
        };
        let override_above = (block_if_score_above < CAP).then_some(("block_if_score_above", block_if_score_above));
        Method { rule, reckoning: reckoning.collect(), asks, override_above }
    }

    fn evaluate_without(&self, evidence: &Evidence<'_>, gone: &dyn Fn(&str) -> bool) -> Result<Vec<Evaluation>, ModelError> {
        let is_injection = |signal: &Signal| signal.id == Flag::Injection.name() || Flag::from_name(&signal.id).is_none();
        let without_injections = gone(Flag::Injection.name());
        let mut signals = self.signals(evidence);
        signals.retain(|signal| !(gone(&signal.id) || without_injections && is_injection(signal)));
        Ok(vec![self.weigh(signals)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::registry as checks;
    use crate::model::numeric::flag::{BY_CATEGORY, BY_RULE, knows_category};
    use crate::pattern::library::Library;

    #[test]
    fn every_rule_raises_a_flag_or_is_known_to_raise_none() {
        let library = Library::new(Vec::new()).expect("the built-in patterns make a library");
        let rules: Vec<_> = checks::rules().iter().chain(library.patterns().iter().map(|pattern| &pattern.rule)).collect();
        let unknown: Vec<_> = rules.iter().filter(|rule| !knows_category(&rule.category)).map(|rule| (&rule.id, &rule.category)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        for (category, _) in BY_CATEGORY {
            assert!(rules.iter().any(|rule| rule.category == *category), "no rule is of the category {category}");
        }
        for (id, _) in BY_RULE {
            assert!(rules.iter().any(|rule| rule.id == *id), "there is no rule {id}");
        }
        let raised: BTreeSet<Flag> = rules.iter().flat_map(|rule| flags_of(rule, &BTreeMap::new())).collect();
        assert_eq!(raised.len() + 1, Flag::ALL.len(), "only a long text is oversized: {raised:?}");
    }

    #[test]
    fn flags_count_once_and_injections_beyond_the_first() {
        for (flags, injections, expected) in [
            (vec![], 0, 0.0),
            (vec![Flag::Oversized], 0, 5.0),
            (vec![Flag::Html, Flag::Html, Flag::Unicode], 0, 20.0),
            (vec![Flag::Injection], 1, 40.0),
            (vec![Flag::Injection], 4, 70.0),
            (vec![Flag::Injection, Flag::Script, Flag::HiddenContent, Flag::Secret], 1, 100.0),
        ] {
            assert_eq!(score(flags.iter().copied(), injections).to_bits(), f64::to_bits(expected), "{flags:?} {injections}");
        }
    }

    #[test]
    fn classes_change_at_their_thresholds() {
        let settings = NumericSettings::default();
        for (score, expected) in [
            (0.0, ("clean", Action::Allow)),
            (5.0, ("suspicious", Action::Log)),
            (35.0, ("suspicious", Action::Log)),
            (40.0, ("dangerous", Action::Warn)),
            (75.0, ("dangerous", Action::Warn)),
            (80.0, ("dangerous", Action::Block)),
        ] {
            assert_eq!(class(score, &settings), expected, "{score}");
        }
        assert_eq!(class(100.0, &NumericSettings { block_if_score_above: 100.0, ..settings }).1, Action::Warn);
    }
}
