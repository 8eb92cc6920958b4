//! Writes what the classifier looks at, for rows of labelled texts, so that its weights can be trained.
//!
//! Reads rows `{"id", "source", "label", "language", "content"}` as JSON Lines from standard input and writes
//! `{"id", "source", "label", "kind", "facts", "words", "meaning", "score", "verdict"}`, one line a row that could be read.

use std::io::{self, BufRead as _, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use callgate::finding::Entry;
use callgate::format::Language;
use callgate::model::classifier::inputs::{self, Inputs};
use callgate::model::embedding::static_embedding::StaticEmbedding;
use callgate::model::hybrid::{Hybrid, HybridSettings};
use callgate::model::{Evaluation, Evidence, Method, Model, ModelError};
use callgate::scan::Scanner;
use callgate::subject::Kind;
use callgate::value::source::{Source, SourceName};
use serde_json::{Value, json};

/// Keeps what it is shown, and says nothing.
struct Watcher {
    embedding: StaticEmbedding,
    seen: Arc<Mutex<Vec<(Kind, Inputs)>>>,
}

impl Model for Watcher {
    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        let inputs =
            inputs::of(evidence, &self.embedding).map_err(|error| ModelError { model: "watcher".into(), message: error.message })?;
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).push((evidence.subject.kind, inputs));
        Ok(Vec::new())
    }

    fn method(&self, _: &Evaluation) -> Method {
        Method { rule: String::new(), reckoning: Vec::new(), asks: String::new(), override_above: None }
    }
}

fn language(name: &str) -> Option<Language> {
    Some(match name {
        "js" => Language::JavaScript,
        "ts" => Language::TypeScript,
        "json" => Language::ToolCall,
        "md" | "text" => Language::Text,
        _ => return None,
    })
}

fn numbers(inputs: &[inputs::Input]) -> Vec<Value> {
    inputs.iter().map(|input| json!([input.bucket, input.value])).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let watcher = Watcher { embedding: StaticEmbedding::built_in()?, seen: Arc::clone(&seen) };
    let mut scanner = Scanner::built_in(vec![Box::new(watcher), Box::new(Hybrid::new(HybridSettings::default()))])?;
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let row: Value = serde_json::from_str(&line?)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let Some(language) = language(&text("language")) else { continue };
        let mut found = Vec::new();
        // JSON that holds no tool call is a text like any other.
        for language in [language, Language::Text] {
            scanner.language = Some(language);
            let source = Source { name: SourceName::explicit("row"), text: text("content"), has_bom: false };
            let entries = scanner.scan_source(&source)?;
            found = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner)).into_iter().zip(entries).collect();
            if !found.is_empty() {
                break;
            }
        }
        for ((kind, inputs), entry) in found {
            let Entry::Finding(finding) = entry else { continue };
            let line = json!({
                "id": row["id"], "source": row["source"], "label": row["label"], "group": row["group"], "kind": kind.name(),
                "facts": numbers(&inputs.facts), "words": numbers(&inputs.words), "meaning": inputs.meaning,
                "score": finding.score(), "verdict": finding.decision.verdict.name(), "undetermined": finding.undetermined.is_some(),
            });
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
