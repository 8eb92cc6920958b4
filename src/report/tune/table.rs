//! Tunings for people: how well each model tells bad from good, its curve, the thresholds, and what each rule hits.

use std::fmt::Write as _;
use std::io;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use crate::finding::hide::Hidden;
use crate::report::Style;
use crate::report::table::settings;
use crate::tune::rate::{at_most, percent, share};
use crate::tune::roc::{Point, thinned};
use crate::tune::threshold::Cut;
use crate::tune::{Class, ModelTuning, Tuning};
use crate::value::source::shown;
use crate::value::verdict::Verdict;

/// Most lines of a curve.
const LINES: usize = 10;

/// Writes a tuning for people.
///
/// # Errors
///
/// When the writer fails.
pub fn write(tuning: Hidden<'_, Tuning>, style: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let tuning = tuning.get();
    let mut text = String::new();
    let _ = writeln!(text, "{}\n", lead(tuning));
    let _ = writeln!(text, "{}\n", overview(tuning));
    for model in &tuning.models {
        curve(model, &mut text);
    }
    let _ = writeln!(text, "{}\n", rules(tuning));
    for caution in tuning.cautions() {
        let _ = writeln!(text, "caution: {caution}");
    }
    for (name, why) in tuning.left_out.iter().filter(|_| style.verbose) {
        let _ = writeln!(text, "left out: {name}: {}", shown(why));
    }
    text.push_str(&settings(&tuning.run));
    // The tables fill lines up with spaces that nobody wants to copy.
    text.lines().try_for_each(|line| writeln!(writer, "{}", line.trim_end()))
}

fn lead(tuning: &Tuning) -> String {
    let left_out = match tuning.unlabelled {
        0 => String::new(),
        1 => "; 1 file without a label is left out".to_owned(),
        count => format!("; {count} files without a label are left out"),
    };
    format!("{}: {} good, {} bad{left_out}", shown(&tuning.labels), tuning.good, tuning.bad)
}

fn new_table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled).force_no_tty();
    table.set_header(head);
    table
}

/// Aligns all columns but the first to the right, with two spaces between them.
fn finish(mut table: Table, indent: u16) -> Table {
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if at == 0 { indent } else { 2 }, 0));
        column.set_cell_alignment(if at == 0 { CellAlignment::Left } else { CellAlignment::Right });
    }
    table
}

/// The models from the one that tells best.
fn overview(tuning: &Tuning) -> Table {
    let mut table = new_table(&["model", "AUC", "95 %", "good", "bad", "undetermined", "silent", "bad flagged now", "good flagged now"]);
    let mut models: Vec<&ModelTuning> = tuning.models.iter().collect();
    let area = |model: &ModelTuning| model.auc.map_or(-1.0, |auc| auc.value);
    models.sort_by(|left, right| area(right).total_cmp(&area(left)));
    for model in models {
        let (good, bad) = (&model.good, &model.bad);
        let auc = model.auc.map(|auc| (format!("{:.3}", auc.value), format!("{:.3}–{:.3}", auc.low, auc.high)));
        let (auc, interval) = auc.unwrap_or_else(|| ("–".to_owned(), "–".to_owned()));
        let unjudged = |count: usize| if count == 0 { String::new() } else { count.to_string() };
        table.add_row([
            model.name.clone(),
            auc,
            interval,
            good.count().to_string(),
            bad.count().to_string(),
            unjudged(good.undetermined + bad.undetermined),
            unjudged(good.silent + bad.silent),
            flagged(bad),
            flagged(good),
        ]);
    }
    finish(table, 0)
}

/// How many are warned of or blocked by the settings in force.
fn flagged(class: &Class) -> String {
    rate(class.reach(Verdict::Warn), class.count())
}

fn rate(part: usize, whole: usize) -> String {
    share(part, whole).map_or_else(|| "–".to_owned(), percent)
}

/// The curve of a model, and its thresholds.
fn curve(model: &ModelTuning, text: &mut String) {
    let on_top = if model.has_actions() { " (it decides by action: thresholds come on top, and can only make it stricter)" } else { "" };
    let _ = writeln!(text, "{}{on_top}", model.name);
    let undetermined = (model.good.undetermined, model.bad.undetermined);
    if undetermined != (0, 0) {
        let _ = writeln!(text, "  {} good and {} bad files could not be judged, or not wholly", undetermined.0, undetermined.1);
    }
    if model.roc.is_empty() {
        let _ = writeln!(text, "  it judges no good file, or no bad one, so there is no curve\n");
        return;
    }
    let mut table = new_table(&["from score", "bad found", "good flagged"]);
    for point in thinned(&model.roc, LINES) {
        let from = match point.threshold {
            // Rounded down, so that as a threshold it flags no less.
            Some(threshold) => ((threshold * 100.0).floor() / 100.0).to_string(),
            None if (point.good, point.bad) == (0, 0) => continue,
            None => "undetermined".to_owned(),
        };
        let Point { good, bad, .. } = point;
        table.add_row([from, of(bad, model.bad.count()), of(good, model.good.count())]);
    }
    let _ = writeln!(text, "{}\n\n{}\n", finish(table, 2), cuts(model));
}

fn of(part: usize, whole: usize) -> String {
    format!("{} ({part} of {whole})", rate(part, whole))
}

fn cuts(model: &ModelTuning) -> Table {
    let mut table = new_table(&["wanted", "threshold", "bad found", "good flagged", "at most", ""]);
    for (at, cut) in model.cuts.iter().enumerate() {
        let Cut { rate: wanted, threshold, good, bad } = *cut;
        let key = match (at == 0, at + 1 == model.cuts.len()) {
            (true, true) => "block_threshold, warn_threshold",
            (true, false) => "block_threshold",
            (false, true) => "warn_threshold",
            (false, false) => "",
        };
        let threshold = threshold.map_or_else(|| "none reaches it".to_owned(), |threshold| threshold.to_string());
        let most = percent(at_most(good, model.good.count()));
        table.add_row([percent(wanted), threshold, of(bad, model.bad.count()), of(good, model.good.count()), most, key.to_owned()]);
    }
    finish(table, 2)
}

/// What each rule hits.
fn rules(tuning: &Tuning) -> Table {
    let mut table = new_table(&["rule", "good files", "bad files", "precision"]);
    for hits in &tuning.rules {
        table.add_row([shown(&hits.id), hits.good.to_string(), hits.bad.to_string(), percent(hits.precision())]);
    }
    finish(table, 0)
}
