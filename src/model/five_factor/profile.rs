//! The settings of the five-factor model as Attesta is handed them: profiles of domains, and the past of an agent.

use std::collections::BTreeMap;

use crate::model::build::BuildError;
use crate::model::five_factor::settings::{FiveFactorSettings, ProfileSettings, TrustSettings, fault};
use crate::upstream::attesta::Attesta;
use crate::upstream::attesta::domain::{self, Condition, Escalation, Profile, RiskPattern};
use crate::upstream::attesta::level::Level;
use crate::upstream::attesta::trust::{GENERAL, History, Record, TrustParameters};
use crate::upstream::python::pattern::{Pattern, PatternError};
use crate::yaml;

/// The built-in profiles of domains, as text. Source: the presets of Attesta at 4b6a8de1.
const PROFILES: [(&str, &str); 2] = [
    ("data-pipeline", include_str!("../../../patterns/profiles/data-pipeline.yaml")),
    ("devops", include_str!("../../../patterns/profiles/devops.yaml")),
];

/// Attesta with its settings.
///
/// # Errors
///
/// When there is no such profile, a pattern is none, or a number is out of its range.
pub fn attesta(settings: &FiveFactorSettings) -> Result<Attesta, BuildError> {
    let profile = settings.profile.as_deref().map(|name| named_profile(name, &settings.profiles)).transpose()?;
    Ok(Attesta {
        environment: settings.environment.clone(),
        level: settings.risk_override.map(Level::from),
        allows_hint: settings.allow_hint_override,
        profile,
        trust: settings.trust.as_ref().map(history).transpose()?,
    })
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
