//! The rule-based model: eight rules with fixed points, summed and capped.
//!
//! Two editions: `published` follows the published points on facts that callgate resolved itself;
//! `upstream` is the rule-based scorer of Enclave, which sees what stands in the script literally.

pub mod published;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::check::{
    bulk_operation, dynamic_tool, excessive_limit, exfiltration_sequence, extreme_value, loop_fan_out, sensitive_field, wildcard_query,
};
use crate::model::build::{BuildError, Builder, Known, Settings};
use crate::model::{Evaluation, Evidence, Method, Model, ModelError, Signal, enclave};
use crate::subject::Kind;
use crate::upstream::enclave::answer::Level;
use crate::upstream::enclave::{Scorer, evaluate};
use crate::value::score::Score;
use crate::yaml;

/// The model's name.
pub const NAME: &str = "rule-based";

/// Which description of a model is followed.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Edition {
    /// The published description, on facts that callgate resolved.
    #[default]
    Published,
    /// The released software, to the last digit.
    Upstream,
}

impl Edition {
    /// What makes the gate milder: what was released may find less than what is published.
    pub fn loosened(self) -> Option<String> {
        (self == Self::Upstream).then(|| "edition: upstream".to_owned())
    }
}

/// Settings of the rule-based model.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct RuleBasedSettings {
    /// Which description is followed; `published` if left out.
    pub edition: Edition,
    /// Points (0–100) of single rules of the published edition, by id (`EXFIL_PATTERN: 60`).
    #[schemars(with = "BTreeMap<String, Points>")]
    pub points: BTreeMap<String, f64>,
    /// Points (0–100) of the rules of analyzers, by id, in the order of the settings.
    #[serde(skip)]
    pub custom: Vec<(String, f64)>,
}

/// The points of a rule, as the schema tells them.
#[derive(JsonSchema)]
#[schemars(inline)]
#[expect(dead_code, reason = "only its schema is read")]
struct Points(#[schemars(range(min = 0, max = 100))] f64);

impl Settings for RuleBasedSettings {
    fn loosened(&self) -> Vec<String> {
        let points = self.points.iter().map(|(id, points)| format!("points.{id}: {points}"));
        points.chain(self.edition.loosened()).collect()
    }

    fn unknown(&self, _: &Known<'_>) -> Vec<BuildError> {
        let unknown = self.points.keys().filter(|id| !published::rule_ids().any(|known| known == id.as_str()));
        let fault = |id: &String| {
            let hint = yaml::nearest(id, published::rule_ids());
            BuildError { word: id.clone(), message: format!("the rule-based model has no rule `{id}`{hint}") }
        };
        unknown.map(fault).collect()
    }
}

/// The rule-based model.
pub struct RuleBased {
    settings: RuleBasedSettings,
}

impl RuleBased {
    /// The model with its settings.
    pub fn new(settings: RuleBasedSettings) -> Self {
        Self { settings }
    }

    /// The model with its settings, and with the rules of analyzers.
    pub fn build(settings: &RuleBasedSettings, builder: &Builder<'_>) -> Self {
        Self::new(RuleBasedSettings { custom: builder.points.clone(), ..settings.clone() })
    }

    /// The rules that hold, with their points.
    fn signals(&self, evidence: &Evidence<'_>) -> Result<Vec<Signal>, ModelError> {
        match self.settings.edition {
            Edition::Published => Ok(published::signals(evidence, &self.settings.points, &self.settings.custom)),
            Edition::Upstream => Ok(enclave::signals(evaluate(Scorer::RuleBased, enclave::script(evidence, NAME)?))),
        }
    }
}

/// The opinion that follows from signals: both editions add up their points.
fn weighed(signals: Vec<Signal>) -> Evaluation {
    let sum: f64 = signals.iter().map(|signal| signal.score).sum();
    let score = Score::clamped(sum);
    let level = Some(Level::of_total(score.value() as u32).name().into());
    Evaluation { level, signals, ..Evaluation::new(NAME, score) }
}

/// The check that looks for the same as a rule of either edition.
fn check_of(rule: &str) -> Option<&'static str> {
    let check = match rule {
        "SENSITIVE_FIELD" => &sensitive_field::CHECK,
        "EXCESSIVE_LIMIT" => &excessive_limit::CHECK,
        "WILDCARD_QUERY" => &wildcard_query::CHECK,
        "LOOP_TOOL_CALL" => &loop_fan_out::CHECK,
        "EXFIL_PATTERN" => &exfiltration_sequence::CHECK,
        "EXTREME_VALUE" => &extreme_value::CHECK,
        "DYNAMIC_TOOL" => &dynamic_tool::CHECK,
        "BULK_OPERATION" => &bulk_operation::CHECK,
        _ => return None,
    };
    Some(check.id)
}

impl Model for RuleBased {
    fn judges(&self, kind: Kind) -> bool {
        match kind {
            Kind::Script | Kind::ToolCall => true,
            Kind::ToolResult | Kind::Prompt | Kind::Manifest | Kind::Text => false,
        }
    }

    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        Ok(vec![weighed(self.signals(evidence)?)])
    }

    fn method(&self, _: &Evaluation) -> Method {
        let rule = match self.settings.edition {
            Edition::Published => "each rule that holds anywhere in the script adds its points once; the sum is capped at 100",
            Edition::Upstream => "each rule that holds adds points for how much it finds; the sum is capped at 100",
        };
        Method { rule: rule.to_owned(), reckoning: Vec::new(), asks: String::new(), override_above: None }
    }

    fn evaluate_without(&self, evidence: &Evidence<'_>, gone: &dyn Fn(&str) -> bool) -> Result<Vec<Evaluation>, ModelError> {
        let mut signals = self.signals(evidence)?;
        signals.retain(|signal| !gone(&signal.id) && !check_of(&signal.id).is_some_and(gone));
        Ok(vec![weighed(signals)])
    }
}
