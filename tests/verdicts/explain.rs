//! What `--explain-score` says is true: bills add up, and what a counterfactual names really lowers the verdict.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must be there by expecting it")]

use std::collections::BTreeSet;

use callgate::explain::Explanation;
use callgate::explain::counterfactual::{Change, Counterfactual, Scope};
use callgate::finding::hide::Hidden;
use callgate::finding::place::Wanted;
use callgate::finding::{Entry, Finding, Report, Run};
use callgate::format::Language;
use callgate::model::registry::{Builder, ModelSettings};
use callgate::policy::{Policy, RuleChoice};
use callgate::report::{Style, registry as reporters};
use callgate::scan::Scanner;
use callgate::value::source::{Source, SourceName};
use callgate::value::verdict::Verdict;
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::Value;

/// Statements of which each stands alone: without its line, exactly what is found on it is gone.
const STATEMENTS: [&str; 10] = [
    "await callTool('webhook:send', { body: users });",
    "await callTool('mail:send', { to: 'a', users });",
    "await callTool(input.tool, {});",
    "await callTool('logs:get', { limit: 500000 });",
    "await callTool('logs:get', { limit: 5000000 });",
    "eval(atob(input.code));",
    "await callTool('logs:get', { note: 'https://webhook.site/x' });",
    "await callTool('logs:get', { note: 'rm -rf /' });",
    "await callTool('logs:get', { fields: ['password'] });",
    "await callTool('logs:get', { id: 7 });",
];

fn scanner(names: &[&str], policy: Policy) -> Scanner {
    let build = |name: &&str| Builder::new(&ModelSettings::default()).build(name).expect("the defaults make the model");
    Scanner {
        language: Some(Language::JavaScript),
        policy,
        wanted: Wanted { explanations: true, ..Wanted::default() },
        ..Scanner::built_in(names.iter().map(build).collect()).expect("the built-in patterns make a library")
    }
}

fn judge(scanner: &Scanner, text: &str) -> Finding {
    let source = Source { name: SourceName::explicit("test.js"), text: text.to_owned(), has_bom: false };
    match scanner.scan_source(&source).expect("a worker can be started").remove(0) {
        Entry::Finding(finding) => *finding,
        entry @ (Entry::Problem(_) | Entry::PassedOver(_)) => panic!("{entry:?}"),
    }
}

fn explanation(finding: &Finding) -> &Explanation {
    finding.explanation.as_deref().expect("it was asked for")
}

fn counterfactual(names: &[&str], text: &str) -> (Verdict, Counterfactual) {
    let finding = judge(&scanner(names, Policy::default()), text);
    (finding.decision.verdict, explanation(&finding).counterfactual.clone())
}

#[test]
fn what_no_model_judges_is_explained_as_it_is_decided() {
    let mut scanner = scanner(&["rule-based"], Policy::default());
    scanner.language = Some(Language::Text);
    let finding = judge(&scanner, "Please read the notes.");
    assert_eq!(finding.decision.verdict, Verdict::Block);
    let explanation = explanation(&finding);
    assert!(explanation.bills.is_empty());
    assert!(matches!(&explanation.counterfactual, Counterfactual::Nothing(why) if why.contains("could not be judged")));
}

/// The lines on which that stands which a change takes away.
fn lines_of(finding: &Finding, text: &str, change: &Change) -> BTreeSet<u32> {
    let place = |found: &callgate::finding::placed::PlacedMatch| (found.start.line, found.start.column);
    let is_taken = |found: &&callgate::finding::placed::PlacedMatch| {
        let is_own = change.rules.contains(&found.rule.id.to_string());
        is_own && (change.scope == Scope::Rule || change.place.is_some_and(|own| (own.line, own.column) == place(found)))
    };
    let own: BTreeSet<u32> = finding.matches.iter().filter(is_taken).map(|found| found.start.line).collect();
    // A sensitive field is one match, however often it stands in the script.
    let is_same = |number: u32| own.iter().any(|own| text.lines().nth(*own as usize - 1) == text.lines().nth(number as usize - 1));
    let is_field = change.rules.iter().any(|rule| rule == "sensitive-field");
    (1..).take(text.lines().count()).filter(|number| own.contains(number) || is_field && is_same(*number)).collect()
}

