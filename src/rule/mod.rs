//! Rules and matches: anything that can be found, and one hit of it.

pub mod cause;

use std::borrow::Cow;
use std::sync::Arc;

use crate::subject::flow::Step;
use crate::value::severity::Severity;
use crate::value::span::Span;
use crate::value::verdict::Action;

/// Anything that can match: a pattern (data) or a check (code).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Unique name, kebab-case.
    pub id: Cow<'static, str>,
    /// Pattern or check.
    pub origin: Origin,
    /// What it is about, e.g. `credentials`.
    pub category: Cow<'static, str>,
    /// How bad a hit is, unless the hit says otherwise.
    pub severity: Severity,
    /// What a hit asks for, unless the hit says otherwise.
    pub action: Action,
    /// Why it matters, in one sentence.
    pub why: Cow<'static, str>,
    /// What to do about it, in one sentence.
    pub help: Cow<'static, str>,
    /// What it finds must not be repeated in any output.
    pub secret: bool,
}

/// Where a rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Code in `check/`.
    Check,
    /// Data in `patterns/`.
    Pattern,
    /// Data of the user's.
    UserPattern,
    /// An analyzer in the settings.
    Analyzer,
}

impl Origin {
    /// Returns true if and only if the rule is the user's own.
    pub fn is_own(self) -> bool {
        match self {
            Self::UserPattern | Self::Analyzer => true,
            Self::Check | Self::Pattern => false,
        }
    }

    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Pattern => "pattern",
            Self::UserPattern => "user-pattern",
            Self::Analyzer => "analyzer",
        }
    }
}

/// One hit of a rule.
#[derive(Clone, Debug)]
pub struct Match {
    /// The rule that hit.
    pub rule: Arc<Rule>,
    /// How bad this hit is.
    pub severity: Severity,
    /// What this hit asks for.
    pub action: Action,
    /// Where it hit.
    pub span: Span,
    /// What was found, in a sentence that names it; `None` for patterns, whose text speaks.
    pub message: Option<String>,
    /// Other places that belong to it, with what happens there.
    pub steps: Vec<Step>,
    /// The other hits of the same cause, which this one stands for; none is worse.
    pub also: Vec<Self>,
}

impl Match {
    /// A hit as severe as its rule.
    pub fn new(rule: &Arc<Rule>, span: Span) -> Self {
        Self {
            rule: Arc::clone(rule),
            severity: rule.severity,
            action: rule.action,
            span,
            message: None,
            steps: Vec::new(),
            also: Vec::new(),
        }
    }

    /// The hit itself, and those that it stands for, the worst first.
    pub fn all(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.also)
    }

    /// Returns true if and only if the hit asks for more than to be noted.
    pub fn asks(&self) -> bool {
        Action::Log < self.action
    }

    /// The worst hit of the cause that asks for anything, for models that do not look at actions.
    pub fn asking(&self) -> Option<&Self> {
        self.all().find(|found| found.asks())
    }

    /// The places between which the data of the hit flows; a single step is no flow but another place.
    pub fn ends(&self) -> Option<(Span, Span)> {
        match self.steps.as_slice() {
            [origin, .., sink] => Some((origin.span, sink.span)),
            _ => None,
        }
    }

    /// The same hit with a sentence that names what was found.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// The same hit, more or less severe than its rule.
    #[must_use]
    pub fn with_severity(mut self, severity: Severity, action: Action) -> Self {
        self.severity = severity;
        self.action = action;
        self
    }

    /// The same hit with other places that belong to it.
    #[must_use]
    pub fn with_steps(mut self, steps: Vec<Step>) -> Self {
        self.steps = steps;
        self
    }
}
