//! What makes the gate milder than its defaults, in the settings and on the command line, each in words. Every report tells it.

use std::collections::{BTreeMap, BTreeSet};

use crate::cli::args::{InputArgs, JudgementArgs};
use crate::cli::config::{Config, DialectName, LimitsConfig, RuleConfig};
use crate::cli::exit::FailOn;
use crate::cli::own;
use crate::cli::usage;
use crate::format::Language;
use crate::model::registry as models;
use crate::policy::{BLOCK_THRESHOLD, WARN_THRESHOLD};
use crate::value::limits::Limits;
use crate::value::severity::Severity;
use crate::value::verdict::{Action, Verdict};

/// Everything that makes a run milder. `judging` are the models that judge, and None where models are only compared; `weighing` are
/// all that are asked, with their parts. What the command line says takes the place of what the settings say.
pub fn of(
    config: &Config,
    input: &InputArgs,
    judgement: &JudgementArgs,
    judging: Option<&[String]>,
    weighing: &BTreeSet<String>,
) -> Vec<String> {
    let mut loosened = of_models(config, judging);
    loosened.extend(of_thresholds(config, judgement, weighing));
    loosened.extend(of_undetermined(config, judgement));
    for (action, verdict) in config.verdicts.chosen() {
        if verdict < action.verdict() {
            loosened.push(format!("verdicts.{action}: {verdict}"));
        }
    }
    loosened.extend(of_rules(&config.rules));
    loosened.extend(judgement.disable.iter().map(|id| format!("--disable {id}")));
    loosened.extend(of_input(config, input));
    // What servers say of their tools is only weighed by these.
    let are_hints_weighed = usage::any_heeds("tools", weighing);
    loosened.extend(input.tools.iter().filter(|_| are_hints_weighed).map(|file| format!("--tools {}", file.display())));
    loosened.extend(own::loosened(config));
    loosened.extend(config.trusted.iter().map(|entry| format!("trusted: {entry}")));
    loosened.extend(of_limits(&config.limits));
    loosened.extend(config.model_settings.loosened());
    loosened
}

/// What lets a run end with success that would not by default.
pub fn of_exit(exit_zero: bool, typed: Option<FailOn>, configured: Option<FailOn>) -> Option<String> {
    let milder = |fail_on: FailOn| match fail_on {
        FailOn::Warn => None,
        FailOn::Block => Some("block"),
        FailOn::Never => Some("never"),
    };
    match (exit_zero, typed, configured) {
        (true, ..) => Some("--exit-zero".to_owned()),
        (false, Some(typed), _) => milder(typed).map(|name| format!("--fail-on {name}")),
        (false, None, configured) => configured.and_then(milder).map(|name| format!("fail_on: {name}")),
    }
}

/// Beside the usual model any other only makes it stricter, as the strictest opinion stands.
fn of_models(config: &Config, judging: Option<&[String]>) -> Vec<String> {
    let Some(judging) = judging.filter(|names| !names.iter().any(|name| name == models::DEFAULT)) else { return Vec::new() };
    let is_configured = |name: &String| config.models.iter().flatten().any(|configured| configured == name);
    // The programs of the settings judge whatever is chosen.
    let chosen = judging.iter().filter(|name| models::by_name(name).is_none_or(|model| !model.joins_programs));
    chosen.map(|name| if is_configured(name) { format!("models: {name}") } else { format!("--model {name}") }).collect()
}

/// A threshold makes a model milder only if the model decides by it.
fn of_thresholds(config: &Config, judgement: &JudgementArgs, weighing: &BTreeSet<String>) -> Vec<String> {
    if !usage::any_decides_by_thresholds(weighing) {
        return Vec::new();
    }
    let pairs = [
        ("warn", judgement.warn_threshold, config.warn_threshold, WARN_THRESHOLD),
        ("block", judgement.block_threshold, config.block_threshold, BLOCK_THRESHOLD),
    ];
    let milder = |(name, typed, configured, usual): (&str, Option<f64>, Option<f64>, f64)| match (typed, configured) {
        (Some(typed), _) => (usual < typed).then(|| format!("--{name}-threshold {typed}")),
        (None, Some(configured)) => (usual < configured).then(|| format!("{name}_threshold: {configured}")),
        (None, None) => None,
    };
    pairs.into_iter().filter_map(milder).collect()
}

