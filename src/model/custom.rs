//! The custom model: the opinions of the programs that the settings name as analyzers, one each.
//!
//! The programs were asked before; their answers are evidence, so that judging again asks nobody.

use crate::model::build::{BuildError, Builder};
use crate::model::{Evaluation, Evidence, Method, Model, ModelError, Signal};

/// The model's name.
pub const NAME: &str = "custom";

/// The custom model.
pub struct Custom;

impl Custom {
    /// The model.
    ///
    /// # Errors
    ///
    /// When no program is named that it could ask.
    pub fn build(builder: &Builder<'_>) -> Result<Self, BuildError> {
        let message = "the model `custom` needs an analyzer with a `program` in settings that are named with --config";
        let fault = || BuildError { word: NAME.to_owned(), message: message.to_owned() };
        builder.has_programs.then_some(Self).ok_or_else(fault)
    }
}

impl Model for Custom {
    fn evaluate(&self, evidence: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        let opinions = evidence.answers.iter().map(|answer| {
            let signals = answer.signals.iter().map(|signal| Signal {
                id: signal.id.clone(),
                score: signal.score,
                level: signal.level.name().into(),
                description: signal.description.clone(),
                span: None,
            });
            Evaluation { signals: signals.collect(), ..Evaluation::new(answer.analyzer.clone(), answer.score) }
        });
        Ok(opinions.collect())
    }

    fn method(&self, evaluation: &Evaluation) -> Method {
        let rule = format!("the program of the analyzer `{}` says the score, and what it is made of", evaluation.model);
        Method { rule, reckoning: Vec::new(), asks: String::new(), override_above: None }
    }
}
