//! The released domain scorer: a base risk, raised by what an industry knows to be risky.
//!
//! Source: Attesta, `domains/profile.py` and `domains/scorer.py`, at 4b6a8de1.

use crate::upstream::attesta::call::{Call, Value};
use crate::upstream::attesta::factor::{Factor, clamped};
use crate::upstream::attesta::level::Level;
use crate::upstream::python::pattern::{Pattern, PatternError, escaped};

/// The least risk of a name that is critical, and the highest of one that is safe.
const CRITICAL_FLOOR: f64 = 0.8;
const SAFE_CAP: f64 = 0.15;
/// Risks that differ by less are the same to `==` in a condition.
const SAME: f64 = 1e-9;

/// What a domain knows, ready to be searched.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// What raises a risk.
    pub patterns: Vec<RiskPattern>,
    /// Words that raise a risk, with how much, 0–1.
    pub terms: Vec<(Pattern, f64)>,
    /// Names that are always critical.
    pub critical: Vec<Pattern>,
    /// Names that are always safe.
    pub safe: Vec<Pattern>,
    /// The least risk, 0–1.
    pub floor: f64,
    /// What a risk is multiplied by in production.
    pub production_multiplier: f64,
    /// What follows from a risk.
    pub escalations: Vec<Escalation>,
}

/// A pattern that raises a risk.
#[derive(Clone, Debug)]
pub struct RiskPattern {
    /// Its name.
    pub name: String,
    /// What is found.
    pub pattern: Pattern,
    /// Where.
    pub target: Target,
    /// How much it raises a risk, 0–1.
    pub share: f64,
}

/// Which part of a call a pattern is searched in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The function's name.
    FunctionName,
    /// What is passed by position.
    Args,
    /// What is passed by name, with the names.
    Kwargs,
    /// What the function is said to do.
    Docstring,
    /// Each of these.
    Any,
}

impl Target {
    /// All targets.
    pub const ALL: [Self; 5] = [Self::FunctionName, Self::Args, Self::Kwargs, Self::Docstring, Self::Any];

    /// Attesta's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::FunctionName => "function_name",
            Self::Args => "args",
            Self::Kwargs => "kwargs",
            Self::Docstring => "docstring",
            Self::Any => "any",
        }
    }

    /// The target of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name() == name)
    }
}

/// What follows if a condition holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Escalation {
    /// When.
    pub condition: Condition,
    /// What: `require_multi_party`, `block` …
    pub action: String,
}

/// When something follows.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// The risk compares so with a bound.
    Risk(Comparison, f64),
    /// The pattern of that name was found.
    Matches(String),
    /// The environment is this, in any case.
    Environment(String),
    /// The level is this, in any case.
    Level(String),
    /// Attesta does not know it, and it never holds.
    Unknown,
}

/// How two numbers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `>`
    Above,
    /// `>=`
    AtLeast,
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `==`, but for rounding.
    Same,
    /// `!=`, but for rounding.
    Other,
}

const COMPARISONS: [(&str, Comparison); 6] = [
    (">=", Comparison::AtLeast),
    ("<=", Comparison::AtMost),
    (">", Comparison::Above),
    ("<", Comparison::Below),
    ("==", Comparison::Same),
    ("!=", Comparison::Other),
];

impl Condition {
    /// Reads a condition: `risk_score >= 0.9`, `matches_pattern:name`, `environment:name`, `risk_level:name`.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        if let Some(compared) = text.strip_prefix("risk_score") {
            return Self::risk(compared.trim_start()).unwrap_or(Self::Unknown);
        }
        match text.split_once(':') {
            Some(("matches_pattern", name)) => Self::Matches(name.trim().to_owned()),
            Some(("environment", name)) => Self::Environment(name.trim().to_owned()),
            Some(("risk_level", name)) => Self::Level(name.trim().to_owned()),
            _ => Self::Unknown,
        }
    }

    fn risk(text: &str) -> Option<Self> {
        let (sign, comparison) = COMPARISONS.iter().find(|(sign, _)| text.starts_with(sign))?;
        let bound = text.strip_prefix(sign)?.trim_start();
        let is_number = bound.chars().all(|character| character.is_ascii_digit() || character == '.') && !bound.ends_with('.');
        bound.parse().ok().filter(|_| is_number).map(|bound| Self::Risk(*comparison, bound))
    }

    fn holds(&self, risk: f64, environment: &str, matched: &[&str]) -> bool {
        match self {
            Self::Risk(comparison, bound) => comparison.holds(risk, *bound),
            Self::Matches(name) => matched.contains(&name.as_str()),
            Self::Environment(name) => environment.to_lowercase() == name.to_lowercase(),
            Self::Level(name) => Level::of_clamped(risk).name() == name.to_lowercase(),
            Self::Unknown => false,
        }
    }
}

