//! What can be set of the five-factor model; nearly all of it belongs to the upstream edition.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::build::{BuildError, Settings};
use crate::model::five_factor::NAME;
use crate::model::five_factor::level::{Challenge, Level};
use crate::model::five_factor::upstream::domain::{self, Condition, Escalation, Profile, RiskPattern, Target};
use crate::model::five_factor::upstream::gate::{self, DEFAULT_ENVIRONMENT, Gated};
use crate::model::five_factor::upstream::scorer::{self, WEIGHTS};
use crate::model::five_factor::upstream::trust::{self, History, Outcome, Record, TrustParameters};
use crate::model::rule_based::Edition;
use crate::pattern::file::ActionName;
use crate::subject::plain_call::{PlainCall, PlainValue};
use crate::value::python::pattern::{Pattern, PatternError};
use crate::value::verdict::Action;
use crate::yaml;

/// The built-in profiles of domains, as text. Source: the presets of Attesta at 4b6a8de1.
const PROFILES: [(&str, &str); 2] = [
    ("data-pipeline", include_str!("../../../patterns/profiles/data-pipeline.yaml")),
    ("devops", include_str!("../../../patterns/profiles/devops.yaml")),
];

/// The domain of a history that names none.
const GENERAL: &str = "general";

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
        chosen.map_or_else(|| challenge.usual_action(), Into::into)
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
        let milder = chosen.into_iter().filter(|(challenge, action)| *action < challenge.usual_action());
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

/// The upstream edition with its settings: what stands around the scorer.
pub struct UpstreamGate {
    environment: Option<String>,
    by_gate: Option<Level>,
    allows_hint: bool,
    profile: Option<Profile>,
    trust: Option<(History, TrustParameters)>,
}

impl UpstreamGate {
    /// The gate with its settings.
    ///
    /// # Errors
    ///
    /// When there is no such profile, a pattern is none, or a number is out of its range.
    pub fn new(settings: &FiveFactorSettings) -> Result<Self, BuildError> {
        let profile = settings.profile.as_deref().map(|name| named_profile(name, &settings.profiles)).transpose()?;
        Ok(Self {
            environment: settings.environment.clone(),
            by_gate: settings.risk_override.map(Level::from),
            allows_hint: settings.allow_hint_override,
            profile,
            trust: settings.trust.as_ref().map(history).transpose()?,
        })
    }

    /// What the released gate says of a call of which there were so many before.
    pub fn judge(&self, call: &PlainCall, earlier: u32) -> Gated {
        let environment = self.environment.as_deref().or(call.environment.as_deref()).unwrap_or(DEFAULT_ENVIRONMENT);
        let choice = gate::choice(call, self.by_gate, self.allows_hint);
        let assessment = scorer::assess(call, earlier, WEIGHTS);
        let (risk, mut factors) = match &self.profile {
            None => (assessment.risk, assessment.factors),
            Some(profile) => {
                let domain = domain::assess(profile, call, environment, assessment.risk);
                (domain.risk, domain.factors)
            }
        };
        let mut gated = gate::gate(risk, choice, environment);
        if let Some((history, parameters)) = &self.trust {
            let trust = trust::trust(history, Some(domain_of(call, environment)), parameters);
            gated = gated.trusted(|risk| trust::effective_risk(risk, trust, parameters));
        }
        if !gated.is_chosen {
            factors.append(&mut gated.factors);
            gated.factors = factors;
        }
        gated
    }

    /// What the gate adds to the five factors, for people.
    pub fn told(&self) -> String {
        let mut parts = vec![format!("the environment `{}`", self.environment.as_deref().unwrap_or(DEFAULT_ENVIRONMENT))];
        parts.extend(self.profile.as_ref().map(|profile| format!("the domain `{}`", profile.name)));
        parts.extend(self.by_gate.map(|level| format!("the level `{}` chosen for all calls", level.name())));
        parts.extend(self.trust.as_ref().map(|_| "trust".to_owned()));
        format!(", by {}", parts.join(", "))
    }
}

/// The domain whose history counts. Source: what Attesta at 4b6a8de1 answers.
fn domain_of<'c>(call: &'c PlainCall, environment: &'c str) -> &'c str {
    let hint = call.hints.iter().find(|(name, _)| name == "domain").map(|(_, value)| value);
    match hint {
        Some(PlainValue::String(domain)) if !domain.is_empty() => domain,
        _ if environment.is_empty() => GENERAL,
        _ => environment,
    }
}

