//! The editions `upstream` of several models are scorers of Enclave: what these are handed, and what becomes of their answers.

use crate::model::{Evidence, ModelError, Signal};
use crate::subject::Kind;
use crate::upstream::enclave::answer::Answer;

/// The text of the script that a scorer is asked of.
///
/// # Errors
///
/// When the subject is no script: Enclave knows of nothing else.
pub fn script<'e>(evidence: &Evidence<'e>, model: &'static str) -> Result<&'e str, ModelError> {
    match evidence.subject.kind {
        Kind::Script => Ok(evidence.text),
        Kind::ToolCall | Kind::ToolResult | Kind::Prompt | Kind::Manifest | Kind::Text => {
            Err(ModelError { model: model.into(), message: "the edition `upstream` judges scripts alone".to_owned() })
        }
    }
}

/// The signals of an answer.
pub fn signals(answer: Answer) -> Vec<Signal> {
    let signals = answer.signals.into_iter().map(|signal| Signal {
        id: signal.id.to_owned(),
        score: f64::from(signal.score),
        level: signal.level.name().into(),
        description: signal.description,
        span: None,
    });
    signals.collect()
}
