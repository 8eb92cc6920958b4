//! Checks: rules that are code, over the calls, flows and features of a subject.
//!
//! A check is one file with one row in the registry.

pub mod bulk_operation;
pub mod dynamic_tool;
pub mod excessive_limit;
pub mod exfiltration_sequence;
pub mod extreme_value;
pub mod loop_fan_out;
pub mod registry;
pub mod resource_exhaustion;
pub mod sandbox_escape;
pub mod sensitive_field;
pub mod wildcard_query;

use std::sync::Arc;

use crate::feature::Features;
use crate::rule::{Match, Origin, Rule};
use crate::subject::Subject;
use crate::value::severity::Severity;
use crate::value::verdict::Action;

/// What a check looks at.
pub struct Context<'c> {
    /// The subject.
    pub subject: &'c Subject,
    /// Its features.
    pub features: &'c Features,
    /// The check's own rule, which its matches carry.
    pub rule: &'c Arc<Rule>,
}

/// A check, as it stands in the registry.
pub struct Check {
    /// Unique name, kebab-case.
    pub id: &'static str,
    /// What it is about.
    pub category: &'static str,
    /// How bad a hit is, unless the check says otherwise.
    pub severity: Severity,
    /// What a hit asks for, unless the check says otherwise.
    pub action: Action,
    /// Why it matters, in one sentence.
    pub why: &'static str,
    /// What to do about it, in one sentence.
    pub help: &'static str,
    /// A script that it finds.
    pub hit: &'static str,
    /// A script that differs only in what matters.
    pub miss: &'static str,
    /// Finds its matches.
    pub run: fn(&Context<'_>) -> Vec<Match>,
}

impl Check {
    /// The check as a rule.
    pub fn rule(&self) -> Rule {
        Rule {
            id: self.id.into(),
            origin: Origin::Check,
            category: self.category.into(),
            severity: self.severity,
            action: self.action,
            why: self.why.into(),
            help: self.help.into(),
            secret: false,
        }
    }
}
