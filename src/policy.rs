//! Policy: what the rules may ask for, and how opinions become a decision.

pub mod cumulative;

use std::collections::BTreeMap;

use crate::model::{Evaluation, registry};
use crate::rule::{Match, Origin};
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
    /// What somebody above chose for single rules, if there is somebody: of a hit that is critical by that, nothing here makes less.
    pub guarded: Option<BTreeMap<String, RuleChoice>>,
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
            guarded: None,
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
    /// The rule that decided, if its word alone did.
    pub rule: Option<String>,
    /// What added up to it, if that decided: the window, the sum and the limit, in a sentence.
    pub cumulative: Option<Box<str>>,
}

impl Decision {
    /// The decision on what holds nothing that counts.
    pub fn clean() -> Self {
        Self::new(Verdict::Allow, DecisionReason::Clean, Action::Allow)
    }

    /// A decision that no rule made.
    fn new(verdict: Verdict, reason: DecisionReason, action: Action) -> Self {
        Self { verdict, reason, action, rule: None, cumulative: None }
    }

    /// This decision, or another that is stricter; then that is the reason.
    pub fn at_least(self, other: Self, reason: DecisionReason) -> Self {
        if self.verdict < other.verdict { Self { reason, ..other } } else { self }
    }
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
    /// A rule whose block stands whatever the models think of it.
    Rule,
    /// It could not be judged, or not wholly.
    Undetermined,
    /// Of what is critical, the common settings ask for more than those of the tenant.
    CommonSettings,
    /// What adds up over several evaluations reached a limit.
    CumulativeRisk,
}

impl DecisionReason {
    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Severity => "severity",
            Self::Score => "score",
            Self::ScoreOverride => "score-override",
            Self::Rule => "rule",
            Self::Undetermined => "undetermined",
            Self::CommonSettings => "common-settings",
            Self::CumulativeRisk => "cumulative-risk",
        }
    }
}

impl Policy {
    /// The matches that count, each as bad as the settings say.
    pub fn adjust(&self, matches: Vec<Match>) -> Vec<Match> {
        if self.rules.is_empty() {
            return matches;
        }
        matches.into_iter().filter_map(|found| self.adjust_one(found)).collect()
    }

    fn adjust_one(&self, found: Match) -> Option<Match> {
        let above = self.guarded.as_ref().and_then(|rules| chosen(rules, found.clone()));
        let own = chosen(&self.rules, found);
        match above.filter(|above| above.severity == Severity::Critical) {
            Some(above) => {
                let action = own.map_or(above.action, |own| own.action.max(above.action));
                Some(Match { action, ..above })
            }
            None => own,
        }
    }

