//! What a scan found: findings, problems, and the report of a run.

pub mod excerpt;
pub mod line_hash;
pub mod place;

use std::sync::Arc;

use crate::explain::Explanation;
use crate::explain::opinion::Opinion;
use crate::feature::Features;
use crate::finding::excerpt::Excerpt;
use crate::model::Evaluation;
use crate::policy::Decision;
use crate::rule::Rule;
use crate::subject::call::Call;
use crate::subject::{Kind, Lifecycle, Reason};
use crate::value::severity::Severity;
use crate::value::source::SourceName;
use crate::value::span::{Position, Span};
use crate::value::verdict::{Action, Verdict};

/// A subject with all that was found in it and what follows from that.
#[derive(Debug)]
pub struct Finding {
    /// The source it comes from.
    pub name: SourceName,
    /// What it is.
    pub kind: Kind,
    /// When in an agent's life it is seen.
    pub lifecycle: Lifecycle,
    /// What was found, the worst first, then in order of place.
    pub matches: Vec<PlacedMatch>,
    /// How many more matches were found than are kept.
    pub further_matches: usize,
    /// What the models think of it.
    pub evaluations: Vec<Evaluation>,
    /// What each model thinks of it by itself, in the order of the models, if that was asked for.
    pub opinions: Vec<Opinion>,
    /// What follows.
    pub decision: Decision,
    /// Why not all of it could be judged.
    pub undetermined: Option<UndeterminedPlace>,
    /// What was counted from it, if that was asked for.
    pub features: Option<Box<FeatureSheet>>,
    /// What its scores are made of and what would lower its verdict, if that was asked for.
    pub explanation: Option<Box<Explanation>>,
    /// SHA-256 of its text in hexadecimal, if that was asked for.
    pub text_hash: Option<String>,
}

impl Finding {
    /// The highest severity of any match.
    pub fn severity(&self) -> Option<Severity> {
        self.matches.iter().map(|found| found.severity).max()
    }

    /// The highest score of any model.
    pub fn score(&self) -> f64 {
        self.evaluations.iter().map(|evaluation| evaluation.score.value()).fold(0.0, f64::max)
    }
}

/// The features of a subject with the calls they were counted from.
#[derive(Debug)]
pub struct FeatureSheet {
    /// The calls.
    pub calls: Vec<(Call, Position)>,
    /// The features.
    pub features: Features,
}

/// Why not all of a subject could be judged, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndeterminedPlace {
    /// The kind of reason.
    pub reason: Reason,
    /// What exactly.
    pub detail: String,
    /// Where, when it is a place.
    pub position: Option<Position>,
}

/// A match with its place for people, and nothing in it that must not be shown.
#[derive(Debug)]
pub struct PlacedMatch {
    /// The rule that hit.
    pub rule: Arc<Rule>,
    /// How bad this hit is.
    pub severity: Severity,
    /// What this hit asks for.
    pub action: Action,
    /// Where it starts.
    pub start: Position,
    /// Where it ends, one column past its last character.
    pub end: Position,
    /// Where it stands, in bytes of the decoded text.
    pub span: Span,
    /// What stands there, shortened; secrets in it are masked.
    pub evidence: String,
    /// What was found, in a sentence.
    pub message: String,
    /// Other places that belong to it.
    pub steps: Vec<PlacedStep>,
    /// The other rules that hit for the same cause, each once; the match stands for their hits.
    pub also: Vec<Arc<Rule>>,
    /// The lines around it, if that was asked for.
    pub excerpt: Option<Excerpt>,
    /// The hash by which GitHub's code scanning knows its line, if that was asked for.
    pub line_hash: Option<String>,
}

impl PlacedMatch {
    /// The rules of all hits of the cause, its own first.
    pub fn rules(&self) -> impl Iterator<Item = &Arc<Rule>> {
        std::iter::once(&self.rule).chain(&self.also)
    }

    /// The flow that ends in the match: its steps, from the origin to the sink. A single step is no flow but another place.
    pub fn flow(&self) -> Option<Flow<'_>> {
        match self.steps.as_slice() {
            [origin, .., sink] => Some(Flow { origin, sink, steps: &self.steps }),
            _ => None,
        }
    }
}

