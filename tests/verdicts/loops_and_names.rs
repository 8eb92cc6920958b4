//! Loops without a bound, loops over pages, and names that are hidden.

use callgate::check::registry;
use callgate::format::{Language, ReadOptions, script};
use callgate::knowledge::House;
use callgate::meaning;
use callgate::subject::Subject;
use callgate::subject::call::{Disguise, Repeat, Tool};

fn read(text: &str) -> Subject {
    script::read(text, Language::JavaScript, &ReadOptions::default()).remove(0)
}

/// The hits of some rules on a subject: `rule severity`.
fn hits(subject: &Subject, rules: &[&str]) -> Vec<String> {
    let found = registry::run(subject, &meaning::extract(subject, &House::default()), &House::default());
    let found = found.iter().filter(|found| rules.contains(&&*found.rule.id));
    found.map(|found| format!("{} {}", found.rule.id, found.severity)).collect()
}

#[test]
fn loops_are_told_by_how_often_they_run() {
    let rules = ["paged-mass-read", "unbounded-loop-call", "loop-fan-out"];
    for (call, repeat, expected) in [
        ("'orders:list', { cursor }", Repeat::Open, vec!["paged-mass-read medium"]),
        ("'orders:list', { offset: n * 100, limit: 100 }", Repeat::Open, vec!["paged-mass-read medium"]),
        ("'orders:list', { pagination: { page } }", Repeat::Open, vec!["paged-mass-read medium"]),
        ("'patients:list', { page_token: t }", Repeat::Open, vec!["paged-mass-read high"]),
        ("'orders:list', { page }", Repeat::Counted(1_000), vec!["loop-fan-out low", "paged-mass-read low"]),
        ("'patients:list', { page }", Repeat::Counted(1_000), vec!["loop-fan-out low", "paged-mass-read medium"]),
        ("'orders:list', { page }", Repeat::Counted(3), vec!["loop-fan-out low"]),
        ("'orders:list', { page }", Repeat::Each, vec!["loop-fan-out low"]),
        ("'orders:get', { id }", Repeat::Each, vec!["loop-fan-out low"]),
        ("'orders:list', { page: 1 }", Repeat::Open, vec!["unbounded-loop-call low"]),
        ("'orders:update', { id, page }", Repeat::Open, vec!["unbounded-loop-call low"]),
        ("'orders:remove', { id }", Repeat::Open, vec!["unbounded-loop-call high"]),
        ("'mail:send', { to }", Repeat::Open, vec!["unbounded-loop-call low"]),
        ("'jobs:getStatus', { id: 7 }", Repeat::Open, vec!["unbounded-loop-call low"]),
        ("'mail:send', { to }", Repeat::Counted(3), vec!["loop-fan-out low"]),
        ("'mail:send', { to }", Repeat::Counted(300), vec!["loop-fan-out medium"]),
        ("'orders:remove', { id }", Repeat::Counted(3), vec!["loop-fan-out low"]),
        ("'orders:remove', { id }", Repeat::Counted(30), vec!["loop-fan-out high"]),
    ] {
        let mut subject = read(&format!("while (more) {{ await callTool({call}) }}"));
        subject.calls[0].repeat = repeat;
        assert_eq!(hits(&subject, &rules), expected, "{call} {repeat:?}");
    }
    assert_eq!(hits(&read("await callTool('orders:list', { cursor })"), &rules), Vec::<String>::new());
}

#[test]
fn hidden_names_are_told_by_the_effort_and_by_what_they_hide() {
    let rules = ["hidden-tool-name", "dynamic-tool"];
    for (name, disguise, expected) in [
        ("users:list", Disguise::Encoded, vec!["hidden-tool-name low"]),
        ("users:list", Disguise::Joined, vec!["hidden-tool-name low"]),
        ("users:list", Disguise::None, vec!["dynamic-tool low"]),
        ("users:delete", Disguise::Encoded, vec!["hidden-tool-name high"]),
        ("users:delete", Disguise::Joined, vec!["hidden-tool-name high"]),
        ("users:delete", Disguise::None, vec!["dynamic-tool low"]),
        ("mail:send", Disguise::Encoded, vec!["hidden-tool-name medium"]),
        ("webhook:post", Disguise::Joined, vec!["hidden-tool-name low"]),
        ("mail:get", Disguise::Encoded, vec!["hidden-tool-name low"]),
        ("shell:exec", Disguise::Encoded, vec!["hidden-tool-name low"]),
        ("shell:exec", Disguise::None, vec!["dynamic-tool low"]),
        ("budget:calc", Disguise::Joined, vec!["hidden-tool-name low"]),
    ] {
        let mut subject = read("await callTool(x)");
        subject.calls[0].tool = Tool::Folded(name.to_owned());
        subject.calls[0].disguise = disguise;
        assert_eq!(hits(&subject, &rules), expected, "{name} {disguise:?}");
    }
}
