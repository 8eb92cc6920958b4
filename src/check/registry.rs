//! All checks.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use crate::check::{
    Check, Context, app_tampering, back_door, bulk_operation, clipboard_swap, covert_channel, credential_interception, credential_sweep,
    destructive_call, destructive_over_result, download_and_run, dynamic_tool, environment_sweep, excessive_limit, exfiltration_flow,
    exfiltration_sequence, extreme_value, fan_out_over_result, harmful_command, hidden_tool_name, loop_fan_out, lure, mass_access,
    mass_read_then_send, money_movement, obfuscated_code, package_worm, paged_mass_read, persistence_write, privilege_grant, remote_code,
    resource_exhaustion, reverse_shell, sandbox_escape, script_host_persistence, secret_read, secret_to_network, sensitive_field,
    server_wipe, standing_order, tool_result_as_instructions, tool_result_to_command, unbounded_loop_call, wildcard_query,
};
use crate::knowledge::House;
use crate::meaning::Features;
use crate::rule::{Match, Rule};
use crate::subject::Subject;

/// All checks, in the order in which they run.
pub const CHECKS: &[Check] = &[
    exfiltration_flow::CHECK,
    mass_read_then_send::CHECK,
    secret_to_network::CHECK,
    secret_read::CHECK,
    covert_channel::CHECK,
    exfiltration_sequence::CHECK,
    remote_code::CHECK,
    tool_result_to_command::CHECK,
    tool_result_as_instructions::CHECK,
    destructive_over_result::CHECK,
    persistence_write::CHECK,
    standing_order::CHECK,
    lure::CHECK,
    fan_out_over_result::CHECK,
    loop_fan_out::CHECK,
    dynamic_tool::CHECK,
    excessive_limit::CHECK,
    extreme_value::CHECK,
    wildcard_query::CHECK,
    bulk_operation::CHECK,
    sensitive_field::CHECK,
    destructive_call::CHECK,
    harmful_command::CHECK,
    sandbox_escape::CHECK,
    resource_exhaustion::CHECK,
    privilege_grant::CHECK,
    money_movement::CHECK,
    mass_access::CHECK,
    paged_mass_read::CHECK,
    unbounded_loop_call::CHECK,
    hidden_tool_name::CHECK,
    credential_sweep::CHECK,
    environment_sweep::CHECK,
    credential_interception::CHECK,
    clipboard_swap::CHECK,
    app_tampering::CHECK,
    reverse_shell::CHECK,
    download_and_run::CHECK,
    package_worm::CHECK,
    script_host_persistence::CHECK,
    server_wipe::CHECK,
    back_door::CHECK,
    obfuscated_code::CHECK,
];

static RULES: LazyLock<Vec<Arc<Rule>>> = LazyLock::new(|| CHECKS.iter().map(|check| Arc::new(check.rule())).collect());

/// The rules of all checks, in the order of `CHECKS`.
pub fn rules() -> &'static [Arc<Rule>] {
    &RULES
}

/// Runs all checks on a subject.
pub fn run(subject: &Subject, features: &Features, house: &House) -> Vec<Match> {
    let does = !subject.calls.is_empty() || !subject.host_calls.is_empty();
    if !does && subject.hazards.is_empty() && subject.signs.is_empty() && subject.back_doors.is_empty() && subject.swapped.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Match> =
        CHECKS.iter().zip(rules()).flat_map(|(check, rule)| (check.run)(&Context { subject, features, house, rule })).collect();
    // A function that is called several times is judged for each call, and told once.
    let mut seen = HashSet::new();
    found.retain(|found| seen.insert((found.rule.id.clone(), found.span, found.severity, found.message.clone())));
    found
}
