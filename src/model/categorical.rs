//! The categorical model: the worst severity and what the match is about give the action; nothing is ever added up.
//!
//! Source of all actions: ClawGuardian of superglue-ai (its settings at 9c3b45df), which has three groups of detectors.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::build::{BuildError, Known, Settings};
use crate::model::{Evaluation, Evidence, Method, Model, ModelError, Signal};
use crate::pattern::file::ActionName;
use crate::rule::Match;
use crate::value::score::Score;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// The model's name.
pub const NAME: &str = "categorical";

/// What one step of severity is worth on the common scale: low 25, medium 50, high 75, critical 100. ClawGuardian has no score.
const STEP: f64 = 25.0;

/// What a detector is about. Each group has its own actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// What is done: commands, calls, and what makes an agent do them.
    Destructive,
    /// Keys, passwords, tokens, and the files that hold them.
    Secrets,
    /// Data about persons.
    Pii,
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 3] = [Self::Destructive, Self::Secrets, Self::Pii];

    /// The published name, which settings use too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Destructive => "destructive",
            Self::Secrets => "secrets",
            Self::Pii => "pii",
        }
    }

    /// The group of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.name() == name)
    }

    /// What the group asks for, as published.
    pub fn published_action(self, severity: Severity) -> Action {
        match (self, severity) {
            (_, Severity::Critical) => Action::Block,
            (Self::Destructive, Severity::High | Severity::Medium) => Action::Confirm,
            (Self::Secrets, Severity::High | Severity::Medium) | (Self::Pii, Severity::High) => Action::Redact,
            (Self::Pii, Severity::Medium) | (_, Severity::Low) => Action::Warn,
        }
    }
}

/// The group of every category. Categories of the user's own are about what is done, which asks for confirmation.
const GROUPS: &[(&str, Group)] = &[
    ("credentials", Group::Secrets),
    ("sensitive-paths", Group::Secrets),
    ("sensitive-data", Group::Pii),
    ("personal-data", Group::Pii),
    ("destruction", Group::Destructive),
    ("destructive-shell", Group::Destructive),
    ("destructive-sql", Group::Destructive),
    ("disguise", Group::Destructive),
    ("exfiltration", Group::Destructive),
    ("exfiltration-endpoints", Group::Destructive),
    ("fan-out", Group::Destructive),
    ("hidden-content", Group::Destructive),
    ("injection", Group::Destructive),
    ("magnitude", Group::Destructive),
    ("mass-access", Group::Destructive),
    ("money", Group::Destructive),
    ("obfuscation", Group::Destructive),
    ("persistence", Group::Destructive),
    ("privilege", Group::Destructive),
    ("prompt-injection", Group::Destructive),
    ("remote-code", Group::Destructive),
    ("sandbox", Group::Destructive),
];

/// The group of a category; a group's own name stands for it.
pub fn group_of(category: &str) -> Group {
    let known = GROUPS.iter().find(|(known, _)| *known == category).map(|(_, group)| *group);
    known.or_else(|| Group::from_name(category)).unwrap_or(Group::Destructive)
}

/// Settings of the categorical model.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct CategoricalSettings {
    /// Other actions than the published ones, for one of the groups `destructive`, `secrets` and `pii`, or for one category
    /// of rules (`credentials`), which counts before its group.
    pub actions: BTreeMap<String, SeverityActions>,
}

impl Settings for CategoricalSettings {
    fn loosened(&self) -> Vec<String> {
        let usual = Self::default();
        let mut loosened = Vec::new();
        for (name, actions) in &self.actions {
            for severity in Severity::ALL {
                let usual = action(name, severity, &usual);
                let chosen = actions.chosen(severity).filter(|chosen| *chosen < usual);
                loosened.extend(chosen.map(|chosen| format!("actions.{name}.{severity}: {chosen}")));
            }
        }
        loosened
    }

    fn tightened(&self) -> Self {
        let usual = Self::default();
        let stricter = |name: &str, severity: Severity, chosen: Option<ActionName>| {
            chosen.filter(|chosen| action(name, severity, &usual) <= Action::from(*chosen))
        };
        let actions = self.actions.iter().map(|(name, chosen)| {
            let stricter = |severity, chosen| stricter(name, severity, chosen);
            let kept = SeverityActions {
                critical: stricter(Severity::Critical, chosen.critical),
                high: stricter(Severity::High, chosen.high),
                medium: stricter(Severity::Medium, chosen.medium),
                low: stricter(Severity::Low, chosen.low),
            };
            (name.clone(), kept)
        });
        Self { actions: actions.collect() }
    }

    fn unknown(&self, known: &Known<'_>) -> Vec<BuildError> {
        self.actions.keys().filter_map(|name| known.no_category(name, &Group::ALL.map(Group::name))).collect()
    }
}

/// The action of each severity; what is left out stays as it is.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct SeverityActions {
    /// For a critical match.
    pub critical: Option<ActionName>,
    /// For a high match.
    pub high: Option<ActionName>,
    /// For a medium match.
    pub medium: Option<ActionName>,
    /// For a low match.
    pub low: Option<ActionName>,
}

