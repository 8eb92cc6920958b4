//! A finding as a baseline knows it, and the file that lists them: JSON, sorted, one finding a line.

use serde::Deserialize;
use serde_json::json;

use crate::accept::acceptance::UNDETERMINED;
use crate::accept::fingerprint::{Salt, is_hex};
use crate::value::severity::Severity;

/// Version of the file; grows when a field changes its meaning.
const VERSION: u32 = 2;

/// A finding that stood there when the baseline was written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BaselineEntry {
    /// Its file, relative to the folder of the baseline, with forward slashes.
    pub path: String,
    /// The id of the rule; `undetermined` for what could not be judged.
    pub rule: String,
    /// What it is known by.
    pub fingerprint: String,
    /// The how manieth of its kind it is in the file, from 1.
    pub occurrence: u32,
    /// How bad it was; none for what could not be judged.
    pub severity: Option<Severity>,
    /// Its line at the time, for people; none for what could not be judged.
    pub line: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    salt: String,
    entries: Vec<Line>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    path: String,
    rule: String,
    severity: Option<String>,
    line: Option<u32>,
    fingerprint: String,
    occurrence: u32,
}

/// What is wrong with a file of a baseline.
#[derive(Debug, PartialEq, Eq)]
pub struct Broken {
    /// Its line, from 1, where it is one.
    pub line: Option<usize>,
    /// What is wrong, in a sentence without an end.
    pub message: String,
}

/// Reads the file of a baseline.
///
/// # Errors
///
/// When it is not as `write` writes it.
pub fn read(text: &str) -> Result<(Salt, Vec<BaselineEntry>), Broken> {
    if let Some(line) = text.lines().position(|line| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ")) {
        return Err(Broken { line: Some(line + 1), message: "two versions of it were merged and the conflict is not settled".to_owned() });
    }
    let broken = |message: String| Broken { line: None, message };
    let File { version, salt, entries } = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split_once(" at line ").map_or(message.clone(), |(before, _)| before.to_owned());
        Broken { line: Some(error.line()), message }
    })?;
    if version != VERSION {
        return Err(broken(format!("its version is {version}, and this callgate reads version {VERSION}")));
    }
    let salt = Salt::from_text(&salt).ok_or_else(|| broken("its salt is not 32 hexadecimal digits".to_owned()))?;
    let entries: Result<Vec<BaselineEntry>, Broken> = entries.into_iter().map(entry).collect();
    Ok((salt, entries?))
}

fn entry(Line { path, rule, severity, line, fingerprint, occurrence }: Line) -> Result<BaselineEntry, Broken> {
    let broken = |what: &str| Broken { line: None, message: format!("the entry of `{rule}` in `{path}` has {what}") };
    if !is_hex(&fingerprint) {
        return Err(broken("no fingerprint of 32 hexadecimal digits"));
    }
    let severity = match severity {
        Some(name) => Some(Severity::from_name(&name).ok_or_else(|| broken("a severity that there is not"))?),
        None if rule == UNDETERMINED => None,
        None => return Err(broken("no severity")),
    };
    Ok(BaselineEntry { path, rule, fingerprint, occurrence, severity, line })
}

/// The file of a baseline: the same findings make the same file.
pub fn write(salt: &Salt, mut entries: Vec<BaselineEntry>) -> String {
    entries.sort_unstable();
    entries.dedup_by(|left, right| {
        (&left.path, &left.rule, &left.fingerprint, left.occurrence) == (&right.path, &right.rule, &right.fingerprint, right.occurrence)
    });
    let line = |entry: &BaselineEntry| {
        let BaselineEntry { path, rule, fingerprint, occurrence, severity, line } = entry;
        let severity = severity.map(Severity::name);
        json!({ "path": path, "rule": rule, "severity": severity, "line": line, "fingerprint": fingerprint, "occurrence": occurrence })
            .to_string()
    };
    let lines: Vec<String> = entries.iter().map(line).collect();
    let listed = if lines.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", lines.join(",\n")) };
    format!("{{\n\"version\": {VERSION},\n\"salt\": \"{}\",\n\"entries\": {listed}\n}}\n", salt.as_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Vec<BaselineEntry> {
        let entry = |path: &str, rule: &str, severity| BaselineEntry {
            path: path.to_owned(),
            rule: rule.to_owned(),
            fingerprint: "0123456789abcdef".repeat(2),
            occurrence: 1,
            severity,
            line: severity.map(|_| 3),
        };
        vec![entry("b.js", "eval", Some(Severity::High)), entry("a \"b\".js", UNDETERMINED, None)]
    }

    #[test]
    fn what_is_written_is_read_again_in_order() {
        let salt = Salt::random();
        let text = write(&salt, [entries(), entries()].concat());
        let mut sorted = entries();
        sorted.sort();
        assert_eq!(read(&text), Ok((salt.clone(), sorted)));
        assert_eq!(text.lines().filter(|line| line.starts_with("{\"path\"")).count(), 2, "{text}");
        assert_eq!(text, write(&salt, entries().into_iter().rev().collect()));
        assert_eq!(read(&write(&salt, Vec::new())), Ok((salt, Vec::new())));
    }

    #[test]
    fn a_broken_file_is_told_with_its_place() {
        let good = write(&Salt::random(), entries());
        for (text, line, told) in [
            (String::new(), Some(1), "EOF"),
            ("[]".to_owned(), Some(1), "invalid"),
            (good.replacen("\"version\": 2", "\"version\": 9", 1), None, "version is 9"),
            (good.replacen("\"salt\": \"", "\"salt\": \"x", 1), None, "salt"),
            (good.replacen("\"fingerprint\":\"", "\"fingerprint\":\"x", 1), None, "no fingerprint"),
            (good.replacen("\"high\"", "\"awful\"", 1), None, "a severity that there is not"),
            (good.replacen("\"high\"", "null", 1), None, "no severity"),
            (good.replacen("},\n", "}\n", 1), Some(6), "expected `,`"),
            (format!("<<<<<<< HEAD\n{good}"), Some(1), "conflict"),
        ] {
            let broken = read(&text).expect_err("it is broken");
            assert_eq!(broken.line, line, "{told}: {broken:?}");
            assert!(broken.message.contains(told), "{told}: {broken:?}");
        }
    }
}
