//! One evaluation as it is stored: what each column means, its unit, and where it comes from.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::finding::placed::PlacedMatch;
use crate::finding::trail::{KEY, Step, Stored, Trail, text_key};
use crate::finding::{Entry, Finding};
use crate::model::Evaluation;
use crate::pattern::mask::Mask;
use crate::policy::{DecisionReason, Policy};
use crate::value::severity::Severity;
use crate::value::time::rfc3339;
use crate::value::verdict::Verdict;

/// Longest text of a column, in characters: a path, a tool, an id of a call.
const LONGEST: usize = 400;
/// Most rules that are named of one evaluation; the number of matches counts all.
const MOST_RULES: usize = 64;

/// A text that is mostly one of ours.
pub type Text = Cow<'static, str>;

/// The id of an evaluation.
pub type Id = uuid::Uuid;

/// The id that a text is.
pub fn id(text: &str) -> Option<Id> {
    Id::try_parse(text.trim()).ok()
}

/// A session, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionName {
    /// By what it is found: a hash of its id.
    pub key: [u8; KEY],
    /// Its id without the secrets in it, for people.
    pub text: String,
}

/// One evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// `evaluation_id`: a UUID of version 7, unique and in order of time. Made when the evaluation was done.
    pub id: Id,
    /// `timestamp`: when the evaluation was done, in milliseconds since 1970 in UTC. By the clock of the machine.
    pub at: i64,
    /// `tenant_id`. From the command line or the settings.
    pub tenant: Option<String>,
    /// `session_id`. From the command line, or else from the input.
    pub session: Option<SessionName>,
    /// `agent`: the agent host whose hook asked.
    pub agent: Option<String>,
    /// `path`: the source, as reports name it.
    pub path: String,
    /// `record`: the how-manieth record of its source it is, from 1, where the source holds several.
    pub number: Option<u32>,
    /// `kind` of the subject; none for a source that could not be read.
    pub kind: Option<Text>,
    /// `lifecycle_point` at which the subject is seen.
    pub lifecycle: Option<Text>,
    /// `tool` that is called, or that answered, where the source is a call or a result.
    pub tool: Option<String>,
    /// `tool_call_id`, where the input names it.
    pub tool_call_id: Option<String>,
    /// `input_timestamp`: when the input says that it happened, as it says it. Nothing relies on it.
    pub input_timestamp: Option<String>,
    /// `subject_hash`: the first 16 bytes of the SHA-256 of the subject's text.
    pub subject: Option<[u8; KEY]>,
    /// `matched_patterns`: the rules that hit, in alphabetical order, each behind a number and `*` if it hit several times.
    pub patterns: Option<String>,
    /// `match_count`: how many matches were found.
    pub match_count: u32,
    /// `numeric_score`: the highest score of any model, 0 to 100.
    pub score: Option<f64>,
    /// `categorical_severity`: the highest severity of any match.
    pub severity: Option<Severity>,
    /// `action` that is asked for.
    pub action: Text,
    /// `action_reason`: what led to it; `score-override` is `score_override_threshold` there.
    pub reason: Text,
    /// `deciding_rule`, where the word of one alone decided.
    pub rule: Option<String>,
    /// `verdict`: the answer.
    pub verdict: Verdict,
    /// `undetermined`: the kind of reason why not all of it could be judged.
    pub undetermined: Option<Text>,
    /// `accepted_patterns`: the rules whose hits somebody accepted, as `patterns`. What could not be judged is no rule.
    pub accepted: Option<String>,
    /// `accepted_count`: how many matches and gaps in what could be judged were accepted.
    pub accepted_count: u32,
    /// `models` that judged, with commas between them.
    pub models: String,
    /// `model_scores`: of each opinion of several the model, the score and the verdict: `hybrid 40 warn;numeric 35 allow`.
    pub scores: Option<String>,
    /// `scan_duration_ms`, here in microseconds: how long finding and judging took, without reading the file and waiting for others.
    pub duration: Option<u32>,
    /// `pattern_library_version`: changes whenever a pattern does.
    pub library: String,
    /// `callgate_version` that judged.
    pub version: Text,
}

/// A record with what it adds to the memory of its session.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The record.
    pub record: Record,
    /// What it adds.
    pub step: Step,
}

/// What is the same for all evaluations of a run.
#[derive(Clone, Debug)]
pub struct Circumstances<'r> {
    /// The tenant.
    pub tenant: Option<String>,
    /// The session that the command line names.
    pub session: Option<String>,
    /// The agent host.
    pub agent: Option<String>,
    /// The models that judge.
    pub models: String,
    /// Version of the pattern library.
    pub library: String,
    /// What follows from opinions.
    pub policy: &'r Policy,
}

impl Record {
    /// Returns true if and only if nothing was found and nothing is to be said: such records are kept for a shorter time.
    pub fn is_clean(&self) -> bool {
        self.verdict == Verdict::Allow && self.match_count == 0 && self.undetermined.is_none() && self.accepted_count == 0
    }

    /// What time it is, as evaluations are stored: milliseconds since 1970 in UTC.
    pub fn now() -> i64 {
        fresh().1
    }

    /// What an entry is stored as; nothing, if it is no evaluation. `mask` knows the secrets that were found so far.
    pub fn of(entry: &Entry, circumstances: &Circumstances<'_>, mask: &Mask) -> Option<Pending> {
        let (id, at) = fresh();
        let bare = Self::bare(id, at, entry, circumstances, mask);
        match entry {
            Entry::Finding(finding) => Some(bare.with_finding(finding, circumstances.policy, mask)),
            Entry::Problem(_) => Some(Pending { record: bare, step: Step::default() }),
            Entry::PassedOver(_) => None,
        }
    }

