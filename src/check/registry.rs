//! All checks.

use std::sync::{Arc, LazyLock};

use crate::check::{
    Check, Context, bulk_operation, destructive_call, dynamic_tool, excessive_limit, exfiltration_sequence, extreme_value, loop_fan_out,
    resource_exhaustion, sandbox_escape, sensitive_field, wildcard_query,
};
use crate::feature::Features;
use crate::rule::{Match, Rule};
use crate::subject::Subject;

/// All checks, in the order in which they run.
pub const CHECKS: &[Check] = &[
    exfiltration_sequence::CHECK,
    loop_fan_out::CHECK,
    dynamic_tool::CHECK,
    excessive_limit::CHECK,
    extreme_value::CHECK,
    wildcard_query::CHECK,
    bulk_operation::CHECK,
    sensitive_field::CHECK,
    destructive_call::CHECK,
    sandbox_escape::CHECK,
    resource_exhaustion::CHECK,
];

static RULES: LazyLock<Vec<Arc<Rule>>> = LazyLock::new(|| CHECKS.iter().map(|check| Arc::new(check.rule())).collect());

/// The rules of all checks, in the order of `CHECKS`.
pub fn rules() -> &'static [Arc<Rule>] {
    &RULES
}

/// Runs all checks on a subject.
pub fn run(subject: &Subject, features: &Features) -> Vec<Match> {
    if subject.calls.is_empty() && subject.host_calls.is_empty() && subject.hazards.is_empty() {
        return Vec::new();
    }
    CHECKS.iter().zip(rules()).flat_map(|(check, rule)| (check.run)(&Context { subject, features, rule })).collect()
}
