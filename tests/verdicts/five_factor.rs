//! The five-factor model on whole scripts, and its settings.

#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use callgate::model::five_factor::settings::FiveFactorSettings;
use callgate::model::registry::{Builder, ModelSettings};
use callgate::value::verdict::{Action, Verdict};

use crate::judge::judge;

fn with(settings: &str) -> ModelSettings {
    let five_factor: FiveFactorSettings = callgate::yaml::read(settings).expect("the settings are right");
    ModelSettings { five_factor, ..ModelSettings::default() }
}

/// Score, level and challenge of a script.
fn opinion(settings: &ModelSettings, script: &str) -> (f64, String, &'static str) {
    let finding = judge("five-factor", settings, script);
    let evaluation = &finding.evaluations[0];
    let level = evaluation.level.as_deref().expect("it has levels").to_owned();
    (evaluation.score.value(), level, evaluation.challenge.expect("it asks for a challenge"))
}

const WORKED_EXAMPLE: &str =
    "/** Permanently remove a user account. */\nawait callTool('delete_user', { id: 'usr_123', env: 'production' });\n";

#[test]
fn the_worked_example_is_0_720_high_and_asks_for_a_quiz() {
    let finding = judge("five-factor", &ModelSettings::default(), WORKED_EXAMPLE);
    let evaluation = &finding.evaluations[0];
    assert_eq!(evaluation.score.value().to_bits(), 72.0_f64.to_bits());
    assert_eq!((evaluation.level.as_deref(), evaluation.challenge), (Some("high"), Some("quiz")));
    assert_eq!((evaluation.action, finding.decision.verdict), (Some(Action::Confirm), Verdict::Warn));
    let points: Vec<(&str, f64)> = evaluation.signals.iter().map(|signal| (signal.id.as_str(), signal.score)).collect();
    assert_eq!(points, [("function_name", 28.5), ("arguments", 17.5), ("docstring", 17.0), ("hints", 0.0), ("novelty", 9.0)]);
}

#[test]
fn the_verdict_follows_the_challenge_and_can_be_chosen() {
    let critical = "/**\n * @destructive\n * @irreversible\n * @hint rows 10000\n * Permanently removes all.\n */\nawait callTool('purge_all', { password: 'x', url: 'http://x' });";
    let medium = "await callTool('delete_user', { id: 'x' });";
    let low = "await callTool('users:list', {});";
    for (settings, script, expected) in [
        ("{}", low, Verdict::Allow),
        ("{}", medium, Verdict::Warn),
        ("{}", WORKED_EXAMPLE, Verdict::Warn),
        ("{}", critical, Verdict::Block),
        ("{challenges: {auto-approve: warn}}", low, Verdict::Warn),
        ("{challenges: {confirm: allow}}", medium, Verdict::Allow),
        ("{challenges: {confirm: allow}}", WORKED_EXAMPLE, Verdict::Warn),
        ("{challenges: {quiz: block}}", WORKED_EXAMPLE, Verdict::Block),
        ("{challenges: {multi-party: confirm}}", critical, Verdict::Warn),
        ("{edition: upstream, challenges: {quiz: block}}", WORKED_EXAMPLE, Verdict::Block),
    ] {
        let finding = judge("five-factor", &with(settings), script);
        assert_eq!(finding.decision.verdict, expected, "{settings} {script}");
    }
}

#[test]
fn scripts_are_as_risky_as_their_worst_call() {
    for (script, expected) in [
        ("const a = 1;", (0.0, "low", "auto-approve")),
        ("await callTool('users:list', {});", (14.0, "low", "auto-approve")),
        ("await callTool('users:list', {}); await callTool('delete_user', { id: 'x' });", (40.75, "medium", "confirm")),
        // The name is folded, the list of words is one command line.
        ("const d = 'delete'; await callTool(d + '_user', { argv: ['sudo', 'x'] });", (62.0, "high", "quiz")),
        ("await callTool(input.tool, {});", (26.0, "low", "auto-approve")),
        // The second and third call of one function are less novel than the first.
        ("await callTool('get_a'); await callTool('get_a'); await callTool('get_a');", (14.0, "low", "auto-approve")),
        // Host APIs are calls too: a script that only uses them does not score nothing.
        ("require('child_process').exec('sudo rm -rf /');", (52.25, "medium", "confirm")),
        (
            "/**\n * @destructive\n * @irreversible\n * @hint rows 10000\n * Permanently removes all.\n */\nawait callTool('purge_all', { password: 'x', url: 'http://x' });",
            (90.75, "critical", "multi-party"),
        ),
    ] {
        let (score, level, challenge) = opinion(&ModelSettings::default(), script);
        assert_eq!((score, level.as_str(), challenge), expected, "{script}");
    }
}