fn fault(word: &str, message: String) -> BuildError {
    BuildError { word: word.to_owned(), message: format!("{NAME}: {message}") }
}

/// The profile of that name, of your own or built in.
///
/// # Errors
///
/// When there is none, or something in it is wrong.
pub fn named_profile(name: &str, own: &BTreeMap<String, ProfileSettings>) -> Result<Profile, BuildError> {
    if let Some(settings) = own.get(name) {
        return profile(name, settings);
    }
    let Some((_, text)) = PROFILES.iter().find(|(known, _)| *known == name) else {
        let hint = yaml::nearest(name, PROFILES.iter().map(|(known, _)| *known).chain(own.keys().map(String::as_str)));
        let known = PROFILES.map(|(known, _)| known).join(", ");
        return Err(fault(name, format!("there is no profile `{name}`{hint}; there are {known}, and those under `profiles`")));
    };
    let settings: ProfileSettings = yaml::read(text).map_err(|faults| {
        let first = faults.first().map(ToString::to_string).unwrap_or_default();
        fault(name, format!("the built-in profile `{name}` is broken: {first}"))
    })?;
    profile(name, &settings)
}

fn profile(name: &str, settings: &ProfileSettings) -> Result<Profile, BuildError> {
    let pattern =
        |word: &str, built: Result<Pattern, PatternError>| built.map_err(|error| fault(word, format!("`{word}` is no pattern: {error}")));
    let mut patterns = Vec::new();
    for own in &settings.risk_patterns {
        patterns.push(RiskPattern {
            name: own.name.clone(),
            pattern: pattern(&own.pattern, Pattern::new(&own.pattern, true))?,
            target: own.target.into(),
            share: share("risk_contribution", own.risk_contribution)?,
        });
    }
    let mut terms = Vec::new();
    for (term, weight) in &settings.sensitive_terms {
        terms.push((pattern(term, Pattern::whole_word(term))?, share(term, *weight)?));
    }
    let names = |names: &[String]| names.iter().map(|name| pattern(name, domain::name_pattern(name))).collect::<Result<Vec<_>, _>>();
    let escalations = settings.escalation_rules.iter().map(|rule| match Condition::parse(&rule.condition) {
        Condition::Unknown => Err(fault(
            &rule.condition,
            format!(
                "`{}` is no condition; write `risk_score >= 0.9`, `matches_pattern:NAME`, `environment:NAME` or `risk_level:NAME`",
                rule.condition
            ),
        )),
        condition => Ok(Escalation { condition, action: rule.action.clone() }),
    });
    Ok(Profile {
        name: name.to_owned(),
        patterns,
        terms,
        critical: names(&settings.critical_actions)?,
        safe: names(&settings.safe_actions)?,
        floor: share("base_risk_floor", settings.base_risk_floor)?,
        production_multiplier: at_least_0("production_multiplier", settings.production_multiplier)?,
        escalations: escalations.collect::<Result<_, _>>()?,
    })
}

fn history(settings: &TrustSettings) -> Result<(History, TrustParameters), BuildError> {
    let mut records = Vec::new();
    for record in &settings.history {
        records.push(Record {
            days_ago: at_least_0("days_ago", record.days_ago)?,
            outcome: record.outcome.into(),
            domain: record.domain.clone().unwrap_or_else(|| GENERAL.to_owned()),
        });
    }
    let last_action_days_ago = settings.last_action_days_ago.map(|days| at_least_0("last_action_days_ago", days)).transpose()?;
    let parameters = TrustParameters {
        initial: share("initial_score", settings.initial_score)?,
        ceiling: share("ceiling", settings.ceiling)?,
        decay_rate: at_least_0("decay_rate", settings.decay_rate)?,
        incident_penalty: share("incident_penalty", settings.incident_penalty)?,
        influence: share("influence", settings.influence)?,
    };
    Ok((History { records, incidents: settings.incidents, last_action_days_ago }, parameters))
}

fn share(word: &str, value: f64) -> Result<f64, BuildError> {
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err(fault(word, format!("`{word}` is {value}, but must lie between 0 and 1"))) }
}

fn at_least_0(word: &str, value: f64) -> Result<f64, BuildError> {
    if (0.0..f64::INFINITY).contains(&value) { Ok(value) } else { Err(fault(word, format!("`{word}` is {value}, but must be 0 or more"))) }
}