impl SeverityActions {
    /// What is chosen for a severity, if anything.
    pub fn chosen(&self, severity: Severity) -> Option<Action> {
        let name = match severity {
            Severity::Critical => self.critical,
            Severity::High => self.high,
            Severity::Medium => self.medium,
            Severity::Low => self.low,
        };
        name.map(Into::into)
    }
}

/// What a match of a category and severity asks for.
pub fn action(category: &str, severity: Severity, settings: &CategoricalSettings) -> Action {
    let group = group_of(category);
    let chosen = |name: &str| settings.actions.get(name).and_then(|actions| actions.chosen(severity));
    chosen(category).or_else(|| chosen(group.name())).unwrap_or_else(|| group.published_action(severity))
}

/// The categorical model.
pub struct Categorical {
    settings: CategoricalSettings,
}

impl Categorical {
    /// The model with its settings.
    pub fn new(settings: CategoricalSettings) -> Self {
        Self { settings }
    }

    fn action(&self, found: &Match) -> Action {
        action(&found.rule.category, found.severity, &self.settings)
    }
}

/// The score of the worst severity, 0 where nothing was found.
pub fn score(severity: Option<Severity>) -> f64 {
    severity.map_or(0.0, |severity| STEP * (severity as u8 + 1) as f64)
}

impl Model for Categorical {
    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        // What is only to be noted asks for nothing: by its severity alone it would.
        let counting = || evidence.matches.iter().flat_map(Match::all).filter(|found| found.asks());
        let severity = counting().map(|found| found.severity).max();
        let of_worst = counting().filter(|found| Some(found.severity) == severity);
        // Of several that are equally bad, the first of those that ask for the most decides.
        let deciding = of_worst.reduce(|first, next| if self.action(first) < self.action(next) { next } else { first });
        let score = score(severity);
        Ok(vec![Evaluation {
            level: Some(severity.map_or("none", Severity::name).into()),
            severity,
            action: Some(deciding.map_or(Action::Allow, |found| self.action(found))),
            signals: deciding.map(|found| Signal::of_match(found, score)).into_iter().collect(),
            ..Evaluation::new(NAME, Score::clamped(score))
        }])
    }

    fn method(&self, evaluation: &Evaluation) -> Method {
        let rule = "the worst severity decides: its score is 25 (low), 50 (medium), 75 (high) or 100 (critical), and what it is about \
                    gives the action; nothing is added up, and what is only to be noted does not count";
        let reckoning = evaluation.action.map(|action| format!("alone decides: {action}"));
        let reckoning = reckoning.filter(|_| !evaluation.signals.is_empty());
        let asks = match (evaluation.severity, evaluation.action) {
            (Some(severity), Some(action)) => format!("the worst severity is {severity}, and what it is about asks for `{action}`"),
            (None, _) | (_, None) => String::new(),
        };
        Method { rule: rule.to_owned(), reckoning: reckoning.into_iter().collect(), asks, override_above: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::registry as checks;
    use crate::pattern::library::Library;

    #[test]
    fn every_category_has_its_group() {
        let library = Library::new(Vec::new()).expect("the built-in patterns make a library");
        let rules: Vec<_> = checks::rules().iter().chain(library.patterns().iter().map(|pattern| &pattern.rule)).collect();
        let unknown: Vec<_> = rules
            .iter()
            .filter(|rule| !GROUPS.iter().any(|(known, _)| *known == rule.category))
            .map(|rule| (&rule.id, &rule.category))
            .collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        for (category, _) in GROUPS {
            assert!(rules.iter().any(|rule| rule.category == *category), "no rule is of the category {category}");
        }
    }

    /// ClawGuardian's default settings.
    #[test]
    fn each_group_has_its_published_actions() {
        for (group, expected) in
            [("destructive", "warn confirm confirm block"), ("secrets", "warn redact redact block"), ("pii", "warn warn redact block")]
        {
            let actions = Severity::ALL.map(|severity| action(group, severity, &CategoricalSettings::default()).name());
            assert_eq!(actions.join(" "), expected, "{group}");
        }
    }

    #[test]
    fn what_is_chosen_for_a_category_counts_before_its_group() {
        let high = |action| SeverityActions { high: Some(action), ..SeverityActions::default() };
        let actions = [("secrets".to_owned(), high(ActionName(Action::Block))), ("credentials".to_owned(), high(ActionName(Action::Log)))];
        let settings = CategoricalSettings { actions: actions.into() };
        for (category, severity, expected) in [
            ("credentials", Severity::High, Action::Log),
            ("sensitive-paths", Severity::High, Action::Block),
            ("credentials", Severity::Medium, Action::Redact),
            ("personal-data", Severity::High, Action::Redact),
        ] {
            assert_eq!(action(category, severity, &settings), expected, "{category} {severity}");
        }
    }
}
