//! How what was found differs from what was found in another revision.

use serde_json::{Value, json};

use crate::finding::delta::{Delta, FileDelta, Gone};
use crate::value::severity::Severity;

/// The difference, file by file.
pub fn value(delta: &Delta) -> Value {
    let (added, kept, gone) = delta.totals();
    let Delta { revision, commit, files } = delta;
    let files: Vec<Value> = files.iter().map(file).collect();
    json!({ "revision": revision, "commit": commit, "added": added, "kept": kept, "gone": gone, "files": files })
}

fn file(FileDelta { path, added, kept, gone }: &FileDelta) -> Value {
    let gone: Vec<Value> = gone
        .iter()
        .map(|Gone { rule, severity, line }| json!({ "rule": rule, "severity": severity.map(Severity::name), "line": line }))
        .collect();
    json!({ "path": path, "added": added, "kept": kept, "gone": gone })
}
