//! What the tests of the systems that work by lists have in common: rows, and how much of what they find is found here too.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::thread;

use callgate::finding::Entry;
use callgate::format::Language;
use callgate::model::registry::{Builder, ModelSettings};
use callgate::pattern::search::search;
use callgate::scan::Scanner;
use callgate::subject::segment::{Role, Segment};
use callgate::subject::{Kind, Lifecycle, Subject};
use callgate::value::source::{Source, SourceName};
use callgate::value::span::Span;
use serde_json::Value;

use crate::{SHOWN, STACK_BYTES};

/// A row of a file.
pub struct Row {
    pub id: String,
    pub input: Value,
    pub expected: Value,
}

/// The rows of a file, or none where no folder is named that holds them.
pub fn rows(file: &str) -> Option<Vec<Row>> {
    let Some(folder) = env::var_os("CALLGATE_VECTORS") else {
        println!("{file}: compared 0 rows, because CALLGATE_VECTORS names no folder");
        return None;
    };
    let text = fs::read_to_string(Path::new(&folder).join(file)).expect("the folder holds the file of that name");
    let row = |line: &str| {
        let mut row: Value = serde_json::from_str(line).expect("each line is one JSON object");
        Row { id: row["id"].as_str().expect("a row has an id").to_owned(), input: row["input"].take(), expected: row["expected"].take() }
    };
    Some(text.lines().map(row).collect())
}

/// The published lists of words and regexes, by system.
pub fn published_lists() -> Value {
    let folder = env::var_os("CALLGATE_VECTORS").expect("it was asked for before");
    let text = fs::read_to_string(Path::new(&folder).join("patterns.json")).expect("the folder holds patterns.json");
    serde_json::from_str(&text).expect("patterns.json is JSON")
}

/// Holds each row against what follows here from the same matches. A row has nothing to compare where `differences` is `None`.
pub fn agree(file: &str, rows: &[Row], differences: impl Fn(&Row) -> Option<Vec<String>>) {
    let compared: Vec<(&Row, Vec<String>)> = rows.iter().filter_map(|row| Some((row, differences(row)?))).collect();
    let wrong: Vec<String> =
        compared.iter().filter(|(_, found)| !found.is_empty()).map(|(row, found)| format!("{}: {}", row.id, found.join("; "))).collect();
    println!("{file}: compared {} of {} rows, {} differ", compared.len(), rows.len(), wrong.len());
    assert!(wrong.is_empty(), "{file}: {} rows differ:\n{}", wrong.len(), wrong.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("\n"));
    assert!(!compared.is_empty(), "{file} holds no row that can be compared");
}

/// A difference, if there is one.
pub fn differing<T: PartialEq + std::fmt::Debug>(what: &str, actual: T, expected: T) -> Option<String> {
    (actual != expected).then(|| format!("{what} is {actual:?} and not {expected:?}"))
}

/// What an input is shown to callgate as.
pub enum Probe {
    /// A script that makes one tool call after another.
    Calls(Vec<(String, Value)>),
    /// A text that an agent reads.
    Text(String),
}

impl Probe {
    /// One tool call.
    pub fn call(tool: &str, arguments: Value) -> Self {
        Self::Calls(vec![(tool.to_owned(), arguments)])
    }

    /// One shell command.
    pub fn command(command: impl Into<String>) -> Self {
        Self::call("exec", serde_json::json!({ "command": command.into() }))
    }
}

/// An input that upstream flags.
pub struct Flagged {
    pub id: String,
    pub category: String,
    pub probe: Probe,
}

/// Tells how many of the inputs that upstream flags callgate finds anything in, and which it does not, by category. Fewer than
/// `least` in a hundred fail the test.
pub fn cover(system: &str, flagged: Vec<Flagged>, least: usize) {
    let judged = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        let judge = |flagged: &Flagged| is_found(&flagged.probe);
        flagged.into_iter().map(|flagged| (judge(&flagged), flagged)).collect::<Vec<_>>()
    });
    let judged = judged.expect("a thread starts").join().expect("no row panics");
    let mut categories: BTreeMap<&str, (usize, usize, Vec<&str>)> = BTreeMap::new();
    for (found, flagged) in &judged {
        let (all, covered, missing) = categories.entry(&flagged.category).or_default();
        *all += 1;
        if *found {
            *covered += 1;
        } else {
            missing.push(&flagged.id);
        }
    }
    let covered = judged.iter().filter(|(found, _)| *found).count();
    println!("{system}: callgate finds something in {covered} of {} flagged inputs", judged.len());
    for (category, (all, covered, missing)) in &categories {
        println!("  {category}: {covered} of {all}");
        for id in missing {
            println!("    not covered: {id}");
        }
    }
    assert!(least * judged.len() <= covered * 100, "{system}: only {covered} of {} are covered, {least} % were", judged.len());
}

static SCANNER: LazyLock<Scanner> = LazyLock::new(|| {
    let model = Builder::new(&ModelSettings::default()).build("hybrid").expect("the model is there");
    Scanner { language: Some(Language::JavaScript), ..Scanner::built_in(vec![model]).expect("the built-in patterns make a library") }
});

fn is_found(probe: &Probe) -> bool {
    match probe {
        Probe::Calls(calls) => {
            let call = |(tool, arguments): &(String, Value)| format!("await callTool({}, {arguments});\n", Value::from(tool.as_str()));
            let text = calls.iter().map(call).collect();
            let source = Source { name: SourceName::explicit("call.js"), text, has_bom: false };
            let entries = SCANNER.judge(&source);
            entries.iter().any(|entry| match entry {
                Entry::Finding(finding) => !finding.matches.is_empty(),
                Entry::Problem(_) | Entry::PassedOver(_) => false,
            })
        }
        Probe::Text(text) => {
            let mut subject = Subject::empty(Kind::Text, Lifecycle::PreAgentStart);
            subject.segments.push(Segment::verbatim(Role::Prose, Span::from_offsets(0, text.len())));
            !search(&SCANNER.library, &subject, text).is_empty()
        }
    }
}