fn of_undetermined(config: &Config, judgement: &JudgementArgs) -> Option<String> {
    if judgement.fail_open {
        return Some("--fail-open".to_owned());
    }
    let configured = config.on_undetermined.map_or(Verdict::Block, Verdict::from);
    match judgement.on_undetermined {
        Some(typed) => (typed < Verdict::Block).then(|| format!("--on-undetermined {typed}")),
        None => (configured < Verdict::Block).then(|| format!("on_undetermined: {configured}")),
    }
}

/// A severity or action that is chosen stands for each of a rule's hits, however bad it is, so only the strictest is never milder.
pub fn of_rules(rules: &BTreeMap<String, RuleConfig>) -> Vec<String> {
    let mut words = Vec::new();
    for (id, choice) in rules {
        words.extend((choice.enabled == Some(false)).then(|| format!("rules.{id}: disabled")));
        let severity = choice.severity.map(Severity::from).filter(|severity| *severity < Severity::Critical);
        words.extend(severity.map(|severity| format!("rules.{id}.severity: {severity}")));
        let action = choice.action.map(Action::from).filter(|action| *action < Action::Block);
        words.extend(action.map(|action| format!("rules.{id}.action: {action}")));
    }
    words
}

/// What is read in another way than it would be, or not at all.
fn of_input(config: &Config, input: &InputArgs) -> Vec<String> {
    let mut words = Vec::new();
    match (input.dialect, config.dialect) {
        (Some(DialectName::Node), _) => words.push("--dialect node".to_owned()),
        (None, DialectName::Node) => words.push("dialect: node".to_owned()),
        (Some(DialectName::Auto | DialectName::AgentScript), _) | (None, DialectName::Auto | DialectName::AgentScript) => {}
    }
    // What runs is not followed where it is taken for prose. Standard input has no other name for its kind.
    let is_stdin_alone = input.paths.iter().all(|path| path.as_os_str() == "-") && !input.paths.is_empty();
    if input.language == Some(Language::Text) && !is_stdin_alone {
        words.push("--language text".to_owned());
    }
    words.extend(config.calls.iter().map(|call| format!("calls: {call}")));
    words.extend(config.exclude.iter().map(|glob| format!("exclude: {glob}")));
    words.extend(input.exclude.iter().map(|glob| format!("--exclude {glob}")));
    words
}

