//! GitLab's code quality: a list of issues, each with a fingerprint that stays when lines move.

use std::collections::HashMap;
use std::io;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::finding::Report;
use crate::finding::hide::Hidden;
use crate::finding::item::{Item, accepted, below, items};
use crate::report::Style;
use crate::report::json::escaped::write_pretty;
use crate::value::severity::Severity;
use crate::value::source::shown;

/// What is told of the whole run.
const RUN: &str = "callgate/run";

#[derive(Serialize)]
struct Issue {
    description: String,
    check_name: String,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

/// Writes a report as one list.
///
/// # Errors
///
/// When the writer fails.
pub fn write(report: Hidden<'_, Report>, style: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let report = report.get();
    let mut seen: HashMap<[String; 3], usize> = HashMap::new();
    let counting = items(report, style.verbose).into_iter().filter(|item| item.acceptance.is_none());
    let issues: Vec<Issue> = counting.map(|item| issue(&item, &mut seen)).chain(of_run(report)).collect();
    write_pretty(&issues, writer)
}

fn issue(item: &Item<'_>, seen: &mut HashMap<[String; 3], usize>) -> Issue {
    let path = item.entry.name().as_text();
    // What stands at the place tells more than its line, which moves; what a check says of it may name lines.
    let evidence = item.found.map_or(&*item.message, |found| &found.evidence);
    let evidence = evidence.split_whitespace().collect::<Vec<_>>().join(" ");
    let key = [item.rule.clone(), path.clone(), evidence];
    let nth = seen.entry(key.clone()).or_default();
    *nth += 1;
    Issue {
        description: if item.help.is_empty() { item.message.clone() } else { format!("{} {}", item.message, item.help) },
        check_name: item.rule.clone(),
        fingerprint: fingerprint(&key, *nth),
        severity: severity(item.severity),
        location: Location { path, lines: Lines { begin: item.start.line, end: item.end.line.max(item.start.line) } },
    }
}

/// What holds for the whole run has no other place in a list of issues.
fn of_run(report: &Report) -> Vec<Issue> {
    let path = report.run.configuration.clone().unwrap_or_else(|| "callgate.yaml".to_owned());
    let loosened = report.run.loosened.iter().map(|loosened| format!("loosened by {}", shown(loosened)));
    // Numbers change from run to run, and no issue is a new one because of them.
    let counts = [("accepted", accepted(report)), ("below", below(report))];
    let counts = counts.into_iter().filter_map(|(name, told)| Some((name.to_owned(), told?)));
    let told = counts.chain(loosened.map(|text| (text.clone(), text)));
    told.map(|(name, description)| Issue {
        description,
        check_name: RUN.to_owned(),
        fingerprint: fingerprint(&[RUN.to_owned(), String::new(), name], 1),
        severity: "info",
        location: Location { path: path.clone(), lines: Lines { begin: 1, end: 1 } },
    })
    .collect()
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Low => "minor",
        Severity::Medium => "major",
        Severity::High => "critical",
        Severity::Critical => "blocker",
    }
}

/// A name for an issue that stays the same wherever its line is.
fn fingerprint(key: &[String; 3], nth: usize) -> String {
    let digest = Sha256::digest(format!("{}\0{nth}", key.join("\0")).as_bytes());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
