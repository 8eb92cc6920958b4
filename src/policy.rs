//! Policy: what the rules may ask for, and how opinions become a decision.

use std::collections::BTreeMap;

use crate::model::Evaluation;
use crate::rule::Match;
use crate::subject::Undetermined;
use crate::value::severity::Severity;
use crate::value::verdict::{Action, Verdict};

/// The score from which a model without actions warns (published).
pub const WARN_THRESHOLD: f64 = 40.0;
/// The score from which a model without actions blocks (published).
pub const BLOCK_THRESHOLD: f64 = 70.0;

/// How opinions become decisions.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The score from which to warn. Where none is set, 40, and only for models without actions.
    pub warn_threshold: Option<f64>,
    /// The score from which to block. Where none is set, 70, and only for models without actions.
    pub block_threshold: Option<f64>,
    /// The verdicts of actions for which another than the usual one was chosen.
    pub verdicts: BTreeMap<Action, Verdict>,
    /// The verdict on what could not be judged.
    pub on_undetermined: Verdict,
    /// What was chosen for single rules, by id.
    pub rules: BTreeMap<String, RuleChoice>,
}

/// What was chosen for a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleChoice {
    /// It does not count at all.
    pub is_disabled: bool,
    /// Its hits are this bad.
    pub severity: Option<Severity>,
    /// Its hits ask for this.
    pub action: Option<Action>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            warn_threshold: None,
            block_threshold: None,
            verdicts: BTreeMap::new(),
            on_undetermined: Verdict::Block,
            rules: BTreeMap::new(),
        }
    }
}

/// What is done with a subject, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The answer.
    pub verdict: Verdict,
    /// What led to it.
    pub reason: DecisionReason,
    /// What is asked for.
    pub action: Action,
}

/// What led to a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionReason {
    /// Nothing was found.
    Clean,
    /// The action of the worst severity.
    Severity,
    /// The score reached a threshold, or stayed below all.
    Score,
    /// The score passed the override of the model.
    ScoreOverride,
    /// It could not be judged, or not wholly.
    Undetermined,
}

impl DecisionReason {
    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Severity => "severity",
            Self::Score => "score",
            Self::ScoreOverride => "score-override",
            Self::Undetermined => "undetermined",
        }
    }
}

impl Policy {
    /// The matches that count, each as bad as the settings say.
    pub fn adjust(&self, matches: Vec<Match>) -> Vec<Match> {
        if self.rules.is_empty() {
            return matches;
        }
        let adjusted = matches.into_iter().filter_map(|mut found| {
            if let Some(choice) = self.rules.get(found.rule.id.as_ref()) {
                if choice.is_disabled {
                    return None;
                }
                found.severity = choice.severity.unwrap_or(found.severity);
                found.action = choice.action.unwrap_or(found.action);
            }
            Some(found)
        });
        adjusted.collect()
    }

    /// The decision on a subject: of all opinions the strictest stands.
    pub fn decide(&self, evaluations: &[Evaluation], undetermined: Option<&Undetermined>) -> Decision {
        let opinions = evaluations.iter().map(|evaluation| self.decide_one(evaluation));
        let unjudged = undetermined.map(|_| Decision {
            verdict: self.on_undetermined,
            reason: DecisionReason::Undetermined,
            action: action_of(self.on_undetermined),
        });
        let clean = Decision { verdict: Verdict::Allow, reason: DecisionReason::Clean, action: Action::Allow };
        opinions.chain(unjudged).fold(clean, stricter)
    }

    /// The verdict on a source that could not be judged at all.
    pub fn decide_problem(&self) -> Verdict {
        self.on_undetermined
    }

    /// The decision if only this opinion counted.
    pub fn decide_one(&self, evaluation: &Evaluation) -> Decision {
        let by_score = self.decide_by_score(evaluation);
        let Some(action) = evaluation.action else { return by_score };
        let reason = if evaluation.escalated {
            DecisionReason::ScoreOverride
        } else if action == Action::Allow {
            DecisionReason::Clean
        } else {
            DecisionReason::Severity
        };
        stricter(Decision { verdict: self.verdict(action), reason, action }, by_score)
    }