#[test]
fn every_call_is_listed_with_its_place() {
    let script = "await callTool('users:list', {}); await callTool('delete_user', { id: 'x' }); await callTool('send_mail', {});";
    let finding = judge("five-factor", &ModelSettings::default(), script);
    let evaluation = &finding.evaluations[0];
    let others: Vec<&str> = evaluation.signals.iter().skip(5).map(|signal| signal.id.as_str()).collect();
    assert_eq!(others, ["send_mail", "users:list"]);
    let sum: f64 = evaluation.signals.iter().map(|signal| signal.score).sum();
    assert!((sum - evaluation.score.value()).abs() < 1e-9, "{sum}");
    assert!(evaluation.signals[5].description.starts_with("27.5 points, low, auto-approve; function_name 0.55: "));
    assert!(evaluation.signals.iter().all(|signal| signal.span.is_some()));
}

#[test]
fn the_upstream_edition_scores_as_the_release_does() {
    for (settings, expected) in [
        ("edition: upstream", (61.6, "high", "quiz")),
        ("{edition: upstream, environment: ci}", (77.0, "high", "quiz")),
        ("{edition: upstream, environment: production}", (100.0, "critical", "multi-party")),
        ("{edition: upstream, environment: Production}", (77.0, "high", "quiz")),
        ("{edition: upstream, risk_override: low}", (15.0, "low", "auto-approve")),
        (
            "{edition: upstream, environment: ci, profile: devops, profiles: {devops: {safe_actions: ['delete_*']}}}",
            (15.0, "low", "auto-approve"),
        ),
        ("{edition: upstream, environment: ci, profile: devops}", (93.1, "critical", "multi-party")),
        ("{edition: upstream, environment: ci, trust: {history: [{days_ago: 0, outcome: success, domain: ci}]}}", (67.76, "high", "quiz")),
        ("{edition: upstream, environment: ci, trust: {}}", (81.62, "critical", "multi-party")),
    ] {
        let (score, level, challenge) = opinion(&with(settings), WORKED_EXAMPLE);
        assert_eq!((score, level.as_str(), challenge), expected, "{settings}");
    }
}

#[test]
fn settings_out_of_range_are_refused_where_they_stand() {
    let faults = callgate::yaml::read::<FiveFactorSettings>("{edition: upstream, trust: {ceiling: 2}}").expect_err("it is too high");
    let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["1:38: `ceiling` is 2; it must be from 0 to 1"]);
}

#[test]
fn settings_that_make_no_model_are_told() {
    for (settings, word, message) in [
        ("environment: production", "environment", "`environment` is a setting of the upstream edition"),
        ("trust: {}", "trust", "`trust` is a setting of the upstream edition"),
        ("{edition: upstream, profile: devop}", "devop", "there is no profile `devop`"),
        (
            "{edition: upstream, profile: p, profiles: {p: {risk_patterns: [{name: a, pattern: '(', risk_contribution: 1}]}}}",
            "(",
            "`(` is no pattern",
        ),
        ("{edition: upstream, profile: p, profiles: {p: {sensitive_terms: {a: 2}}}}", "a", "`a` is 2, but must lie between 0 and 1"),
        ("{edition: upstream, profile: p, profiles: {p: {escalation_rules: [{condition: x, action: block}]}}}", "x", "`x` is no condition"),
    ] {
        let settings = with(settings);
        let error = Builder::new(&settings).build("five-factor").err().expect("it is no model");
        assert_eq!(error.word, word);
        assert!(error.message.starts_with(&format!("five-factor: {message}")), "{}", error.message);
    }
}

#[test]
fn unknown_settings_are_told_with_their_place() {
    let faults = callgate::yaml::read::<FiveFactorSettings>("edition: upstream\ntrust:\n  historie: []\n").expect_err("it is no setting");
    assert_eq!((faults[0].line, faults[0].column), (3, 3), "{faults:?}");
    let past = "edition: upstream\ntrust: {history: [{days_ago: -1, outcome: denied}]}\n";
    let faults = callgate::yaml::read::<FiveFactorSettings>(past).expect_err("nothing was in the future");
    assert_eq!((faults[0].line, faults[0].column), (2, 30), "{faults:?}");
}
