//! Analyzers: rules and programs of the user's own, only ever taken from settings that the user named.
//!
//! They make evidence: an expression makes matches of its own rule, a program makes an answer with a score.

pub mod answer;
pub mod expression;
pub mod item;
pub mod program;
pub mod scope;
pub mod sheet;

use std::sync::Arc;

use crate::analyzer::answer::Answer;
use crate::analyzer::expression::{Expression, Variables};
use crate::analyzer::program::Program;
use crate::analyzer::scope::Scope;
use crate::analyzer::sheet::{Seen, Sheet, own_span};
use crate::pattern::Pattern;
use crate::rule::{Match, Rule};
use crate::subject::{Reason, Undetermined};
use crate::value::span::Span;

/// What all analyzer rules are about.
pub const CATEGORY: &str = "custom";

/// The analyzers of a run that are no patterns.
#[derive(Debug, Default)]
pub struct Analyzers {
    /// Rules that are expressions, in the order of the settings.
    pub conditions: Vec<Condition>,
    /// Programs, in the order of the settings.
    pub programs: Vec<Program>,
}

/// A rule that is an expression.
#[derive(Debug)]
pub struct Condition {
    /// Id, severity, action, why and help.
    pub rule: Arc<Rule>,
    /// When it hits.
    pub when: Expression,
    /// The expression as written.
    pub written: String,
    /// Which subjects it is asked of.
    pub scope: Scope,
}

/// What the settings make of their analyzers.
#[derive(Debug, Default)]
pub struct Built {
    /// Those that are patterns; they belong into the library.
    pub patterns: Vec<Pattern>,
    /// All others.
    pub analyzers: Analyzers,
    /// What the matches of each rule add in the rule-based model: the rule's id and its points, 0–100.
    pub points: Vec<(String, f64)>,
}

/// What analyzers found in a subject.
#[derive(Debug, Default)]
pub struct Analysis {
    /// The hits of conditions.
    pub matches: Vec<Match>,
    /// The answers of programs.
    pub answers: Vec<Answer>,
    /// Why one of them could not judge it, the first of all.
    pub undetermined: Option<Undetermined>,
}

impl Analyzers {
    /// Returns true if and only if there are none.
    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty() && self.programs.is_empty()
    }

    /// The rules that conditions are.
    pub fn rules(&self) -> impl Iterator<Item = &Arc<Rule>> {
        self.conditions.iter().map(|condition| &condition.rule)
    }

    /// Lets all analyzers that `is_wanted` names look at a subject.
    pub fn analyze(&self, seen: &Seen<'_>, is_wanted: impl Fn(&str) -> bool) -> Analysis {
        let mut analysis = Analysis::default();
        let looks = |scope: &Scope| scope.holds(seen.subject.kind, seen.subject.lifecycle);
        let conditions: Vec<&Condition> =
            self.conditions.iter().filter(|condition| looks(&condition.scope) && is_wanted(&condition.rule.id)).collect();
        let programs: Vec<&Program> = self.programs.iter().filter(|program| looks(&program.scope)).collect();
        if conditions.is_empty() && programs.is_empty() {
            return analysis;
        }
        let sheet = Sheet::of(seen);
        let mut fail = |id: &str, message: String| {
            let detail = format!("the analyzer `{id}` failed: {message}");
            analysis.undetermined.get_or_insert_with(|| Undetermined::new(Reason::Analyzer, detail));
        };
        let variables = (!conditions.is_empty()).then(|| Variables::new(&sheet));
        for (condition, variables) in conditions.iter().flat_map(|condition| variables.iter().map(move |variables| (condition, variables)))
        {
            match condition.when.holds(variables) {
                Ok(true) => analysis.matches.push(Match::new(&condition.rule, place(seen))),
                Ok(false) => {}
                Err(message) => fail(&condition.rule.id, message),
            }
        }
        for program in programs {
            match program.ask(&sheet, own_span(seen.subject, seen.text).slice(seen.text)) {
                Ok(answer) => analysis.answers.push(answer),
                Err(error) => fail(&program.id, error.to_string()),
            }
        }
        analysis
    }
}

/// A condition holds of the whole subject, so it is shown where the subject begins.
fn place(seen: &Seen<'_>) -> Span {
    let start = own_span(seen.subject, seen.text).start;
    Span::new(start, start)
}