    /// The first match whose block stands under every model: of a rule of the user's own, of a rule for which the user chose
    /// to block, or of a critical pattern. What checks ask for is left to the models, for weighing it is what they are for.
    pub fn deciding<'m>(&self, matches: &'m [Match]) -> Option<&'m Match> {
        matches.iter().flat_map(Match::all).find(|found| found.action == Action::Block && self.is_decided(found))
    }

    fn is_decided(&self, found: &Match) -> bool {
        let is_chosen = || self.rules.get(found.rule.id.as_ref()).is_some_and(|choice| choice.action == Some(Action::Block));
        let is_critical_pattern = found.rule.origin == Origin::Pattern && found.severity == Severity::Critical;
        is_critical_pattern || found.rule.origin.is_own() || is_chosen()
    }

    /// The decision on a subject: of all opinions the strictest stands, and so does the block of a deciding match.
    pub fn decide<'e>(
        &self,
        evaluations: impl IntoIterator<Item = &'e Evaluation>,
        deciding: Option<&Match>,
        undetermined: Option<&Undetermined>,
    ) -> Decision {
        let evaluations: Vec<&Evaluation> = evaluations.into_iter().collect();
        let opinions = evaluations.iter().map(|evaluation| self.decide_alone(evaluation));
        let unjudged = undetermined.map(|why| self.on_undetermined.min(why.reason.most()));
        let unjudged = unjudged.map(|verdict| Decision::new(verdict, DecisionReason::Undetermined, action_of(verdict)));
        let clean = Decision::clean();
        // Whoever chose no opinion at all chose to hear no rule either.
        let is_off = !evaluations.is_empty() && evaluations.iter().all(|evaluation| is_silent(&evaluation.model));
        let rule = deciding.filter(|_| !is_off).map(|found| self.decide_by_rule(found));
        opinions.chain(unjudged).chain(rule).fold(clean, stricter)
    }

    /// The verdict on a source that could not be judged at all.
    pub fn decide_problem(&self) -> Verdict {
        self.on_undetermined
    }

    /// The decision if only this opinion counted, beside the block of a deciding match.
    pub fn decide_one(&self, evaluation: &Evaluation, deciding: Option<&Match>) -> Decision {
        self.decide(std::slice::from_ref(evaluation), deciding, None)
    }

    fn decide_by_rule(&self, found: &Match) -> Decision {
        let rule = Some(found.rule.id.to_string());
        Decision { rule, ..Decision::new(self.verdict(found.action), DecisionReason::Rule, found.action) }
    }

    fn decide_alone(&self, evaluation: &Evaluation) -> Decision {
        let by_score = self.decide_by_score(evaluation);
        match self.decide_by_action(evaluation) {
            Some(by_action) => stricter(by_action, by_score),
            None => by_score,
        }
    }

    /// What follows from the action that a model asks for; of a model that is made of others, the strictest of theirs.
    fn decide_by_action(&self, evaluation: &Evaluation) -> Option<Decision> {
        if !evaluation.parts.is_empty() {
            return evaluation.parts.iter().filter_map(|part| self.decide_by_action(part)).reduce(stricter);
        }
        let action = evaluation.action?;
        let reason = match evaluation.severity {
            _ if action == Action::Allow => DecisionReason::Clean,
            // A model that knows no severities asks for what its score asks for.
            None => DecisionReason::Score,
            Some(_) if evaluation.escalated => DecisionReason::ScoreOverride,
            Some(_) => DecisionReason::Severity,
        };
        Some(Decision::new(self.verdict(action), reason, action))
    }

    /// The scores from which an evaluation is warned of and blocked, where thresholds apply to it.
    pub fn thresholds(&self, evaluation: &Evaluation) -> (Option<f64>, Option<f64>) {
        // What a model is made of may ask for actions; the score of the whole is its own, and has no other measure.
        let has_own_action = evaluation.parts.is_empty() && evaluation.action.is_some();
        let usual = |threshold: f64| (!has_own_action).then_some(threshold);
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
        Decision::new(verdict, reason, action_of(verdict))
    }

    /// The verdict that stands for an action.
    pub fn verdict(&self, action: Action) -> Verdict {
        self.verdicts.get(&action).copied().unwrap_or_else(|| action.verdict())
    }
}

/// A match as bad as these choices say; none, if its rule does not count.
fn chosen(rules: &BTreeMap<String, RuleChoice>, mut found: Match) -> Option<Match> {
    if let Some(choice) = rules.get(found.rule.id.as_ref()) {
        if choice.is_disabled {
            return None;
        }
        found.severity = choice.severity.unwrap_or(found.severity);
        found.action = choice.action.unwrap_or(found.action);
    }
    Some(found)
}

