//! Actions: what stands in a call's argument is asked by every check, and who is believed of what a tool does.

use std::sync::Arc;

use callgate::check::registry;
use callgate::knowledge::House;
use callgate::knowledge::effect::{EffectKind, Said};
use callgate::knowledge::house::OwnTool;
use callgate::knowledge::manifest::Manifest;
use callgate::meaning::extract;
use callgate::model::registry::ModelSettings;
use callgate::subject::call::{Call, Disguise, Property, Repeat, Tool, Value};
use callgate::subject::{Kind, Lifecycle, Subject};
use callgate::value::span::Span;

use crate::judge::judge;

/// The checks that tell of a script, of some.
fn told(text: &str, checks: &[&str]) -> Vec<String> {
    let finding = judge("hybrid", &ModelSettings::default(), text);
    let mut ids: Vec<String> = finding.matches.iter().flat_map(|found| found.rules().map(|rule| rule.id.to_string())).collect();
    ids.retain(|id| checks.contains(&id.as_str()));
    ids.sort();
    ids.dedup();
    ids
}

#[test]
fn what_is_nested_is_told_by_the_check_of_its_effect() {
    for (call, expected) in [
        ("callTool('shell:exec', { command: 'chmod -R 777 /' })", Some("privilege-grant")),
        ("callTool('shell:exec', { command: 'chmod 644 notes.txt' })", None),
        ("callTool('db:query', { sql: \"GRANT ALL PRIVILEGES ON *.* TO 'x'@'%'\" })", Some("privilege-grant")),
        ("callTool('db:query', { sql: 'SELECT 1' })", None),
        ("callTool('shell:exec', { command: 'stripe payouts create --amount=1100 --currency=usd' })", Some("money-movement")),
        ("callTool('shell:exec', { command: 'stripe payouts list' })", None),
        ("require('child_process').execSync('bitcoin-cli sendtoaddress bc1q 0.1')", Some("money-movement")),
        ("callTool('shell:exec', { command: 'rm -rf /' })", Some("destructive-call")),
    ] {
        let found = told(&format!("await {call};"), &["privilege-grant", "money-movement", "destructive-call"]);
        assert_eq!(found, Vec::from_iter(expected), "{call}");
    }
}

/// A script that calls one tool with `{ all: true }`.
fn taking_all(tool: &str) -> Subject {
    let (span, tool_span) = (Span::default(), Span::default());
    let all = Property { key: "all".to_owned(), key_span: span, value: Value::Boolean(true, span) };
    let mut subject = Subject::empty(Kind::Script, Lifecycle::PreToolCall);
    subject.calls.push(Call {
        tool: Tool::Named(tool.to_owned()),
        disguise: Disguise::None,
        argument: Value::Object(vec![all], span),
        loop_depth: 0,
        repeated: false,
        repeat: Repeat::Once,
        over: Vec::new(),
        nth: 0,
        earlier: 0,
        doc: None,
        hints: Vec::new(),
        span,
        tool_span,
        is_method: false,
    });
    subject
}

/// Whether taking all with a tool is told to destroy, and who says that it deletes.
fn destroys(tool: &str, house: &House) -> (bool, Option<Said>) {
    let subject = taking_all(tool);
    let features = extract(&subject, house);
    let deletes = features.actions.iter().flat_map(|action| &action.effects).find(|effect| effect.kind == EffectKind::Delete);
    let said = deletes.map(|effect| effect.said);
    (registry::run(&subject, &features, house).iter().any(|found| found.rule.id == "destructive-call"), said)
}

#[test]
fn settings_are_believed_before_a_manifest_and_that_before_words() {
    let house = |tools: &[(&str, &'static [EffectKind])]| {
        let own = |effects| OwnTool { effects: Some(effects), ..OwnTool::default() };
        House { tools: tools.iter().map(|(name, effects)| ((*name).to_owned(), own(*effects))).collect(), ..House::default() }
    };
    let mut manifest = Manifest::default();
    manifest.add("users:tidy".to_owned(), "", &[("destructiveHint", true)]);
    manifest.add("users:delete".to_owned(), "", &[("destructiveHint", false), ("readOnlyHint", true)]);
    let served = House { manifest: Arc::new(manifest), ..House::default() };
    let both = House { manifest: Arc::clone(&served.manifest), ..house(&[("users:tidy", &[])]) };
    for (tool, house, expected) in [
        ("users:delete", &House::default(), (true, Some(Said::Words))),
        ("users:delete", &house(&[("users:*", &[EffectKind::Read])]), (false, None)),
        ("users:tidy", &House::default(), (false, None)),
        ("users:tidy", &house(&[("users:tidy", &[EffectKind::Delete])]), (true, Some(Said::Settings))),
        ("users:tidy", &served, (true, Some(Said::Manifest))),
        ("users:tidy", &both, (false, None)),
        // What a server says makes nothing milder.
        ("users:delete", &served, (true, Some(Said::Words))),
    ] {
        assert_eq!(destroys(tool, house), expected, "{tool} {house:?}");
    }
}
