//! Verdicts of an earlier run, as a report or a store keeps them: what an upgrade of this program itself is held against.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::finding::Run;
use crate::finding::trail::KEY;
use crate::value::severity::Severity;
use crate::value::verdict::Verdict;

/// The verdicts of an earlier run.
#[derive(Clone, Debug, Default)]
pub struct Stored {
    /// What holds for that run, as far as it is known.
    pub run: Run,
    /// What is kept of each subject.
    pub subjects: Vec<StoredSubject>,
}

/// What is kept of a subject.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredSubject {
    /// The source, as the run named it.
    pub path: String,
    /// The hash of its text, where that is kept; else it is found by its path, and as the how-manieth of its source it is.
    pub hash: Option<[u8; KEY]>,
    /// The answer.
    pub verdict: Verdict,
    /// What led to it.
    pub reason: String,
    /// The highest score of any model.
    pub score: Option<f64>,
    /// The rules that hit, each with the worst of its hits where that is kept.
    pub rules: BTreeMap<String, Option<Severity>>,
}

impl Stored {
    /// Reads a report: a document of `--format json`, or the lines of `--format jsonl`.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        if let Ok(document) = serde_json::from_str::<Value>(text)
            && let Some(findings) = document["findings"].as_array()
        {
            return Self::of(findings, &document);
        }
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let lines: Result<Vec<Value>, serde_json::Error> = lines.map(serde_json::from_str).collect();
        let lines = lines.map_err(|error| format!("it is no report in JSON or JSON Lines: {error}"))?;
        let (runs, findings): (Vec<Value>, Vec<Value>) = lines.into_iter().partition(|line| line["type"] == "run");
        match runs.last() {
            Some(run) => Self::of(&findings, run),
            None => Err("it has no findings of a run: write it by `callgate scan --format json=FILE`".to_owned()),
        }
    }

    fn of(findings: &[Value], run: &Value) -> Result<Self, String> {
        let subjects: Result<Vec<StoredSubject>, String> =
            findings.iter().enumerate().map(|(nth, finding)| subject(finding, nth)).collect();
        let configuration = &run["configuration"];
        let texts = |list: &Value| list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
        let version = run["tool"]["version"].as_str().unwrap_or("?");
        let file = configuration["file"].as_str().map(|file| format!(", {file}")).unwrap_or_default();
        let run = Run {
            configuration: Some(format!("a report of callgate {version}{file}")),
            models: texts(&configuration["models"]),
            loosened: texts(&configuration["loosened"]),
            library_version: configuration["pattern_library_version"].as_str().unwrap_or_default().to_owned(),
            ..Run::default()
        };
        Ok(Self { run, subjects: subjects? })
    }
}

fn subject(finding: &Value, nth: usize) -> Result<StoredSubject, String> {
    let missing = |key: &str| format!("finding {} of the report has no `{key}`", nth + 1);
    let verdict = finding["verdict"].as_str().and_then(Verdict::from_name).ok_or_else(|| missing("verdict"))?;
    let mut rules = BTreeMap::new();
    for found in finding["matches"].as_array().into_iter().flatten() {
        let Some(rule) = found["rule"].as_str() else { continue };
        let worst = rules.entry(rule.to_owned()).or_insert(None);
        *worst = found["severity"].as_str().and_then(Severity::from_name).max(*worst);
    }
    Ok(StoredSubject {
        path: finding["path"].as_str().ok_or_else(|| missing("path"))?.to_owned(),
        hash: None,
        verdict,
        reason: finding["reason"].as_str().unwrap_or("undetermined").to_owned(),
        score: finding["score"].as_f64(),
        rules,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read_in_both_forms_and_nothing_else_is() {
        let finding = r#"{"path": "a.js", "verdict": "block", "score": 40, "reason": "severity", "matches": [{"rule": "eval", "severity": "low"}, {"rule": "eval", "severity": "high"}]}"#;
        let run = r#""tool": {"version": "0.0.9"}, "configuration": {"file": null, "models": ["hybrid"], "loosened": []}"#;
        for text in [format!("{{{run}, \"findings\": [{finding}]}}"), format!("{finding}\n{{\"type\": \"run\", {run}}}\n")] {
            let stored = Stored::read(&text).expect("it is a report");
            assert_eq!(stored.run.configuration.as_deref(), Some("a report of callgate 0.0.9"), "{text}");
            assert_eq!(stored.subjects.len(), 1, "{text}");
            assert_eq!(stored.subjects[0].rules, BTreeMap::from([("eval".to_owned(), Some(Severity::High))]), "{text}");
        }
        for (text, expected) in [
            ("", "no findings"),
            ("{\"path\": \"a\"}", "no findings"),
            ("callgate: fine", "no report"),
            ("{\"findings\": [{\"path\": \"a\"}]}", "has no `verdict`"),
            ("{\"findings\": [{\"verdict\": \"allow\"}]}", "has no `path`"),
        ] {
            assert!(Stored::read(text).expect_err(text).contains(expected), "{text}");
        }
    }
}
