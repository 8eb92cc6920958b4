//! What a scan found: findings, problems, and the report of a run.

pub mod accepted;
pub mod audit;
pub mod below;
pub mod delta;
pub mod excerpt;
pub mod hide;
pub mod item;
pub mod line_hash;
pub mod listed;
pub mod place;
pub mod placed;
pub mod statistics;
pub mod stream_line;
pub mod trail;

use std::sync::Arc;

use crate::accept::acceptance::{Acceptance, Basis, Remark};
use crate::explain::Explanation;
use crate::explain::counterfactual::Counterfactual;
use crate::explain::opinion::Opinion;
use crate::finding::accepted::Accepted;
use crate::finding::below::Below;
use crate::finding::delta::Delta;
use crate::finding::placed::{PlacedMatch, UndeterminedPlace};
use crate::finding::statistics::Statistics;
use crate::finding::trail::Trail;
use crate::model::Evaluation;
use crate::pattern::secret::Secret;
use crate::policy::Decision;
use crate::policy::cumulative::Exceeded;
use crate::rule::Rule;
use crate::subject::passed::{Passed, PassedCounts};
use crate::subject::record::Record;
use crate::subject::{Kind, Lifecycle, Reason};
use crate::value::severity::Severity;
use crate::value::source::{SourceName, shown};
use crate::value::verdict::Verdict;

/// The longest name of a tool or an argument that is shown whole, in characters.
const NAME: usize = 60;

/// A subject with all that was found in it and what follows from that.
#[derive(Debug)]
pub struct Finding {
    /// The source it comes from.
    pub name: SourceName,
    /// What it is.
    pub kind: Kind,
    /// When in an agent's life it is seen.
    pub lifecycle: Lifecycle,
    /// Which record of its source it is, with its line, where the source holds several.
    pub record: Option<Box<PlacedRecord>>,
    /// What was found, the worst first, then in order of place.
    pub matches: Vec<PlacedMatch>,
    /// What was found and does not count.
    pub accepted: Accepted,
    /// How many more matches were found than are kept.
    pub further_matches: usize,
    /// What is not shown because it is not bad enough.
    pub below: Below,
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
    /// Whose it is, where it is a tenant's.
    pub tenant: Option<Arc<str>>,
    /// What is kept of it, if anything is.
    pub trail: Option<Box<Trail>>,
    /// The line of a stream that it answers.
    pub stream_line: Option<StreamLine>,
    /// The secrets in its source; of several subjects of one source, the first one knows them.
    pub secrets: Vec<Secret>,
}

impl Finding {
    /// The name of its source, with the record where the source holds several: ``calls.jsonl:17 call 3 `Bash`, argument `code` ``.
    pub fn shown_name(&self) -> String {
        let name = self.name.as_shown();
        let Some(PlacedRecord { record, line }) = self.record.as_deref() else { return name };
        let word = match self.kind {
            Kind::Script | Kind::ToolCall => "call",
            Kind::ToolResult => "result",
            Kind::Prompt => "prompt",
            Kind::Manifest => "tool",
            Kind::Text => "text",
        };
        let quoted = |text: &str| format!("`{}`", shown(&text.chars().take(NAME).collect::<String>()));
        let tool = record.tool.as_deref().filter(|tool| !tool.is_empty()).map(|tool| format!(" {}", quoted(tool)));
        let argument = record.argument.as_deref().map(|argument| format!(", argument {}", quoted(argument)));
        format!("{name}:{line} {word} {}{}{}", record.number, tool.unwrap_or_default(), argument.unwrap_or_default())
    }

    /// The highest severity of any match.
    pub fn severity(&self) -> Option<Severity> {
        self.matches.iter().map(|found| found.severity).max().max(self.below.worst)
    }

    /// Takes the matches out that are not as bad as that. They were judged, and are counted; what could not be judged stays.
    pub fn show_from(&mut self, bar: Severity) {
        let Below { count, worst } = &mut self.below;
        self.matches.retain(|found| {
            let is_shown = bar <= found.severity;
            if !is_shown {
                *count += 1;
                *worst = (*worst).max(Some(found.severity));
            }
            is_shown
        });
    }

