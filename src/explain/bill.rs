//! Bills: what a score is made of, signal by signal, with the thresholds it is held against.

use std::borrow::Cow;

use crate::judge::Judged;
use crate::model::{Evaluation, Method, Model};
use crate::policy::{Decision, Policy};
use crate::rule::Match;
use crate::value::score::Score;
use crate::value::span::{Position, Span};
use crate::value::verdict::{Action, Verdict};

/// What one score is made of, and what follows from it alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Bill {
    /// The model's name.
    pub model: Cow<'static, str>,
    /// How the model makes a score, in a sentence.
    pub rule: String,
    /// What adds to the score, in the order in which it is added.
    pub items: Vec<Item>,
    /// All points together, before rounding and cap.
    pub sum: f64,
    /// What lies between the sum and the score.
    pub adjustment: Option<Adjustment>,
    /// The score, 0–100.
    pub score: f64,
    /// What the model asks for, where it asks for anything.
    pub asked: Option<Action>,
    /// Why it does, in a few words.
    pub asks: String,
    /// The scores from which something follows, the lowest first.
    pub thresholds: Vec<Threshold>,
    /// What follows if only this opinion counted.
    pub decision: Decision,
    /// The bills of the opinions that this one is made of.
    pub parts: Vec<Self>,
}

/// One part of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The rule, or the model's own name for the signal.
    pub id: String,
    /// How bad it is.
    pub level: Cow<'static, str>,
    /// What was found.
    pub description: String,
    /// What the points are made of; empty where there is nothing to add.
    pub reckoning: String,
    /// Where, if it is one place.
    pub place: Option<Position>,
    /// How many points it adds.
    pub points: f64,
    /// The sum with it.
    pub total: f64,
}

/// What lies between the sum of the points and the score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adjustment {
    /// How many points it adds; negative if it takes some.
    pub points: f64,
    /// What it is.
    pub why: &'static str,
}

/// A score from which something follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// Its name in callgate.yaml.
    pub name: &'static str,
    /// The score, 0–100.
    pub score: f64,
    /// The verdict that follows.
    pub verdict: Verdict,
    /// It must be passed; else it is enough to reach it.
    pub is_strict: bool,
    /// The score reaches or passes it, whichever it takes.
    pub is_reached: bool,
}

/// The bills of all opinions of a subject.
pub fn all(judged: &Judged<'_>, reader: &Reader<'_>) -> Vec<Bill> {
    let opinions = judged.opinions.iter().flat_map(|opinion| opinion.evaluations().iter().map(|evaluation| (opinion.model, evaluation)));
    opinions.map(|(model, evaluation)| of(model, evaluation, reader)).collect()
}

/// What a bill is held against.
#[derive(Clone, Copy)]
pub struct Reader<'r> {
    /// What follows from opinions.
    pub policy: &'r Policy,
    /// The match whose block stands whatever the opinion is.
    pub deciding: Option<&'r Match>,
    /// Where a span stands.
    pub place: &'r dyn Fn(Span) -> Position,
}

/// The bill of one opinion.
pub fn of(model: &dyn Model, evaluation: &Evaluation, reader: &Reader<'_>) -> Bill {
    Bill { decision: reader.policy.decide_one(evaluation, reader.deciding), ..of_part(model, evaluation, reader) }
}

fn of_part(model: &dyn Model, evaluation: &Evaluation, reader: &Reader<'_>) -> Bill {
    let Method { rule, reckoning, asks, override_above } = method(model, evaluation);
    let mut sum = 0.0;
    let items = evaluation.signals.iter().enumerate().map(|(nth, signal)| {
        sum += signal.score;
        Item {
            id: signal.id.clone(),
            level: signal.level.clone(),
            description: signal.description.clone(),
            reckoning: reckoning.get(nth).cloned().unwrap_or_default(),
            place: signal.span.map(reader.place),
            points: signal.score,
            total: sum,
        }
    });
    let items = items.collect();
    let score = evaluation.score.value();
    Bill {
        model: evaluation.model.clone(),
        rule,
        items,
        sum,
        adjustment: adjustment(sum, score, evaluation.signals.is_empty()),
        score,
        asked: evaluation.action,
        asks,
        thresholds: thresholds(reader.policy, evaluation, override_above),
        decision: reader.policy.decide_one(evaluation, None),
        parts: evaluation.parts.iter().map(|part| of_part(model.part(&part.model).unwrap_or(model), part, reader)).collect(),
    }
}

/// How an opinion came about. Where a part has several opinions, they are its own and not those of further models.
fn method(model: &dyn Model, evaluation: &Evaluation) -> Method {
    let is_gathered = evaluation.parts.iter().any(|part| model.part(&part.model).is_none());
    if is_gathered {
        let rule = "the highest score of several opinions of one model".to_owned();
        return Method { rule, reckoning: Vec::new(), asks: String::new(), override_above: None };
    }
    model.method(evaluation)
}

fn adjustment(sum: f64, score: f64, is_empty: bool) -> Option<Adjustment> {
    let points = score - sum;
    // Sums of fractions are not exact to the last digit.
    if points.abs() < 1e-9 {
        return None;
    }
    let why = if Score::MAX.value() < sum {
        "capped"
    } else if is_empty {
        "set"
    } else if points.abs() <= 0.5 {
        "rounded"
    } else {
        "by the model"
    };
    Some(Adjustment { points, why })
}

fn thresholds(policy: &Policy, evaluation: &Evaluation, override_above: Option<(&'static str, f64)>) -> Vec<Threshold> {
    let score = evaluation.score.value();
    let (warn, block) = policy.thresholds(evaluation);
    let from = |name, threshold: Option<f64>, verdict| {
        threshold.map(|least| Threshold { name, score: least, verdict, is_strict: false, is_reached: least <= score })
    };
    let above = override_above.map(|(name, most)| Threshold {
        name,
        score: most,
        verdict: policy.verdict(Action::Block),
        is_strict: true,
        is_reached: most < score,
    });
    let all = [from("warn_threshold", warn, Verdict::Warn), from("block_threshold", block, Verdict::Block), above];
    let mut all: Vec<Threshold> = all.into_iter().flatten().collect();
    all.sort_by(|left, right| left.score.total_cmp(&right.score));
    all
}