/// What passes a limit is undetermined, and blocked by default; but of matches fewer are weighed.
fn of_limits(config: &LimitsConfig) -> Vec<String> {
    let LimitsConfig { file_size, nesting, chain, nodes, fuel, calls, segments, matches } = *config;
    let usual = Limits::default();
    let raised = [
        ("file_size", file_size, usual.file_size),
        ("nesting", nesting.map(u64::from), u64::from(usual.nesting)),
        ("chain", chain.map(u64::from), u64::from(usual.chain)),
        ("nodes", nodes.map(u64::from), u64::from(usual.nodes)),
        ("fuel", fuel.map(u64::from), u64::from(usual.fuel)),
        ("calls", calls.map(u64::from), u64::from(usual.calls)),
        ("segments", segments.map(u64::from), u64::from(usual.segments)),
    ];
    let above = |(name, chosen, usual): (&str, Option<u64>, u64)| {
        chosen.filter(|chosen| usual < *chosen).map(|chosen| format!("limits.{name}: {chosen}"))
    };
    let fewer = matches.filter(|matches| *matches < usual.matches).map(|matches| format!("limits.matches: {matches}"));
    raised.into_iter().filter_map(above).chain(fewer).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::args::{Args, Command};
    use crate::yaml;

    fn loosened(text: &str, words: &[&str]) -> Vec<String> {
        let config: Config = yaml::read(text).expect("it is right");
        let args = Args::try_parse_from(["callgate", "scan"].iter().chain(words)).expect("it is a command line");
        let Command::Scan(scan) = args.command else { return Vec::new() };
        let judging = if scan.model.is_empty() { config.models.clone().unwrap_or(vec!["hybrid".to_owned()]) } else { scan.model.clone() };
        of(&config, &scan.input, &scan.judgement, Some(&judging), &judging.iter().cloned().collect())
    }

    #[test]
    fn what_loosens_the_gate_is_told() {
        let text = "on_undetermined: allow\nrules: {loop-fan-out: {enabled: false, severity: critical, action: confirm}}\nexclude: ['*.min.js']\nverdicts: {block: warn, log: block}\nwarn_threshold: 20\ncalls: [run]\ntrusted: [acme.com]\ntools: {'crm:*': {does: sends, inside: true}, 'a:b': {inside: false}, 'c:d': {sensitivity: internal}}\nlimits: {file_size: 9000000, nodes: 10, matches: 3}\nmodel_settings: {hybrid: {score_override_threshold: 99, weights: {high: 10, low: 3}, diminishing: 0.5}, numeric: {dangerous_threshold: 50}, categorical: {actions: {secrets: {high: log, low: block}, money: {high: warn}}}, weighted-category: {high: 10}, rule-based: {edition: upstream}}\n";
        assert_eq!(
            loosened(text, &[]),
            [
                "on_undetermined: allow",
                "verdicts.block: warn",
                "rules.loop-fan-out: disabled",
                "rules.loop-fan-out.action: confirm",
                "calls: run",
                "exclude: *.min.js",
                "tools.c:d: internal",
                "tools.crm:*: send",
                "tools.crm:*: inside",
                "trusted: acme.com",
                "limits.file_size: 9000000",
                "limits.matches: 3",
                "model_settings.hybrid.score_override_threshold: 99",
                "model_settings.hybrid.weights.high: 10",
                "model_settings.hybrid.diminishing: 0.5",
                "model_settings.rule-based.edition: upstream",
                "model_settings.numeric.dangerous_threshold: 50",
                "model_settings.categorical.actions.money.high: warn",
                "model_settings.categorical.actions.secrets.high: log",
                "model_settings.weighted-category.high: 10",
            ]
        );
    }

    #[test]
    fn the_command_line_is_told_too_and_takes_the_place_of_the_settings() {
        for (text, words, expected) in [
            ("", &["--fail-open"][..], &["--fail-open"][..]),
            ("on_undetermined: allow", &["--on-undetermined", "block"], &[]),
            ("", &["--on-undetermined", "warn"], &["--on-undetermined warn"]),
            ("", &["--disable", "eval", "--exclude", "*.js"], &["--disable eval", "--exclude *.js"]),
            ("dialect: node", &["--dialect", "auto"], &[]),
            ("", &["--dialect", "node", "--language", "text"], &["--dialect node", "--language text"]),
            ("", &["--language", "typescript"], &[]),
            ("", &["-", "--language", "text"], &[]),
            ("", &["--tools", "tools.json"], &[]),
            ("models: [hybrid, five-factor]", &["--tools", "tools.json"], &["--tools tools.json"]),
            ("models: [tiered]", &[], &["models: tiered"]),
            ("models: [tiered, hybrid]", &[], &[]),
            ("models: [tiered]", &["--model", "numeric"], &["--model numeric"]),
            // hybrid decides by action, so a threshold never makes it milder.
            ("block_threshold: 90", &["--warn-threshold", "80"], &[]),
            ("block_threshold: 90", &["--model", "tiered"], &["--model tiered", "block_threshold: 90"]),
            ("block_threshold: 90", &["--model", "tiered", "--block-threshold", "60"], &["--model tiered"]),
        ] {
            assert_eq!(loosened(text, words), expected, "{text} {words:?}");
        }
    }

    #[test]
    fn what_only_changes_how_a_run_ends_is_told() {
        for (exit_zero, typed, configured, expected) in [
            (true, None, Some(FailOn::Block), Some("--exit-zero")),
            (false, Some(FailOn::Never), None, Some("--fail-on never")),
            (false, Some(FailOn::Warn), Some(FailOn::Never), None),
            (false, None, Some(FailOn::Block), Some("fail_on: block")),
            (false, None, None, None),
        ] {
            assert_eq!(of_exit(exit_zero, typed, configured).as_deref(), expected);
        }
    }
}
