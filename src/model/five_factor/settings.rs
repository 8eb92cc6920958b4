//! What can be set of the five-factor model; nearly all of it belongs to the upstream edition.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::build::{BuildError, Settings};
use crate::model::rule_based::Edition;
use crate::pattern::file::ActionName;
use crate::upstream::attesta::domain::Target;
use crate::upstream::attesta::level::{Challenge, Level};
use crate::upstream::attesta::trust::{Outcome, TrustParameters};
use crate::value::verdict::Action;

/// The model's name.
pub const NAME: &str = "five-factor";

/// Settings of the five-factor model.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct FiveFactorSettings {
    /// Which description is followed; `published` if left out. All other settings but `challenges` are those of `upstream`.
    pub edition: Edition,
    /// What is asked for where a call asks for a challenge.
    pub challenges: ChallengeActions,
    /// Where calls run: `production` (× 1.5), `staging` (× 1.2), `ci`, `development` (× 0.8) or another (× 1). If left
    /// out, what the call says, or else `development`.
    pub environment: Option<String>,
    /// The level of every call, whatever is in it.
    pub risk_override: Option<LevelName>,
    /// `true` lets a call choose its own level by the hint `risk_override`.
    pub allow_hint_override: bool,
    /// What is known of a domain: `devops`, `data-pipeline`, or a profile of `profiles`.
    pub profile: Option<String>,
    /// Profiles of your own, by name.
    pub profiles: BTreeMap<String, ProfileSettings>,
    /// The past of the agent that calls; it counts for nothing if left out.
    pub trust: Option<TrustSettings>,
}

/// What is asked for where a call asks for a challenge; its verdict follows from that (`verdicts`).
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ChallengeActions {
    /// For `auto-approve`; `allow` if left out.
    pub auto_approve: Option<ActionName>,
    /// For `confirm`; `confirm` if left out, which warns.
    pub confirm: Option<ActionName>,
    /// For `quiz`; `confirm` if left out, which warns.
    pub quiz: Option<ActionName>,
    /// For `multi-party`; `block` if left out.
    pub multi_party: Option<ActionName>,
}

impl ChallengeActions {
    /// What is asked for where a call asks for this challenge.
    pub fn action(&self, challenge: Challenge) -> Action {
        let chosen = match challenge {
            Challenge::AutoApprove => self.auto_approve,
            Challenge::Confirm => self.confirm,
            Challenge::Quiz => self.quiz,
            Challenge::MultiParty => self.multi_party,
        };
        chosen.map_or_else(|| usual_action(challenge), Into::into)
    }
}

/// The name of a level.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum LevelName {
    /// Risk 0.15.
    Low,
    /// Risk 0.45.
    Medium,
    /// Risk 0.70.
    High,
    /// Risk 0.90.
    Critical,
}

impl From<LevelName> for Level {
    fn from(name: LevelName) -> Self {
        match name {
            LevelName::Low => Self::Low,
            LevelName::Medium => Self::Medium,
            LevelName::High => Self::High,
            LevelName::Critical => Self::Critical,
        }
    }
}

/// What is known of a domain.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct ProfileSettings {
    /// Patterns that raise a risk.
    pub risk_patterns: Vec<RiskPatternSettings>,
    /// Words and phrases that raise a risk, with how much (0–1).
    pub sensitive_terms: BTreeMap<String, f64>,
    /// Names that are always critical; `*` stands for anything.
    pub critical_actions: Vec<String>,
    /// Names that are always safe, unless they are critical.
    pub safe_actions: Vec<String>,
    /// The least risk (0–1); 0 if left out.
    #[schemars(range(min = 0, max = 1))]
    pub base_risk_floor: f64,
    /// What a risk is multiplied by in production; 1.5 if left out.
    #[schemars(range(min = 0))]
    pub production_multiplier: f64,
    /// What follows from a risk. It is told, and changes no score.
    pub escalation_rules: Vec<EscalationSettings>,
}

impl Default for ProfileSettings {
    fn default() -> Self {
        Self {
            risk_patterns: Vec::new(),
            sensitive_terms: BTreeMap::new(),
            critical_actions: Vec::new(),
            safe_actions: Vec::new(),
            base_risk_floor: 0.0,
            production_multiplier: 1.5,
            escalation_rules: Vec::new(),
        }
    }
}

/// A pattern that raises a risk.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct RiskPatternSettings {
    /// Its name.
    pub name: String,
    /// What is found: a pattern of Python's `re`, in any case, without lookaround and back references.
    pub pattern: String,
    /// Where: `any` if left out.
    #[serde(default)]
    pub target: TargetName,
    /// How much it raises a risk (0–1).
    #[schemars(range(min = 0, max = 1))]
    pub risk_contribution: f64,
}

/// Which part of a call a pattern is searched in.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum TargetName {
    /// The function's name.
    FunctionName,
    /// What is passed by position.
    Args,
    /// What is passed by name, with the names.
    Kwargs,
    /// What the function is said to do.
    Docstring,
    /// Each of these.
    #[default]
    Any,
}