    /// How many matches there are, shown or not.
    pub fn match_count(&self) -> usize {
        self.matches.len() + self.further_matches + self.below.count
    }

    /// The highest score of any model.
    pub fn score(&self) -> f64 {
        self.evaluations.iter().map(|evaluation| evaluation.score.value()).fold(0.0, f64::max)
    }
}

/// A record of a source with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedRecord {
    /// The record.
    pub record: Record,
    /// The line on which it begins, from 1.
    pub line: u32,
}

/// A line of a stream, as the entry that answers it knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamLine {
    /// Its number, from 1.
    pub number: u32,
    /// No other entry answers it.
    pub is_last: bool,
    /// Nothing else was to be answered, so whoever wrote the line may wait for this.
    pub is_awaited: bool,
}

/// The features of a subject, as they are written.
#[derive(Debug)]
pub struct FeatureSheet {
    /// For machines.
    pub document: serde_json::Value,
    /// For people: each family with a line.
    pub lines: Vec<(&'static str, String)>,
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
    /// Why it does not matter, if somebody accepted it.
    pub accepted: Option<Arc<Acceptance>>,
    /// The line of a stream that it answers.
    pub stream_line: Option<StreamLine>,
    /// The secrets in its name and in the detail.
    pub secrets: Vec<Secret>,
}

/// A part of a stream in which there is nothing to judge.
#[derive(Debug)]
pub struct PassedOver {
    /// The source.
    pub name: SourceName,
    /// What it is.
    pub kind: Passed,
    /// The line of a stream that it answers.
    pub stream_line: Option<StreamLine>,
}

/// One outcome of a run.
#[derive(Debug)]
pub enum Entry {
    /// A subject that was judged.
    Finding(Box<Finding>),
    /// A source that could not be.
    Problem(Problem),
    /// A part of a stream in which there is nothing to judge, which is answered all the same.
    PassedOver(PassedOver),
}

impl Entry {
    /// The answer on this entry.
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::Finding(finding) => finding.decision.verdict,
            Self::Problem(problem) => problem.verdict,
            Self::PassedOver(_) => Verdict::Allow,
        }
    }

    /// Makes the answer stricter where limits were reached on what adds up; returns whether that changes it.
    pub fn raise(&mut self, exceeded: &[Exceeded]) -> bool {
        let before = self.verdict();
        match self {
            Self::Finding(finding) => {
                finding.decision = finding.decision.clone().with_cumulative(exceeded);
                if before < finding.decision.verdict
                    && let Some(explanation) = &mut finding.explanation
                {
                    let why = "what adds up over several evaluations decides".to_owned();
                    explanation.counterfactual = Counterfactual::Nothing(why);
                }
            }
            Self::Problem(problem) => {
                if let Some(worst) = exceeded.iter().max_by_key(|exceeded| exceeded.verdict).filter(|worst| before < worst.verdict) {
                    problem.verdict = worst.verdict;
                    problem.detail = format!("{}; and {}", problem.detail, worst.told);
                }
            }
            Self::PassedOver(_) => {}
        }
        before < self.verdict()
    }

    /// The source of this entry for people, with the record that it is.
    pub fn shown_name(&self) -> String {
        match self {
            Self::Finding(finding) => finding.shown_name(),
            Self::Problem(problem) => problem.name.as_shown(),
            Self::PassedOver(passed) => passed.name.as_shown(),
        }
    }

    /// The source of this entry.
    pub fn name(&self) -> &SourceName {
        match self {
            Self::Finding(finding) => &finding.name,
            Self::Problem(problem) => &problem.name,
            Self::PassedOver(passed) => &passed.name,
        }
    }

    /// The finding, if it is one.
    pub fn finding(&self) -> Option<&Finding> {
        match self {
            Self::Finding(finding) => Some(finding),
            Self::Problem(_) | Self::PassedOver(_) => None,
        }
    }

    /// Why it could not be judged, or not wholly.
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Self::Finding(finding) => finding.undetermined.as_ref().map(|undetermined| undetermined.reason),
            Self::Problem(problem) => Some(problem.reason),
            Self::PassedOver(_) => None,
        }
    }

    /// The secrets in its source.
    pub fn secrets(&self) -> &[Secret] {
        match self {
            Self::Finding(finding) => &finding.secrets,
            Self::Problem(problem) => &problem.secrets,
            Self::PassedOver(_) => &[],
        }
    }

    /// Returns true if and only if the source could not be judged, or not wholly.
    pub fn is_undetermined(&self) -> bool {
        match self {
            Self::Finding(finding) => finding.undetermined.is_some(),
            Self::Problem(problem) => problem.accepted.is_none(),
            Self::PassedOver(_) => false,
        }
    }

    /// The acceptance of each thing in it that was accepted.
    pub fn acceptances(&self) -> Vec<&Acceptance> {
        match self {
            Self::Finding(finding) => finding.accepted.acceptances().collect(),
            Self::Problem(problem) => problem.accepted.as_deref().into_iter().collect(),
            Self::PassedOver(_) => Vec::new(),
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
    /// How bad a match must be to be shown; all are, if none is named.
    pub shown_from: Option<Severity>,
    /// How often each rule hit, if that was asked for.
    pub statistics: Option<Statistics>,
    below: usize,
    counts: [usize; Verdict::ALL.len()],
    undetermined: usize,
    accepted: [usize; Basis::ALL.len()],
    remarks: Vec<Remark>,
}

/// What holds for a whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// What was come upon and not judged, by kind.
    pub passed_over: PassedCounts,
    /// Names of the models that judged.
    pub models: Vec<String>,
    /// Version of the pattern library: changes whenever a pattern does.
    pub library_version: String,
    /// The settings file that took effect, if any.
    pub configuration: Option<String>,
    /// Everything in the settings and on the command line that makes the gate milder than its defaults.
    pub loosened: Vec<String>,
    /// How what was found differs from another revision, if that was asked for.
    pub delta: Option<Delta>,
    /// What is the matter with acceptances in the settings.
    pub remarks: Vec<Remark>,
    /// Why its evaluations are not all in the store, if they should be.
    pub audit_problem: Option<String>,
    /// All rules that could match, for formats that list them.
    pub rules: Vec<Arc<Rule>>,
    /// The secrets in the settings.
    pub secrets: Vec<Secret>,
}

