//! How well each model tells bad files from good ones that a person has labelled, and from which scores on it would do so.

pub mod auc;
pub mod calibration;
pub mod gather;
pub mod hits;
pub mod labels;
pub mod rate;
pub mod roc;
pub mod threshold;

use crate::finding::Run;
use crate::finding::hide::Hide;
use crate::pattern::mask::Mask;
use crate::tune::auc::Auc;
use crate::tune::hits::RuleHits;
use crate::tune::roc::Point;
use crate::tune::threshold::Cut;
use crate::value::verdict::Verdict;

/// Of fewer files than this a rate says little: with none of 30 flagged, the true rate may still be a tenth (Wilson).
pub const FEW: usize = 30;

/// What labelled files say of models and rules.
#[derive(Debug)]
pub struct Tuning {
    /// The file with the labels, as the user named it.
    pub labels: String,
    /// How many files that are labelled good were looked at.
    pub good: usize,
    /// How many files that are labelled bad were looked at.
    pub bad: usize,
    /// How many files were looked at that have no label; they count nowhere.
    pub unlabelled: usize,
    /// The false-positive rates that are wanted, the lowest first, each from 0 to less than 1.
    pub rates: Vec<f64>,
    /// The models, in the order in which they were named.
    pub models: Vec<ModelTuning>,
    /// Models that could not be built, each with the reason.
    pub left_out: Vec<(String, String)>,
    /// The rules that hit any labelled file, those with most false alarms first.
    pub rules: Vec<RuleHits>,
    /// What holds for the whole run.
    pub run: Run,
}

impl Hide for Tuning {
    fn hide(&mut self, mask: &Mask) {
        let Self { labels, good: _, bad: _, unlabelled: _, rates: _, models: _, left_out, rules: _, run } = self;
        labels.hide(mask);
        left_out.hide(mask);
        run.hide(mask);
    }
}

/// What labelled files say of a model.
#[derive(Clone, Debug)]
pub struct ModelTuning {
    /// Its name.
    pub name: String,
    /// How it decides: by action or by thresholds on the score.
    pub decides_by: &'static str,
    /// What it makes of the good files.
    pub good: Class,
    /// What it makes of the bad files.
    pub bad: Class,
    /// How well its scores tell them apart; none without a file of either label.
    pub auc: Option<Auc>,
    /// Its curve, from the highest threshold to the lowest; empty without a file of either label.
    pub roc: Vec<Point>,
    /// The thresholds that reach the wanted rates, in their order.
    pub cuts: Vec<Cut>,
}

/// What a model makes of the files with one label.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Class {
    /// For each file its highest score, 0–100, or infinity where it could not be judged and is therefore flagged whatever the
    /// threshold. In ascending order.
    pub ranks: Vec<f64>,
    /// How many of them could not be judged, or not wholly.
    pub undetermined: usize,
    /// How many more files there are of which the model says nothing.
    pub silent: usize,
    /// How many have each verdict by the settings that are in force, the mildest first.
    pub verdicts: [usize; Verdict::ALL.len()],
}

impl Class {
    /// How many files count.
    pub fn count(&self) -> usize {
        self.ranks.len()
    }

    /// How many files have at least this verdict by the settings that are in force.
    pub fn reach(&self, verdict: Verdict) -> usize {
        Verdict::ALL.iter().zip(self.verdicts).filter(|(own, _)| verdict <= **own).map(|(_, count)| count).sum()
    }
}

impl ModelTuning {
    /// Judges a model by what it makes of both classes.
    pub fn of(name: &str, decides_by: &'static str, good: Class, bad: Class, rates: &[f64]) -> Self {
        let roc = roc::points(&good.ranks, &bad.ranks);
        let auc = Auc::of(&roc);
        let cuts = rates.iter().filter_map(|rate| Cut::at(*rate, &roc)).collect();
        Self { name: name.to_owned(), decides_by, good, bad, auc, roc, cuts }
    }

    /// Returns true if and only if the model's own action decides, so that thresholds come on top of it.
    pub fn has_actions(&self) -> bool {
        self.decides_by == "action"
    }

    /// The threshold to block from: the one that reaches the lowest of the wanted rates.
    pub fn block(&self) -> Option<&Cut> {
        self.cuts.first()
    }

    /// The threshold to warn from: the one that reaches the highest of the wanted rates.
    pub fn warn(&self) -> Option<&Cut> {
        self.cuts.last()
    }

    /// How many bad files are found whatever the threshold, because they could not be judged.
    pub fn found_anyway(&self) -> usize {
        self.roc.first().map_or(0, |point| point.bad)
    }
}

impl Tuning {
    /// What to bear in mind when reading the numbers, each in a sentence without a full stop.
    pub fn cautions(&self) -> Vec<String> {
        let few = [("good", self.good), ("bad", self.bad)].into_iter().filter(|(_, count)| *count < FEW);
        let mut cautions: Vec<String> =
            few.map(|(label, count)| format!("{count} {label} files are few: with less than {FEW}, rates are rough guesses")).collect();
        let finest = self.rates.iter().copied().filter(|rate| 0.0 < *rate && *rate * (self.good as f64) < 1.0);
        let finest: Vec<String> = finest.map(rate::percent).collect();
        if !finest.is_empty() {
            let (rates, good) = (finest.join(" and "), self.good);
            cautions.push(format!("{rates} of {good} good files is less than one file, so it asks for the same as 0 %"));
        }
        cautions
    }
}