impl Comparison {
    fn holds(self, risk: f64, bound: f64) -> bool {
        match self {
            Self::Above => bound < risk,
            Self::AtLeast => bound <= risk,
            Self::Below => risk < bound,
            Self::AtMost => risk <= bound,
            Self::Same => (risk - bound).abs() < SAME,
            Self::Other => SAME <= (risk - bound).abs(),
        }
    }
}

/// The pattern of a name that is critical or safe: `*` stands for anything, and what looks like a regex is one.
///
/// # Errors
///
/// When it is a regex that cannot be searched.
pub fn name_pattern(name: &str) -> Result<Pattern, PatternError> {
    if name.contains(|character| "()[]{}+?^$|\\".contains(character)) {
        return Pattern::new(name, true);
    }
    Pattern::new(&escaped(name).replace("\\*", ".*"), true)
}

/// What a domain makes of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct DomainAssessment {
    /// The risk, 0–1.
    pub risk: f64,
    /// What it is made of.
    pub factors: Vec<Factor>,
    /// The names of the patterns that were found.
    pub matched: Vec<String>,
    /// The patterns of the words that were found, with how much each counts.
    pub terms: Vec<(String, f64)>,
    /// The name is always critical.
    pub is_critical: bool,
    /// The name is always safe.
    pub is_safe: bool,
    /// What follows, in the order of the profile.
    pub escalations: Vec<String>,
}

/// What a domain makes of a call with a base risk.
pub fn assess(profile: &Profile, call: &Call, environment: &str, base: f64) -> DomainAssessment {
    let found: Vec<&RiskPattern> = profile.patterns.iter().filter(|pattern| is_in(pattern, call)).collect();
    let text = full_text(call);
    let terms: Vec<(String, f64)> = profile
        .terms
        .iter()
        .filter(|(pattern, _)| pattern.is_match(&text))
        .map(|(pattern, share)| (pattern.source().to_owned(), *share))
        .collect();
    let is_critical = profile.critical.iter().any(|pattern| pattern.is_match(&call.function_name));
    let is_safe = profile.safe.iter().any(|pattern| pattern.is_match(&call.function_name));

    let names: Vec<&str> = found.iter().map(|pattern| pattern.name.as_str()).collect();
    let mut running = Running { risk: base, factors: vec![Factor::new("base_score", base, String::new())] };
    running.raise("domain_patterns", found.iter().map(|pattern| pattern.share), names.join(", "));
    if terms.iter().any(|(_, share)| 0.0 < *share) {
        let found: Vec<&str> = terms.iter().map(|(pattern, _)| pattern.as_str()).collect();
        running.raise("sensitive_terms", terms.iter().map(|(_, share)| *share), found.join(", "));
    }
    running.judge_name(is_critical, is_safe);
    running.keep_above(profile.floor);
    running.multiply(profile.production_multiplier, environment);
    let risk = clamped(running.risk);

    let held = profile.escalations.iter().filter(|escalation| escalation.condition.holds(risk, environment, &names));
    DomainAssessment {
        risk,
        factors: running.factors,
        escalations: held.map(|escalation| escalation.action.clone()).collect(),
        matched: names.into_iter().map(str::to_owned).collect(),
        terms,
        is_critical,
        is_safe,
    }
}

/// A risk while it is reckoned.
struct Running {
    risk: f64,
    factors: Vec<Factor>,
}

impl Running {
    fn add(&mut self, name: &str, contribution: f64, evidence: String) {
        self.factors.push(Factor::new(name, contribution, evidence));
    }

    /// The highest share takes its part of what is missing to 1.
    fn raise(&mut self, name: &str, shares: impl Iterator<Item = f64>, evidence: String) {
        let Some(highest) = shares.reduce(f64::max) else {
            return;
        };
        self.add(name, highest, evidence);
        self.risk = self.risk.max(self.risk + highest * (1.0 - self.risk));
    }

    fn judge_name(&mut self, is_critical: bool, is_safe: bool) {
        if is_critical {
            let name = if self.risk < CRITICAL_FLOOR { "critical_action_override" } else { "critical_action_flag" };
            let raised = self.risk.max(CRITICAL_FLOOR);
            self.add(name, if self.risk < CRITICAL_FLOOR { raised - self.risk } else { 0.0 }, "the name is always critical".to_owned());
            self.risk = raised;
        } else if is_safe {
            let name = if SAFE_CAP < self.risk { "safe_action_override" } else { "safe_action_flag" };
            let lowered = self.risk.min(SAFE_CAP);
            self.add(name, if SAFE_CAP < self.risk { -(self.risk - lowered) } else { 0.0 }, "the name is always safe".to_owned());
            self.risk = lowered;
        }
    }