/// Whether it is the model that stands for hearing nobody.
fn is_silent(name: &str) -> bool {
    registry::by_name(name).is_some_and(|model| model.is_silent)
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
    use std::sync::Arc;

    use super::*;
    use crate::model::disabled;
    use crate::rule::Rule;
    use crate::subject::Reason;
    use crate::value::score::Score;
    use crate::value::span::Span;

    fn opinion(score: f64, action: Option<Action>) -> Evaluation {
        Evaluation { action, ..Evaluation::new("m", Score::clamped(score)) }
    }

    #[test]
    fn thresholds_decide_on_both_edges() {
        for (score, expected) in
            [(39.9, Verdict::Allow), (40.0, Verdict::Warn), (69.9, Verdict::Warn), (70.0, Verdict::Block), (100.0, Verdict::Block)]
        {
            assert_eq!(Policy::default().decide(&[opinion(score, None)], None, None).verdict, expected, "{score}");
        }
    }

    #[test]
    fn an_action_decides_unless_a_threshold_was_chosen() {
        let acted = opinion(90.0, Some(Action::Log));
        assert_eq!(Policy::default().decide(std::slice::from_ref(&acted), None, None).verdict, Verdict::Allow);
        let policy = Policy { block_threshold: Some(80.0), ..Policy::default() };
        let decision = policy.decide(&[acted], None, None);
        assert_eq!((decision.verdict, decision.reason), (Verdict::Block, DecisionReason::Score));
    }

    #[test]
    fn of_several_opinions_the_strictest_stands() {
        let opinions = [opinion(0.0, Some(Action::Allow)), opinion(75.0, None), opinion(50.0, None)];
        assert_eq!(Policy::default().decide(&opinions, None, None).verdict, Verdict::Block);
    }

    fn found(origin: Origin, severity: Severity, action: Action) -> Match {
        let rule = Rule {
            id: "r".into(),
            origin,
            category: "c".into(),
            severity,
            action,
            why: "Because.".into(),
            help: "Do not.".into(),
            secret: false,
        };
        Match::new(&Arc::new(rule), Span::default())
    }

    #[test]
    fn the_block_of_a_users_rule_and_of_a_critical_pattern_decides() {
        use Origin::{Analyzer, Check, Pattern, UserPattern};
        for (origin, severity, action, decides) in [
            (Pattern, Severity::Critical, Action::Block, true),
            (Pattern, Severity::Critical, Action::Redact, false),
            (Pattern, Severity::High, Action::Block, false),
            (Check, Severity::Critical, Action::Block, false),
            (UserPattern, Severity::Low, Action::Block, true),
            (UserPattern, Severity::Critical, Action::Confirm, false),
            (Analyzer, Severity::Medium, Action::Block, true),
        ] {
            let found = found(origin, severity, action);
            assert_eq!(Policy::default().deciding(&[found]).is_some(), decides, "{origin:?} {severity} {action}");
        }
        let rules = [("r".to_owned(), RuleChoice { action: Some(Action::Block), ..RuleChoice::default() })];
        let policy = Policy { rules: rules.into(), ..Policy::default() };
        let chosen = policy.adjust(vec![found(Check, Severity::Low, Action::Log)]);
        assert!(policy.deciding(&chosen).is_some(), "what the user chose for a rule is the user's word");
    }

    #[test]
    fn a_deciding_match_stands_beside_every_opinion_but_none_at_all() {
        let blocks = found(Origin::UserPattern, Severity::Low, Action::Block);
        let policy = Policy::default();
        for (evaluations, reason) in [
            (vec![opinion(0.0, None)], DecisionReason::Rule),
            (vec![opinion(50.0, Some(Action::Warn))], DecisionReason::Rule),
            (vec![opinion(90.0, None)], DecisionReason::Score),
            (Vec::new(), DecisionReason::Rule),
        ] {
            let decision = policy.decide(&evaluations, Some(&blocks), None);
            assert_eq!((decision.verdict, decision.reason), (Verdict::Block, reason), "{evaluations:?}");
            assert_eq!(decision.rule.is_some(), reason == DecisionReason::Rule);
        }
        let off = Evaluation { action: Some(Action::Allow), ..Evaluation::new(disabled::NAME, Score::ZERO) };
        assert_eq!(policy.decide(std::slice::from_ref(&off), Some(&blocks), None).verdict, Verdict::Allow);
        assert_eq!(policy.decide(&[off, opinion(0.0, None)], Some(&blocks), None).verdict, Verdict::Block);
        let softened = Policy { verdicts: [(Action::Block, Verdict::Warn)].into(), ..Policy::default() };
        assert_eq!(softened.decide(&[opinion(0.0, None)], Some(&blocks), None).verdict, Verdict::Warn);
    }

    #[test]
    fn of_parts_both_the_strictest_action_and_the_score_stand() {
        let whole = |score, actions: &[Action]| Evaluation {
            parts: actions.iter().map(|action| opinion(0.0, Some(*action))).collect(),
            action: actions.iter().copied().max(),
            ..opinion(score, None)
        };
        for (score, actions, expected) in [
            (10.0, &[Action::Allow, Action::Warn][..], Verdict::Warn),
            (75.0, &[Action::Allow, Action::Warn], Verdict::Block),
            (10.0, &[Action::Log, Action::Block], Verdict::Block),
            (10.0, &[Action::Log, Action::Allow], Verdict::Allow),
        ] {
            assert_eq!(Policy::default().decide(&[whole(score, actions)], None, None).verdict, expected, "{score} {actions:?}");
        }
        let strict = Policy { verdicts: [(Action::Confirm, Verdict::Block), (Action::Redact, Verdict::Allow)].into(), ..Policy::default() };
        assert_eq!(strict.decide(&[whole(10.0, &[Action::Confirm, Action::Redact])], None, None).verdict, Verdict::Block);
    }

    #[test]
    fn what_could_not_be_judged_is_blocked_unless_the_user_says_otherwise() {
        let why = Undetermined::new(Reason::Unparsable, "");
        assert_eq!(Policy::default().decide(&[], None, Some(&why)).verdict, Verdict::Block);
        let policy = Policy { on_undetermined: Verdict::Allow, ..Policy::default() };
        assert_eq!(policy.decide(&[opinion(50.0, None)], None, Some(&why)).verdict, Verdict::Warn);
    }
}
