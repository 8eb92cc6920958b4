//! The heat map: a row a subject, a column a model, the colour by score and the border by verdict.

use std::fmt::{self, Write as _};

use crate::compare::cell::{Cell, State};
use crate::compare::{Comparison, Row};
use crate::finding::Entry;
use crate::report::compare::html::{fall, source};
use crate::report::html::text::{Text, heat, plain, sign};
use crate::value::verdict::Verdict;

/// How many subjects can be opened: the first, of which the verdicts differ most. A page with more is slow to load.
const OPENED: usize = 400;
/// How many subjects have a row.
const ROWS: usize = 5_000;

/// Writes what the colours and borders mean.
pub fn legend(page: &mut String) -> fmt::Result {
    write!(page, r#"<div class="legend" aria-label="Legend"><span class="scale">score 0 <span>"#)?;
    (0..=10).try_for_each(|step| write!(page, r#"<i class="s{step}"></i>"#))?;
    write!(page, "</span> 100</span>")?;
    for verdict in Verdict::ALL {
        write!(page, r#"<span class="mark"><i class="v{}">{}</i>{verdict}</span>"#, verdict as u8, sign(Some(verdict)))?;
    }
    writeln!(page, r#"<span class="mark"><i class="unsure"></i>undetermined</span></div>"#)
}

/// Writes the map.
pub fn write(comparison: &Comparison, page: &mut String) -> fmt::Result {
    write!(page, r#"<div class="head"><button type="button" class="of-name" data-column="-1">subject</button>"#)?;
    for (at, column) in comparison.columns.iter().enumerate() {
        let (name, summary) = (Text(&column.name), Text(column.summary));
        write!(page, r#"<button type="button" data-column="{at}" title="{summary}">{name}</button>"#)?;
    }
    writeln!(page, "</div>")?;
    for (at, row) in comparison.rows.iter().take(ROWS).enumerate() {
        if at < OPENED {
            write!(page, r#"<details class="row" data-d="{}"><summary>"#, row.distance)?;
            line(row, comparison, page)?;
            write!(page, "</summary><div class=\"body\">")?;
            body(row, comparison, page)?;
            writeln!(page, "</div></details>")?;
        } else {
            write!(page, r#"<div class="row" data-d="{}"><div class="flat">"#, row.distance)?;
            line(row, comparison, page)?;
            writeln!(page, "</div></div>")?;
        }
    }
    if OPENED < comparison.rows.len() {
        writeln!(page, "<p class=\"hint\">Only the first {OPENED} subjects can be opened; --format json has all of them.</p>")?;
    }
    if ROWS < comparison.rows.len() {
        writeln!(page, "<p class=\"hint\">{} more subjects are not shown; --format json has them.</p>", comparison.rows.len() - ROWS)?;
    }
    Ok(())
}

fn line(row: &Row, comparison: &Comparison, page: &mut String) -> fmt::Result {
    let name = row.name();
    let (folder, file) = name.rsplit_once('/').map_or(("", name.as_str()), |(folder, file)| (folder, file));
    write!(page, r#"<span class="name">"#)?;
    if !folder.is_empty() {
        write!(page, "<small>{}/</small>", Text(folder))?;
    }
    write!(page, "<strong>{}</strong>", Text(file))?;
    if let Some((reason, _)) = unjudged(&row.entry) {
        write!(page, r#"<span class="why">undetermined: {}</span>"#, Text(reason))?;
    }
    write!(page, "</span>")?;
    row.cells.iter().zip(&comparison.columns).try_for_each(|(shown, column)| cell(shown, &column.name, page))
}

/// Why a subject could not be judged, or not wholly.
fn unjudged(entry: &Entry) -> Option<(&'static str, &str)> {
    match entry {
        Entry::Finding(finding) => finding.undetermined.as_ref().map(|found| (found.reason.name(), found.detail.as_str())),
        Entry::Problem(problem) => Some((problem.reason.name(), problem.detail.as_str())),
        Entry::PassedOver(_) => None,
    }
}

fn cell(cell: &Cell, model: &str, page: &mut String) -> fmt::Result {
    let mut class = cell.score.map_or("none".to_owned(), |score| format!("s{}", heat(score)));
    if let Some(verdict) = cell.verdict.filter(|_| cell.is_opinion()) {
        let _ = write!(class, " v{}", verdict as u8);
    }
    if cell.state == State::Undetermined {
        class.push_str(" unsure");
    }
    let verdict = cell.verdict.map_or(-1, |verdict| verdict as i32);
    let score = cell.score.map_or("–".to_owned(), |score| plain(score.round()));
    let level = match &cell.state {
        State::Failed(_) => "failed",
        State::Silent => "silent",
        // A score of 0 needs no word.
        State::Judged | State::Undetermined => cell.level.as_deref().filter(|_| cell.score != Some(0.0)).unwrap_or_default(),
    };
    let sorted = cell.score.unwrap_or(-1.0);
    write!(page, r#"<span class="c {class}" data-v="{verdict}" data-s="{sorted}" title="{}: "#, Text(model))?;
    match &cell.state {
        State::Failed(why) => write!(page, "failed: {}", Text(why))?,
        State::Silent => write!(page, "nothing to say")?,
        State::Judged | State::Undetermined => {
            write!(page, "{}", cell.verdict.map_or("", Verdict::name))?;
            cell.score.map_or(Ok(()), |score| write!(page, ", score {}", plain(score)))?;
            if cell.state == State::Undetermined {
                write!(page, ", undetermined")?;
            }
        }
    }
    let sign = sign(cell.verdict.filter(|_| cell.is_opinion()));
    write!(page, r#""><b>{score}</b><i>{sign} {}</i></span>"#, Text(level))
}

/// What an opened row shows.
fn body(row: &Row, comparison: &Comparison, page: &mut String) -> fmt::Result {
    if let Some((reason, detail)) = unjudged(&row.entry) {
        writeln!(page, "<p class=\"quiet\"><b>Not judged, or not wholly: {}:</b> {}</p>", Text(reason), Text(detail))?;
    }
    match &row.entry {
        Entry::Finding(finding) => {
            fall::cards(row, finding, comparison, page)?;
            source::matches(finding, page)
        }
        Entry::Problem(_) | Entry::PassedOver(_) => Ok(()),
    }
}