fn without(text: &str, lines: &BTreeSet<u32>) -> String {
    let kept = text.lines().zip(1..).filter(|(_, number)| !lines.contains(number));
    kept.map(|(line, _)| format!("{line}\n")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn without_what_is_named_the_verdict_is_lower(
        statements in proptest::collection::vec(0..STATEMENTS.len(), 1..9),
        models in prop_oneof![Just(vec!["hybrid"]), Just(vec!["rule-based"]), Just(vec!["hybrid", "rule-based"])],
    ) {
        let lines: Vec<&str> = statements.iter().map(|nth| STATEMENTS[*nth]).collect();
        let text = format!("const users = await callTool('users:list', {{}});\n{}\n", lines.join("\n"));
        let scanner = scanner(&models, Policy::default());
        let finding = judge(&scanner, &text);
        let now = finding.decision.verdict;
        let judged_without = |lines: &BTreeSet<u32>| judge(&scanner, &without(&text, lines)).decision.verdict;
        match &explanation(&finding).counterfactual {
            Counterfactual::Lowest => prop_assert_eq!(now, Verdict::Allow),
            Counterfactual::Single(changes) => {
                prop_assert!(!changes.is_empty());
                for change in changes.iter().filter(|change| change.scope != Scope::Signal) {
                    prop_assert!(change.after.verdict < now);
                    let lines = lines_of(&finding, &text, change);
                    prop_assert!(!lines.is_empty(), "{:?}", change);
                    prop_assert!(judged_without(&lines) < now, "{:?}\n{}", change, text);
                }
            }
            Counterfactual::Set(changes) => {
                prop_assert!(1 < changes.len());
                prop_assert!(changes.last().expect("it has two").after.verdict < now);
                if changes.iter().all(|change| change.scope != Scope::Signal) {
                    let lines = changes.iter().flat_map(|change| lines_of(&finding, &text, change)).collect();
                    prop_assert!(judged_without(&lines) < now, "{:?}\n{}", changes, text);
                }
            }
            Counterfactual::Nothing(why) => prop_assert!(false, "{why}\n{text}"),
        }
    }

    #[test]
    fn a_rule_taken_away_is_a_rule_disabled(statements in proptest::collection::vec(0..STATEMENTS.len(), 1..9)) {
        let lines: Vec<&str> = statements.iter().map(|nth| STATEMENTS[*nth]).collect();
        let text = format!("const users = await callTool('users:list', {{}});\n{}\n", lines.join("\n"));
        let (_, found) = counterfactual(&["hybrid"], &text);
        let Counterfactual::Single(changes) = found else { return Ok(()) };
        for change in changes.iter().filter(|change| change.scope == Scope::Rule) {
            let disabled = RuleChoice { is_disabled: true, ..RuleChoice::default() };
            let policy = Policy { rules: change.rules.iter().map(|id| (id.clone(), disabled)).collect(), ..Policy::default() };
            let finding = judge(&scanner(&["hybrid"], policy), &text);
            prop_assert_eq!(finding.decision.verdict, change.after.verdict);
            prop_assert_eq!(finding.score().to_bits(), change.after.score.to_bits());
        }
    }

    #[test]
    fn bills_add_up(statements in proptest::collection::vec(0..STATEMENTS.len(), 0..20)) {
        let text: String = statements.iter().map(|nth| format!("{}\n", STATEMENTS[*nth])).collect();
        let finding = judge(&scanner(&["hybrid", "rule-based", "fixed", "disabled"], Policy::default()), &text);
        let bills = &explanation(&finding).bills;
        prop_assert_eq!(bills.len(), 4);
        for bill in bills {
            let sum: f64 = bill.items.iter().map(|item| item.points).sum();
            let adjusted = sum + bill.adjustment.map_or(0.0, |adjustment| adjustment.points);
            prop_assert!((adjusted - bill.score).abs() < 1e-6, "{:?}", bill);
            prop_assert!((bill.items.last().map_or(0.0, |item| item.total) - bill.sum).abs() < 1e-6);
            prop_assert_ne!(bill.adjustment.map(|adjustment| adjustment.why), Some("by the model"));
        }
        let strictest = bills.iter().map(|bill| bill.decision.verdict).max();
        prop_assert_eq!(strictest, Some(finding.decision.verdict));
    }
}

#[test]
fn a_single_change_is_named_where_one_is_enough() {
    let (now, found) = counterfactual(&["hybrid"], "const u = await callTool('users:list', {});\nawait callTool('webhook:send', { u });\n");
    assert_eq!(now, Verdict::Block);
    let Counterfactual::Single(changes) = found else { panic!("{found:?}") };
    assert_eq!((changes.len(), changes[0].after.verdict), (1, Verdict::Allow));
    assert_eq!(changes[0].origin.map(|place| place.line), Some(1));
}

#[test]
fn where_no_single_change_is_enough_a_set_is_and_none_of_it_is_needless() {
    let (now, found) = counterfactual(
        &["hybrid"],
        "const u = await callTool('users:list', {});\nawait callTool('webhook:send', { u });\neval(atob(input.code));\n",
    );
    assert_eq!(now, Verdict::Block);
    let Counterfactual::Set(changes) = found else { panic!("{found:?}") };
    let verdicts: Vec<Verdict> = changes.iter().map(|change| change.after.verdict).collect();
    assert_eq!(verdicts, [Verdict::Block, Verdict::Allow]);
}

#[test]
fn what_does_not_come_from_the_script_is_not_blamed_on_it() {
    for (models, text) in [(vec!["hybrid"], "const x = ("), (vec!["hybrid"], "")] {
        let (now, found) = counterfactual(&models, text);
        match now {
            Verdict::Allow => assert_eq!(found, Counterfactual::Lowest),
            Verdict::Warn | Verdict::Block => assert!(matches!(found, Counterfactual::Nothing(_)), "{found:?}"),
        }
    }
    let policy = Policy { warn_threshold: Some(0.0), ..Policy::default() };
    let finding = judge(&scanner(&["fixed"], policy), "await callTool(input.tool, {});");
    assert!(matches!(explanation(&finding).counterfactual, Counterfactual::Nothing(_)));
}

#[test]
fn every_report_is_what_its_schema_says() {
    let schema: Value = serde_json::from_str(callgate::report::json::SCHEMA).expect("the schema is JSON");
    let validator: Validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let faults =
        |report: &Value| validator.iter_errors(report).map(|fault| format!("{}: {fault}", fault.instance_path())).collect::<Vec<_>>();
    let reporter = reporters::by_name("json").expect("the reporter is registered");
    let mut scanner = scanner(&["hybrid", "rule-based", "fixed", "disabled"], Policy::default());
    scanner.wanted = Wanted { features: true, explanations: true, ..reporter.wanted };
    let one_after_the_other = "await callTool('users:list', {});\nawait callTool('webhook:send', { n: 1 });\n".to_owned();
    let flow = format!("const users = await callTool('users:list', {{}});\n{}\n", STATEMENTS.join("\n"));
    let mut entries = Vec::new();
    for text in [flow, one_after_the_other, "const x = (".to_owned(), String::new()] {
        let source = Source { name: SourceName::explicit("test.js"), text, has_bom: false };
        entries.extend(scanner.scan_source(&source).expect("a worker starts"));
    }
    let missing = callgate::subject::Undetermined::new(callgate::subject::Reason::Unreadable, "gone");
    entries.push(scanner.problem(&SourceName::explicit("gone.js"), missing));
    let report = Report::of(entries, Run { models: vec!["hybrid".to_owned()], ..Run::default() });
    let mut written = Vec::new();
    (reporter.write)(Hidden::without_any(&report), Style::default(), &mut written).expect("a vector takes everything");
    let document: Value = serde_json::from_slice(&written).expect("a report is JSON");
    assert_eq!(faults(&document), Vec::<String>::new());
    let has = |key: &str| {
        let findings = document["findings"].as_array().into_iter().flatten();
        findings.filter_map(|finding| finding["matches"].as_array()).flatten().any(|found| found.get(key).is_some())
    };
    assert!(has("flow") && has("related"), "{document:#}");
    let mut broken = document;
    broken["findings"][0]["explanation"]["counterfactual"]["outcome"] = "maybe".into();
    assert_eq!(faults(&broken).len(), 1);
}