    /// The scores from which an evaluation is warned of and blocked, where thresholds apply to it.
    pub fn thresholds(&self, evaluation: &Evaluation) -> (Option<f64>, Option<f64>) {
        let usual = |threshold: f64| evaluation.action.is_none().then_some(threshold);
        (self.warn_threshold.or(usual(WARN_THRESHOLD)), self.block_threshold.or(usual(BLOCK_THRESHOLD)))
    }

    fn decide_by_score(&self, evaluation: &Evaluation) -> Decision {
        let (warn, block) = self.thresholds(evaluation);
        let reaches = |threshold: Option<f64>| threshold.is_some_and(|threshold| threshold <= evaluation.score.value());
        let verdict = if reaches(block) {
            Verdict::Block
        } else if reaches(warn) {
            Verdict::Warn
        } else {
            Verdict::Allow
        };
        let is_clean = verdict == Verdict::Allow && evaluation.score.value() == 0.0;
        let reason = if is_clean { DecisionReason::Clean } else { DecisionReason::Score };
        Decision { verdict, reason, action: action_of(verdict) }
    }

    /// The verdict that stands for an action.
    pub fn verdict(&self, action: Action) -> Verdict {
        self.verdicts.get(&action).copied().unwrap_or_else(|| action.verdict())
    }
}

/// The stricter of two decisions, the first of equals.
fn stricter(first: Decision, second: Decision) -> Decision {
    let is_first_empty = first.verdict == second.verdict && first.reason == DecisionReason::Clean;
    if first.verdict < second.verdict || is_first_empty { second } else { first }
}

fn action_of(verdict: Verdict) -> Action {
    match verdict {
        Verdict::Allow => Action::Allow,
        Verdict::Warn => Action::Warn,
        Verdict::Block => Action::Block,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Reason;
    use crate::value::score::Score;

    fn opinion(score: f64, action: Option<Action>) -> Evaluation {
        Evaluation { action, ..Evaluation::new("m", Score::clamped(score)) }
    }

    #[test]
    fn thresholds_decide_on_both_edges() {
        for (score, expected) in
            [(39.9, Verdict::Allow), (40.0, Verdict::Warn), (69.9, Verdict::Warn), (70.0, Verdict::Block), (100.0, Verdict::Block)]
        {
            assert_eq!(Policy::default().decide(&[opinion(score, None)], None).verdict, expected, "{score}");
        }
    }

    #[test]
    fn an_action_decides_unless_a_threshold_was_chosen() {
        let acted = opinion(90.0, Some(Action::Log));
        assert_eq!(Policy::default().decide(std::slice::from_ref(&acted), None).verdict, Verdict::Allow);
        let policy = Policy { block_threshold: Some(80.0), ..Policy::default() };
        let decision = policy.decide(&[acted], None);
        assert_eq!((decision.verdict, decision.reason), (Verdict::Block, DecisionReason::Score));
    }

    #[test]
    fn of_several_opinions_the_strictest_stands() {
        let opinions = [opinion(0.0, Some(Action::Allow)), opinion(75.0, None), opinion(50.0, None)];
        assert_eq!(Policy::default().decide(&opinions, None).verdict, Verdict::Block);
    }

    #[test]
    fn what_could_not_be_judged_is_blocked_unless_the_user_says_otherwise() {
        let why = Undetermined::new(Reason::Unparsable, "");
        assert_eq!(Policy::default().decide(&[], Some(&why)).verdict, Verdict::Block);
        let policy = Policy { on_undetermined: Verdict::Allow, ..Policy::default() };
        assert_eq!(policy.decide(&[opinion(50.0, None)], Some(&why)).verdict, Verdict::Warn);
    }
}
