//! Holds the tiered model against answers of clawguard (JaydenBeard), and its lists against what callgate finds.

use callgate::model::tiered::{published_score, tier};
use callgate::value::severity::Severity;
use serde_json::{Value, json};

use crate::lists::{Flagged, Probe, Row, agree, cover, differing, rows};

/// Least share of the flagged inputs in which callgate finds something, in percent. Much of the rest is ordinary work that upstream
/// flags by its tool or its first word alone: any page that a browser opens, any `sudo`, any file outside the home folder.
const COVERED_CALLS: usize = 26;
const COVERED_PARTS: usize = 27;
const COVERED_SEQUENCES: usize = 42;

/// The tier that a published flag belongs to: medium ones have no prefix.
fn tier_of(flag: &str) -> Severity {
    match flag.split_once(": ").map(|(prefix, _)| prefix) {
        Some("CRITICAL") => Severity::Critical,
        Some("HIGH") => Severity::High,
        Some(_) | None => Severity::Medium,
    }
}

#[test]
fn tiers_and_scores_are_as_upstream() {
    let Some(rows) = rows("jaydenbeard.jsonl") else { return };
    agree("jaydenbeard.jsonl", &rows, |row| {
        let flags = row.expected["flags"].as_array()?;
        let tier = tier(flags.iter().filter_map(Value::as_str).map(tier_of));
        let level = differing("the level", Some(tier.name()), row.expected["level"].as_str());
        let score = differing("the score", Some(u64::from(published_score(tier))), row.expected["score"].as_u64());
        Some(level.into_iter().chain(score).collect())
    });
}

#[test]
fn what_upstream_flags_is_found() {
    let Some(of_calls) = rows("jaydenbeard.jsonl") else { return };
    let calls =
        of_calls.into_iter().filter(|row| row.expected["flags"].as_array().is_some_and(|flags| !flags.is_empty())).map(|row| Flagged {
            category: format!("{} {}", row.expected["category"].as_str().unwrap_or("other"), row.expected["level"].as_str().unwrap_or("")),
            probe: Probe::call(row.input["tool"].as_str().unwrap_or(""), row.input["arguments"].clone()),
            id: row.id,
        });
    cover("jaydenbeard", calls.collect(), COVERED_CALLS);
    let parts = rows("jaydenbeard-seq.jsonl").unwrap_or_default().into_iter().filter_map(of_part);
    cover("jaydenbeard-seq", parts.collect(), COVERED_PARTS);
    let sequences = rows("jaydenbeard-sequences.jsonl").unwrap_or_default().into_iter().filter_map(of_sequence);
    cover("jaydenbeard-sequences", sequences.collect(), COVERED_SEQUENCES);
}

/// The parts of its detectors of sequences, each asked about one path or command.
fn of_part(row: Row) -> Option<Flagged> {
    let (name, argument) = (row.input["fn"].as_str()?, row.input["arg"].as_str()?);
    if row.expected["out"] != Value::Bool(true) {
        return None;
    }
    let probe = match name {
        "isSensitivePath" | "isSSHKeyPath" => Probe::call("read", json!({ "path": argument })),
        "isConfigFile" | "isPersistencePath" => Probe::call("write", json!({ "path": argument, "content": "x" })),
        "containsSensitivePatterns" => Probe::Text(argument.to_owned()),
        _ => Probe::command(argument),
    };
    Some(Flagged { id: row.id, category: name.to_owned(), probe })
}

fn of_sequence(row: Row) -> Option<Flagged> {
    let first = row.expected["sequences"].as_array()?.first()?["type"].as_str()?.to_owned();
    let step = |step: &Value| Some((step["tool"].as_str()?.to_owned(), step["arguments"].clone()));
    let calls = row.input["activity"].as_array()?.iter().filter_map(step).collect();
    Some(Flagged { id: row.id, category: first, probe: Probe::Calls(calls) })
}