impl From<TargetName> for Target {
    fn from(name: TargetName) -> Self {
        match name {
            TargetName::FunctionName => Self::FunctionName,
            TargetName::Args => Self::Args,
            TargetName::Kwargs => Self::Kwargs,
            TargetName::Docstring => Self::Docstring,
            TargetName::Any => Self::Any,
        }
    }
}

/// What follows from a risk.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct EscalationSettings {
    /// When: `risk_score >= 0.9`, `matches_pattern:NAME`, `environment:NAME` or `risk_level:NAME`.
    pub condition: String,
    /// What: `require_multi_party`, `require_teach_back`, `notify_compliance`, `block` …
    pub action: String,
}

/// The past of an agent, and how trust is reckoned from it.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct TrustSettings {
    /// Its earlier actions.
    pub history: Vec<RecordSettings>,
    /// How often it did harm.
    pub incidents: u32,
    /// How many days ago it last did anything; unknown if left out.
    #[schemars(range(min = 0))]
    pub last_action_days_ago: Option<f64>,
    /// The trust of who has no past (0–1); 0.3 if left out.
    #[schemars(range(min = 0, max = 1))]
    pub initial_score: f64,
    /// The highest trust (0–1); 0.9 if left out.
    #[schemars(range(min = 0, max = 1))]
    pub ceiling: f64,
    /// How fast trust fades while nothing is done, per day; 0.01 if left out.
    #[schemars(range(min = 0))]
    pub decay_rate: f64,
    /// What trust is multiplied by for each incident (0–1); 0.7 if left out.
    #[schemars(range(min = 0, max = 1))]
    pub incident_penalty: f64,
    /// How much trust moves a risk (0–1); 0.3 if left out.
    #[schemars(range(min = 0, max = 1))]
    pub influence: f64,
}

impl Default for TrustSettings {
    fn default() -> Self {
        let TrustParameters { initial, ceiling, decay_rate, incident_penalty, influence } = TrustParameters::default();
        Self {
            history: Vec::new(),
            incidents: 0,
            last_action_days_ago: None,
            initial_score: initial,
            ceiling,
            decay_rate,
            incident_penalty,
            influence,
        }
    }
}

/// One earlier action.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct RecordSettings {
    /// How many days ago.
    #[schemars(range(min = 0))]
    pub days_ago: f64,
    /// How it ended.
    pub outcome: OutcomeName,
    /// What it was about; `general` if left out.
    #[serde(default)]
    pub domain: Option<String>,
}

/// How an action ended.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum OutcomeName {
    /// It was approved.
    Success,
    /// It was denied.
    Denied,
    /// It did harm.
    Incident,
}

impl From<OutcomeName> for Outcome {
    fn from(name: OutcomeName) -> Self {
        match name {
            OutcomeName::Success => Self::Success,
            OutcomeName::Denied => Self::Denied,
            OutcomeName::Incident => Self::Incident,
        }
    }
}

impl FiveFactorSettings {
    /// Tells settings that the published edition does not know, rather than pass over them.
    ///
    /// # Errors
    ///
    /// When there is one.
    pub fn check_published(&self) -> Result<(), BuildError> {
        let given = [
            ("environment", self.environment.is_some()),
            ("risk_override", self.risk_override.is_some()),
            ("allow_hint_override", self.allow_hint_override),
            ("profile", self.profile.is_some()),
            ("trust", self.trust.is_some()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((word, _)) => {
                Err(fault(word, format!("`{word}` is a setting of the upstream edition: add `edition: upstream`, or take it out")))
            }
            None => Ok(()),
        }
    }
}

impl Settings for FiveFactorSettings {
    fn loosened(&self) -> Vec<String> {
        let chosen = Challenge::ALL.map(|challenge| (challenge, self.challenges.action(challenge)));
        let milder = chosen.into_iter().filter(|(challenge, action)| *action < usual_action(*challenge));
        let mut loosened: Vec<String> = milder.map(|(challenge, action)| format!("challenges.{}: {action}", challenge.name())).collect();
        if matches!(self.edition, Edition::Published) {
            return loosened;
        }
        if let Some(level @ (LevelName::Low | LevelName::Medium)) = self.risk_override {
            loosened.push(format!("risk_override: {}", Level::from(level).name()));
        }
        if self.allow_hint_override {
            loosened.push("allow_hint_override: true".to_owned());
        }
        if let Some(profile) = &self.profile {
            loosened.push(format!("profile: {profile}"));
        }
        if self.trust.is_some() {
            loosened.push("trust".to_owned());
        }
        loosened.push("edition: upstream".to_owned());
        loosened
    }
}

/// What is asked for where nothing else is chosen: what a person can settle alone is asked of that person.
fn usual_action(challenge: Challenge) -> Action {
    match challenge {
        Challenge::AutoApprove => Action::Allow,
        Challenge::Confirm | Challenge::Quiz => Action::Confirm,
        Challenge::MultiParty => Action::Block,
    }
}

/// A setting of the model is wrong.
pub fn fault(word: &str, message: String) -> BuildError {
    BuildError { word: word.to_owned(), message: format!("{NAME}: {message}") }
}
