//! Gathers what the models say of each file: of several subjects in a file the worst counts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::compare::cell::{Cell, State};
use crate::finding::Entry;
use crate::finding::placed::PlacedMatch;
use crate::tune::hits::{self, RuleHits};
use crate::tune::labels::Label;
use crate::tune::{Class, ModelTuning};
use crate::value::verdict::Verdict;

/// What was found in each file.
#[derive(Debug)]
pub struct Gathered {
    models: usize,
    on_undetermined: Verdict,
    files: BTreeMap<PathBuf, Outcome>,
}

/// What was found in one file.
#[derive(Debug)]
struct Outcome {
    /// What each model says, in the order of the models.
    seen: Vec<Seen>,
    /// The rules that hit.
    rules: BTreeSet<String>,
}

/// What one model says of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Seen {
    /// The highest score of any subject; none where it has judged none.
    score: Option<f64>,
    /// Some subject could not be judged, or not wholly.
    is_undetermined: bool,
    /// The strictest verdict.
    verdict: Verdict,
}

impl Gathered {
    /// Nothing yet, for so many models; `on_undetermined` is the verdict on what could not be judged.
    pub fn new(models: usize, on_undetermined: Verdict) -> Self {
        Self { models, on_undetermined, files: BTreeMap::new() }
    }

    /// Takes an outcome of a run in.
    pub fn take(&mut self, entry: &Entry) {
        let path = entry.name().path().to_path_buf();
        let nothing = || Outcome { seen: vec![Seen::default(); self.models], rules: BTreeSet::new() };
        let outcome = self.files.entry(path).or_insert_with(nothing);
        match entry {
            Entry::Finding(finding) => {
                for (seen, opinion) in outcome.seen.iter_mut().zip(&finding.opinions) {
                    seen.take(&Cell::of(opinion, finding, self.on_undetermined));
                }
                let rules = finding.matches.iter().flat_map(PlacedMatch::rules);
                outcome.rules.extend(rules.map(|rule| rule.id.to_string()));
            }
            Entry::Problem(problem) => {
                let cell = Cell::unjudged(State::Undetermined, problem.verdict);
                outcome.seen.iter_mut().for_each(|seen| seen.take(&cell));
            }
            Entry::PassedOver(_) => {}
        }
    }

    /// Leaves a file out that is no input.
    pub fn forget(&mut self, path: &Path) {
        self.files.remove(path);
    }

    /// The files.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// Judges the models, each a name and how it decides, by the labels of the files. `rates` are the wanted false-positive
    /// rates.
    pub fn models(&self, models: &[(&str, &'static str)], labels: &BTreeMap<PathBuf, Label>, rates: &[f64]) -> Vec<ModelTuning> {
        let judge = |(at, (name, decides_by)): (usize, &(&str, &'static str))| {
            let class = |label| self.class(at, label, labels);
            ModelTuning::of(name, decides_by, class(Label::Good), class(Label::Bad), rates)
        };
        models.iter().enumerate().map(judge).collect()
    }

    fn class(&self, model: usize, label: Label, labels: &BTreeMap<PathBuf, Label>) -> Class {
        let mut class = Class::default();
        for seen in self.labelled(labels).filter(|(own, _)| *own == label).filter_map(|(_, outcome)| outcome.seen.get(model)) {
            match seen.rank(self.on_undetermined) {
                Some(rank) => {
                    class.ranks.push(rank);
                    class.undetermined += usize::from(seen.is_undetermined);
                    class.verdicts[seen.verdict as usize] += 1;
                }
                None => class.silent += 1,
            }
        }
        class.ranks.sort_by(f64::total_cmp);
        class
    }

    /// Counts what each rule hits.
    pub fn rules(&self, labels: &BTreeMap<PathBuf, Label>) -> Vec<RuleHits> {
        hits::count(self.labelled(labels).map(|(label, outcome)| (label, outcome.rules.iter().map(String::as_str))))
    }

    /// How many files have this label.
    pub fn count(&self, label: Option<Label>, labels: &BTreeMap<PathBuf, Label>) -> usize {
        self.files.keys().filter(|path| labels.get(*path).copied() == label).count()
    }

    fn labelled(&self, labels: &BTreeMap<PathBuf, Label>) -> impl Iterator<Item = (Label, &Outcome)> {
        self.files.iter().filter_map(|(path, outcome)| Some((*labels.get(path)?, outcome)))
    }
}

impl Seen {
    fn take(&mut self, cell: &Cell) {
        self.is_undetermined |= match cell.state {
            State::Undetermined | State::Failed(_) => true,
            State::Judged | State::Silent => false,
        };
        self.score = self.score.into_iter().chain(cell.score).reduce(f64::max);
        self.verdict = self.verdict.max(cell.verdict.unwrap_or_default());
    }

    /// The score by which the file is ranked: none where the model says nothing of it, infinity where it could not be judged
    /// and policy does not let that pass.
    fn rank(&self, on_undetermined: Verdict) -> Option<f64> {
        match (self.is_undetermined, on_undetermined) {
            (true, Verdict::Warn | Verdict::Block) => Some(f64::INFINITY),
            (true, Verdict::Allow) => Some(self.score.unwrap_or(0.0)),
            (false, _) => self.score,
        }
    }
}
