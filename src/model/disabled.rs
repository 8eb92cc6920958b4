//! The disabled model: no opinion but zero. What cannot be read at all is still undetermined.

use crate::model::{Evaluation, Evidence, Method, Model, ModelError};
use crate::value::score::Score;
use crate::value::verdict::Action;

/// The model's name.
pub const NAME: &str = "disabled";

/// The disabled model.
pub struct Disabled;

impl Model for Disabled {
    fn evaluate(&self, _: &Evidence<'_>) -> Result<Vec<Evaluation>, ModelError> {
        Ok(vec![Evaluation { action: Some(Action::Allow), ..Evaluation::new(NAME, Score::ZERO) }])
    }

    fn method(&self, _: &Evaluation) -> Method {
        let rule = "no opinion: everything that can be read scores 0".to_owned();
        Method { rule, reckoning: Vec::new(), asks: String::new(), override_above: None }
    }
}
