//! The disabled model: no opinion but zero. What cannot be read at all is still undetermined.

use crate::model::{Evaluation, Evidence, Method, Model, ModelError};
use crate::subject::Kind;
use crate::value::score::Score;
use crate::value::verdict::Action;

/// The model's name.
pub const NAME: &str = "disabled";

/// The disabled model.
pub struct Disabled;

impl Model for Disabled {
    fn judges(&self, kind: Kind) -> bool {
        match kind {
            Kind::Script => true,
        }
    }

    fn evaluate(&self, _: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        let action = Some(Action::Allow);
        Ok(vec![Evaluation { model: NAME, score: Score::ZERO, level: None, severity: None, action, escalated: false, signals: Vec::new() }])
    }

    fn method(&self, _: &Evaluation) -> Method {
        let rule = "no opinion: everything that can be read scores 0".to_owned();
        Method { rule, reckoning: Vec::new(), override_above: None }
    }
}