impl Report {
    /// A report of these entries.
    pub fn of(entries: Vec<Entry>, run: Run) -> Self {
        let mut report = Self { run, ..Self::default() };
        entries.into_iter().for_each(|entry| report.push(entry, true));
        report
    }

    /// Takes an entry in; counted in any case, kept if it is still needed. What is passed over is counted by the run.
    pub fn push(&mut self, entry: Entry, keep: bool) {
        if matches!(entry, Entry::PassedOver(_)) {
            return;
        }
        self.below += entry.finding().map_or(0, |finding| finding.below.count);
        self.undetermined += usize::from(entry.is_undetermined());
        self.counts[entry.verdict() as usize] += 1;
        entry.acceptances().iter().for_each(|acceptance| self.accepted[acceptance.basis as usize] += 1);
        if let Entry::Finding(finding) = &entry {
            self.remarks.extend(finding.accepted.remarks.iter().cloned());
        }
        if keep {
            self.entries.push(entry);
        }
    }

    /// Takes out of an entry what is not bad enough to be shown.
    pub fn sift(&self, entry: &mut Entry) {
        if let (Some(bar), Entry::Finding(finding)) = (self.shown_from, entry) {
            finding.show_from(bar);
        }
    }

    /// How many matches are not shown, and how bad one must be.
    pub fn below(&self) -> Option<(usize, Severity)> {
        self.shown_from.map(|bar| (self.below, bar)).filter(|(count, _)| 0 < *count)
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

    /// How much was accepted on this basis.
    pub fn accepted(&self, basis: Basis) -> usize {
        self.accepted[basis as usize]
    }

    /// What is the matter with acceptances, in order of where they are written.
    pub fn remarks(&self) -> Vec<&Remark> {
        let mut remarks: Vec<&Remark> = self.remarks.iter().chain(&self.run.remarks).collect();
        remarks.sort_unstable();
        remarks.dedup();
        remarks
    }

    /// Returns true if and only if nothing was judged.
    pub fn is_empty(&self) -> bool {
        self.counts.iter().all(|count| *count == 0)
    }
}
