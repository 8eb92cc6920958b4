//! Checks: rules that are code, over the calls, flows and features of a subject.
//!
//! A check is one file with one row in the registry.

pub mod bulk_operation;
pub mod destructive_call;
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
use crate::subject::flow::Strength;
use crate::value::severity::Severity;
use crate::value::span::Span;
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

impl Context<'_> {
    /// A hit of this severity, with the action that goes with it.
    pub fn harm(&self, span: Span, severity: Severity) -> Match {
        let action = match severity {
            Severity::Low => Action::Log,
            Severity::Medium => Action::Warn,
            Severity::High => Action::Confirm,
            Severity::Critical => Action::Block,
        };
        Match::new(self.rule, span).with_severity(severity, action)
    }

    /// Returns true if and only if a tool call acts on what another one listed: on its elements in a loop,
    /// or on what is passed on from it.
    pub fn is_fed_by_listing(&self, call: usize) -> bool {
        let lists = |origin: usize| {
            let from = self.subject.origins.get(origin).and_then(|origin| origin.call?.tool());
            from.and_then(|from| self.features.calls.get(from)).is_some_and(|from| from.words.reads_many)
        };
        let over = self.subject.calls.get(call).map_or(&[][..], |call| &call.over);
        over.iter().any(|origin| lists(*origin))
            || self.subject.flows.iter().any(|flow| flow.sink.tool() == Some(call) && lists(flow.origin) && Strength::Bit < flow.strength)
    }
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