    fn keep_above(&mut self, floor: f64) {
        if 0.0 < floor && self.risk < floor {
            self.add("domain_risk_floor", floor - self.risk, String::new());
            self.risk = floor;
        }
    }

    fn multiply(&mut self, multiplier: f64, environment: &str) {
        if environment.to_lowercase() != "production" || multiplier == 1.0 {
            return;
        }
        let before = self.risk;
        self.risk = before * multiplier;
        self.add("production_multiplier", self.risk - before, String::new());
    }
}

fn is_in(pattern: &RiskPattern, call: &Call) -> bool {
    let is_in = |text: &str| !text.is_empty() && pattern.pattern.is_match(text);
    let args = || is_in(&call.args.iter().map(Value::text).collect::<Vec<_>>().join(" "));
    let kwargs = || is_in(&named(call).collect::<Vec<_>>().join(" "));
    let doc = || is_in(call.doc.as_deref().unwrap_or_default());
    match pattern.target {
        Target::FunctionName => is_in(&call.function_name),
        Target::Args => args(),
        Target::Kwargs => kwargs(),
        Target::Docstring => doc(),
        Target::Any => is_in(&call.function_name) || args() || kwargs() || doc(),
    }
}

fn named(call: &Call) -> impl Iterator<Item = String> + '_ {
    call.kwargs.iter().map(|(name, value)| format!("{name}={}", value.text()))
}

/// All of a call as one text.
fn full_text(call: &Call) -> String {
    let mut parts = vec![call.function_name.clone()];
    parts.extend(call.args.iter().map(Value::text));
    parts.extend(named(call));
    parts.extend(call.doc.clone().filter(|doc| !doc.is_empty()));
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Condition, Escalation, Profile, RiskPattern, Target, assess, name_pattern};
    use crate::upstream::attesta::call::{Call, Value};
    use crate::upstream::python::pattern::Pattern;

    fn profile() -> Profile {
        let pattern = |name: &str, pattern: &str, target, share| RiskPattern {
            name: name.to_owned(),
            pattern: Pattern::new(pattern, true).unwrap(),
            target,
            share,
        };
        Profile {
            name: "own".to_owned(),
            patterns: vec![pattern("wipe", r"\bwipe\b", Target::Any, 0.5), pattern("named", "disk", Target::Kwargs, 0.6)],
            terms: vec![(Pattern::whole_word("customer").unwrap(), 0.5)],
            critical: vec![name_pattern("drop_*").unwrap()],
            safe: vec![name_pattern("^get_").unwrap()],
            floor: 0.1,
            production_multiplier: 2.0,
            escalations: vec![Escalation { condition: Condition::parse("matches_pattern:wipe"), action: "block".to_owned() }],
        }
    }

    #[test]
    fn a_domain_raises_lowers_and_multiplies() {
        for (name, kwarg, environment, base, expected) in [
            ("svc", ("x", "plain"), "development", 0.0, 0.1),
            ("svc", ("x", "wipe"), "development", 0.5, 0.75),
            ("svc", ("disk", "wipe"), "development", 0.0, 0.6),
            ("svc", ("x", "wipe the customer"), "development", 0.0, 0.75),
            ("svc", ("x", "customers"), "development", 0.2, 0.2),
            ("undrop_x", ("x", "plain"), "development", 0.2, 0.8),
            ("get_drop", ("x", "wipe"), "development", 0.2, 0.15),
            ("get_drop_x", ("x", "plain"), "development", 0.2, 0.8),
            ("svc", ("x", "plain"), "Production", 0.3, 0.6),
            ("svc", ("x", "plain"), "production", 0.9, 1.0),
        ] {
            let call = Call {
                function_name: name.to_owned(),
                kwargs: vec![(kwarg.0.to_owned(), Value::String(kwarg.1.to_owned()))],
                ..Call::default()
            };
            let assessment = assess(&profile(), &call, environment, base);
            assert_eq!(assessment.risk, expected, "{name} {kwarg:?} {environment}");
            assert_eq!(assessment.escalations.len(), usize::from(kwarg.1.contains("wipe")));
        }
    }

    #[test]
    fn conditions_are_read() {
        for (text, expected) in [
            ("risk_score >= 0.9", Condition::Risk(Comparison::AtLeast, 0.9)),
            (" risk_score<.5 ", Condition::Risk(Comparison::Below, 0.5)),
            ("risk_score > 1.", Condition::Unknown),
            ("risk_score => 1", Condition::Unknown),
            ("risk_score > -1", Condition::Unknown),
            ("environment: production", Condition::Environment("production".to_owned())),
            ("risk_level:High", Condition::Level("High".to_owned())),
            ("always", Condition::Unknown),
        ] {
            assert_eq!(Condition::parse(text), expected, "{text}");
        }
    }
}
