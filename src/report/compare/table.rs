//! Comparisons for people: a row a subject and a column a model where they fit side by side, or else the models of each
//! subject by verdict; then how strict each model is and how often each two agree.

use std::fmt::Write as _;
use std::io;

use comfy_table::{Cell as Drawn, CellAlignment, Color, ContentArrangement, Table, presets};

use crate::compare::agreement::Column;
use crate::compare::cell::{Cell, State};
use crate::compare::{Comparison, Row};
use crate::finding::hide::Hidden;
use crate::report::Style;
use crate::report::table::settings;
use crate::value::score::Score;
use crate::value::source::shown;
use crate::value::verdict::Verdict;

/// Least and greatest width of the column with the names of the subjects.
const NAME: (usize, usize) = (24, 44);
/// Spaces between two columns.
const GAP: usize = 2;

/// Writes a comparison for people.
///
/// # Errors
///
/// When the writer fails.
pub fn write(comparison: Hidden<'_, Comparison>, style: Style, writer: &mut dyn io::Write) -> io::Result<()> {
    let comparison = comparison.get();
    let mut text = String::new();
    if !comparison.rows.is_empty() {
        match name_width(comparison, style) {
            Some(width) => text.push_str(&side_by_side(comparison, width, style)),
            None => comparison.rows.iter().for_each(|row| by_verdict(row, &comparison.columns, style, &mut text)),
        }
        text.push('\n');
    }
    failures(comparison, &mut text);
    if !comparison.columns.is_empty() {
        let _ = writeln!(text, "{}\n", strictness(comparison, style));
    }
    if 1 < comparison.columns.len() {
        let _ = writeln!(text, "subjects with the same verdict, in percent:\n{}\n", agreement(comparison));
    }
    totals(comparison, &mut text);
    // The tables fill lines up with spaces that nobody wants to copy.
    text.lines().try_for_each(|line| writeln!(writer, "{}", line.trim_end()))
}

/// The verdict and the score of a cell.
fn words(cell: &Cell) -> String {
    match (&cell.state, cell.verdict, cell.score) {
        (State::Silent, ..) | (_, None, _) => "–".to_owned(),
        (State::Failed(_), ..) => "failed".to_owned(),
        (State::Judged | State::Undetermined, Some(verdict), Some(score)) => format!("{verdict} {}", Score::clamped(score.round())),
        (State::Judged | State::Undetermined, Some(verdict), None) => verdict.name().to_owned(),
    }
}

/// The second line of a cell; a score of 0 needs no word.
fn more_words(cell: &Cell) -> String {
    match cell.state {
        State::Undetermined => "undetermined".to_owned(),
        State::Judged if cell.score == Some(0.0) && cell.verdict == Some(Verdict::Allow) => String::new(),
        State::Judged | State::Failed(_) | State::Silent => cell.level.as_deref().map(shown).unwrap_or_default(),
    }
}

fn colour(verdict: Verdict) -> Color {
    match verdict {
        Verdict::Allow => Color::Green,
        Verdict::Warn => Color::Yellow,
        Verdict::Block => Color::Red,
    }
}

/// How wide the names may be if all models stand side by side; none if they do not fit.
fn name_width(comparison: &Comparison, style: Style) -> Option<usize> {
    let needed = comparison.columns.iter().enumerate().map(|(at, column)| GAP + column_width(comparison, column, at));
    let rest = style.width.checked_sub(needed.sum())?;
    let longest = comparison.rows.iter().map(|row| row.name().chars().count()).max().unwrap_or(0);
    let least = longest.min(NAME.0);
    (least <= rest).then(|| longest.min(rest).min(NAME.1))
}

fn column_width(comparison: &Comparison, column: &Column, at: usize) -> usize {
    let length = |text: &str| text.chars().count();
    let cells = comparison.rows.iter().filter_map(|row| row.cells.get(at));
    let widest = cells.map(|cell| length(&words(cell)).max(length(&more_words(cell)))).max().unwrap_or(0);
    let head = head(&column.name);
    head.lines().map(length).max().unwrap_or(0).max(widest)
}

/// A model's name as it stands above its column: broken after the hyphens.
fn head(name: &str) -> String {
    name.replace('-', "-\n")
}

fn new_table(style: Style) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    if style.colour {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table
}

/// Takes the space away that comfy-table puts before the first column, and leaves `GAP` between the others.
fn pad(table: &mut Table) {
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if at == 0 { 0 } else { 2 }, 0));
    }
}

fn side_by_side(comparison: &Comparison, width: usize, style: Style) -> String {
    let mut table = new_table(style);
    table.set_header(std::iter::once("subject".to_owned()).chain(comparison.columns.iter().map(|column| head(&column.name))));
    for row in &comparison.rows {
        let cells = row.cells.iter().map(|cell| {
            let more = more_words(cell);
            let text = if more.is_empty() { words(cell) } else { format!("{}\n{more}", words(cell)) };
            match cell.verdict {
                Some(verdict) => Drawn::new(text).fg(colour(verdict)),
                None => Drawn::new(text),
            }
        });
        table.add_row(std::iter::once(Drawn::new(broken(&row.name(), width))).chain(cells));
    }
    pad(&mut table);
    format!("{table}\n")
}

/// A name in lines of at most so many characters, broken after slashes where it can be.
fn broken(name: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    let mut length = 0;
    for part in name.split_inclusive('/') {
        for (at, character) in part.chars().enumerate() {
            let is_new_part = at == 0 && 0 < length && width < length + part.chars().count();
            if is_new_part || length == width {
                lines.push(String::new());
                length = 0;
            }
            if let Some(line) = lines.last_mut() {
                line.push(character);
            }
            length += 1;
        }
    }
    lines.join("\n")
}

