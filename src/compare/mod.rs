//! What several models think of the same subjects, side by side: who differs, how far, and how often.

pub mod agreement;
pub mod cell;
pub mod replay;
pub mod stored;

use crate::compare::agreement::{Agreement, Column};
use crate::compare::cell::{Cell, State};
use crate::finding::hide::Hide;
use crate::finding::{Entry, Report, Run};
use crate::pattern::mask::Mask;
use crate::value::verdict::Verdict;

/// The opinions of several models of the same subjects.
#[derive(Debug)]
pub struct Comparison {
    /// The models, in the order in which they were named.
    pub columns: Vec<Column>,
    /// Models that could not be built, each with the reason.
    pub left_out: Vec<(String, String)>,
    /// The subjects: first those of which the verdicts differ most, then by the spread of the scores, the worst verdict,
    /// and the name.
    pub rows: Vec<Row>,
    /// How many rows are left out because the verdicts do not differ, if that was asked for.
    pub hidden: usize,
    /// How often each two models agree, over all subjects.
    pub agreements: Vec<Agreement>,
    /// What holds for the whole run.
    pub run: Run,
}

/// A subject, or a source that could not be judged, with what each model says of it.
#[derive(Debug)]
pub struct Row {
    /// The subject with all that was found in it.
    pub entry: Entry,
    /// Which of the subjects of its source it is, from 1, where there are several.
    pub nth: Option<usize>,
    /// What each model says, in the order of the columns.
    pub cells: Vec<Cell>,
    /// How far the verdicts differ: 0 not at all, 1 by a step, 2 between allow and block.
    pub distance: u8,
    /// The highest score less the lowest, 0–100.
    pub spread: f64,
}

/// Which rows are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All.
    All,
    /// Those of which the verdicts differ.
    Disagreements,
}

impl Comparison {
    /// Compares the opinions in a report. `models` are the names and summaries of the models that judged, in their order;
    /// `on_undetermined` is the verdict on what could not be judged.
    pub fn of(report: Report, models: &[(&str, &'static str)], on_undetermined: Verdict, wanted: Wanted) -> Self {
        let numbers = numbers(&report.entries);
        let entries = report.entries.into_iter().zip(numbers);
        let mut rows: Vec<Row> = entries.map(|(entry, nth)| Row::of(entry, nth, models.len(), on_undetermined)).collect();
        rows.sort_by(order);
        let columns = models.iter().enumerate().map(|(at, (name, summary))| Column::of(name, summary, cells_of(&rows, at))).collect();
        let agreements = agreement::pairs(models.len(), &rows.iter().map(|row| row.cells.as_slice()).collect::<Vec<_>>());
        let all = rows.len();
        if wanted == Wanted::Disagreements {
            rows.retain(|row| 0 < row.distance);
        }
        Self { columns, left_out: Vec::new(), hidden: all - rows.len(), rows, agreements, run: report.run }
    }

    /// How many subjects there are of which the verdicts differ.
    pub fn disagreements(&self) -> usize {
        self.rows.iter().filter(|row| 0 < row.distance).count()
    }

    /// How many subjects there are, with those that are left out.
    pub fn subjects(&self) -> usize {
        self.rows.len() + self.hidden
    }

    /// The models with the strictest verdicts and those with the mildest, unless all are equally strict.
    pub fn extremes(&self) -> Option<(Vec<&str>, Vec<&str>)> {
        let strictness = || self.columns.iter().filter_map(Column::strictness);
        let (most, least) = (strictness().max_by(f64::total_cmp)?, strictness().min_by(f64::total_cmp)?);
        let at = |wanted: f64| {
            self.columns.iter().filter(|column| column.strictness() == Some(wanted)).map(|column| column.name.as_str()).collect()
        };
        (least < most).then(|| (at(most), at(least)))
    }
}

fn cells_of(rows: &[Row], at: usize) -> impl Iterator<Item = &Cell> {
    rows.iter().filter_map(move |row| row.cells.get(at))
}

impl Row {
    fn of(entry: Entry, nth: Option<usize>, models: usize, on_undetermined: Verdict) -> Self {
        let cells = match &entry {
            Entry::Finding(finding) => finding.opinions.iter().map(|opinion| Cell::of(opinion, finding, on_undetermined)).collect(),
            Entry::Problem(problem) => vec![Cell::unjudged(State::Undetermined, problem.verdict); models],
            Entry::PassedOver(_) => Vec::new(),
        };
        let (distance, spread) = (distance(&cells), spread(&cells));
        Self { entry, nth, cells, distance, spread }
    }

    /// The name of the subject for people: that of its source, and its number where there are several.
    pub fn name(&self) -> String {
        let name = self.entry.name().as_shown();
        self.nth.map_or(name.clone(), |nth| format!("{name} #{nth}"))
    }

    /// The strictest verdict of any model.
    pub fn worst(&self) -> Option<Verdict> {
        self.cells.iter().filter_map(|cell| cell.verdict).max()
    }
}

/// How far the verdicts differ. A model that failed has no opinion to differ by.
fn distance(cells: &[Cell]) -> u8 {
    let verdicts = || cells.iter().filter(|cell| cell.is_opinion()).filter_map(|cell| cell.verdict);
    match (verdicts().min(), verdicts().max()) {
        (Some(mildest), Some(strictest)) => strictest as u8 - mildest as u8,
        (None, _) | (_, None) => 0,
    }
}

fn spread(cells: &[Cell]) -> f64 {
    let scores = || cells.iter().filter_map(|cell| cell.score);
    match (scores().min_by(f64::total_cmp), scores().max_by(f64::total_cmp)) {
        (Some(lowest), Some(highest)) => highest - lowest,
        (None, _) | (_, None) => 0.0,
    }
}

fn order(left: &Row, right: &Row) -> std::cmp::Ordering {
    let differing = right.distance.cmp(&left.distance).then_with(|| right.spread.total_cmp(&left.spread));
    let worst = differing.then_with(|| right.worst().cmp(&left.worst()));
    worst.then_with(|| left.entry.name().cmp(right.entry.name())).then_with(|| left.nth.cmp(&right.nth))
}

impl Hide for Comparison {
    fn hide(&mut self, mask: &Mask) {
        let Self { columns: _, left_out, rows, hidden: _, agreements: _, run } = self;
        left_out.hide(mask);
        rows.hide(mask);
        run.hide(mask);
    }
}

impl Hide for Row {
    fn hide(&mut self, mask: &Mask) {
        let Self { entry, nth: _, cells, distance: _, spread: _ } = self;
        entry.hide(mask);
        cells.hide(mask);
    }
}

impl Hide for Cell {
    fn hide(&mut self, mask: &Mask) {
        let Self { state, verdict: _, score: _, level } = self;
        level.hide(mask);
        match state {
            State::Failed(why) => why.hide(mask),
            State::Judged | State::Undetermined | State::Silent => {}
        }
    }
}

/// For each entry, which of the subjects of its source it is, from 1; none where it is the only one.
fn numbers(entries: &[Entry]) -> Vec<Option<usize>> {
    let mut counts = std::collections::BTreeMap::new();
    let nth: Vec<usize> = entries
        .iter()
        .map(|entry| {
            let count = counts.entry(entry.name()).or_insert(0_usize);
            *count += 1;
            *count
        })
        .collect();
    let is_alone = |entry: &Entry| counts.get(entry.name()) == Some(&1);
    entries.iter().zip(nth).map(|(entry, nth)| (!is_alone(entry)).then_some(nth)).collect()
}
