//! What the table shows of flows.

#![expect(clippy::expect_used, reason = "a test says what must be there by expecting it")]

use std::sync::Arc;

use callgate::finding::accepted::Accepted;
use callgate::finding::below::Below;
use callgate::finding::hide::Hidden;
use callgate::finding::place::{Placer, Wanted};
use callgate::finding::{Entry, Finding, Report, Run};
use callgate::policy::{Decision, DecisionReason};
use callgate::report::{Style, registry as reporters};
use callgate::rule::{Match, Origin, Rule};
use callgate::subject::flow::Step;
use callgate::subject::{Kind, Lifecycle, Subject};
use callgate::value::severity::Severity;
use callgate::value::source::SourceName;
use callgate::value::span::Span;
use callgate::value::verdict::{Action, Verdict};

const SCRIPT: &str = "const key = read('key');\nconst copy = key;\n\nsend(copy);\nconst other = read('other');\nsend(other);\n";

fn rule(id: &'static str) -> Arc<Rule> {
    Arc::new(Rule {
        id: id.into(),
        origin: Origin::Check,
        category: "exfiltration".into(),
        severity: Severity::High,
        action: Action::Confirm,
        why: "It matters.".into(),
        help: "Leave it.".into(),
        secret: false,
    })
}

fn span(needle: &str) -> Span {
    let at = SCRIPT.find(needle).expect("it is in the script");
    Span::from_offsets(at, at + needle.len())
}

fn flow(id: &'static str, places: &[&str]) -> Match {
    let steps: Vec<Step> = places.iter().map(|place| Step { span: span(place), note: format!("at `{place}`") }).collect();
    let sink = steps.last().expect("a flow has steps").span;
    Match::new(&rule(id), sink).with_message(format!("{id} says so")).with_steps(steps)
}

fn table(matches: Vec<Match>, style: Style) -> String {
    let wanted = Wanted { excerpts: true, all_steps: style.verbose, ..Wanted::default() };
    let subject = Subject::empty(Kind::Script, Lifecycle::PreToolCall);
    let placer = Placer::new(SCRIPT, false, matches.iter().map(|found| (&subject, found)), wanted);
    let view = placer.view(&subject);
    let finding = Finding {
        name: SourceName::walked("a.js"),
        kind: Kind::Script,
        lifecycle: Lifecycle::PreToolCall,
        record: None,
        matches: matches.into_iter().map(|found| view.place(found)).collect(),
        accepted: Accepted::default(),
        below: Below::default(),
        further_matches: 0,
        evaluations: Vec::new(),
        opinions: Vec::new(),
        decision: Decision {
            verdict: Verdict::Warn,
            reason: DecisionReason::Severity,
            action: Action::Confirm,
            rule: None,
            cumulative: None,
        },
        undetermined: None,
        features: None,
        explanation: None,
        text_hash: None,
        tenant: None,
        trail: None,
        stream_line: None,
        secrets: Vec::new(),
    };
    let report = Report::of(vec![Entry::Finding(Box::new(finding))], Run::default());
    let mut written = Vec::new();
    (reporters::by_name("table").expect("the reporter is registered").write)(Hidden::without_any(&report), style, &mut written)
        .expect("a vector takes all");
    String::from_utf8(written).expect("a table is text")
}

#[test]
fn a_flow_is_drawn_once_whatever_rules_find_it() {
    let places = ["read('key')", "copy", "send(copy)"];
    let matches = || vec![flow("first", &places), flow("second", &places), flow("third", &["read('other')", "send(other)"])];
    let text = table(matches(), Style { width: 100, ..Style::default() });
    assert_eq!(text.matches("1. at `read('key')`").count(), 1, "{text}");
    assert_eq!(text.matches("at `read('other')`").count(), 1, "{text}");
    assert!(text.contains("also:\n  high     second"), "{text}");
    let text = table(matches(), Style { width: 100, verbose: true, ..Style::default() });
    assert_eq!(text.matches("1. at `read('key')`").count(), 2, "{text}");
}

#[test]
fn both_ends_are_drawn_however_many_steps_lie_between() {
    let between = ["key =", "read('key')", "key;", "copy =", "copy", "const copy"];
    let places = [&["const key"][..], &between, &["send(other)"]].concat();
    let text = table(vec![flow("long", &places)], Style { width: 100, ..Style::default() });
    for expected in ["1. at `const key`", "8. at `send(other)`", "(3 of 8 steps are not shown; --verbose shows them)"] {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    let text = table(vec![flow("long", &places)], Style { width: 100, verbose: true, ..Style::default() });
    assert!((1..=8).all(|step| text.contains(&format!("{step}. at `"))), "{text}");
}