/// The models of a subject by verdict, the strictest first, each with its score and level.
fn by_verdict(row: &Row, columns: &[Column], style: Style, text: &mut String) {
    let how_far = match row.distance {
        0 => "all agree".to_owned(),
        _ => format!("scores {} apart", Score::clamped(row.spread.round())),
    };
    let _ = writeln!(text, "{} ({how_far})", row.name());
    let cells = || row.cells.iter().zip(columns);
    for verdict in Verdict::ALL.into_iter().rev() {
        let with_it = cells().filter(|(cell, _)| cell.is_opinion() && cell.verdict == Some(verdict));
        list(verdict.name(), Some(verdict), with_it.map(|(cell, column)| named(cell, column)).collect(), style, text);
    }
    let failed = cells().filter(|(cell, _)| matches!(cell.state, State::Failed(_)));
    list("failed", None, failed.map(|(_, column)| column.name.clone()).collect(), style, text);
    let silent = cells().filter(|(cell, _)| cell.state == State::Silent);
    list("–", None, silent.map(|(_, column)| column.name.clone()).collect(), style, text);
}

fn named(cell: &Cell, column: &Column) -> String {
    let score = cell.score.map(|score| format!(" {}", Score::clamped(score.round()))).unwrap_or_default();
    let more = more_words(cell);
    let more = if more.is_empty() { String::new() } else { format!(" {more}") };
    format!("{}{score}{more}", column.name)
}

fn list(word: &str, verdict: Option<Verdict>, entries: Vec<String>, style: Style, text: &mut String) {
    if entries.is_empty() {
        return;
    }
    let padded = format!("{word:<6}");
    let painted = match verdict {
        Some(verdict) if style.colour => crate::report::table::paint::paint(&padded, verdict, true),
        Some(_) | None => padded,
    };
    let _ = write!(text, "  {painted}");
    let mut length = 8;
    for (at, entry) in entries.iter().enumerate() {
        let comma = if at + 1 < entries.len() { "," } else { "" };
        let needed = entry.chars().count() + comma.len() + 1;
        if style.width < length + needed && 8 < length {
            let _ = write!(text, "\n        ");
            length = 8;
        }
        let _ = write!(text, " {entry}{comma}");
        length += needed;
    }
    text.push('\n');
}

/// Each model that failed, with why it failed first.
fn failures(comparison: &Comparison, text: &mut String) {
    for (at, column) in comparison.columns.iter().enumerate().filter(|(_, column)| 0 < column.failed) {
        let mut whys = comparison.rows.iter().filter_map(|row| match row.cells.get(at).map(|cell| &cell.state) {
            Some(State::Failed(why)) => Some(shown(why)),
            Some(State::Judged | State::Undetermined | State::Silent) | None => None,
        });
        let why = whys.next().unwrap_or_default();
        let _ = writeln!(text, "{} failed on {} of {} subjects: {why}\n", column.name, column.failed, comparison.subjects());
    }
}

/// The models from the strictest to the mildest, with their verdicts.
fn strictness(comparison: &Comparison, style: Style) -> Table {
    let mut table = new_table(style);
    table.set_header(["model", "block", "warn", "allow", "not judged", "mean score", ""]);
    let (strictest, mildest) = comparison.extremes().unwrap_or_default();
    let mut columns: Vec<&Column> = comparison.columns.iter().collect();
    let strictness = |column: &Column| column.strictness().unwrap_or(-1.0);
    columns.sort_by(|left, right| strictness(right).total_cmp(&strictness(left)));
    for column in columns {
        let [allow, warn, block] = column.counts.map(|count| count.to_string());
        let unjudged = column.undetermined + column.failed + column.silent;
        let mean = column.mean_score.map(|score| format!("{score:.1}")).unwrap_or_default();
        let name = column.name.as_str();
        let remark = if strictest.contains(&name) {
            "strictest"
        } else if mildest.contains(&name) {
            "mildest"
        } else {
            ""
        };
        table.add_row([name.to_owned(), block, warn, allow, unjudged.to_string(), mean, remark.to_owned()]);
    }
    pad(&mut table);
    for column in table.column_iter_mut().skip(1).take(5) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// How often each two models agree: the lower half of a matrix.
fn agreement(comparison: &Comparison) -> Table {
    let mut table = new_table(Style::default());
    let count = comparison.columns.len();
    table.set_header(std::iter::once(String::new()).chain((1..count).map(|number| number.to_string())));
    for (at, column) in comparison.columns.iter().enumerate() {
        let pairs = comparison.agreements.iter().filter(|agreement| agreement.models.1 == at);
        let cells = pairs.map(|agreement| agreement.percent().map_or("–".to_owned(), |percent| percent.to_string()));
        table.add_row(std::iter::once(format!("{:>2} {}", at + 1, column.name)).chain(cells));
    }
    pad(&mut table);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// What was compared and what was not.
fn totals(comparison: &Comparison, text: &mut String) {
    for (name, why) in &comparison.left_out {
        let _ = writeln!(text, "left out: {name}: {}", shown(why));
    }
    text.push_str(&settings(&comparison.run));
    let hidden = if 0 < comparison.hidden { format!("; {} on which all agree are not shown", comparison.hidden) } else { String::new() };
    let (subjects, models) = (comparison.subjects(), comparison.columns.len());
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let _ = writeln!(
        text,
        "{subjects} subject{}, {models} model{}: the verdicts differ on {}{hidden}",
        plural(subjects),
        plural(models),
        comparison.disagreements()
    );
}
