//! What models that are made of models have in common.
//!
//! What any part asks for stands, and the thresholds on the score of the whole can only make it stricter.

use crate::model::build::{BuildError, Builder};
use crate::model::{Evaluation, Evidence, Model, ModelError, Signal};
use crate::subject::Kind;
use crate::value::score::Score;
use crate::value::verdict::Action;

/// The models that a model is made of, each once.
pub struct Parts {
    parts: Vec<(String, Box<dyn Model>)>,
}

impl Parts {
    /// Builds the models of these names.
    ///
    /// # Errors
    ///
    /// When there are none, one stands twice, or one cannot be built: it does not exist, or is made of `whole` itself.
    pub fn build(whole: &'static str, names: &[&str], builder: &mut Builder<'_>) -> Result<Self, BuildError> {
        let fault = |word: &str, message: String| Err(BuildError { word: word.to_owned(), message });
        if names.is_empty() {
            return fault(
                whole,
                format!("the model `{whole}` has no parts; name models under `model_settings: {{{whole}: {{parts: …}}}}`"),
            );
        }
        let mut parts: Vec<(String, Box<dyn Model>)> = Vec::with_capacity(names.len());
        for name in names {
            if parts.iter().any(|(known, _)| known == name) {
                return fault(name, format!("`{name}` is twice a part of the model `{whole}`; name each model once"));
            }
            parts.push(((*name).to_owned(), builder.build(name)?));
        }
        Ok(Self { parts })
    }

    /// The part of that name.
    pub fn by_name(&self, name: &str) -> Option<&dyn Model> {
        self.parts.iter().find(|(known, _)| known == name).map(|(_, model)| &**model)
    }

    /// Returns true if and only if any part judges such subjects.
    pub fn judge(&self, kind: Kind) -> bool {
        self.models().any(|model| model.judges(kind))
    }

    /// Returns true if and only if any part looks at how often a call was made before.
    pub fn need_session(&self) -> bool {
        self.models().any(Model::needs_session)
    }

    /// The names of the parts that have no part in an opinion, because they do not judge such subjects, were not asked, or failed.
    pub fn missing_in(&self, evaluation: &Evaluation) -> Vec<&str> {
        let is_missing = |name: &&str| !evaluation.parts.iter().any(|part| part.model == *name);
        self.parts.iter().map(|(name, _)| name.as_str()).filter(is_missing).collect()
    }

    /// Asks all parts.
    pub fn ask(&self, question: &Question<'_>) -> Heard {
        let mut heard = Heard::default();
        for nth in 0..self.parts.len() {
            self.ask_one(nth, question, &mut heard);
        }
        heard
    }

    /// Asks one part, by its number from 0.
    pub fn ask_one(&self, nth: usize, question: &Question<'_>, heard: &mut Heard) {
        let Some((name, model)) = self.parts.get(nth) else { return };
        if !model.judges(question.evidence.subject.kind) {
            return;
        }
        let answer = match question.gone {
            Some(gone) => model.evaluate_without(question.evidence, gone),
            None => model.evaluate(question.evidence),
        };
        match answer {
            Ok(opinions) => heard.opinions.extend(one_of(name, opinions).map(|opinion| (nth, opinion))),
            Err(error) => heard.failures.push(error.to_string()),
        }
    }

    fn models(&self) -> impl Iterator<Item = &dyn Model> {
        self.parts.iter().map(|(_, model)| &**model)
    }
}

/// What is asked of a model: `Model::evaluate`, or `Model::evaluate_without` where something is gone.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    /// What there is to judge.
    pub evidence: &'q Evidence<'q>,
    /// Which rules are gone.
    pub gone: Option<&'q dyn Fn(&str) -> bool>,
}

/// What the parts answered.
#[derive(Debug, Default)]
pub struct Heard {
    /// One opinion of each part that has any, with the number of the part.
    pub opinions: Vec<(usize, Evaluation)>,
    /// Why the others failed.
    pub failures: Vec<String>,
}

impl Heard {
    /// The opinion of a part.
    pub fn of(&self, nth: usize) -> Option<&Evaluation> {
        self.opinions.iter().find(|(number, _)| *number == nth).map(|(_, opinion)| opinion)
    }

    /// The opinion that is made of what was heard, if anything was.
    ///
    /// # Errors
    ///
    /// When parts failed and none answered.
    pub fn whole(self, model: &'static str, score: f64, signals: Vec<Signal>) -> Result<Vec<Evaluation>, ModelError> {
        let Self { opinions, failures } = self;
        if opinions.is_empty() {
            let message = failures.join("; ");
            return if failures.is_empty() { Ok(Vec::new()) } else { Err(ModelError { model: model.into(), message }) };
        }
        let parts = opinions.into_iter().map(|(_, opinion)| opinion).collect();
        let whole = of_parts(model.to_owned(), Score::clamped(score), parts);
        let failures: Vec<String> = failures.into_iter().chain(whole.undetermined).collect();
        Ok(vec![Evaluation { signals, undetermined: (!failures.is_empty()).then(|| failures.join("; ")), ..whole }])
    }
}

/// What a part adds to the score of the whole: its score, times its share.
pub fn share(opinion: &Evaluation, share: f64) -> Signal {
    let own = opinion.level.clone().or(opinion.severity.map(|severity| severity.name().into()));
    Signal {
        id: opinion.model.to_string(),
        score: opinion.score.value() * share,
        level: own.unwrap_or("none".into()),
        description: format!("{} scores {}", opinion.model, opinion.score),
        span: None,
    }
}

/// One opinion of several: the highest score of them.
fn one_of(name: &str, mut opinions: Vec<Evaluation>) -> Option<Evaluation> {
    if opinions.len() <= 1 && opinions.iter().all(|opinion| opinion.model == name) {
        return opinions.pop();
    }
    let highest = opinions.iter().map(|opinion| opinion.score.value()).fold(0.0, f64::max);
    let decisive = opinions.iter().find(|opinion| highest <= opinion.score.value())?;
    let signals = vec![share(decisive, 1.0)];
    Some(Evaluation { signals, ..of_parts(name.to_owned(), Score::clamped(highest), opinions) })
}

fn of_parts(model: String, score: Score, parts: Vec<Evaluation>) -> Evaluation {
    let asked = parts.iter().filter_map(|part| part.action).max().filter(|action| Action::Log < *action);
    let asking: Vec<&Evaluation> = parts.iter().filter(|part| asked.is_some() && part.action == asked).collect();
    let failures: Vec<&str> = parts.iter().filter_map(|part| part.undetermined.as_deref()).collect();
    Evaluation {
        severity: parts.iter().filter_map(|part| part.severity).max(),
        action: asked,
        escalated: !asking.is_empty() && asking.iter().all(|part| part.escalated),
        undetermined: (!failures.is_empty()).then(|| failures.join("; ")),
        parts,
        ..Evaluation::new(model, score)
    }
}