/// The flow of a match.
#[derive(Clone, Copy, Debug)]
pub struct Flow<'f> {
    /// Where the data is read.
    pub origin: &'f PlacedStep,
    /// Where it gets to.
    pub sink: &'f PlacedStep,
    /// The whole way, with both ends.
    pub steps: &'f [PlacedStep],
}

impl Flow<'_> {
    /// Returns true if and only if both lead from the same place to the same place.
    pub fn has_ends_of(&self, other: &Self) -> bool {
        let ends = |flow: &Self| (flow.origin.start, flow.origin.end, flow.sink.start, flow.sink.end);
        ends(self) == ends(other)
    }
}

/// A step of a flow with its place for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedStep {
    /// Where it starts.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// What happens there.
    pub note: String,
}

/// A source that could not be judged at all.
#[derive(Debug)]
pub struct Problem {
    /// The source.
    pub name: SourceName,
    /// The kind of reason.
    pub reason: Reason,
    /// What exactly.
    pub detail: String,
    /// What follows.
    pub verdict: Verdict,
}

/// One outcome of a run.
#[derive(Debug)]
pub enum Entry {
    /// A subject that was judged.
    Finding(Box<Finding>),
    /// A source that could not be.
    Problem(Problem),
}

impl Entry {
    /// The answer on this entry.
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::Finding(finding) => finding.decision.verdict,
            Self::Problem(problem) => problem.verdict,
        }
    }

    /// The source of this entry.
    pub fn name(&self) -> &SourceName {
        match self {
            Self::Finding(finding) => &finding.name,
            Self::Problem(problem) => &problem.name,
        }
    }

    /// Returns true if and only if the source could not be judged, or not wholly.
    pub fn is_undetermined(&self) -> bool {
        match self {
            Self::Finding(finding) => finding.undetermined.is_some(),
            Self::Problem(_) => true,
        }
    }
}

/// All outcomes of a run.
#[derive(Debug, Default)]
pub struct Report {
    /// All findings and problems, in order of their sources.
    pub entries: Vec<Entry>,
    /// What the run passed over and where its settings came from.
    pub run: Run,
    counts: [usize; Verdict::ALL.len()],
    undetermined: usize,
}

/// What holds for a whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Files found by a walk whose kind is not judged.
    pub skipped_kind: usize,
    /// Binary files found by a walk.
    pub skipped_binary: usize,
    /// Names of the models that judged.
    pub models: Vec<String>,
    /// Version of the pattern library: changes whenever a pattern does.
    pub library_version: String,
    /// The settings file that took effect, if any.
    pub configuration: Option<String>,
    /// Everything in the settings that makes the gate milder than its defaults.
    pub loosened: Vec<String>,
    /// All rules that could match, for formats that list them.
    pub rules: Vec<Arc<Rule>>,
}

impl Report {
    /// A report of these entries.
    pub fn of(entries: Vec<Entry>, run: Run) -> Self {
        let mut report = Self { run, ..Self::default() };
        entries.into_iter().for_each(|entry| report.push(entry, true));
        report
    }

    /// Takes an entry in; counted in any case, kept if it is still needed.
    pub fn push(&mut self, entry: Entry, keep: bool) {
        self.undetermined += usize::from(entry.is_undetermined());
        self.counts[entry.verdict() as usize] += 1;
        if keep {
            self.entries.push(entry);
        }
    }

    /// The strictest verdict of all entries.
    pub fn verdict(&self) -> Verdict {
        Verdict::ALL.into_iter().rev().find(|verdict| 0 < self.count(*verdict)).unwrap_or_default()
    }

    /// How many entries have the verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.counts[verdict as usize]
    }

    /// How many entries could not be judged, or not wholly.
    pub fn undetermined(&self) -> usize {
        self.undetermined
    }

    /// Returns true if and only if nothing was judged.
    pub fn is_empty(&self) -> bool {
        self.counts.iter().all(|count| *count == 0)
    }
}