    fn bare(id: Id, at: i64, entry: &Entry, circumstances: &Circumstances<'_>, mask: &Mask) -> Self {
        Self {
            id,
            at,
            tenant: circumstances.tenant.clone(),
            session: circumstances.session.as_deref().map(|session| SessionName::of(session, mask)),
            agent: circumstances.agent.clone(),
            path: kept(&entry.name().as_text(), mask),
            number: None,
            kind: None,
            lifecycle: None,
            tool: None,
            tool_call_id: None,
            input_timestamp: None,
            subject: None,
            patterns: None,
            match_count: 0,
            score: None,
            severity: None,
            action: entry.verdict().name().into(),
            reason: DecisionReason::Undetermined.name().into(),
            rule: None,
            verdict: entry.verdict(),
            undetermined: entry.reason().map(|reason| reason.name().into()),
            accepted: None,
            accepted_count: 0,
            models: circumstances.models.clone(),
            scores: None,
            duration: None,
            library: circumstances.library.clone(),
            version: env!("CARGO_PKG_VERSION").into(),
        }
    }

    fn with_finding(mut self, finding: &Finding, policy: &Policy, mask: &Mask) -> Pending {
        let keep = |text: &Option<String>| text.as_deref().map(|text| kept(text, mask));
        if let Some(placed) = &finding.record {
            self.number = Some(placed.record.number);
            self.tool = keep(&placed.record.tool);
            self.tool_call_id = keep(&placed.record.id);
            self.input_timestamp = keep(&placed.record.timestamp);
        }
        let trail = finding.trail.as_deref();
        self.session = self.session.or_else(|| Some(SessionName::of(trail?.step.session.as_deref()?, mask)));
        self.kind = Some(finding.kind.name().into());
        self.lifecycle = Some(finding.lifecycle.name().into());
        self.subject = trail.map(|trail| trail.subject);
        self.duration = trail.map(|trail| u32::try_from(trail.took.as_micros()).unwrap_or(u32::MAX));
        self.patterns = patterns(finding.matches.iter());
        self.accepted = patterns(finding.accepted.matches.iter().map(|(found, _)| found));
        self.accepted_count = u32::try_from(finding.accepted.acceptances().count()).unwrap_or(u32::MAX);
        self.match_count = u32::try_from(finding.matches.len() + finding.further_matches).unwrap_or(u32::MAX);
        self.score = (!finding.evaluations.is_empty()).then(|| finding.score());
        self.severity = finding.severity();
        self.action = finding.decision.action.name().into();
        self.reason = finding.decision.reason.name().into();
        self.rule.clone_from(&finding.decision.rule);
        self.scores = (1 < finding.evaluations.len()).then(|| scores(&finding.evaluations, policy));
        Pending { record: self, step: trail.map(|trail| trail.step.clone()).unwrap_or_default() }
    }

    /// What an entry is told to be stored as.
    pub fn stored(&self) -> Stored {
        Stored { evaluation_id: self.id.to_string(), timestamp: rfc3339(self.at), tenant: self.tenant.clone() }
    }
}

/// An id that was never there, and the time that stands in it.
fn fresh() -> (Id, i64) {
    let id = Id::now_v7();
    let at = id.get_timestamp().map_or(0, |time| {
        let (seconds, nanos) = time.to_unix();
        i64::try_from(seconds).unwrap_or_default() * 1_000 + i64::from(nanos / 1_000_000)
    });
    (id, at)
}

/// Lets an entry say what it is stored as.
pub fn tell(entry: &mut Entry, stored: Stored) {
    if let Entry::Finding(finding) = entry {
        match &mut finding.trail {
            Some(trail) => trail.stored = Some(stored),
            none @ None => {
                *none = Some(Box::new(Trail {
                    subject: [0; KEY],
                    took: std::time::Duration::ZERO,
                    step: Step::default(),
                    stored: Some(stored),
                }));
            }
        }
    }
}

impl SessionName {
    /// The session of this id.
    pub fn of(id: &str, mask: &Mask) -> Self {
        Self { key: text_key(id), text: kept(id, mask) }
    }
}

/// A text without the secrets in it, and not too long. No database need keep a zero.
fn kept(text: &str, mask: &Mask) -> String {
    let hidden = mask.hidden(text);
    let text = &hidden.as_deref().unwrap_or(text).replace('\0', "\u{fffd}");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn patterns<'m>(matches: impl Iterator<Item = &'m PlacedMatch>) -> Option<String> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for rule in matches.flat_map(PlacedMatch::rules) {
        *counts.entry(rule.id.as_ref()).or_default() += 1;
    }
    let told = |(rule, count): (&&str, &u32)| if *count == 1 { (*rule).to_owned() } else { format!("{count}*{rule}") };
    let names: Vec<String> = counts.iter().take(MOST_RULES).map(told).collect();
    (!names.is_empty()).then(|| names.join(" "))
}

/// The opinion of each of several.
fn scores(evaluations: &[Evaluation], policy: &Policy) -> String {
    let told = |evaluation: &Evaluation| {
        let verdict = policy.decide(std::slice::from_ref(evaluation), None, None).verdict;
        format!("{} {} {verdict}", evaluation.model, short(evaluation.score.value()))
    };
    evaluations.iter().map(told).collect::<Vec<String>>().join(";")
}

/// A score with two places at most.
fn short(score: f64) -> f64 {
    (score * 100.0).round() / 100.0
}
