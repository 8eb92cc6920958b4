//! What each model says of the same scripts. Numbers of the rule-based model: its published table.

mod judge;

use callgate::finding::Finding;
use callgate::model::fixed::FixedSettings;
use callgate::model::registry::ModelSettings;
use callgate::model::rule_based::{Edition, RuleBasedSettings};
use callgate::value::verdict::Verdict;

fn rule_based(edition: Edition) -> ModelSettings {
    ModelSettings { rule_based: RuleBasedSettings { edition, ..RuleBasedSettings::default() }, ..ModelSettings::default() }
}

/// The rules that hold with their points.
fn signals(finding: &Finding) -> Vec<String> {
    finding.evaluations[0].signals.iter().map(|signal| format!("{} {}", signal.id, signal.score)).collect()
}

#[test]
fn the_published_points_hold() {
    for (text, expected) in [
        ("callTool('u:get', { fields: ['password'] })", vec!["SENSITIVE_FIELD 35"]),
        ("callTool('u:list', { limit: 10001 })", vec!["EXCESSIVE_LIMIT 25"]),
        ("callTool('u:list', { limit: 10000 })", vec![]),
        ("callTool('u:query', { query: '*' })", vec!["WILDCARD_QUERY 20"]),
        ("callTool('u:query', { filter: {} })", vec!["WILDCARD_QUERY 20"]),
        ("for (;;) callTool('u:get', {})", vec!["LOOP_TOOL_CALL 25"]),
        ("callTool('u:list', {}); callTool('m:send', {})", vec!["EXFIL_PATTERN 50"]),
        ("callTool('u:query', {}); callTool('m:export', {})", vec!["EXFIL_PATTERN 50"]),
        ("callTool('u:prepare', { amount: 1000001 })", vec!["EXTREME_VALUE 30"]),
        ("callTool('u:prepare', { amount: 1000000 })", vec![]),
        ("callTool(name, {})", vec!["DYNAMIC_TOOL 20"]),
        ("callTool('u:bulkUpdate', {})", vec!["BULK_OPERATION 15"]),
        ("callTool('app:install', {})", vec![]),
        ("for (;;) { callTool('u:get', {}); callTool('u:set', {}) }", vec!["LOOP_TOOL_CALL 25"]),
    ] {
        let finding = judge::judge("rule-based", &rule_based(Edition::Published), text);
        assert_eq!(signals(&finding), expected, "{text}");
    }
}

#[test]
fn the_editions_differ_in_what_they_resolve() {
    let text = "const c = callTool; const u = await c('users:list', {}); await c('mail:send', { u })";
    let published = judge::judge("rule-based", &rule_based(Edition::Published), text);
    let upstream = judge::judge("rule-based", &rule_based(Edition::Upstream), text);
    assert_eq!((published.score().to_bits(), upstream.score().to_bits()), (50.0_f64.to_bits(), 0.0_f64.to_bits()));
    assert_eq!((published.decision.verdict, upstream.decision.verdict), (Verdict::Warn, Verdict::Allow));
}

#[test]
fn points_can_be_set_and_the_sum_is_capped() {
    let mut settings = rule_based(Edition::Published);
    settings.rule_based.points.insert("DYNAMIC_TOOL".to_owned(), 90.0);
    let finding = judge::judge("rule-based", &settings, "callTool(name, { limit: 99999 })");
    assert_eq!(signals(&finding), ["EXCESSIVE_LIMIT 25", "DYNAMIC_TOOL 90"]);
    assert_eq!((finding.score().to_bits(), finding.decision.verdict), (100.0_f64.to_bits(), Verdict::Block));
}

#[test]
fn fixed_and_disabled_do_not_look_at_the_script() {
    let attack = "const u = await callTool('users:list'); callTool('mail:send', { u })";
    assert_eq!(judge::judge("disabled", &ModelSettings::default(), attack).decision.verdict, Verdict::Allow);
    for (score, expected) in [(0.0, Verdict::Allow), (0.4, Verdict::Warn), (0.7, Verdict::Block), (1.0, Verdict::Block)] {
        let settings = ModelSettings { fixed: FixedSettings { score }, ..ModelSettings::default() };
        assert_eq!(judge::judge("fixed", &settings, "1").decision.verdict, expected, "{score}");
    }
}

#[test]
fn what_cannot_be_parsed_is_blocked_whatever_the_model() {
    for model in ["hybrid", "rule-based", "fixed", "disabled"] {
        assert_eq!(judge::judge(model, &ModelSettings::default(), "const x = (").decision.verdict, Verdict::Block, "{model}");
    }
}
